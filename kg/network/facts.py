"""What a network is made of, read from the store in a few narrow SELECTs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.network import patterns
from kg.part import ALL, Part
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES
from kg.vocab import iri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from kg.schema import RelationType, Role
    from kg.store import Store, Term


#: A statement of a paper: (paper, head, kind, tail); with a role, head is the paper itself.
Fact = tuple[str, str, str, str]
Edge = tuple[str, str, str]
#: Venues named in a complaint.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact with its statement's IRI and confidence."""

    iri: str
    fact: Fact
    confidence: float


def known_venues(store: Store, part: Part) -> Part:
    """`part` with its venues as the graph spells them, whatever their case.

    Raises QueryError for one that no paper has.
    """
    if not part.venues:
        return part
    found = store.select(
        "SELECT ?venue (COUNT(?paper) AS ?papers) { ?paper kg:venue ?venue } GROUP BY ?venue"
    ).rows
    papers = {_text(venue): int(_text(count)) for venue, count in found}
    spelt: dict[str, list[str]] = {}
    for venue in sorted(papers):
        spelt.setdefault(venue.casefold(), []).append(venue)
    for name in part.venues:
        if name.casefold() not in spelt:
            most = sorted(papers, key=lambda v: (-papers[v], v))
            more = f" and {len(most) - _SHOWN:,} more" if len(most) > _SHOWN else ""
            raise QueryError(
                f"no paper is of the venue {name!r}; known: {', '.join(most[:_SHOWN])}{more}"
                if most
                else f"no paper is of the venue {name!r}; none names its venue"
            )
    names = dict.fromkeys(v for name in part.venues for v in spelt[name.casefold()])
    return replace(part, venues=tuple(names))


def paper_years(store: Store, part: Part = ALL) -> dict[str, int | None]:
    """The papers of `part` with their years, None where unknown."""
    rows = store.select(
        "SELECT ?paper ?year { { SELECT ?paper { ?paper a kg:Paper } } "
        f"{patterns.papers(part)}"
        " OPTIONAL { SELECT ?paper ?year { ?paper dcterms:issued ?year } } }"
    ).rows
    return {_text(paper): int(year.value) if year else None for paper, year in rows}


def paper_venues(store: Store) -> dict[str, str]:
    """Every paper that has a venue; of several the first by name."""
    found: dict[str, str] = {}
    for paper, venue in store.select("SELECT ?paper ?venue { ?paper kg:venue ?venue }").rows:
        found[_text(paper)] = min(_text(venue), found.get(_text(paper), _text(venue)))
    return found


def roles(store: Store, part: Part = ALL, *, of: Collection[str] | None = None) -> list[Fact]:
    """Every edge from a paper to an entity, of all or of those in `of`."""
    names = _names(store, ROLES)
    found: list[Fact] = []
    for values in patterns.batches(of, "entity"):
        rows = store.select(f"SELECT ?paper ?role ?entity {{ {values} {patterns.roles(part)} }}")
        for row in rows.rows:
            paper, role, entity = map(_text, row)
            if of is None or entity in of:
                found.append((paper, paper, names[role], entity))
    return found


def relations(
    store: Store, part: Part = ALL, *, among: Collection[str] | None = None
) -> list[Fact]:
    """Every edge between entities, or between those in `among`, once for each paper of it."""
    names = _names(store, RELATIONS)
    found: list[Fact] = []
    for values in patterns.batches(among, "head"):
        pattern = patterns.relations(part)
        rows = store.select(f"SELECT ?paper ?head ?kind ?tail {{ {values} {pattern} }}").rows
        for row in rows:
            paper, head, kind, tail = map(_text, row)
            if among is None or (head in among and tail in among):
                found.append((paper, head, names[kind], tail))
    return found


def sizes(store: Store, part: Part = ALL, *, least: int = 1) -> dict[str, int]:
    """The number of papers of each entity that has `least` or more."""
    having = f" HAVING (COUNT(?paper) >= {least})" if least > 1 else ""
    rows = store.select(
        f"SELECT ?entity (COUNT(?paper) AS ?papers) {{ {patterns.roles(part)} }}"
        f" GROUP BY ?entity{having}"
    ).rows
    return {_text(entity): int(_text(count)) for entity, count in rows}


def supports(
    store: Store,
    part: Part = ALL,
    *,
    heads: Collection[str] | None = None,
    tails: Collection[str] | None = None,
) -> Counter[Edge]:
    """The number of papers of each edge between entities, of those that begin or end so if said."""
    names = _names(store, RELATIONS)
    found: Counter[Edge] = Counter()
    ends, variable = (tails, "tail") if heads is None else (heads, "head")
    for values in patterns.batches(ends, variable):
        rows = store.select(
            f"SELECT ?head ?kind ?tail (COUNT(DISTINCT ?paper) AS ?papers)"
            f" {{ {values} {patterns.relations(part)} }} GROUP BY ?head ?kind ?tail"
        ).rows
        for row in rows:
            head, kind, tail, count = map(_text, row)
            if (heads is None or head in heads) and (tails is None or tail in tails):
                found[head, names[kind], tail] = int(count)
    return found


def entity_types(store: Store, *, of: Collection[str] | None = None) -> dict[str, list[str]]:
    """The types of every entity, or of those in `of`, in the order of the schema."""
    found: dict[str, list[str]] = {}
    for kind in ENTITY_TYPES:
        for values in patterns.batches(of, "entity"):
            for row in store.select(
                f"SELECT DISTINCT ?entity {{ {values} ?entity a kg:{kind.name} }}"
            ).rows:
                if of is None or _text(row[0]) in of:
                    found.setdefault(_text(row[0]), []).append(kind.name)
    return found


def entity_years(
    store: Store, part: Part = ALL, *, of: Collection[str] | None = None
) -> dict[str, list[int]]:
    """The years of the papers of each entity that has any, sorted."""
    found: dict[str, list[int]] = {}
    for values in patterns.batches(of, "entity"):
        rows = store.select(
            f"SELECT DISTINCT ?entity ?year {{ {values} {patterns.roles(part)}"
            " { SELECT ?paper ?year { ?paper dcterms:issued ?year } } }"
        ).rows
        for entity, year in rows:
            if of is None or _text(entity) in of:
                found.setdefault(_text(entity), []).append(int(_text(year)))
    return {entity: sorted(years) for entity, years in found.items()}


def confidences(
    store: Store, part: Part = ALL, *, of: Collection[str] | None = None
) -> dict[str, float]:
    """The confidence of the surest statement of a paper's role towards each entity."""
    found: dict[str, float] = {}
    for values in patterns.batches(of, "entity"):
        rows = store.select(
            "SELECT ?entity (MAX(?confidence) AS ?sure)"
            f" {{ {values} {patterns.role_statements(part)} }} GROUP BY ?entity"
        ).rows
        found |= {_text(entity): float(_text(sure)) for entity, sure in rows}
    return found


def role_claims(
    store: Store, part: Part = ALL, *, of: Collection[str] | None = None,
    papers: Collection[str] | None = None,
) -> list[Claim]:  # fmt: skip
    """What papers have to do with entities, of those in `of` or by those in `papers` if said."""
    names = _names(store, ROLES)
    ends, variable = (papers, "paper") if of is None else (of, "entity")
    found = []
    for values in patterns.batches(ends, variable):
        rows = store.select(
            "SELECT ?s ?paper ?role ?entity ?confidence"
            f" {{ {values} {patterns.role_statements(part)} }}"
        ).rows
        for row in rows:
            said, paper, role, entity, confidence = map(_text, row)
            if (of is None or entity in of) and (papers is None or paper in papers):
                found.append(Claim(said, (paper, paper, names[role], entity), float(confidence)))
    return found


def relation_claims(
    store: Store, part: Part = ALL, *, among: Collection[str] | None = None
) -> list[Claim]:
    """What papers state of entities, or of those in `among` alone."""
    names = _names(store, RELATIONS)
    found = []
    for values in patterns.batches(among, "head"):
        rows = store.select(
            "SELECT ?s ?paper ?head ?kind ?tail ?confidence"
            f" {{ {values} {patterns.relation_statements(part)} }}"
        ).rows
        for row in rows:
            said, paper, head, kind, tail, confidence = map(_text, row)
            if among is None or (head in among and tail in among):
                found.append(Claim(said, (paper, head, names[kind], tail), float(confidence)))
    return found


def texts(store: Store, curie: str, things: Collection[str]) -> dict[str, list[str]]:
    """The values of one property of `things`, sorted."""
    found: dict[str, set[str]] = {}
    for values in patterns.batches(things, "thing", most=patterns.MANY):
        for thing, text in store.select(
            f"SELECT ?thing ?text {{ {values} ?thing {curie} ?text }}"
        ).rows:
            if _text(thing) in things:
                found.setdefault(_text(thing), set()).add(_text(text))
    return {thing: sorted(values) for thing, values in found.items()}


def _names(store: Store, kinds: Iterable[Role | RelationType]) -> dict[str, str]:
    return {iri(kind.curie, store.base): kind.name for kind in kinds}


def _text(term: Term | None) -> str:
    return "" if term is None else term.value
