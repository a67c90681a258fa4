"""The graph as networkx: entities and their relations, or one of four projections of them.

Nodes and edges carry plain `str`, `int` and `float` only, and lack what is not known; both come in
a fixed order, so that equal graphs give equal files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.network.choosing import PROJECTIONS, Chosen, choose
from kg.network.drawing import draw
from kg.network.links import UNDIRECTED
from kg.part import ALL, Part

if TYPE_CHECKING:
    import networkx as nx

    from kg.store import Store

__all__ = ["PROJECTIONS", "UNDIRECTED", "Chosen", "choose", "draw", "network"]


def network(store: Store, part: Part = ALL, *, projection: str = "entities") -> nx.MultiDiGraph:
    """The network of a part of a graph. A node's id is its IRI, an edge's key its kind.

    `projection` is one of
    - "entities": entities and the relations between them; weight is the number of papers;
    - "cooccurrence": entities that stand in the same papers; weight is the number of papers,
      `association` how many times as many as by chance (van Eck and Waltman 2009);
    - "papers": papers that share entities; `shared` says how many, `jaccard` which part of all of
      either's, weight adds 1 / ln(papers) of each (Adamic and Adar 2003); entities of more than 50
      papers tie none;
    - "bipartite": papers and entities, by role;
    - "benchmarks": methods and the benchmarks and datasets they are evaluated on: a paper says so,
      or evaluates on the one and proposes, compares with or studies the other.

    Node attributes: label, type, types ("Dataset|Benchmark"), papers, first_year, last_year,
    aliases (" | " between them), confidence; for papers label, type ("Paper"), year, venue.
    Edge attributes: kind, label, papers, weight, confidence, first_year, last_year, evidence,
    paper (the last two of the surest statement). Nodes and edges of more than one year have `years`
    too ("2017|2018|2021"). Edges of `UNDIRECTED` kinds run from the lesser IRI. Support is the
    number of papers, of papers that share entities the number of these.

    Raises QueryError for an unknown projection, focus or venue, and for relations asked for in
    another projection than that of entities.
    """
    return draw(store, choose(store, part, projection))
