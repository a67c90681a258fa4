"""The part of a graph that is drawn or taken away: one record of all that chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME, TYPE_BY_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def _check(what: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise QueryError(f"no {what} {name!r}; known: {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a graph; without a choice all of it.

    What papers say counts where the paper is of `years` (first, last; None for open) and of one of
    `venues` (in any case), and where the statement is at least as sure as `min_confidence`. Of that
    stay entities of `types` that a paper has in one of `roles`, and edges of the kinds `relations`
    that at least `min_support` papers state; where edges are chosen, only the nodes that have such
    an edge. `focus` (a name or IRI) keeps what lies within `hops` edges of it, `top` the nodes of
    the most papers, the focus always.

    Raises QueryError for a type, role or relation that the schema has not, for years that end
    before they begin, and for a number out of range.
    """

    focus: str | None = None
    hops: int = 1
    top: int | None = None
    types: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    years: tuple[int | None, int | None] = (None, None)
    venues: tuple[str, ...] = ()
    min_support: int = 1
    min_confidence: float = 0.0

    def __post_init__(self) -> None:
        _check("entity type", self.types, TYPE_BY_NAME)
        _check("role", self.roles, ROLE_BY_NAME)
        _check("relation", self.relations, RELATION_BY_NAME)
        first, last = self.years
        if first is not None and last is not None and first > last:
            raise QueryError(f"the years {self.years!r} end before they begin; turn them round")
        for name, least in (("hops", 0), ("top", 1), ("min_support", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise QueryError(f"{name} is {value!r}; it must be {least} or more")
        if not 0 <= self.min_confidence <= 1:
            raise QueryError(f"min_confidence is {self.min_confidence!r}; it must lie in [0, 1]")

    @property
    def of_papers(self) -> bool:
        """Whether some papers are left out."""
        return bool(self.venues) or self.years != (None, None)

    @property
    def of_facts(self) -> bool:
        """Whether some of what papers say of entities is left out."""
        return self.of_papers or bool(self.roles) or self.min_confidence > 0

    @property
    def of_edges(self) -> bool:
        """Whether some edges are left out, and with them the nodes that have no other."""
        return bool(self.relations) or self.min_support > 1


#: A whole graph.
ALL = Part()


def choose(
    *,
    focus: str | None = None,
    hops: int = 1,
    top: int | None = None,
    types: Iterable[str] | None = None,
    roles: Iterable[str] | None = None,
    relations: Iterable[str] | None = None,
    years: tuple[int | None, int | None] | None = None,
    venues: Iterable[str] | None = None,
    min_support: int = 1,
    min_confidence: float = 0.0,
) -> Part:
    """The part that a caller's words name, None being no choice. Raises QueryError as `Part`."""
    return Part(
        focus=focus,
        hops=hops,
        top=top,
        types=tuple(types or ()),
        roles=tuple(roles or ()),
        relations=tuple(relations or ()),
        years=years or (None, None),
        venues=tuple(venues or ()),
        min_support=min_support,
        min_confidence=min_confidence,
    )
