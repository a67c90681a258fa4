"""`kg view`: the graph as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import (
    FocusOption,
    GraphOption,
    HopsOption,
    SelectionOption,
    TopOption,
    TypesOption,
    YearsOption,
    note,
    output_path,
    parse_types,
    parse_years,
)

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
    years: YearsOption = None,
    query: SelectionOption = None,
    title: Annotated[str | None, typer.Option("--title", help="Heading of the page.")] = None,
    graph: GraphOption = Path("graph"),
) -> None:
    """Draw the graph, or a part of it, as one HTML file that needs no network.

    Search, filters by type and relation, and for every node its names, papers and the sentences
    that say so.
    """
    from kg.graph import open_graph

    with open_graph(graph) as opened, output_path(out, suffix=".html") as path:
        report = opened.view(
            path,
            focus=focus,
            hops=hops,
            top=top,
            types=parse_types(types),
            years=parse_years(years),
            query=query,
            title=title,
        )
    weaker = f" ({report.hidden_edges:,} weaker ones left out)" if report.hidden_edges else ""
    note(f"wrote {out}: {report.nodes:,} nodes, {report.edges:,} edges{weaker}")
