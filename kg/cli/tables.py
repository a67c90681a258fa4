"""Text and tables on the terminal: as wide as the window there, as wide as they need in a pipe."""

import sys
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Cell = str | int | float | None

#: Wide enough that nothing is folded where no window sets a width.
_ENDLESS = 1_000_000


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Print rows under their headings; columns of figures stand to the right."""
    rows = [tuple(row) for row in rows]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, column in enumerate(columns):
        cells = [row[index] for row in rows if row[index] is not None]
        figures = bool(cells) and all(isinstance(cell, int | float) for cell in cells)
        table.add_column(Text(column), justify="right" if figures else "left", overflow="fold")
    for row in rows:
        # Text, as a name from a paper may look like Rich's markup
        table.add_row(*(Text(_shown(cell)) for cell in row))
    _print(table)


def print_line(
    text: str,
    *,
    indent: int = 0,
    style: str = "",
    marks: Iterable[tuple[int, int]] = (),
) -> None:
    """Print a paragraph, the `marks` (start, end) of it in bold where the terminal can."""
    line = Text(printable(text), style=style)
    for start, end in marks:
        line.stylize("bold", start, end)
    _print(Padding(line, (0, 0, 0, indent), expand=False))


def printable(text: str) -> str:
    """Give the text with blanks for what would break a line or command the terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _print(what: RenderableType) -> None:
    if sys.stdout.isatty():
        Console().print(what)
        return
    screen = Console(width=_ENDLESS)
    with screen.capture() as capture:
        screen.print(what)
    for line in capture.get().splitlines():
        print(line.rstrip())  # noqa: T201


def _shown(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    return "" if cell is None else printable(str(cell))
