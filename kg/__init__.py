"""Research abstracts in, a knowledge graph out.

The names below are the library's front doors; what is heavy is imported when first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from kg.errors import InputError, KgError, ModelError, QueryError, StoreError
from kg.records import (
    Abstract,
    Entity,
    Evidence,
    Extraction,
    Mention,
    Merge,
    PaperEntity,
    Relation,
    Resolution,
    Skipped,
)

if TYPE_CHECKING:
    from kg import extract
    from kg.build import build_graph, remove_papers, suggest_curation
    from kg.extract import load_pipeline
    from kg.graph import Graph, open_graph
    from kg.readers import read_abstracts

    __version__: str

__all__ = [
    "Abstract",
    "Entity",
    "Evidence",
    "Extraction",
    "Graph",
    "InputError",
    "KgError",
    "Mention",
    "Merge",
    "ModelError",
    "PaperEntity",
    "QueryError",
    "Relation",
    "Resolution",
    "Skipped",
    "StoreError",
    "__version__",
    "build_graph",
    "extract",
    "load_pipeline",
    "open_graph",
    "read_abstracts",
    "remove_papers",
    "suggest_curation",
]

_DOORS = {
    "Graph": "kg.graph",
    "build_graph": "kg.build",
    "load_pipeline": "kg.extract",
    "open_graph": "kg.graph",
    "read_abstracts": "kg.readers",
    "remove_papers": "kg.build",
    "suggest_curation": "kg.build",
}


def __getattr__(name: str) -> object:
    """Import a front door when it is first asked for (PEP 562)."""
    if name == "extract":
        return import_module("kg.extract")
    if name == "__version__":
        return import_module("importlib.metadata").version("kg")
    if name not in _DOORS:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    return getattr(import_module(_DOORS[name]), name)
