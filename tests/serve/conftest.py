"""A server that runs as a user starts it: `kg serve` in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import building
import httpx
import pytest

from kg.build import build_graph

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = "<img src=x onerror=alert(1)>"


def hostile_papers():
    """The invented papers and one whose names are HTML, SPARQL and URL syntax."""
    return [
        *building.sample(),
        building.extraction(
            f"On {HOSTILE} & 'quotes'",
            f'We propose [{HOSTILE}|e1], also called [C++ "é/#?%2F"|e1]. '
            f"[{HOSTILE}|e1] outperforms [GateRNN|e2] by far.",
            "e1 Method proposes, e2 Method comparesWith",
            "e1 outperforms e2",
            id="hostile", authors=("</script><b>X</b>",), venue='"><i>', year=2024,
        ),
    ]  # fmt: skip


def graph_of(papers, folder) -> Path:
    build_graph(
        [found.abstract for found in papers],
        folder,
        extract=building.extractor(papers),
        model="test/1",
    )
    return folder


@pytest.fixture(scope="session")
def served_graph(tmp_path_factory) -> Path:
    return graph_of(hostile_papers(), tmp_path_factory.mktemp("served") / "graph")


@contextmanager
def serving(graph: Path, *options: object) -> Iterator[str]:
    """The address of `kg serve` for `graph`; it must end by Ctrl+C without a word of complaint."""
    with server(graph, *options) as (address, _):
        yield address


@contextmanager
def server(graph: Path, *options: object) -> Iterator[tuple[str, int]]:
    """As `serving`, with the number of the process."""
    command = [sys.executable, "-m", "kg", "serve", "--port", "0", "--graph", graph, *options]
    process = subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+:\d+/", line)
        assert found, line + process.stderr.read()
        yield found[0], process.pid
    finally:
        process.send_signal(2)
        try:
            _, said = process.communicate(timeout=30)
        finally:
            process.kill()
    assert "Traceback" not in said, said


@pytest.fixture(scope="session")
def address(served_graph) -> Iterator[str]:
    with serving(served_graph, "--timeout", "5") as address:
        yield address


@pytest.fixture(scope="session")
def client(address) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        yield client


def memory(process: int) -> int:
    """Bytes in memory of a process and of those that it started."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    own = int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return own + sum(memory(int(child)) for child in children.split())
