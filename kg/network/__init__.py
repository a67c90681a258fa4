"""The graph as networkx: entities and their relations, or one of four projections of them.

Nodes and edges carry plain `str`, `int` and `float` only, and lack what is not known; both come in
a fixed order, so that equal graphs give equal files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.network import facts
from kg.network.drawing import Chosen, draw
from kg.network.links import UNDIRECTED, benchmarks, bipartite, entities, pairs, paper_links
from kg.query import find_entity, find_paper
from kg.schema import TYPE_BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import networkx as nx

    from kg.network.facts import Edge, Fact
    from kg.network.links import Link
    from kg.store import Store

PROJECTIONS = ("entities", "cooccurrence", "papers", "bipartite", "benchmarks")
#: Types of the nodes of a projection that has not all.
_ONLY = {"benchmarks": {"Method", "Dataset", "Benchmark"}}

__all__ = ["PROJECTIONS", "UNDIRECTED", "network"]


def network(
    store: Store,
    *,
    projection: str = "entities",
    min_support: int = 1,
    top: int | None = None,
    types: Sequence[str] | None = None,
    years: tuple[int | None, int | None] | None = None,
    focus: str | None = None,
    hops: int = 1,
) -> nx.MultiDiGraph:
    """The network of a graph. A node's id is its IRI, an edge's key its kind.

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
    too ("2017|2018|2021"). Edges of `UNDIRECTED` kinds run from the lesser IRI.

    `types` and `years` (first, last; None for open) leave out entities and papers. Of the edges
    those with at least `min_support` papers (or shared entities) are kept; above 1 also only the
    nodes that have such an edge. `focus` (a name or IRI) keeps what lies within `hops` edges of it.
    Of what is left, `top` keeps the nodes of the most papers, the focus always.

    Raises QueryError for an unknown projection, type or focus.
    """
    if projection not in PROJECTIONS:
        raise QueryError(f"no projection {projection!r}; known: {', '.join(PROJECTIONS)}")
    for name in types or ():
        if name not in TYPE_BY_NAME:
            raise QueryError(f"no entity type {name!r}; known: {', '.join(TYPE_BY_NAME)}")
    centre = None
    if focus is not None:
        centre = _centre(store, focus, papers_too=projection in ("papers", "bipartite"))
    papers = _papers_of(facts.paper_years(store), years)
    kinds = {
        entity: found
        for entity, found in facts.entity_types(store).items()
        if (not types or {*types} & {*found} or entity == centre)
        and {*found} & _ONLY.get(projection, {*found})
    }
    roles = [fact for fact in facts.roles(store) if fact[0] in papers and fact[3] in kinds]
    links = {
        edge: link
        for edge, link in _links(store, projection, roles, papers, kinds).items()
        if link.support >= min_support
    }
    sizes = _sizes(projection, roles, papers, kinds if years is None else {})
    if centre is not None:
        sizes.setdefault(centre, 0)
        near = _within(links, centre, hops)
        sizes = {node: size for node, size in sizes.items() if node in near}
    if min_support > 1 or projection == "benchmarks":
        tied = {end for head, _, tail in links for end in (head, tail)} | {centre}
        sizes = {node: size for node, size in sizes.items() if node in tied}
    if top is not None:
        order = sorted(sizes, key=lambda node: (node != centre, -sizes[node], node))
        sizes = {node: sizes[node] for node in order[:top]}
    links = {e: link for e, link in links.items() if e[0] in sizes and e[2] in sizes}
    return draw(store, Chosen(papers, roles, kinds, sizes, links), projection)


def _centre(store: Store, focus: str, *, papers_too: bool) -> str:
    if papers_too and focus.startswith(f"{store.prefixes['kgr']}paper/"):
        return find_paper(store, focus)
    try:
        return find_entity(store, focus)
    except QueryError:
        if not papers_too:
            raise
        return find_paper(store, focus)


def _papers_of(
    found: dict[str, int | None], years: tuple[int | None, int | None] | None
) -> dict[str, int | None]:
    first, last = years or (None, None)
    if first is None and last is None:
        return found
    return {
        paper: year
        for paper, year in found.items()
        if year is not None and (first or year) <= year <= (last or year)
    }


def _links(
    store: Store,
    projection: str,
    roles: Sequence[Fact],
    papers: Mapping[str, int | None],
    kinds: Mapping[str, list[str]],
) -> dict[Edge, Link]:
    if projection == "entities":
        stated = facts.relations(store)
        return entities([f for f in stated if f[0] in papers and f[1] in kinds and f[3] in kinds])
    if projection == "benchmarks":
        return benchmarks(roles, [f for f in facts.relations(store) if f[0] in papers], kinds)
    make: dict[str, Callable[[Sequence[Fact]], dict[Edge, Link]]] = {
        "cooccurrence": lambda found: pairs(found, len(papers)),
        "bipartite": bipartite,
        "papers": paper_links,
    }
    return make[projection](roles)


def _sizes(
    projection: str,
    roles: Sequence[Fact],
    papers: Mapping[str, int | None],
    entities: Iterable[str],
) -> dict[str, int]:
    """Each node with its number of papers, `entities` even where none of the papers names them."""
    sizes = dict.fromkeys(papers, 1) if projection in ("papers", "bipartite") else {}
    if projection != "papers":
        sizes |= dict.fromkeys(entities, 0)
        for _, _, _, entity in roles:
            sizes[entity] = sizes.get(entity, 0) + 1
    return sizes


def _within(links: dict[Edge, Link], centre: str, hops: int) -> set[str]:
    near: dict[str, set[str]] = {}
    for head, _, tail in links:
        near.setdefault(head, set()).add(tail)
        near.setdefault(tail, set()).add(head)
    found, edge = {centre}, {centre}
    for _ in range(hops):
        edge = {other for node in edge for other in near.get(node, ())} - found
        found |= edge
    return found
