"""`kg stats`: what is in the graph."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kg.cli.common import StoreOption
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME, TYPE_BY_NAME

if TYPE_CHECKING:
    from kg.stats import Stats

EXAMPLE = "kg stats --graph neurips"

#: Venues to name; the rest is counted.
_VENUES = 10


def stats(*, graph: StoreOption = "graph") -> None:
    """Count what is in the graph: papers by year and venue, entities by type, edges by kind."""
    from kg.graph import open_graph

    with open_graph(graph) as opened:
        figures = opened.stats()
    print_stats(figures)


def print_stats(figures: "Stats") -> None:
    """Print the counts, a line each."""
    from kg.cli.tables import print_line

    shown = figures.venues[:_VENUES]
    others = sum(count for _, count in figures.venues[_VENUES:])
    venues = [*shown, *([("others", others)] if others else [])]
    edges = sum(count for _, count in (*figures.roles, *figures.relations))
    rows = (
        ("papers", f"{figures.papers:,}"),
        ("  by year", _counts((str(year or "unknown"), n) for year, n in figures.years)),
        ("  by venue", _counts((venue or "unknown", n) for venue, n in venues)),
        ("entities", f"{figures.entities:,}"),
        ("  by type", _counts((TYPE_BY_NAME[name].plural, n) for name, n in figures.types)),
        ("edges", f"{edges:,}, stated {figures.statements:,} times"),
        ("  of papers", _counts((ROLE_BY_NAME[name].label, n) for name, n in figures.roles)),
        (
            "  of entities",
            _counts((RELATION_BY_NAME[name].label, n) for name, n in figures.relations),
        ),
        ("mentions", f"{figures.mentions:,}"),
        *_top(figures.top),
        ("model", figures.model),
        ("base", figures.base),
    )
    for name, value in rows:
        print_line(f"{name:<16} {value}")
    if figures.size is not None and figures.cache_size is not None:
        size = f"{_bytes(figures.size)}, of it cache {_bytes(figures.cache_size)}"
        print_line(f"{'size':<16} {size}")


def _top(tops: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> list[tuple[str, str]]:
    return [(f"top {TYPE_BY_NAME[name].plural}", _counts(counts)) for name, counts in tops]


def _counts(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in pairs) or "–"


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} GB"
