"""The graph on disk or at an endpoint; the only place that knows Oxigraph.

`GraphStore` opens, asks and writes a folder, `RemoteStore` asks a SPARQL endpoint, `open_store`
opens either for asking.
"""

from kg.store.asking import Graphs
from kg.store.bounded import Bounded
from kg.store.graphstore import GraphStore
from kg.store.places import is_address, open_store
from kg.store.protocol import Rows, Store, Term
from kg.store.remote import RemoteStore
from kg.store.timed import Timed

__all__ = [
    "Bounded", "GraphStore", "Graphs", "RemoteStore", "Rows", "Store", "Term", "Timed",
    "is_address", "open_store",
]  # fmt: skip
