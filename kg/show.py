"""One entity or paper on a card: names, counts, strongest edges, and the sentences behind them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.query import (
    authors,
    display_names,
    entities_called,
    entity_types,
    find_paper,
    only_entity,
    papers_called,
    teams_among,
)
from kg.schema import RELATIONS, ROLES
from kg.vocab import iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.store import Store, Term

_CHAR = re.compile(r"#char=(\d+),(\d+)$")
_ROLE_VALUES = f"VALUES ?kind {{ {' '.join(role.curie for role in ROLES)} }}"
_KIND_VALUES = f"VALUES ?kind {{ {' '.join(kind.curie for kind in RELATIONS)} }}"
_CURIES = {row.name: row.curie for row in ROLES} | {row.name: row.curie for row in RELATIONS}
_ORDER = {name: place for place, name in enumerate(_CURIES)}
#: Claims whose sentences are asked for at once.
_BATCH = 200
#: Papers of an edge whose sentences are compared for the surest; the newest of a long list.
_LOOKED_AT = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that states an edge.

    `marks` are the (start, end) within `text` of the mentions of both ends, sorted. `subject`,
    `object` and `paper` are IRIs, each with how it is shown.
    """

    text: str
    marks: tuple[tuple[int, int], ...]
    kind: str
    subject: str
    subject_name: str
    object: str
    object_name: str
    paper: str
    title: str
    year: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the card's subject to (`outgoing`) or from another thing, by `papers` papers."""

    kind: str
    outgoing: bool
    iri: str
    name: str
    types: tuple[str, ...]
    papers: int
    sentence: Sentence | None


@dataclass(frozen=True, slots=True)
class Card:
    """What a graph knows of one entity or paper.

    `types` is ("Paper",) for a paper. `years` and `roles` are counts of papers, by year and by what
    the papers do with the entity; `teams` counts distinct author teams. `edges` are the strongest
    of each kind and direction, `sentences` say what papers do with an entity, or all that a paper
    states between things. `details` are a paper's own (venue, year, authors …).
    """

    iri: str
    name: str
    types: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    may_mean: tuple[str, ...] = ()
    papers: int = 0
    teams: int = 0
    years: tuple[tuple[int, int], ...] = ()
    roles: tuple[tuple[str, int], ...] = ()
    edges: tuple[Edge, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    details: tuple[tuple[str, str], ...] = ()


def show(store: Store, name: str, *, edges: int = 5, sentences: int = 5) -> Card:
    """The card of the entity or paper that a person means by `name`.

    At most `edges` edges of each kind and direction, and `sentences` sentences beside theirs.
    Raises QueryError for a name that is ambiguous or unknown.
    """
    found = entities_called(store, name)
    if not found and papers_called(store, name):
        return _paper_card(store, find_paper(store, name))
    entity = only_entity(store, name, found)
    return _entity_card(store, entity, edges=edges, sentences=sentences)


def _entity_card(store: Store, entity: str, *, edges: int, sentences: int) -> Card:
    roles = store.select(
        f"SELECT ?paper ?kind ?year {{ {_ROLE_VALUES} ?paper ?kind <{entity}>"
        " OPTIONAL { ?paper dcterms:issued ?year } }"
    ).rows
    names = _kinds(store)
    years = Counter(int(year.value) for _, _, year in roles if year)
    counts = Counter(names[_text(kind)] for _, kind, _ in roles)
    papers = {_text(paper) for paper, _, _ in roles}
    found = [(_text(p), _text(p), names[_text(k)], entity, _year(y)) for p, k, y in roles]
    found.sort(key=lambda c: (_ORDER[c[2]], -(c[4] or 0), c[0]))
    said = _sentences(store, [c[:4] for c in found[: sentences * 2]])
    labels = _values(store, entity, "skos:prefLabel")
    candidates = _values(store, entity, "kg:candidate")
    meant = display_names(store, candidates)
    return Card(
        iri=entity,
        name=labels[0],
        types=entity_types(store, [entity]).get(entity, ()),
        aliases=tuple(n for n in _values(store, entity, "skos:altLabel") if n != labels[0]),
        may_mean=tuple(meant[c] for c in candidates),
        papers=len(papers),
        teams=teams_among(papers, authors(store, papers)),
        years=tuple(sorted(years.items())),
        roles=tuple(sorted(counts.items(), key=lambda item: (-item[1], _ORDER[item[0]]))),
        edges=_edges(store, entity, names, most=edges),
        sentences=tuple(said[:sentences]),
    )


def _edges(store: Store, entity: str, names: dict[str, str], *, most: int) -> tuple[Edge, ...]:
    support: dict[tuple[str, bool, str], set[str]] = {}
    ways = ((True, f"<{entity}> ?kind ?other"), (False, f"?other ?kind <{entity}>"))
    for outgoing, pattern in ways:
        rows = store.select(
            f"SELECT ?kind ?other ?paper {{ {_KIND_VALUES}"
            f" GRAPH ?paper {{ {pattern} . ?paper a kg:Paper }} }}"
        ).rows
        for kind, other, paper in rows:
            found = (names[_text(kind)], outgoing, _text(other))
            support.setdefault(found, set()).add(_text(paper))
    strongest: dict[tuple[str, bool], list[tuple[str, bool, str]]] = {}
    for edge in sorted(support, key=lambda e: (_ORDER[e[0]], not e[1], -len(support[e]), e[2])):
        strongest.setdefault(edge[:2], []).append(edge)
    chosen = [edge for group in strongest.values() for edge in group[:most]]
    claims = []
    for edge in chosen:
        name, outwards, end = edge
        subject, object_ = (entity, end) if outwards else (end, entity)
        looked_at = sorted(support[edge], reverse=True)[:_LOOKED_AT]
        claims += [(paper, subject, name, object_) for paper in looked_at]
    best: dict[tuple[str, str, str], Sentence] = {}
    for said in _sentences(store, claims):
        key = (said.subject, said.kind, said.object)
        if key not in best or said.confidence > best[key].confidence:
            best[key] = said
    others = [end for _, _, end in chosen]
    shown, types = display_names(store, others), entity_types(store, sorted(set(others)))
    return tuple(
        Edge(
            kind=name,
            outgoing=outwards,
            iri=end,
            name=shown[end],
            types=types.get(end, ()),
            papers=len(support[name, outwards, end]),
            sentence=best.get((entity, name, end) if outwards else (end, name, entity)),
        )
        for name, outwards, end in chosen
    )


def _paper_card(store: Store, paper: str) -> Card:
    names = _kinds(store)
    rows = store.select(
        f"SELECT ?subject ?kind ?object {{ GRAPH <{paper}>"
        " { ?s rdf:subject ?subject ; rdf:predicate ?kind ; rdf:object ?object } }"
    ).rows
    claims = [(paper, _text(s), names[_text(k)], _text(o)) for s, k, o in rows]
    said = _sentences(store, claims)
    own = [sentence for sentence in said if sentence.subject == paper]
    own.sort(key=lambda s: (_ORDER[s.kind], s.object))
    types = entity_types(store, [sentence.object for sentence in own])
    counts = Counter(sentence.kind for sentence in own)
    fields = {
        "year": "dcterms:issued", "venue": "kg:venue", "authors": "kg:authors",
        "identifier": "dcterms:identifier", "url": "schema:url", "keyword": "schema:keywords",
        "abstract": "dcterms:abstract",
    }  # fmt: skip
    details = [(n, v) for n, curie in fields.items() for v in _values(store, paper, curie)]
    return Card(
        iri=paper,
        name=display_names(store, [paper])[paper],
        types=("Paper",),
        papers=1,
        teams=1,
        years=tuple((int(value), 1) for name, value in details if name == "year"),
        roles=tuple(sorted(counts.items(), key=lambda item: _ORDER[item[0]])),
        edges=tuple(
            Edge(
                kind=s.kind,
                outgoing=True,
                iri=s.object,
                name=s.object_name,
                types=types.get(s.object, ()),
                papers=1,
                sentence=s,
            )
            for s in own
        ),
        sentences=tuple(s for s in said if s.subject != paper),
        details=tuple(details),
    )


def _sentences(store: Store, claims: Sequence[tuple[str, str, str, str]]) -> list[Sentence]:
    """The sentences of claims (paper, subject, kind, object), in their order."""
    found: dict[tuple[str, str, str, str], Sentence] = {}
    kinds = _kinds(store)
    for start in range(0, len(claims), _BATCH):
        part = claims[start : start + _BATCH]
        batch = " ".join(sorted({f"<{paper}>" for paper, _, _, _ in part}))
        said = " ".join(
            f"(<{paper}> <{subject}> {_CURIES[kind]} <{object_}>)"
            for paper, subject, kind, object_ in part
        )
        # OPTIONAL within these would make Oxigraph scan all graphs: three plain questions instead
        rows = store.select(
            "SELECT ?s ?paper ?subject ?kind ?object ?confidence ?text ?begin ?other"
            f" {{ VALUES (?paper ?subject ?kind ?object) {{ {said} }} GRAPH ?paper {{"
            " ?s rdf:object ?object ; rdf:subject ?subject ; rdf:predicate ?kind ;"
            " kg:confidence ?confidence ; kg:evidence ?text ; kg:evidenceBegin ?begin ;"
            " kg:objectMention ?other } }"
        ).rows
        own = _by_key(store, batch, "?s kg:subjectMention ?value")
        years = _by_key(store, batch, "?paper dcterms:issued ?value . BIND(?paper AS ?s)")
        shown = display_names(store, {_text(row[i]) for row in rows for i in (1, 2, 4)})
        for s, paper, subject, kind, object_, confidence, text, begin, other in rows:
            claim = (_text(paper), _text(subject), kinds[_text(kind)], _text(object_))
            year = years.get(claim[0])
            found[claim] = Sentence(
                text=_text(text),
                marks=_marks((own.get(_text(s), ""), _text(other)), int(_text(begin)), _text(text)),
                kind=claim[2],
                subject=claim[1],
                subject_name=shown[claim[1]],
                object=claim[3],
                object_name=shown[claim[3]],
                paper=claim[0],
                title=shown[claim[0]],
                year=int(year) if year else None,
                confidence=float(_text(confidence)),
            )
    return [found[claim] for claim in claims if claim in found]


def _by_key(store: Store, papers: str, pattern: str) -> dict[str, str]:
    rows = store.select(
        f"SELECT ?s ?value {{ VALUES ?paper {{ {papers} }} GRAPH ?paper {{ {pattern} }} }}"
    ).rows
    return {_text(s): _text(value) for s, value in rows}


def _marks(mentions: Iterable[str], begin: int, text: str) -> tuple[tuple[int, int], ...]:
    """Where mentions (RFC 5147 `#char=` IRIs) stand in a sentence that begins at `begin`."""
    marks = set()
    for mention in mentions:
        if place := _CHAR.search(mention):
            start, end = int(place[1]) - begin, int(place[2]) - begin
            if 0 <= start < end <= len(text):
                marks.add((start, end))
    return tuple(sorted(marks))


def _values(store: Store, thing: str, curie: str) -> list[str]:
    rows = store.select(f"SELECT DISTINCT ?value {{ <{thing}> {curie} ?value }}").rows
    return sorted(_text(row[0]) for row in rows)


def _kinds(store: Store) -> dict[str, str]:
    """Names of roles and relations by their IRI."""
    return {iri(curie, store.base): name for name, curie in _CURIES.items()}


def _text(term: Term | None) -> str:
    return "" if term is None else term.value


def _year(term: Term | None) -> int | None:
    return int(term.value) if term else None
