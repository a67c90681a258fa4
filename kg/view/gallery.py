"""`gallery(store, folder)`: a graph in, a folder of pages that need no network out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import jinja2

from kg import vocab
from kg.errors import QueryError
from kg.style import node_colour, node_shape
from kg.view.entries import entries
from kg.view.page import policy
from kg.view.sheets import Comparison, Matrix, appearances, compare, matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kg.store import Store
    from kg.view.sheets import Appearance


@dataclass(frozen=True, slots=True)
class Gallery:
    """The pages written, the index first, and why any was left out."""

    paths: tuple[Path, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn: a line that says how much, and the IRIs of its nodes."""

    says: str
    iris: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Card:
    """A page as the index shows it."""

    file: str
    title: str
    says: str


def gallery(
    store: Store,
    folder: str | Path,
    *,
    draw: Callable[[Path, str | None], Drawn],
    entities: Sequence[tuple[str, str]] = (),
    sides: tuple[str, str] | None = None,
    title: str = "Knowledge graph of research abstracts",
) -> Gallery:
    """Write overview, egos, timeline, matrix and comparison into `folder`, and an index of them.

    `draw` writes the overview to a path, or what is around the entity of an IRI. `entities` are the
    (IRI, label) that get a page of their own; `sides` the two years or venues to compare. A sheet
    without anything on it is left out. What a sheet names and the overview does not show stands on
    a page of other entities, so that every name leads somewhere.
    """
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    sheets, left_out = _sheets(store, sides)
    overview = draw(out / "overview.html", None)
    cards = [_Card("overview.html", "Overview", overview.says)]
    named = {iri for sheet in sheets for iri in _named(sheet)}
    others = entries(store, sorted(named - overview.iris))
    write = _Writer(out, overview.iris, {e.thing.iri: i for i, e in enumerate(others, 1)})
    for sheet in sheets:
        cards.append(_Card(f"{sheet.name}.html", sheet.title, sheet.says))
        write(sheet.name, sheet.title, note=sheet.says, **{sheet.name: sheet.of})
    for iri, label in entities:
        file = f"near-{_slug(iri)}.html"
        cards.append(_Card(file, f"Around {label}", draw(out / file, iri).says))
    if others:
        says = f"{len(others):,} that the pages name and the overview does not show"
        cards.append(_Card("others.html", "Other entities", says))
        write("others", "Other entities", note=says, others=others)
    write("index", title, note=f"{len(cards)} pages, all of the same graph", cards=cards)
    return Gallery((out / "index.html", *(out / c.file for c in cards)), tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    title: str
    says: str
    of: tuple[Appearance, ...] | Matrix | Comparison


def _sheets(store: Store, sides: tuple[str, str] | None) -> tuple[list[_Sheet], list[str]]:
    """The sheets that have something on them, and why the others have not."""
    sheets: list[_Sheet] = []
    left_out: list[str] = []
    years = appearances(store)
    if years:
        says = f"{len(years)} years, and what was first named in each"
        sheets.append(_Sheet("timeline", "First appearances", says, years))
    else:
        left_out.append("no timeline: no paper has a year")
    table = matrix(store)
    if table.cells:
        says = f"{len(table.rows)} methods × {len(table.columns)} benchmarks and datasets"
        sheets.append(_Sheet("matrix", "Methods × benchmarks", says, table))
    else:
        left_out.append("no matrix: no paper evaluates a method on a benchmark")
    try:
        change = compare(store, sides=sides)
    except QueryError as error:
        if sides is not None:
            raise
        left_out.append(f"no comparison: {error}")
    else:
        name = f"{change.before} and {change.after} compared"
        says = f"{change.papers[0]:,} papers and {change.papers[1]:,}: new, gone, more and less"
        sheets.append(_Sheet("compare", name, says, change))
    return sheets, left_out


def _named(sheet: _Sheet) -> Iterator[str]:
    """The IRIs of all that stands on a sheet."""
    if isinstance(sheet.of, Matrix):
        yield from (thing.iri for thing in (*sheet.of.rows, *sheet.of.columns))
    elif isinstance(sheet.of, Comparison):
        of = sheet.of
        yield from (c.thing.iri for c in (*of.new, *of.gone, *of.grown, *of.shrunk))
    else:
        yield from (thing.iri for year in sheet.of for thing in year.things)


class _Writer:
    """Writes static pages: no script runs on them.

    A name leads to the overview where `shown` holds its IRI, else to its entry on the page of other
    entities, which `others` numbers.
    """

    def __init__(self, folder: Path, shown: frozenset[str], others: Mapping[str, int]) -> None:
        assets = files("kg.view") / "assets"
        self.folder = folder
        self.shown, self.others = shown, others
        self.style = (assets / "sheets.css").read_text("utf-8")
        environment = jinja2.Environment(
            autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= {"link": self.link, "colour": node_colour, "shape": node_shape}
        self.template = environment.from_string((assets / "sheets.html.j2").read_text("utf-8"))

    def __call__(self, sheet: str, title: str, *, note: str, **of: Any) -> None:  # noqa: ANN401
        empty: Mapping[str, Any] = dict.fromkeys(
            ("timeline", "matrix", "compare", "others", "cards")
        )
        text = self.template.render(
            {**empty, **of}, sheet=sheet, title=title, note=note, style=self.style,
            policy=policy(scripts=(), style=self.style),
        )  # fmt: skip
        (self.folder / f"{sheet}.html").write_text(vocab.clean(text), "utf-8", newline="\n")

    def link(self, iri: str) -> str:
        """Where `iri` is shown; "" where it is not."""
        if iri in self.shown:
            return f"overview.html#node={quote(iri, safe='')}"
        return f"others.html#entity-{self.others[iri]}" if iri in self.others else ""


def _slug(iri: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]+", "-", iri.rpartition("/")[2]).strip("-") or "entity"
