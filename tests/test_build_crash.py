"""A build is killed at random moments: the graph is the old one or the new one, never between."""

from __future__ import annotations

import io
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from building import extractor, plain_resolve, sample

from kg.build import build_graph
from kg.store import GraphStore

HERE = Path(__file__).parent
# extraction and writing are slowed down, so that the moments fall into both
BUILD = """
import sys, time
from building import extractor, plain_resolve, sample
from kg.build import build_graph
from kg.store import writing

def slowly(abstracts):
    for one in extractor(sample())(abstracts):
        time.sleep(0.05)
        yield one

load = writing._load
def slow_load(store, quads):
    middle = quads.rfind(b"\\n", 0, len(quads) // 2) + 1
    load(store, quads[:middle])
    time.sleep(0.1)
    load(store, quads[middle:])
writing._load = slow_load

print("ready", flush=True)
build_graph([one.abstract for one in sample()], sys.argv[1],
            extract=slowly, model="test/1", resolve=plain_resolve)
print("done", flush=True)
"""


def nquads(folder):
    with GraphStore.open(folder) as store:
        sink = io.BytesIO()
        store.dump(sink)
        return sink.getvalue()


def build(folder, found):
    return build_graph(
        [one.abstract for one in found], folder,
        extract=extractor(sample()), model="test/1", resolve=plain_resolve,
    )  # fmt: skip


def start(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, str(folder)],
        stdout=subprocess.PIPE, cwd=HERE, env={"PYTHONPATH": f"{HERE}:{HERE.parent}"},
    )  # fmt: skip
    assert process.stdout.readline() == b"ready\n"
    return process


def killed_at(folder, moment):
    process = start(folder)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def survive(tmp_path, moments):
    old, new = tmp_path / "old", tmp_path / "new"
    build(old, sample()[:3])
    build(new, sample())
    before, after = nquads(old), nquads(new)
    graph = tmp_path / "g"
    build(graph, sample()[:3])
    died = 0
    for moment in moments:
        died += killed_at(graph, moment)
        assert nquads(graph) in {before, after}
    build(graph, sample())
    assert nquads(graph) == after
    number = json.loads((graph / "kg.json").read_text())["generation"]
    assert [path.name for path in (graph / "generations").iterdir()] == [str(number)]
    assert {path.name for path in graph.iterdir()} == {
        "kg.json", "generations", "extractions.sqlite", "lock",
    }  # fmt: skip
    return died


def test_killed_early_and_late(tmp_path):
    assert survive(tmp_path, [0.05, 0.3])


@pytest.mark.slow
def test_killed_at_twenty_moments(tmp_path):
    old, whole = tmp_path / "old", tmp_path / "whole"
    build(old, sample()[:3])
    shutil.copytree(old, whole)
    process = start(whole)
    began = time.monotonic()
    process.communicate()
    seconds = time.monotonic() - began  # of a run that nobody disturbs, on this machine
    before, after = nquads(old), nquads(whole)
    died = 0
    for number in range(20):
        graph = tmp_path / f"g{number}"
        shutil.copytree(old, graph)
        died += killed_at(graph, seconds * number / 20)
        assert nquads(graph) in {before, after}
        build(graph, sample())
        assert nquads(graph) == after
    assert died >= 10


def test_interrupted_by_the_user(tmp_path):
    process = start(tmp_path / "g")
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate()
    build(tmp_path / "g", sample())
    build(tmp_path / "fresh", sample())
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")
