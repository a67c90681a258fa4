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
from kg.view.page import policy
from kg.view.sheets import appearances, compare, matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kg.store import Store


@dataclass(frozen=True, slots=True)
class Gallery:
    """The pages written, the index first, and why any was left out."""

    paths: tuple[Path, ...]
    left_out: tuple[str, ...]


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
    draw: Callable[[Path, str | None], str],
    entities: Sequence[tuple[str, str]] = (),
    sides: tuple[str, str] | None = None,
    title: str = "Knowledge graph of research abstracts",
) -> Gallery:
    """Write overview, egos, timeline, matrix and comparison into `folder`, and an index of them.

    `draw` writes the overview to a path, or what is around the entity of an IRI, and says in a line
    what is on the page. `entities` are the (IRI, label) that get a page of their own;
    `sides` the two years or venues to compare. A sheet without anything on it is left out.
    """
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    cards = [_Card("overview.html", "Overview", draw(out / "overview.html", None))]
    left_out: list[str] = []
    write = _Writer(out)
    years = appearances(store)
    if years:
        said = f"{len(years)} years, and what was first named in each"
        cards.append(_Card("timeline.html", "First appearances", said))
        write("timeline", "First appearances", note=said, years=years)
    else:
        left_out.append("no timeline: no paper has a year")
    table = matrix(store)
    if table.cells:
        said = f"{len(table.rows)} methods × {len(table.columns)} benchmarks and datasets"
        cards.append(_Card("matrix.html", "Methods × benchmarks", said))
        write("matrix", "Methods × benchmarks", note=said, matrix=table)
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
        said = f"{change.papers[0]:,} papers and {change.papers[1]:,}: new, gone, more and less"
        cards.append(_Card("compare.html", name, said))
        write("compare", name, note=said, change=change)
    for iri, label in entities:
        file = f"near-{_slug(iri)}.html"
        cards.append(_Card(file, f"Around {label}", draw(out / file, iri)))
    write("index", title, note=f"{len(cards)} pages, all of the same graph", cards=cards)
    return Gallery((out / "index.html", *(out / c.file for c in cards)), tuple(left_out))


class _Writer:
    """Writes static pages: no script runs on them."""

    def __init__(self, folder: Path) -> None:
        assets = files("kg.view") / "assets"
        self.folder = folder
        self.style = (assets / "sheets.css").read_text("utf-8")
        environment = jinja2.Environment(
            autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= {"link": link, "colour": node_colour, "shape": node_shape}
        self.template = environment.from_string((assets / "sheets.html.j2").read_text("utf-8"))

    def __call__(self, sheet: str, title: str, *, note: str, **of: Any) -> None:  # noqa: ANN401
        empty: Mapping[str, Any] = dict.fromkeys(("years", "matrix", "change", "cards"))
        text = self.template.render(
            {**empty, **of}, sheet=sheet, title=title, note=note, style=self.style,
            policy=policy(scripts=(), style=self.style),
        )  # fmt: skip
        (self.folder / f"{sheet}.html").write_text(vocab.clean(text), "utf-8", newline="\n")


def link(iri: str) -> str:
    """The overview with `iri` selected."""
    return f"overview.html#node={quote(iri, safe='')}"


def _slug(iri: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]+", "-", iri.rpartition("/")[2]).strip("-") or "entity"
