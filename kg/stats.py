"""What is in a graph, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.query import display_names, entity_types
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES
from kg.vocab import iri

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kg.schema import RelationType, Role
    from kg.store import Store, Term

Counts = tuple[tuple[str, int], ...]

#: The largest entities are sought among those of so many papers, then among those of fewer.
_LEAST_PAPERS = (16, 4, 1)
_TYPE_VALUES = "VALUES ?kind { " + " ".join(f"kg:{kind.name}" for kind in ENTITY_TYPES) + " }"


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of a graph, each in a fixed order.

    `years` are by year, unknown last as None; `venues` the largest first, unknown last as "".
    `types` are entities by type (one of two types counts in both), `entities` all of them. `roles`
    are edges from papers; `relations` edges between entities (different pairs), `statements` both
    as often as papers state them. `top` has the names of the most papers of each type. Sizes are
    in bytes: of the whole folder, and of the cache within it that is safe to delete; None where the
    graph has no folder here.
    """

    papers: int
    years: tuple[tuple[int | None, int], ...]
    venues: Counts
    entities: int
    types: Counts
    roles: Counts
    relations: Counts
    statements: int
    mentions: int
    top: tuple[tuple[str, Counts], ...]
    base: str
    model: str
    size: int | None
    cache_size: int | None


def stats(store: Store, *, top: int = 5) -> Stats:
    """The counts of a graph, with the `top` names of each type."""
    papers = store.select(
        # SELECTs of their own, or an engine looks into each paper's graph twice
        "SELECT ?year ?venue (COUNT(DISTINCT ?paper) AS ?n) {"
        " { SELECT ?paper { GRAPH ?paper { ?paper a kg:Paper } } }"
        " OPTIONAL { SELECT ?paper ?year { GRAPH ?paper { ?paper dcterms:issued ?year } } }"
        " OPTIONAL { SELECT ?paper ?venue { GRAPH ?paper { ?paper kg:venue ?venue } } } }"
        " GROUP BY ?year ?venue"
    ).rows
    years: Counter[int | None] = Counter()
    venues: Counter[str] = Counter()
    for year, venue, n in papers:
        years[int(year.value) if year else None] += _int(n)
        venues[venue.value if venue else ""] += _int(n)
    types = _types(store)
    return Stats(
        papers=sum(years.values()),
        years=tuple(sorted(years.items(), key=lambda y: (y[0] is None, y[0] or 0))),
        venues=tuple(sorted(venues.items(), key=lambda v: (v[0] == "", -v[1], v[0]))),
        entities=_int(
            store.select(
                f"SELECT (COUNT(DISTINCT ?entity) AS ?n) {{ {_TYPE_VALUES} ?entity a ?kind }}"
            ).rows[0][0]
        ),
        types=types,
        roles=_edges(store, ROLES),
        relations=_edges(store, RELATIONS),
        statements=_instances(store, "kg:Statement"),
        mentions=_instances(store, "kg:Mention"),
        top=_top(store, types, top),
        base=store.base,
        model=store.model,
        size=_bytes(store.folder, "*"),
        cache_size=_bytes(store.folder, "extractions.sqlite*"),
    )


def _bytes(folder: Path | None, pattern: str) -> int | None:
    if folder is None:
        return None
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def _types(store: Store) -> Counts:
    """How many entities there are of each type, in the order of the schema."""
    rows = store.select(
        f"SELECT ?kind (COUNT(DISTINCT ?entity) AS ?n) {{ {_TYPE_VALUES} ?entity a ?kind }}"
        " GROUP BY ?kind"
    ).rows
    found = {kind.value: _int(n) for kind, n in rows if kind}
    curies = ((kind.name, f"kg:{kind.name}") for kind in ENTITY_TYPES)
    return tuple((name, found.get(iri(curie, store.base), 0)) for name, curie in curies)


def _edges(store: Store, table: Sequence[Role] | Sequence[RelationType]) -> Counts:
    """How many different edges there are of each kind, in the order of the schema."""
    curies = " ".join(row.curie for row in table)
    each = f"SELECT DISTINCT ?kind ?head ?tail {{ VALUES ?kind {{ {curies} }} ?head ?kind ?tail }}"
    rows = store.select(f"SELECT ?kind (COUNT(?head) AS ?n) {{ {each} }} GROUP BY ?kind").rows
    found = {kind.value: _int(n) for kind, n in rows if kind}
    return tuple((row.name, found.get(iri(row.curie, store.base), 0)) for row in table)


def _instances(store: Store, curie: str) -> int:
    return _int(store.select(f"SELECT (COUNT(?x) AS ?n) {{ ?x a {curie} }}").rows[0][0])


def _top(store: Store, types: Counts, most: int) -> tuple[tuple[str, Counts], ...]:
    """The `most` entities of each type that the most papers have an edge to."""
    largest: dict[str, list[tuple[int, str]]] = {}
    for least in _LEAST_PAPERS:
        sizes = _sizes(store, least)
        kinds = entity_types(store, [iri_ for _, iri_ in sizes])
        largest = {
            kind: [(n, iri_) for n, iri_ in sizes if kind in kinds.get(iri_, ())][:most]
            for kind, _ in types
        }
        if all(len(largest[kind]) == min(most, total) for kind, total in types):
            break
    shown = display_names(store, [iri_ for found in largest.values() for _, iri_ in found])
    return tuple((kind, tuple((shown[i], n) for n, i in found)) for kind, found in largest.items())


def _sizes(store: Store, least: int) -> list[tuple[int, str]]:
    """The entities of at least so many papers, those of the most first."""
    curies = " ".join(role.curie for role in ROLES)
    rows = store.select(
        f"SELECT ?entity (COUNT(?paper) AS ?n) {{ VALUES ?role {{ {curies} }}"
        f" ?paper ?role ?entity }} GROUP BY ?entity HAVING(COUNT(?paper) >= {least})"
    ).rows
    return sorted(((_int(n), entity.value) for entity, n in rows if entity), key=_largest)


def _largest(sized: tuple[int, str]) -> tuple[int, str]:
    return (-sized[0], sized[1])


def _int(term: Term | None) -> int:
    return int(term.value) if term else 0
