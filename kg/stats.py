"""What is in a graph, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.query import display_names
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES
from kg.vocab import iri

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kg.schema import RelationType, Role
    from kg.store import Store, Term

Counts = tuple[tuple[str, int], ...]


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
        "SELECT ?year ?venue (COUNT(DISTINCT ?paper) AS ?n) { ?paper a kg:Paper"
        " OPTIONAL { ?paper dcterms:issued ?year } OPTIONAL { ?paper kg:venue ?venue } }"
        " GROUP BY ?year ?venue"
    ).rows
    years: Counter[int | None] = Counter()
    venues: Counter[str] = Counter()
    for year, venue, n in papers:
        years[int(year.value) if year else None] += _int(n)
        venues[venue.value if venue else ""] += _int(n)
    members = _members(store)
    return Stats(
        papers=sum(years.values()),
        years=tuple(sorted(years.items(), key=lambda y: (y[0] is None, y[0] or 0))),
        venues=tuple(sorted(venues.items(), key=lambda v: (v[0] == "", -v[1], v[0]))),
        entities=len(set().union(*members.values())),
        types=tuple((kind, len(found)) for kind, found in members.items()),
        roles=_edges(store, ROLES),
        relations=_edges(store, RELATIONS),
        statements=_instances(store, "kg:Statement"),
        mentions=_instances(store, "kg:Mention"),
        top=_top(store, members, top),
        base=store.base,
        model=store.model,
        size=_bytes(store.folder, "*"),
        cache_size=_bytes(store.folder, "extractions.sqlite*"),
    )


def _bytes(folder: Path | None, pattern: str) -> int | None:
    if folder is None:
        return None
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def _members(store: Store) -> dict[str, set[str]]:
    """The entities of each type."""
    return {
        kind.name: {
            row[0].value
            for row in store.select(f"SELECT ?entity {{ ?entity a kg:{kind.name} }}").rows
            if row[0]
        }
        for kind in ENTITY_TYPES
    }


def _edges(store: Store, table: Sequence[Role] | Sequence[RelationType]) -> Counts:
    """How many different edges there are of each kind, in the order of the schema."""
    curies = " ".join(row.curie for row in table)
    each = f"SELECT DISTINCT ?kind ?head ?tail {{ VALUES ?kind {{ {curies} }} ?head ?kind ?tail }}"
    rows = store.select(f"SELECT ?kind (COUNT(?head) AS ?n) {{ {each} }} GROUP BY ?kind").rows
    found = {kind.value: _int(n) for kind, n in rows if kind}
    return tuple((row.name, found.get(iri(row.curie, store.base), 0)) for row in table)


def _instances(store: Store, curie: str) -> int:
    return _int(store.select(f"SELECT (COUNT(?x) AS ?n) {{ ?x a {curie} }}").rows[0][0])


def _top(store: Store, members: dict[str, set[str]], most: int) -> tuple[tuple[str, Counts], ...]:
    curies = " ".join(role.curie for role in ROLES)
    rows = store.select(
        f"SELECT ?entity (COUNT(?paper) AS ?n) {{ VALUES ?role {{ {curies} }}"
        " ?paper ?role ?entity } GROUP BY ?entity"
    ).rows
    sizes = sorted(((_int(n), entity.value) for entity, n in rows if entity), key=_largest)
    largest = {
        kind: [(iri_, n) for n, iri_ in sizes if iri_ in found][:most]
        for kind, found in members.items()
    }
    shown = display_names(store, [iri_ for found in largest.values() for iri_, _ in found])
    return tuple((kind, tuple((shown[i], n) for i, n in found)) for kind, found in largest.items())


def _largest(sized: tuple[int, str]) -> tuple[int, str]:
    return (-sized[0], sized[1])


def _int(term: Term | None) -> int:
    return int(term.value) if term else 0
