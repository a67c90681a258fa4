"""What a page tells about a node or an edge: statements with their sentence, and their papers.

A page takes any callable from network to `Details`; `store_details` reads them from a store.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from kg import vocab
from kg.schema import RELATIONS, ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import networkx as nx

    from kg.store import Store, Term

Span = tuple[int, int]
Edge = tuple[str, str, str]
_BATCH = 200
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


def store_details(store: Store, *, per_node: int = 12, per_edge: int = 8) -> DetailsOf:
    """Details from a store: at most `per_node` and `per_edge` statements, the best first."""

    def details(network: nx.MultiDiGraph, /) -> Details:
        papers = {n for n, kind in network.nodes(data="type") if kind == "Paper"}
        claims = [
            *_claims(store, "?object", sorted(set(network) - papers)),
            *_claims(store, "?subject", sorted(papers)),
        ]
        return _details(store, network, claims, per_node=per_node, per_edge=per_edge)

    return details


@dataclass(frozen=True, slots=True)
class _Claim:
    subject: str
    object: str
    year: int | None
    statement: Statement


def _claims(store: Store, end: str, nodes: Sequence[str]) -> Iterator[_Claim]:
    """Every statement that has one of `nodes` at `end`."""
    kinds = {vocab.iri(r.curie, store.base): r.name for r in ROLES}
    kinds |= {vocab.iri(r.curie, store.base): r.name for r in RELATIONS}
    for batch in _batches(nodes):
        rows = store.select(f"""
            PREFIX rdf: <{vocab.VOCABULARIES["rdf"]}>
            PREFIX prov: <{vocab.VOCABULARIES["prov"]}>
            PREFIX dcterms: <{vocab.VOCABULARIES["dcterms"]}>
            PREFIX kg: <{store.base}ontology#>
            SELECT ?subject ?predicate ?object ?paper ?year ?confidence ?sentence ?begin ?head ?tail
            WHERE {{
              VALUES {end} {{ {batch} }}
              ?statement rdf:subject ?subject ; rdf:predicate ?predicate ; rdf:object ?object ;
                kg:confidence ?confidence ; kg:evidence ?sentence ; kg:evidenceBegin ?begin ;
                prov:wasDerivedFrom ?paper .
              OPTIONAL {{ ?statement kg:subjectMention ?head }}
              OPTIONAL {{ ?statement kg:objectMention ?tail }}
              OPTIONAL {{ ?paper dcterms:issued ?year }}
            }}""").rows
        for row in rows:
            subject, predicate, object_, paper, year, confidence, sentence, begin, head, tail = (
                _text(term) for term in row
            )
            if predicate not in kinds:
                continue
            yield _Claim(
                subject,
                object_,
                int(year) if year else None,
                Statement(
                    paper,
                    kinds[predicate],
                    sentence,
                    float(confidence),
                    _span(head, int(begin), len(sentence)),
                    _span(tail, int(begin), len(sentence)),
                ),
            )


def _span(mention: str, begin: int, length: int) -> Span | None:
    """Where a mention (an IRI with RFC 5147's `#char=`) stands in a sentence from `begin` on."""
    found = _CHAR.search(mention)
    if not found:
        return None
    start, end = int(found[1]) - begin, int(found[2]) - begin
    return (start, end) if 0 <= start < end <= length else None


def _details(
    store: Store,
    network: nx.MultiDiGraph,
    claims: Iterable[_Claim],
    *,
    per_node: int,
    per_edge: int,
) -> Details:
    edges: dict[Edge, list[Statement]] = defaultdict(list)
    nodes: dict[str, list[Statement]] = defaultdict(list)
    years: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    venue = _all_venues(store)
    roles: dict[str, set[str]] = defaultdict(set)
    venues: dict[str, set[str]] = defaultdict(set)
    edge_venues: dict[Edge, set[str]] = defaultdict(set)
    for claim in claims:
        said = claim.statement
        if network.has_edge(claim.subject, claim.object, said.kind):
            edge = claim.subject, claim.object, said.kind
            edges[edge].append(said)
            edge_venues[edge].add(venue.get(said.paper, ""))
        if said.kind not in _ROLE_RANK:
            continue
        for node in (claim.subject, claim.object):
            if node in network:
                nodes[node].append(said)
                roles[node].add(said.kind)
                venues[node].add(venue.get(said.paper, ""))
        if claim.object in network and claim.year is not None:
            years[claim.object][claim.year] += 1
    best_edges = {e: _best(all_, _confident, per_edge) for e, all_ in sorted(edges.items())}
    best_nodes = {n: _best(all_, _telling, per_node) for n, all_ in sorted(nodes.items())}
    cited = {s.paper for said in (*best_edges.values(), *best_nodes.values()) for s in said}
    cited |= {n for n, kind in network.nodes(data="type") if kind == "Paper"}
    counted = {n: dict(sorted(by.items())) for n, by in sorted(years.items())}
    return Details(
        _papers(store, sorted(cited)),
        best_edges,
        best_nodes,
        counted,
        roles={n: sorted(of) for n, of in roles.items()},
        venues={n: sorted(of) for n, of in venues.items()},
        edge_venues={e: sorted(of) for e, of in edge_venues.items()},
    )


def _all_venues(store: Store) -> dict[str, str]:
    """Every paper that has a venue; of several the first by name."""
    rows = store.select(
        "SELECT ?paper ?venue { ?paper kg:venue ?venue } ORDER BY DESC(?venue)"
    ).rows
    return {_text(paper): _text(venue) for paper, venue in rows}


def _confident(said: Statement) -> tuple[float, str, str]:
    return (-said.confidence, said.paper, said.sentence)


def _telling(said: Statement) -> tuple[int, float, str, str]:
    """A paper that proposes a thing says more of it than one that mentions it."""
    return (_ROLE_RANK[said.kind], *_confident(said))


def _best(
    statements: Iterable[Statement], key: Callable[[Statement], tuple[object, ...]], most: int
) -> tuple[Statement, ...]:
    return tuple(sorted(set(statements), key=key)[:most])


def _papers(store: Store, papers: Sequence[str]) -> dict[str, Paper]:
    found: dict[str, dict[str, str]] = {p: {} for p in papers}
    for batch in _batches(papers):
        rows = store.select(f"""
            PREFIX dcterms: <{vocab.VOCABULARIES["dcterms"]}>
            PREFIX schema: <{vocab.VOCABULARIES["schema"]}>
            PREFIX kg: <{store.base}ontology#>
            SELECT ?paper ?field ?value WHERE {{
              VALUES ?paper {{ {batch} }}
              VALUES (?property ?field) {{
                (dcterms:title "title") (dcterms:issued "year") (kg:venue "venue")
                (kg:authors "authors") (schema:url "url") (schema:sameAs "page")
              }}
              ?paper ?property ?value .
            }} ORDER BY ?paper ?field DESC(?value)""").rows
        for row in rows:
            paper, name, value = (_text(term) for term in row)
            found[paper][name] = value
    return {
        p: Paper(
            title=f.get("title", ""),
            year=int(f["year"]) if "year" in f else None,
            venue=f.get("venue", ""),
            authors=f.get("authors", ""),
            url=web_address(f.get("url", "")) or web_address(f.get("page", "")),
        )
        for p, f in found.items()
    }


def web_address(url: str) -> str:
    """`url` where it is http or https, else "": no page may link to `javascript:` and the like."""
    legal = re.fullmatch(r"https?://[^\s\x00-\x20<>\"']+", url, flags=re.IGNORECASE)
    return url if legal else ""


def _batches(iris: Sequence[str]) -> Iterator[str]:
    for first in range(0, len(iris), _BATCH):
        yield " ".join(f"<{i}>" for i in iris[first : first + _BATCH])


def _text(term: Term | None) -> str:
    return "" if term is None else term.value
