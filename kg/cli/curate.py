"""`kg curate`: what a person may want to decide about names.

Its help as a group stands here too; `kg.cli` puts the group together.
"""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import GraphOption, output

HELP = """Help to decide which names mean one thing.

Decisions stand in a plain file (TOML), which `kg build --curation FILE` follows."""
EXAMPLE = (
    "kg curate suggest -o decisions.toml, then kg build papers.jsonl --curation decisions.toml"
)


def suggest(
    *,
    graph: GraphOption = Path("graph"),
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="File to write; - for output.")
    ] = Path("-"),
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many lines.")] = 200,
) -> None:
    """List doubtful merges and near misses as a curation file, the most valuable first.

    Each is one line, accepted by deleting its comment sign. What the graph's curation decides
    already is not asked again.
    """
    from kg.build import suggest_curation

    text = suggest_curation(graph, limit=limit)
    with output(out) as sink:
        sink.write(text.encode())
