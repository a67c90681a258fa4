"""The write path: abstracts in, a graph on disk that is a function of the set of papers given.

`build_graph` notes the records in a ledger, groups them into papers, has the model read the texts
it has not read yet, resolves names over all papers, and writes the papers whose quads differ, in
one step. Whatever interrupts it, the graph is as it was, and what the model read is kept.
"""

from __future__ import annotations

from kg.build.cluster import cluster_extract
from kg.build.papers import BuildReport, build_graph, remove_papers
from kg.build.review import suggest_curation

__all__ = [
    "BuildReport",
    "build_graph",
    "cluster_extract",
    "remove_papers",
    "suggest_curation",
]
