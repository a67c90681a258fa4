"""The graph on disk or at an endpoint; the only place that knows Oxigraph.

`GraphStore` opens, asks and writes a folder, `RemoteStore` asks a SPARQL endpoint, `open_store`
opens either for asking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.store.asking import Graphs
from kg.store.bounded import Bounded
from kg.store.graphstore import GraphStore
from kg.store.places import is_address, open_store
from kg.store.protocol import Rows, Store, Term
from kg.store.timed import Timed

if TYPE_CHECKING:
    from kg.store.remote import RemoteStore

__all__ = [
    "Bounded", "GraphStore", "Graphs", "RemoteStore", "Rows", "Store", "Term", "Timed",
    "is_address", "open_store",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import `RemoteStore` when it is first asked for: a folder needs no web client."""
    if name != "RemoteStore":
        raise AttributeError(f"module 'kg.store' has no attribute {name!r}")
    from kg.store.remote import RemoteStore  # noqa: PLC0415

    return RemoteStore
