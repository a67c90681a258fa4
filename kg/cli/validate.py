"""`kg validate`: the shapes over the graph."""

from pathlib import Path

import typer

from kg.cli.common import GraphOption, note, say

EXAMPLE = "kg validate --graph neurips"


def validate(*, graph: GraphOption = Path("graph")) -> None:
    """Check the graph against its SHACL shapes; prints each violation in one line.

    Ends with 0 where there is none, with 1 otherwise.
    """
    from kg.validate import validate as check

    violations = check(graph)
    for violation in violations:
        say(str(violation))
    if violations:
        note(f"{len(violations):,} violations")
        raise typer.Exit(1)
    note("clean: no violation")
