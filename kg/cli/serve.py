"""`kg serve`: the graph on the web, for machines and people."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import GraphOption, note

EXAMPLE = "kg serve --port 8080 --timeout 10"


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, metavar="S", help="Seconds a query may take.")
    ] = 30.0,
    queries: Annotated[
        int, typer.Option("--jobs", min=1, help="Queries that run at once; others wait.")
    ] = 8,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            "--cors", metavar="ORIGIN", help="Site whose pages may ask from a browser; * for all."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--queries", metavar="DIR", help="Folder of saved queries of your own."),
    ] = None,
    graph: GraphOption = Path("graph"),
) -> None:
    """Serve the graph: a SPARQL 1.1 endpoint at /sparql, an editor, pages for papers and entities.

    It only reads, listens to this machine alone if not told otherwise, and follows the graph when
    `kg build` changes it. Ctrl+C ends it.
    """
    from kg.serve import LOOPBACK, Settings
    from kg.serve import serve as run

    settings = Settings(
        timeout=timeout,
        queries=queries,
        # a name from elsewhere that leads to this machine could read the graph through a browser
        hosts=LOOPBACK if host in LOOPBACK else (),
        origins=tuple(cors or ()),
        folder=folder,
    )

    def started(address: str) -> None:
        note(f"serving {str(graph)!r} at {address} (SPARQL at {address}sparql); Ctrl+C ends it")

    run(graph, host=host, port=port, settings=settings, started=started)
