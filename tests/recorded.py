"""What the shipped model read in the shipped sample, on one machine: `python tests/recorded.py`.

Processors round sums of floats in other orders, and of some 2,500 edges of the sample two or three
turn out otherwise on another one. The pages that show what is printed are therefore made, and
tested, from these extractions, which a build finds in its folder and does not make anew; a test
says how far what is read here may be from them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "examples" / "landmarks.jsonl"
FILE = Path(__file__).with_name("landmarks.extractions.sqlite")


def put(graph: Path) -> Path:
    """Put the extractions into the new folder `graph`, and give it back."""
    graph.mkdir(parents=True)
    shutil.copyfile(FILE, graph / "extractions.sqlite")
    return graph


def main() -> int:
    """Read the sample with the shipped model and keep what it read."""
    from kg import read_abstracts
    from kg.build import build_graph
    from kg.extract import extract, model_name

    with tempfile.TemporaryDirectory() as at:
        graph = Path(at) / "graph"
        build_graph(list(read_abstracts(SAMPLE)), graph, extract=extract, model=model_name())
        shutil.copyfile(graph / "extractions.sqlite", FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
