"""`kg export`: the graph as a file for other programs."""

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
from kg.errors import InputError

EXAMPLE = "kg export exports/graph.gexf --projection cooccurrence --top 500"


def export(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help=".gexf .graphml .ttl .trig .nq .nt .jsonld .csv .json .cypher; - with --format.",
            show_default=False,
        ),
    ],
    file_format: Annotated[
        str | None, typer.Option("--format", help="Format, where the suffix does not tell.")
    ] = None,
    projection: Annotated[
        str,
        typer.Option("--projection", help="entities, cooccurrence, papers or bipartite."),
    ] = "entities",
    query: SelectionOption = None,
    focus: FocusOption = None,
    hops: HopsOption = 1,
    top: TopOption = None,
    types: TypesOption = None,
    years: YearsOption = None,
    min_support: Annotated[
        int, typer.Option("--min-support", min=1, help="Only edges that N papers state.")
    ] = 1,
    graph: GraphOption = Path("graph"),
) -> None:
    """Write the graph for Gephi, a triple store, a spreadsheet or a program, by the file's suffix.

    RDF formats hold the whole graph; the others hold a network of it, which --projection and the
    filters choose.
    """
    if str(file) == "-" and (file_format is None or file_format.strip(".").lower() == "csv"):
        raise InputError(
            "standard output ('-') takes one file whose --format is named; csv is two files"
        )
    from kg.graph import open_graph

    with open_graph(graph) as opened, output_path(file, suffix="") as path:
        report = opened.export(
            path,
            format=file_format,
            projection=projection,
            query=query,
            focus=focus,
            hops=hops,
            top=top,
            types=parse_types(types),
            years=parse_years(years),
            min_support=min_support,
        )
    names = "-" if str(file) == "-" else " and ".join(map(str, report.paths))
    figures = "" if report.nodes is None else f": {report.nodes:,} nodes, {report.edges:,} edges"
    note(f"wrote {names}{figures}")
