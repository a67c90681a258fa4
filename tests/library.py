"""`queries/README.md`: each saved query with its parameters and what it finds in the sample.

`python tests/library.py` writes it anew from a graph of `examples/landmarks.jsonl`, read by the
shipped model; a folder with that graph may be named to spare the reading.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import recorded

from kg.query import Table, run, saved_queries, table_text
from kg.store import GraphStore

if TYPE_CHECKING:
    from kg.query import Parameter, SavedQuery

ROOT = Path(__file__).parent.parent
QUERIES = ROOT / "queries"
PAGE = QUERIES / "README.md"
ROWS, WIDTH = 4, 72

HEAD = """\
# The ready questions

What `kg query NAME` knows. Each file here is one question in SPARQL with its title, description and
parameters in its head; a file of your own is asked by its path, a folder of your own with
`--queries DIR`. Names are typed as people write them (`-p task="object detection"`). Columns with a
star get a range with `--corrected`. The tables are the first rows of what the graph of
`examples/landmarks.jsonl` answers, long texts cut; `python tests/library.py` writes them anew.
"""


def sample(folder: Path) -> Path:
    """Build the graph of the shipped sample in `folder`, of what the shipped model read."""
    from kg import read_abstracts
    from kg.build import build_graph
    from kg.extract import extract, model_name

    papers = list(read_abstracts(recorded.SAMPLE))
    build_graph(papers, recorded.put(folder), extract=extract, model=model_name())
    return folder


def page(graph: Path) -> str:
    parts = [HEAD]
    with GraphStore.open(graph) as store:
        library = saved_queries(QUERIES).values()
        for group, members in groupby(library, lambda query: query.group):
            parts.append(f"## {group}\n")
            parts += [_entry(store, query) for query in members]
    return "\n".join(parts)


def _entry(store: GraphStore, query: SavedQuery) -> str:
    lines = [f"### {query.name}", f"**{query.title}.** {query.description}", ""]
    lines += [_parameter(parameter) for parameter in query.parameters]
    values = "".join(f" -p {_argument(name, value)}" for name, value in query.example)
    lines += ["", "```sh", f"kg query {query.name}{values}", "```", ""]
    table = run(store, query.name, parameters=dict(query.example), folder=QUERIES)
    lines.append(_shown(table, {c.column for c in query.counts}) if table.rows else table.note)
    return "\n".join(lines) + "\n"


def _parameter(parameter: Parameter) -> str:
    usual = "needed" if parameter.default is None else f"default {parameter.default or 'any'}"
    return (
        f"- `{parameter.name}` ({parameter.type.replace('|', ' or ')}, {usual}): {parameter.help}"
    )


def _argument(name: str, value: str) -> str:
    return f'{name}="{value}"' if " " in value else f"{name}={value}"


def _shown(table: Table, starred: set[str]) -> str:
    rows = tuple(
        tuple(v[: WIDTH - 1] + "…" if isinstance(v, str) and len(v) > WIDTH else v for v in row)
        for row in table.rows[:ROWS]
    )
    columns = tuple(f"{c} \\*" if c in starred else c for c in table.columns)
    text = table_text(dataclasses.replace(table, columns=columns, rows=rows), "md")
    text = text.replace("\\\\*", "\\*")
    left = len(table.rows) - len(rows)
    return text + (f"\n… and {left} more\n" if left else "")


def main() -> None:
    if len(sys.argv) > 1:
        PAGE.write_text(page(Path(sys.argv[1])), encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as at:
        PAGE.write_text(page(sample(Path(at) / "graph")), encoding="utf-8")


if __name__ == "__main__":
    main()
