"""`kg export`: the graph as a file for other programs."""

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

EXAMPLE = "kg export exports/graph.gexf --projection cooccurrence --top 500"


def export(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help=".gexf .graphml .cx2 .csv .json .cypher, .ttl .trig .nq .nt .jsonld, "
            ".bib .md; - with --format.",
            show_default=False,
        ),
    ],
    file_format: Annotated[
        str | None,
        typer.Option("--format", help="Format, where the suffix does not tell; neo4j: two .csv."),
    ] = None,
    projection: Annotated[
        str,
        typer.Option(
            "--projection", help="entities, cooccurrence, papers, bipartite or benchmarks."
        ),
    ] = "entities",
    query: SelectionOption = None,
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
    weight: Annotated[
        str | None,
        typer.Option(
            "--weight",
            metavar="FIGURE",
            help="What is an edge's weight: papers, shared, association, jaccard or confidence.",
        ),
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge-edges", help="One edge from a node to another, of all kinds.")
    ] = False,
    graph: StoreOption = "graph",
) -> None:
    """Write the graph for Gephi, a triple store, a spreadsheet or a program, by the file's suffix.

    RDF formats hold the whole graph; the others hold a network of it, which --projection and the
    filters choose; .bib and .md the papers behind it.
    """
    named = (file_format or "").strip(".").lower()
    if str(file) == "-" and named in ("", "csv", "neo4j"):
        raise InputError(
            "standard output ('-') takes one file whose --format is named; "
            "csv and neo4j are two files"
        )
    from kg.export import export as write
    from kg.graph import open_graph

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
    with open_graph(graph) as opened, output_path(file, suffix="") as path:
        report = write(
            opened.store,
            path,
            part,
            format=file_format,
            projection=projection,
            query=query,
            weight=weight,
            merge=merge,
        )
    names = "-" if str(file) == "-" else " and ".join(map(str, report.paths))
    figures = "" if report.nodes is None else f": {report.nodes:,} nodes, {report.edges:,} edges"
    if report.papers is not None:
        figures = f": {report.papers:,} papers"
    note(f"wrote {names}{figures}")
