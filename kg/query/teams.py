"""Support by distinct author teams: papers that share an author, even through others, are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.query.literals import is_iri
from kg.store import Rows, Store, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_CHUNK = 500
_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def count_teams(store: Store, found: Rows, columns: Sequence[str]) -> Rows:
    """`found` with each of `columns`, papers parted by spaces, made the number of their teams."""
    places = [i for i, column in enumerate(found.columns) if column in columns]
    if not places:
        return found
    cells = {t.value for row in found.rows for i in places if (t := row[i]) is not None}
    known = authors(store, {paper for cell in cells for paper in cell.split()})
    teams = {cell: str(teams_among(cell.split(), known)) for cell in cells}
    rows = [
        tuple(
            Term("literal", teams[t.value], _INTEGER, "") if i in places and t is not None else t
            for i, t in enumerate(row)
        )
        for row in found.rows
    ]
    return Rows(found.columns, rows)


def teams_among(papers: Iterable[str], known: Mapping[str, frozenset[str]]) -> int:
    """How many teams wrote `papers`: groups of papers that no author joins to another group.

    A paper whose authors are not known counts as a team of its own.
    """
    from networkx.utils import UnionFind  # noqa: PLC0415 - slow to import, few questions need it

    papers = set(papers)
    joined: UnionFind[str] = UnionFind(papers)
    by_author: dict[str, str] = {}
    for paper in sorted(papers):
        for author in known.get(paper, ()):
            joined.union(paper, by_author.setdefault(author, paper))
    return len({joined[paper] for paper in papers})


def authors(store: Store, papers: Iterable[str]) -> dict[str, frozenset[str]]:
    """The authors of each of `papers`, their names folded for case and spaces."""
    found: dict[str, set[str]] = {}
    wanted = sorted(paper for paper in set(papers) if is_iri(paper))
    for start in range(0, len(wanted), _CHUNK):
        values = " ".join(f"<{paper}>" for paper in wanted[start : start + _CHUNK])
        said = f"VALUES ?paper {{ {values} }} ?paper dcterms:creator ?author"
        rows = store.select(f"SELECT ?paper ?author {{ {said} }}").rows
        for paper, author in rows:
            if paper and author:
                name = " ".join(author.value.casefold().replace(".", " ").split())
                found.setdefault(paper.value, set()).add(name)
    return {paper: frozenset(names) for paper, names in found.items()}
