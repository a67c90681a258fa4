"""`kg view`: the graph as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.choice import (
    FocusOption,
    HopsOption,
    RelationOption,
    RoleOption,
    SupportOption,
    SureOption,
    TopOption,
    TypesOption,
    VenuesOption,
    YearsOption,
    parse_part,
)
from kg.cli.common import (
    SelectionOption,
    StoreOption,
    note,
    output_path,
)
from kg.errors import InputError

EXAMPLE = "kg view --focus Transformer --hops 2 -o exports/transformer.html"


def view(
    *,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="File to write; - for output.")
    ] = Path("exports/graph.html"),
    focus: FocusOption = None,
    hops: HopsOption = 1,
    top: TopOption = None,
    types: TypesOption = None,
    role: RoleOption = None,
    relation: RelationOption = None,
    years: YearsOption = None,
    venue: VenuesOption = None,
    min_support: SupportOption = 1,
    min_confidence: SureOption = 0,
    query: SelectionOption = None,
    title: Annotated[str | None, typer.Option("--title", help="Heading of the page.")] = None,
    renderer: Annotated[
        str | None,
        typer.Option("--renderer", help="vis or sigma; sigma above 500 nodes if not given."),
    ] = None,
    gallery: Annotated[
        Path | None,
        typer.Option("--gallery", metavar="DIR", help="Write a folder of pages with an index."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="A,B", help="Two years or venues that --gallery compares."
        ),
    ] = None,
    graph: StoreOption = "graph",
) -> None:
    """Draw the graph, or a part of it, as one HTML file that needs no network.

    Search, filters by type and relation, and for every node its names, papers and the sentences
    that say so.
    """
    from kg.graph import open_graph
    from kg.view import view as write
    from kg.view import view_gallery

    part = parse_part(
        focus=focus,
        hops=hops,
        top=top,
        types=types,
        role=role,
        relation=relation,
        years=years,
        venue=venue,
        min_support=min_support,
        min_confidence=min_confidence,
    )
    if compare is not None and gallery is None:
        raise InputError(f"--compare {compare!r} is a page of the gallery: name --gallery DIR too")
    if gallery is not None:
        if focus is not None or query is not None or title is not None:
            raise InputError("--gallery draws the whole graph: leave out --focus, --query, --title")
        with open_graph(graph) as opened:
            written = view_gallery(
                opened.store, gallery, part, sides=_sides(compare), renderer=renderer
            )
        for line in written.left_out:
            note(line)
        note(f"wrote {written.paths[0]} and {len(written.paths) - 1} pages beside it")
        return
    with open_graph(graph) as opened, output_path(out, suffix=".html") as path:
        report = write(opened.store, path, part, query=query, title=title, renderer=renderer)
    weaker = f" ({report.hidden_edges:,} weaker ones left out)" if report.hidden_edges else ""
    note(f"wrote {out}: {report.nodes:,} nodes, {report.edges:,} edges{weaker}")


def _sides(text: str | None) -> tuple[str, str] | None:
    """Read "2020,2024" or "ICML,ACL"; InputError for anything but two names."""
    if text is None:
        return None
    names = [part.strip() for part in text.split(",")]
    if len(names) != 2 or not all(names):
        raise InputError(f"cannot compare {text!r}; write two years or venues: 2020,2024")
    return names[0], names[1]
