"""`kg query`: a question in, rows or RDF out."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import ModelOption, StoreOption, note, output, say
from kg.errors import QueryError

EXAMPLE = "kg query methods-for-task -p task='machine translation' --format csv > methods.csv"

_FORMATS = ("table", "csv", "tsv", "json", "xml", "md", "ttl", "nt", "jsonld", "rdfxml")


def query(
    *,
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME_OR_FILE_OR_TEXT",
            help="A saved query's name, a .rq file, SPARQL text, or - for text on standard input.",
            show_default=False,
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", metavar="KEY=VALUE", help="A parameter's value."),
    ] = None,
    wanted: Annotated[
        str | None,
        typer.Option(
            "--format", help=f"One of {', '.join(_FORMATS)}; a table, or ttl for RDF, if not given."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Rows at most.")] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, metavar="S", help="Seconds at most.")
    ] = 600.0,
    corrected: Annotated[
        bool,
        typer.Option(
            "--corrected", help="Beside counts, how many are likely right, by the model's card."
        ),
    ] = False,
    model: ModelOption = None,
    iris: Annotated[bool, typer.Option("--iris", help="IRIs too, beside the names.")] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="Name and describe the saved queries.")
    ] = False,
    queries: Annotated[
        Path | None,
        typer.Option("--queries", metavar="DIR", help="Folder of saved queries of your own."),
    ] = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="File to write; - for output.")
    ] = Path("-"),
    graph: StoreOption = "graph",
) -> None:
    """Ask the graph: a saved query by name, a .rq file, or SPARQL as text.

    Parameters are given as a person types them: -p task="question answering". Text may leave out
    the prefixes. `kg query --list` names what is saved. --corrected adds a range to the counts of
    a saved query: how many of the edges counted are likely right (95 %), as measured for their
    kind on annotated records; what the model missed is not in it.
    """
    if listing:
        list_queries(queries)
        return
    if question is None:
        raise typer.BadParameter("name a query, or --list them", param_hint="NAME_OR_FILE_OR_TEXT")
    if wanted is not None and wanted not in _FORMATS:
        raise QueryError(f"an answer cannot be written as {wanted!r}; use {', '.join(_FORMATS)}")

    from kg.query import answer, prepare, read_precisions, write
    from kg.store import open_store

    text = sys.stdin.read() if question == "-" else question
    with open_store(graph) as store:
        prepared = prepare(
            store, text, parameters=parse_parameters(parameters or []), limit=limit, folder=queries
        )
        measured = read_precisions(store, model) if corrected else None
        rows = prepared.form in ("SELECT", "ASK")
        usual = ("table" if str(out) == "-" else "csv") if rows else "ttl"
        if (wanted or usual) != "table":
            with output(out) as sink:
                write(
                    store,
                    prepared,
                    sink,
                    format=wanted or usual,
                    names=False if iris else None,
                    limit=limit,
                    timeout=timeout,
                    measured=measured,
                )
            return
        table = answer(store, prepared, limit=limit, timeout=timeout, measured=measured)
    from kg.cli.tables import print_table

    shown = table.with_iris() if iris else table
    print_table(shown.columns, shown.rows)
    if table.note:
        note(table.note)


def parse_parameters(pairs: list[str]) -> dict[str, str]:
    """Read "task=translation" and the like. Raises QueryError for what is no pair."""
    values: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise QueryError(f"cannot read the parameter {pair!r}; write it as name=value")
        if name in values:
            raise QueryError(f"the parameter {name!r} is given twice; give it once")
        values[name] = value
    return values


def list_queries(folder: Path | None) -> None:
    """Print the saved queries by group: name, title, description, parameters."""
    from kg.query import saved_queries

    group = None
    for saved in saved_queries(folder).values():
        if saved.group != group:
            group = saved.group
            say(f"{group}:" if group else "")
        say(f"{saved.name}: {saved.title}")
        if saved.description:
            say(f"    {saved.description}")
        for parameter in saved.parameters:
            default = (
                "needed" if parameter.default is None else f"default {parameter.default or 'any'}"
            )
            say(f"    -p {parameter.name}={parameter.type} ({default}): {parameter.help}")
