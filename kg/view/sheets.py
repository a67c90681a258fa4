"""A store in, the figures of three sheets out: first appearances, a matrix, a comparison."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.network import choose, facts
from kg.part import Part
from kg.query import display_names
from kg.style import type_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.store import Store

#: A year with fewer papers than this is not compared unless asked for.
_ENOUGH = 5


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity on a sheet; `papers` counts those that name it."""

    iri: str
    label: str
    type: str
    papers: int


@dataclass(frozen=True, slots=True)
class Appearance:
    """A year: its papers, the entities first named in it (most papers first), and how many."""

    year: int
    papers: int
    things: tuple[Thing, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Methods in rows, benchmarks and datasets in columns; `cells` are papers by (row, column)."""

    rows: tuple[Thing, ...]
    columns: tuple[Thing, ...]
    cells: Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Change:
    """An entity with its papers before and after."""

    thing: Thing
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two years or venues, their papers, and what is new, gone, more and less in the second.

    More and less are told by the share of papers, since the two may differ in size.
    """

    before: str
    after: str
    papers: tuple[int, int]
    new: tuple[Change, ...]
    gone: tuple[Change, ...]
    grown: tuple[Change, ...]
    shrunk: tuple[Change, ...]


def appearances(store: Store, *, per_year: int = 12) -> tuple[Appearance, ...]:
    """Every year that has papers, with at most `per_year` entities first named in it."""
    years = facts.paper_years(store)
    size = Counter(facts.sizes(store))
    first = {entity: found[0] for entity, found in facts.entity_years(store).items()}
    came: dict[int, list[str]] = defaultdict(list)
    for entity in sorted(first, key=lambda e: (-size[e], e)):
        came[first[entity]].append(entity)
    shown = things(store, size, (e for all_ in came.values() for e in all_[:per_year]))
    papers = Counter(year for year in years.values() if year is not None)
    return tuple(
        Appearance(
            year, papers[year], tuple(shown[e] for e in came[year][:per_year]), len(came[year])
        )
        for year in sorted(papers)
    )


def matrix(store: Store, *, rows: int = 30, columns: int = 20) -> Matrix:
    """The methods and benchmarks with most papers that evaluate the one on the other."""
    found = choose(store, Part(), "benchmarks")
    of_rows: Counter[str] = Counter()
    of_columns: Counter[str] = Counter()
    for (head, _, tail), link in found.links.items():
        of_rows[head] += link.support
        of_columns[tail] += link.support
    left = sorted(of_rows, key=lambda e: (-of_rows[e], e))[:rows]
    top = sorted(of_columns, key=lambda e: (-of_columns[e], e))[:columns]
    row, column = {e: i for i, e in enumerate(left)}, {e: i for i, e in enumerate(top)}
    cells = {
        (row[head], column[tail]): link.support
        for (head, _, tail), link in sorted(found.links.items(), key=lambda e: e[0])
        if head in row and tail in column
    }
    size = Counter({node: found.sizes[node] for node in (*left, *top)})
    shown = things(store, size, (*left, *top))
    return Matrix(tuple(shown[e] for e in left), tuple(shown[e] for e in top), cells)


def compare(store: Store, *, sides: tuple[str, str] | None = None, most: int = 25) -> Comparison:
    """Two years or venues compared, the last two years that have enough papers unless `sides` say.

    Raises QueryError for a side without papers, and where there are no two years to choose.
    """
    years, venues = facts.paper_years(store), facts.paper_venues(store)
    before, after = sides or _last_two(years)
    parts = [_side(side, years, venues) for side in (before, after)]
    members = [len(facts.paper_years(store, part)) for part in parts]
    old, new = (facts.sizes(store, part) for part in parts)
    share = {e: new.get(e, 0) / members[1] - old.get(e, 0) / members[0]
             for e in {*old, *new}}  # fmt: skip
    both = old.keys() & new.keys()
    chosen = {
        "new": sorted(new.keys() - old.keys(), key=lambda e: (-new[e], e))[:most],
        "gone": sorted(old.keys() - new.keys(), key=lambda e: (-old[e], e))[:most],
        "grown": sorted((e for e in both if share[e] > 0), key=lambda e: (-share[e], e))[:most],
        "shrunk": sorted((e for e in both if share[e] < 0), key=lambda e: (share[e], e))[:most],
    }
    size = Counter({e: old.get(e, 0) + new.get(e, 0) for e in share})
    shown = things(store, size, (e for all_ in chosen.values() for e in all_))
    changes = {
        name: tuple(Change(shown[e], old.get(e, 0), new.get(e, 0)) for e in all_)
        for name, all_ in chosen.items()
    }
    return Comparison(before, after, (members[0], members[1]), **changes)


def _last_two(years: Mapping[str, int | None]) -> tuple[str, str]:
    papers = Counter(year for year in years.values() if year is not None)
    enough = sorted(y for y, n in papers.items() if n >= _ENOUGH)
    chosen = enough[-2:] if len(enough) > 1 else sorted(papers)[-2:]
    if len(chosen) < 2:
        raise QueryError("the papers are not of two years: name two venues to compare")
    return str(chosen[0]), str(chosen[1])


def _side(side: str, years: Mapping[str, int | None], venues: Mapping[str, str]) -> Part:
    """The papers of a year or, failing that, of a venue."""
    if side.isdecimal() and int(side) in years.values():
        return Part(years=(int(side), int(side)))
    spelt = {v for v in venues.values() if v.casefold() == side.casefold()}
    if spelt:
        return Part(venues=tuple(sorted(spelt)))
    known = sorted({str(y) for y in years.values() if y is not None} | {*venues.values()})
    raise QueryError(f"no paper has the year or venue {side!r}; there are {', '.join(known[:20])}")


def things(store: Store, size: Counter[str], entities: Iterable[str]) -> dict[str, Thing]:
    """Label and type of each of `entities`; `size` are their papers."""
    wanted = sorted(set(entities))
    types = facts.entity_types(store)
    names = display_names(store, wanted)
    return {e: Thing(e, names[e], min(types.get(e, [""]), key=type_order), size[e]) for e in wanted}
