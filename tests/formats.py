"""What each export of a whole graph costs: `python tests/formats.py GRAPH [FORMAT …]`.

A row a format and a projection: CPU seconds of `kg export`, its greatest memory, the file's size.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

#: Suffix and projections: the network formats' cost depends on the network, RDF has none.
NETWORKS = (".gexf", ".graphml", ".cx2", ".csv", ".json", ".cypher")
PROJECTIONS = ("entities", "cooccurrence", "papers", "bipartite", "benchmarks")
ROWS = (
    *((suffix, ("--projection", "entities")) for suffix in NETWORKS),
    ("neo4j", ("--format", "neo4j")),
    *((".gexf", ("--projection", name)) for name in PROJECTIONS[1:]),
    *((suffix, ()) for suffix in (".nq", ".nt", ".ttl", ".trig", ".jsonld", ".bib", ".md")),
)


def main() -> int:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph", type=Path)
    parser.add_argument("formats", nargs="*", help="only these suffixes")
    asked = parser.parse_args()
    say("| format | CPU, s | memory, MB | file, MB |")
    say("|---|---:|---:|---:|")
    for suffix, options in ROWS:
        if asked.formats and suffix not in asked.formats:
            continue
        with tempfile.TemporaryDirectory() as folder:
            name = f"all{suffix}" if suffix.startswith(".") else "all"
            seconds, memory = cost(asked.graph, Path(folder) / name, options)
            size = sum(p.stat().st_size for p in Path(folder).iterdir()) / 1e6
        shown = " ".join([suffix, *(o for o in options if not o.startswith("-"))])
        say(f"| {shown} | {seconds:.1f} | {memory:,.0f} | {size:,.1f} |")
    return 0


def cost(graph: Path, out: Path, options: tuple[str, ...]) -> tuple[float, float]:
    """CPU seconds and MB of resident memory of one export."""
    program = [sys.executable, "-m", "kg", "export", str(out), "--graph", str(graph), *options]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(program)!r} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def say(line: str) -> None:
    """One line of the table, at once."""
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
