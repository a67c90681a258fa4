"""The graph on disk: `GraphStore` opens, asks, writes; the only place that knows Oxigraph."""

from kg.store.asking import Graphs
from kg.store.graphstore import GraphStore
from kg.store.protocol import Rows, Store, Term

__all__ = ["GraphStore", "Graphs", "Rows", "Store", "Term"]
