"""`kg push`: the graph into a remote store."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import GraphOption, note, progress

EXAMPLE = "kg push http://localhost:7878/store"


def push(
    *,
    endpoint: Annotated[
        str,
        typer.Argument(
            metavar="ENDPOINT",
            help="Address of the store's Graph Store Protocol.",
            show_default=False,
        ),
    ],
    again: Annotated[
        bool, typer.Option("--again", help="Send all, whatever was sent before.")
    ] = False,
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify",
            metavar="ADDRESS",
            help="Count afterwards what is there, by the store's SPARQL queries.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="S", help="Seconds a request may take.")
    ] = 120.0,
    graph: GraphOption = Path("graph"),
) -> None:
    """Put the graph into a remote SPARQL 1.1 store, by the Graph Store Protocol.

    Each paper goes into a named graph of its own. A push that was broken off goes on where it
    stood, and a later one sends only what has changed. User and password come from ~/.netrc, or
    KG_USER and KG_PASSWORD (KG_PUSH_USER and KG_PUSH_PASSWORD, if set, for this command alone).
    """
    from kg.push import push as run
    from kg.store import GraphStore

    with (
        GraphStore.open(graph) as store,
        progress(lambda: len(store.graph_names())) as advance,
    ):
        report = run(store, endpoint, again=again, verify=verify, timeout=timeout, progress=advance)
    note(
        f"graphs sent {report.sent:,}, removed {report.removed:,}, unchanged "
        f"{report.unchanged:,}, in {report.seconds:.1f} s"
        + (", counted and complete" if report.verified else "")
    )
