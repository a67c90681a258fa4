"""Where the parts of small drawings stand: the curve by year, the neighbours of a thing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.style import edge_family, kind_label, node_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.show import Edge

_BAR, _HEIGHT = 26, 90
_WIDTH, _DEPTH = 640, 340
_NEIGHBOURS = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """A year's bar, in pixels from the top left; `papers` may be 0."""

    year: int
    papers: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Bars for every year from the first to the last, and the size of the drawing in pixels."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    bar: int


def curve(years: Sequence[tuple[int, int]]) -> Curve | None:
    """The drawing of papers by year; None for a single year or none, where it would say nothing.

    `years` are (year, papers), sorted.
    """
    if len(years) < 2:
        return None
    counts = dict(years)
    first, last, most = years[0][0], years[-1][0], max(counts.values())
    if last - first > 300:  # a year that is a slip of the pen
        return None
    bars = []
    for place, year in enumerate(range(first, last + 1)):
        papers = counts.get(year, 0)
        height = round(_HEIGHT * papers / most, 1)
        bars.append(Bar(year, papers, place * _BAR, 16 + _HEIGHT - height, height))
    return Curve(tuple(bars), len(bars) * _BAR, _HEIGHT + 36, _BAR - 6)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A thing around the centre: where it stands, and how its edge is drawn and called."""

    iri: str
    name: str
    colour: str
    edge_colour: str
    kind: str
    x: float
    y: float
    anchor: str
    radius: float


@dataclass(frozen=True, slots=True)
class Ego:
    """A thing in the middle of its strongest neighbours, in pixels."""

    width: int
    height: int
    x: int
    y: int
    neighbours: tuple[Neighbour, ...]


def ego(edges: Iterable[Edge]) -> Ego | None:
    """The drawing of the strongest of `edges`, one a neighbour; None where there is none."""
    strongest: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda e: (-e.papers, e.name, e.kind)):
        strongest.setdefault(edge.iri, edge)
    chosen = list(strongest.values())[:_NEIGHBOURS]
    if not chosen:
        return None
    most = max(edge.papers for edge in chosen)
    placed = []
    for number, edge in enumerate(chosen):
        angle = 2 * math.pi * (number + 0.5) / len(chosen) - math.pi / 2
        label = kind_label(edge.kind)
        placed.append(
            Neighbour(
                iri=edge.iri,
                name=edge.name if len(edge.name) <= 28 else edge.name[:27] + "…",
                colour=node_colour(edge.types[0] if edge.types else ""),
                edge_colour=edge_family(edge.kind).colour,
                kind=label if edge.outgoing else f"{label} it",
                x=round(_WIDTH / 2 + 150 * math.cos(angle), 1),
                y=round(_DEPTH / 2 + 140 * math.sin(angle), 1),
                anchor="start" if math.cos(angle) > 0 else "end",
                radius=round(4 + 5 * math.sqrt(edge.papers / most), 1),
            )
        )
    return Ego(_WIDTH, _DEPTH, _WIDTH // 2, _DEPTH // 2, tuple(placed))


def pieces(text: str, marks: Sequence[tuple[int, int]]) -> list[tuple[bool, str]]:
    """`text` cut at its marks: (whether it is marked, the piece) in turn.

    Of marks that overlap, the one that begins first counts.
    """
    cut: list[tuple[bool, str]] = []
    at = 0
    for start, end in sorted(marks):
        if start < at:
            continue
        cut += [(False, text[at:start]), (True, text[start:end])]
        at = end
    cut.append((False, text[at:]))
    return [(marked, piece) for marked, piece in cut if piece]
