"""What a page tells about a node or an edge: statements with their sentence, and their papers.

A page takes any callable from network to `Details`; `store_details` reads them from a store.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from kg.network import facts
from kg.part import ALL, Part
from kg.schema import RELATION_BY_NAME, ROLES
from kg.text import web_address

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import networkx as nx

    from kg.network.facts import Claim
    from kg.store import Store

Span = tuple[int, int]
Edge = tuple[str, str, str]
#: What comes first: role, confidence, paper, sentence.
Rank = tuple[int, float, str, str]
_CHAR = re.compile(r"#char=(\d+),(\d+)$")
_ROLE_RANK = {role.name: rank for rank, role in enumerate(ROLES)}


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as a page cites it; `url` is "" unless it is http or https."""

    title: str = ""
    year: int | None = None
    venue: str = ""
    authors: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One paper's word for an edge; `head` and `tail` are spans of its sentence, if known."""

    paper: str
    kind: str
    sentence: str
    confidence: float
    head: Span | None = None
    tail: Span | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """Statements by edge (head, tail, kind) and by node, papers by IRI, and counts by year.

    A node's statements are those of its papers' roles towards it, the weightiest first. `roles`
    are the names of the roles of all its papers, `venues` and `edge_venues` the venues of all
    papers that name a node or state an edge ("" for a paper without one).
    """

    papers: Mapping[str, Paper] = field(default_factory=dict)
    edges: Mapping[Edge, Sequence[Statement]] = field(default_factory=dict)
    nodes: Mapping[str, Sequence[Statement]] = field(default_factory=dict)
    years: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    venues: Mapping[str, Sequence[str]] = field(default_factory=dict)
    edge_venues: Mapping[Edge, Sequence[str]] = field(default_factory=dict)


class DetailsOf(Protocol):
    """Where a page gets its details from."""

    def __call__(self, network: nx.MultiDiGraph, /) -> Details:
        """The details of the nodes and edges of `network`."""


def no_details(network: nx.MultiDiGraph, /) -> Details:  # noqa: ARG001
    """Nothing beyond what the network itself says."""
    return Details()


Said = tuple[Statement, ...]


def store_details(
    store: Store,
    *,
    part: Part = ALL,
    papers: Mapping[str, int | None] | None = None,
    stated: Sequence[Claim] | None = None,
    per_node: int = 12,
    per_edge: int = 8,
) -> DetailsOf:
    """Details from a store: at most `per_node` and `per_edge` statements, the best first.

    They are statements of `part`; its `papers` with their years and what they have `stated` between
    entities may be given where they are read already. Sentences are read of those alone that are
    shown.
    """

    def details(network: nx.MultiDiGraph, /) -> Details:
        known = facts.known_venues(store, part)
        years = facts.paper_years(store) if papers is None else papers
        drawn = {n for n, kind in network.nodes(data="type") if kind == "Paper"}
        entities = set(network) - drawn
        roles = facts.role_claims(store, known, of=entities) if entities else []
        if drawn:
            others = facts.role_claims(store, known, papers=drawn)
            roles += [c for c in others if c.fact[3] not in entities]
        between = stated
        if between is None:
            kinds = {kind for *_, kind in network.edges(keys=True)}
            related = not kinds.isdisjoint(RELATION_BY_NAME)
            between = facts.relation_claims(store, known, among=entities) if related else []
        return _details(store, network, (roles, between), years, (per_node, per_edge))

    return details


def _details(
    store: Store,
    network: nx.MultiDiGraph,
    claims: tuple[Sequence[Claim], Sequence[Claim]],
    year: Mapping[str, int | None],
    most: tuple[int, int],
) -> Details:
    """The details by `claims` of roles and of relations; `most` a node and an edge have."""
    (roles, stated), (per_node, per_edge) = claims, most
    venue = facts.paper_venues(store)
    edges: dict[Edge, list[Claim]] = defaultdict(list)
    nodes: dict[str, list[Claim]] = defaultdict(list)
    years: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for claim in (*roles, *stated):
        _, head, kind, tail = claim.fact
        if network.has_edge(head, tail, kind):
            edges[head, tail, kind].append(claim)
    for claim in roles:
        paper, head, _, tail = claim.fact
        for node in (head, tail):
            if node in network:
                nodes[node].append(claim)
        if tail in network and (when := year.get(paper)) is not None:
            years[tail][when] += 1
    # of equally sure statements of one paper the first by sentence, so those are read too
    of_edges = {e: _first(all_, _confident, per_edge) for e, all_ in sorted(edges.items())}
    of_nodes = {n: _first(all_, _telling, per_node) for n, all_ in sorted(nodes.items())}
    said = _statements(
        store, {c for all_ in (*of_edges.values(), *of_nodes.values()) for c in all_}
    )

    def best(claims: Iterable[Claim], key: Callable[[Statement], Rank], most: int) -> Said:
        return tuple(sorted({said[claim] for claim in claims}, key=key)[:most])

    best_edges = {e: best(all_, _confident, per_edge) for e, all_ in of_edges.items()}
    best_nodes = {n: best(all_, _telling, per_node) for n, all_ in of_nodes.items()}
    cited = {s.paper for all_ in (*best_edges.values(), *best_nodes.values()) for s in all_}
    cited |= {n for n, kind in network.nodes(data="type") if kind == "Paper"}
    return Details(
        _papers(store, cited, year, venue),
        best_edges,
        best_nodes,
        {n: dict(sorted(by.items())) for n, by in sorted(years.items())},
        roles={n: sorted({c.fact[2] for c in all_}) for n, all_ in nodes.items()},
        venues={n: _venues(all_, venue) for n, all_ in nodes.items()},
        edge_venues={e: _venues(all_, venue) for e, all_ in edges.items()},
    )


def _statements(store: Store, claims: Collection[Claim]) -> dict[Claim, Statement]:
    iris = {claim.iri for claim in claims}
    sentences = facts.texts(store, "kg:evidence", iris)
    begins = facts.texts(store, "kg:evidenceBegin", iris)
    heads = facts.texts(store, "kg:subjectMention", iris)
    tails = facts.texts(store, "kg:objectMention", iris)
    found = {}
    for claim in claims:
        paper, _, kind, _ = claim.fact
        sentence, begin = sentences[claim.iri][0], int(begins[claim.iri][0])
        head, tail = (of.get(claim.iri, [""])[0] for of in (heads, tails))
        found[claim] = Statement(
            paper,
            kind,
            sentence,
            claim.confidence,
            _span(head, begin, len(sentence)),
            _span(tail, begin, len(sentence)),
        )
    return found


def _span(mention: str, begin: int, length: int) -> Span | None:
    """Where a mention (an IRI with RFC 5147's `#char=`) stands in a sentence from `begin` on."""
    found = _CHAR.search(mention)
    if not found:
        return None
    start, end = int(found[1]) - begin, int(found[2]) - begin
    return (start, end) if 0 <= start < end <= length else None


def _venues(claims: Iterable[Claim], venue: Mapping[str, str]) -> list[str]:
    return sorted({venue.get(claim.fact[0], "") for claim in claims})


def _confident(said: Claim | Statement) -> Rank:
    if isinstance(said, Statement):
        return (0, -said.confidence, said.paper, said.sentence)
    return (0, -said.confidence, said.fact[0], "")


def _telling(said: Claim | Statement) -> Rank:
    """A paper that proposes a thing says more of it than one that mentions it."""
    kind = said.kind if isinstance(said, Statement) else said.fact[2]
    return (_ROLE_RANK[kind], *_confident(said)[1:])


def _first(claims: Sequence[Claim], key: Callable[[Claim], Rank], most: int) -> list[Claim]:
    """The first `most` by `key`, and those that are equal to the last of them."""
    order = sorted(claims, key=key)
    if len(order) <= most:
        return order
    last = key(order[most - 1])
    return [claim for claim in order if key(claim) <= last]


def _papers(
    store: Store, papers: Collection[str], year: Mapping[str, int | None], venue: Mapping[str, str]
) -> dict[str, Paper]:
    titles, authors, urls, pages = (
        facts.texts(store, curie, papers)
        for curie in ("dcterms:title", "kg:authors", "schema:url", "schema:sameAs")
    )

    def first(of: Mapping[str, Sequence[str]], paper: str) -> str:
        return of[paper][0] if paper in of else ""

    return {
        p: Paper(
            title=first(titles, p),
            year=year.get(p),
            venue=venue.get(p, ""),
            authors=first(authors, p),
            url=web_address(first(urls, p), first(pages, p)),
        )
        for p in sorted(papers)
    }
