"""The command line: one command a file, each of which parses, calls one library function, prints.

What is heavy is imported inside the commands, so that `kg --help` answers at once.
"""

from typing import Annotated

import typer

from kg.cli import (
    build,
    curate,
    evaluate,
    export,
    extract,
    push,
    query,
    remove,
    serve,
    show,
    stats,
    train,
    validate,
    view,
)
from kg.cli.common import Commands, say, show_notes

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Research abstracts in, a knowledge graph out.",
    epilog="Example: kg build papers.jsonl, then kg query --list, kg view, kg export graph.gexf",
)


def _version(asked: bool) -> None:  # noqa: FBT001 - Typer's callback
    if asked:
        from kg import __version__

        say(__version__)
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[  # noqa: ARG001 - acted on by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    """Research abstracts in, a knowledge graph out.

    A graph lives in one folder: ./graph, or --graph DIR, or the variable KG_GRAPH. Results go to
    standard output, all else to standard error.
    """
    show_notes()


def _flowing(docstring: str) -> str:
    """Undo the line breaks within paragraphs; the terminal sets its own."""
    return "\n\n".join(" ".join(part.split()) for part in docstring.split("\n\n"))


for _function, _example in (
    (build.build, build.EXAMPLE),
    (remove.remove, remove.EXAMPLE),
    (extract.extract, extract.EXAMPLE),
    (query.query, query.EXAMPLE),
    (view.view, view.EXAMPLE),
    (export.export, export.EXAMPLE),
    (show.show, show.EXAMPLE),
    (stats.stats, stats.EXAMPLE),
    (validate.validate, validate.EXAMPLE),
    (serve.serve, serve.EXAMPLE),
    (push.push, push.EXAMPLE),
    (evaluate.evaluate, evaluate.EXAMPLE),
    (train.train, train.EXAMPLE),
):
    app.command(help=_flowing(_function.__doc__ or ""), epilog=f"Example: {_example}")(_function)

_curate = typer.Typer(
    no_args_is_help=True, help=_flowing(curate.HELP), epilog=f"Example: {curate.EXAMPLE}"
)
_curate.command(help=_flowing(curate.suggest.__doc__ or ""), epilog=f"Example: {curate.EXAMPLE}")(
    curate.suggest
)
# without a callback a group of one command would be that command
_curate.callback()(lambda: None)
app.add_typer(_curate, name="curate")
