"""`make bench`: the analytic ready questions on a synthetic graph beside other engines, in one run.

    python tests/bench.py [PAPERS] [--graph DIR] [--small N] [--only QUERY…]

For each question: the CPU seconds that kg takes on a graph of PAPERS papers (12,000 if not given;
kept in DIR where one is named), and how many times as long the others take: Oxigraph alone (the
same text on the same store, rows as they come), DuckDB (`bench_sql.py`, tables in memory), and
rdflib's own engine in memory on a graph of N papers (60), where kg is timed anew. The answers of
kg, Oxigraph and DuckDB must agree, row for row; the run fails where they do not. rdflib's engine
has no order of years (xsd:gYear) and fails on some sums: what it did stands in place of a figure.
"""

from __future__ import annotations

import argparse
import io
import json
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bench_sql
import duckdb
import pyoxigraph as ox
import synthetic

from kg import vocab
from kg.query import prepare, run
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES
from kg.store import GraphStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import rdflib

PATIENCE = 60
TERMS = {t.name: f"kg:{t.name}" for t in ENTITY_TYPES}
TERMS |= {row.name: row.curie for row in (*ROLES, *RELATIONS)}
LARGE = "SELECT ?paper ?s ?text { GRAPH ?paper { ?s kg:evidence ?text } } LIMIT 100000"

Answer = list[tuple[Any, ...]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="?", type=int, default=12_000)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--small", type=int, default=60)
    parser.add_argument("--only", nargs="*", default=list(bench_sql.SQL))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        large = options.graph or Path(scratch) / "large"
        tables = facts(large, options.papers)
        small = Path(scratch) / "small"
        facts(small, options.small)
        with GraphStore.open(large) as store, GraphStore.open(small) as little:
            return bench(store, little, tables, options)


def bench(
    store: GraphStore, little: GraphStore, tables: duckdb.DuckDBPyConnection, options: Any
) -> int:
    memory = in_memory(little)
    differ, slow = [], []
    say(f"{options.papers:,} papers; rdflib in memory on {options.small} papers\n")
    say("| question | kg, s | Oxigraph alone | DuckDB | rdflib in memory |")
    say("|---|---:|---:|---:|---:|")
    for name in options.only:
        text = prepare(store, name).text
        own, seconds = timed(lambda name=name: run(store, name))
        alone, bare = timed(lambda text=text: len(list(raw(store, text))))
        held, columns = timed(lambda name=name: sql(tables, name, store.base))
        if alone != len(own.rows) or plain(own, name) != held:
            differ.append(name)
        few, small = timed(lambda name=name: run(little, name))
        found, other = timed(lambda text=text: by_rdflib(memory, text))
        shown = found if isinstance(found, str) else f"{other / small:,.0f}"
        if isinstance(found, int) and found != len(few.rows):
            shown = f"{found} rows for {len(few.rows)}"
        if seconds > 5:
            slow.append(name)
        say(
            f"| {name} | {seconds:.2f} | {bare / seconds:.2f} | {columns / seconds:.3f} | {shown} |"
        )
    say(f"\n100,000 rows as CSV: {streamed(store):.2f} times Oxigraph's own time")
    say(f"over 5 s: {', '.join(slow) or 'none'}")
    say(f"answers that differ: {', '.join(differ) or 'none'}")
    return 1 if differ else 0


def timed(question: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and the CPU seconds of this process: other work on the machine counts less."""
    began = time.process_time()
    found = question()
    return found, max(time.process_time() - began, 1e-4)


def facts(folder: Path, papers: int) -> duckdb.DuckDBPyConnection:
    """The tables of the graph in `folder`, which is built where it is not there."""
    kept = folder.with_suffix(".facts.json")
    if (folder / "kg.json").exists():
        rows = json.loads(kept.read_text())
    else:
        built = synthetic.build(folder, papers)
        rows = {
            "paper": built.papers, "type": sorted(built.types), "role": sorted(built.roles),
            "edge": sorted(built.edges),
        }  # fmt: skip
        kept.write_text(json.dumps(rows))
    tables = duckdb.connect()
    columns = {
        "paper": "paper VARCHAR, year INT, venue VARCHAR",
        "type": "entity VARCHAR, type VARCHAR",
        "role": "paper VARCHAR, role VARCHAR, entity VARCHAR",
        "edge": "paper VARCHAR, head VARCHAR, relation VARCHAR, tail VARCHAR",
    }
    with tempfile.TemporaryDirectory() as scratch:
        for name, header in columns.items():
            file = Path(scratch) / f"{name}.csv"
            file.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows[name]))
            tables.execute(f"CREATE TABLE {name} ({header})")
            tables.execute(f"COPY {name} FROM '{file}' (DELIMITER '\t', HEADER false)")
    return tables


def sql(tables: duckdb.DuckDBPyConnection, name: str, base: str) -> Answer:
    terms = {name: f"'{vocab.iri(curie, base)}'" for name, curie in TERMS.items()}
    text = bench_sql.SQL[name]
    for term, iri in terms.items():
        text = text.replace("{" + term + "}", iri)
    return [tuple(map(rounded, row)) for row in tables.execute(text).fetchall()]


def plain(table: Any, name: str) -> Answer:
    """The rows of a table by IRI, of the columns that the SQL gives."""
    wanted = bench_sql.COLUMNS.get(name, table.columns)
    places = [table.columns.index(column) for column in wanted]
    return [
        tuple(rounded(iris[i] or row[i]) for i in places)
        for row, iris in zip(table.rows, table.iris, strict=True)
    ]


def rounded(value: Any) -> Any:
    return round(float(value), 6) if value is not None and not isinstance(value, str) else value


def raw(store: GraphStore, text: str) -> Iterator[Any]:
    return store._store.query(text, prefixes=store.prefixes, use_default_graph_as_union=True)


def in_memory(store: GraphStore) -> rdflib.Dataset:
    import rdflib

    sink = io.BytesIO()
    store.dump(sink)
    memory = rdflib.Dataset(default_union=True)
    memory.parse(data=sink.getvalue(), format="nquads")
    for prefix, namespace in store.prefixes.items():
        memory.bind(prefix, namespace, replace=True)
    return memory


def by_rdflib(memory: rdflib.Dataset, text: str) -> int | str:
    """The number of rows, or in a word why there is none."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        return len(list(memory.query(text)))
    except TimeoutError:
        return f"over {PATIENCE} s"
    except Exception as error:  # noqa: BLE001 - its engine fails on some of SPARQL, in any way
        return type(error).__name__
    finally:
        signal.alarm(0)


def streamed(store: GraphStore) -> float:
    """How many times as long a CSV of 100,000 rows takes as Oxigraph's own, the median of five."""
    ratios = []
    for _ in range(5):
        began = time.perf_counter()
        raw(store, LARGE).serialize(io.BytesIO(), format=ox.QueryResultsFormat.CSV)
        middle = time.perf_counter()
        store.write_rows(LARGE, io.BytesIO(), timeout=600)
        ratios.append((time.perf_counter() - middle) / (middle - began))
    return statistics.median(ratios)


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
