"""A part of a graph in, its nodes and links out, with no more of them than what they count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.network import facts
from kg.network.links import benchmarks, bipartite, entities, pairs, paper_links
from kg.query import find_entity, find_paper

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Mapping, Sequence

    from kg.network.facts import Edge, Fact
    from kg.network.links import Link
    from kg.part import Part
    from kg.store import Store

PROJECTIONS = ("entities", "cooccurrence", "papers", "bipartite", "benchmarks")
#: Types of the nodes of a projection that has not all.
_ONLY = {"benchmarks": {"Method", "Dataset", "Benchmark"}}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What goes into a network, and what counts for its figures.

    `papers` are those of the part with their years, `types` those of all its entities, `sizes` the
    nodes with their number of papers, `links` the edges between them. `part` has its venues as the
    graph spells them, `centre` is the IRI of its focus.
    """

    part: Part
    projection: str
    centre: str | None
    papers: Mapping[str, int | None]
    types: Mapping[str, Sequence[str]]
    sizes: Mapping[str, int]
    links: Mapping[Edge, Link]

    def only(self, nodes: Collection[str]) -> Chosen:
        """The same with `nodes` and the links between them."""
        return replace(
            self,
            sizes={node: size for node, size in self.sizes.items() if node in nodes},
            links={e: k for e, k in self.links.items() if e[0] in nodes and e[2] in nodes},
        )


def choose(store: Store, part: Part, projection: str) -> Chosen:
    """What `part` holds in a projection of `PROJECTIONS`.

    Raises QueryError for an unknown projection, focus or venue, and for relations chosen in a
    projection that has none.
    """
    if projection not in PROJECTIONS:
        raise QueryError(f"no projection {projection!r}; known: {', '.join(PROJECTIONS)}")
    if part.relations and projection != "entities":
        raise QueryError(
            f"there are no relations like {part.relations[0]!r} between the nodes of the "
            f"projection {projection!r}: choose them among entities alone"
        )
    part = facts.known_venues(store, part)
    centre = None
    if part.focus is not None:
        centre = _centre(store, part.focus, papers_too=projection in ("papers", "bipartite"))
    papers = facts.paper_years(store, part)
    if projection == "entities" and (quick := _most_named(store, part, papers)) is not None:
        return quick
    types = {
        entity: found
        for entity, found in facts.entity_types(store).items()
        if (not part.types or {*part.types} & {*found} or entity == centre)
        and {*found} & _ONLY.get(projection, {*found})
    }
    if projection == "entities":
        return _entities(store, part, centre, papers, types)
    links = {
        edge: link
        for edge, link in _links(store, part, projection, papers, types).items()
        if link.support >= part.min_support
    }
    sizes = dict.fromkeys(papers, 1) if projection in ("papers", "bipartite") else {}
    if projection != "papers":
        sizes |= _sizes(store, part, types)
    if centre is not None:
        sizes.setdefault(centre, 0)
        near = _within(lambda ends: _touching(links, ends), centre, part.hops)
        sizes = {node: size for node, size in sizes.items() if node in near}
    if part.of_edges or projection == "benchmarks":
        sizes = _tied(sizes, links, centre)
    chosen = Chosen(part, projection, centre, papers, types, sizes, links)
    return chosen.only(_top(sizes, part, centre))


def _most_named(store: Store, part: Part, papers: Mapping[str, int | None]) -> Chosen | None:
    """The entities of the most papers, where they are asked for and each has more than one.

    Most entities of a large graph are named once; then they need not even be counted.
    """
    if part.top is None or part.focus is not None or part.types or part.of_edges:
        return None
    sizes = facts.sizes(store, part, least=2)
    if len(sizes) < part.top:
        return None
    kept = _top(sizes, part, None)
    types = facts.entity_types(store, of=kept)
    links = entities(facts.relations(store, part, among=kept))
    return Chosen(part, "entities", None, papers, types, sizes, links).only(kept)


def _entities(
    store: Store,
    part: Part,
    centre: str | None,
    papers: Mapping[str, int | None],
    types: Mapping[str, list[str]],
) -> Chosen:
    """Entities and relations: counted in the store, and read for those alone that stay."""
    sizes = _sizes(store, part, types)

    def supported(found: Counter[Edge]) -> set[Edge]:
        return {
            edge for edge, count in found.items()
            if count >= part.min_support and edge[0] in types and edge[2] in types
        }  # fmt: skip

    if centre is not None:
        sizes.setdefault(centre, 0)
        near = _within(
            lambda ends: supported(
                facts.supports(store, part, heads=ends) | facts.supports(store, part, tails=ends)
            ),
            centre,
            part.hops,
        )
        sizes = {node: size for node, size in sizes.items() if node in near}
    if part.of_edges:
        sizes = _tied(sizes, supported(facts.supports(store, part, heads=sizes)), centre)
    kept = _top(sizes, part, centre)
    stated = facts.relations(store, part, among=kept)
    links = {e: link for e, link in entities(stated).items() if link.support >= part.min_support}
    whole = Chosen(part, "entities", centre, papers, types, sizes, links)
    return whole.only(kept)


def _centre(store: Store, focus: str, *, papers_too: bool) -> str:
    if papers_too and focus.startswith(f"{store.prefixes['kgr']}paper/"):
        return find_paper(store, focus)
    try:
        return find_entity(store, focus)
    except QueryError:
        if not papers_too:
            raise
        return find_paper(store, focus)


def _links(
    store: Store,
    part: Part,
    projection: str,
    papers: Mapping[str, int | None],
    types: Mapping[str, list[str]],
) -> dict[Edge, Link]:
    if projection == "benchmarks":
        # one role of a paper beside another: the roles that are asked for choose entities alone
        roles = facts.roles(store, replace(part, roles=()))
        stated = facts.relations(store, replace(part, relations=("evaluatedOn",)))
        return benchmarks([f for f in roles if f[3] in types], stated, types)
    make: dict[str, Callable[[Sequence[Fact]], dict[Edge, Link]]] = {
        "cooccurrence": lambda found: pairs(found, len(papers)),
        "bipartite": bipartite,
        "papers": paper_links,
    }
    return make[projection]([f for f in facts.roles(store, part) if f[3] in types])


def _sizes(store: Store, part: Part, types: Mapping[str, list[str]]) -> dict[str, int]:
    """Each entity with its number of papers; where all is asked for, those of none too."""
    counted = facts.sizes(store, part)
    if not part.of_facts:
        return {entity: counted.get(entity, 0) for entity in types}
    return {entity: size for entity, size in counted.items() if entity in types}


def _tied(sizes: dict[str, int], edges: Collection[Edge], centre: str | None) -> dict[str, int]:
    """The nodes that have an edge to another of them."""
    tied = {
        end for head, _, tail in edges if head in sizes and tail in sizes for end in (head, tail)
    } | {centre}
    return {node: size for node, size in sizes.items() if node in tied}


def _top(sizes: Mapping[str, int], part: Part, centre: str | None) -> Collection[str]:
    """The nodes of the most papers, all where no number is asked for."""
    if part.top is None:
        return sizes
    order = sorted(sizes, key=lambda node: (node != centre, -sizes[node], node))
    return set(order[: part.top])


def _within(around: Callable[[set[str]], Collection[Edge]], centre: str, hops: int) -> set[str]:
    """What lies within `hops` edges; `around` gives the edges of some nodes."""
    found, ends = {centre}, {centre}
    for _ in range(hops):
        ends = {end for head, _, tail in around(ends) for end in (head, tail)} - found
        if not ends:
            break
        found |= ends
    return found


def _touching(links: Mapping[Edge, Link], ends: Collection[str]) -> list[Edge]:
    return [edge for edge in links if edge[0] in ends or edge[2] in ends]
