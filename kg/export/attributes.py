"""The attributes of a network as typed columns, the same for every format that declares types."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.network import UNDIRECTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx as nx

Value = str | int | float | bool
#: The order of what readers look at first; anything else follows by name.
_ORDER = (
    "label", "kind", "type", "types", "papers", "shared", "weight", "association", "jaccard",
    "confidence", "first_year", "last_year", "years", "year", "venue", "community",
    "community_name", "degree", "in_degree", "out_degree", "pagerank", "aliases", "evidence",
    "paper",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute; `type` is "string", "integer", "double" or "boolean"."""

    name: str
    type: str


def columns(rows: Iterable[Mapping[str, Value]]) -> tuple[Column, ...]:
    """The columns of `rows` (attributes of nodes or edges), each of the narrowest type that fits.

    Whole numbers beside fractions are doubles; anything else that is mixed is a string.
    """
    seen: dict[str, set[str]] = {}
    for row in rows:
        for name, value in row.items():
            seen.setdefault(name, set()).add(_type(value))
    return tuple(Column(name, _common(seen[name])) for name in sorted(seen, key=_place))


def _place(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


def _type(value: Value) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "double" if isinstance(value, float) else "string"


def _common(types: set[str]) -> str:
    if len(types) == 1:
        return next(iter(types))
    return "double" if types == {"integer", "double"} else "string"


def directed(network: nx.MultiDiGraph) -> bool:
    """Whether the edges of `network` have a direction; those of one projection all do or none."""
    kinds = {kind for _, _, kind in network.edges(keys=True)}
    return not kinds or not kinds <= UNDIRECTED


def edge_id(head: str, kind: str, tail: str) -> str:
    """The id of an edge: the same in every file and graph, whatever else stands in it."""
    name = "\n".join((kind, head, tail)).encode("utf-8", "surrogatepass")
    return f"e{hashlib.blake2b(name, digest_size=8).hexdigest()}"


def spells(data: Mapping[str, Value]) -> list[tuple[int, int]]:
    """The years of a node or edge without gaps, as first and last year of each run.

    Where only the first and last are known, they are one run; none where no year is known.
    """
    if "first_year" not in data or "last_year" not in data:
        return []
    if "years" not in data:
        return [(int(data["first_year"]), int(data["last_year"]))]
    runs: list[tuple[int, int]] = []
    for year in map(int, str(data["years"]).split("|")):
        if runs and year == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], year
        else:
            runs.append((year, year))
    return runs


def written(value: Value) -> str:
    """A value as XML Schema and JSON spell it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
