"""Extraction on a Dask cluster: a real scheduler, workers as processes, one of them killed."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

import kg
from kg.build import build_graph, cluster_extract
from kg.errors import ClusterError, ModelError
from kg.extract import extract, model_name

pytest.importorskip("distributed", reason="needs Dask: pip install 'kg[cluster]'")

PAPERS = Path(__file__).parents[1] / "examples" / "landmarks.jsonl"
# notes every load of the model: the process that loads it writes its number
PRELOAD = """
import os
from kg.extract import model
def noting(self, *arguments, load=model.OnnxModel.__init__, **options):
    with open({file!r}, "a") as notes:
        print(os.getpid(), file=notes)
    load(self, *arguments, **options)
# Dask runs this file twice
if not hasattr(model, "noted"):
    model.noted = True
    model.OnnxModel.__init__ = noting
"""


@pytest.fixture
def start(tmp_path):
    """Start `dask scheduler` or `dask worker` with the given arguments; all end with the test."""
    running = []

    def run(*arguments):
        log = (tmp_path / f"{len(running)}.log").open("w+")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *map(str, arguments)],
            stdout=log, stderr=log, cwd=tmp_path,
        )  # fmt: skip
        running.append((process, log))
        return process, Path(log.name)

    yield run
    for process, log in reversed(running):
        process.kill()
        process.wait()
        log.close()


@pytest.fixture
def address(start):
    process, log = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    while process.poll() is None:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text()):
            return found.group()
    raise AssertionError(log.read_text())


def papers(count):
    return list(islice(kg.read_abstracts(PAPERS), count))


def nquads(folder):
    with kg.open_graph(folder) as graph:
        sink = io.BytesIO()
        graph.store.dump(sink)
        return sink.getvalue()


@pytest.mark.slow
def test_a_worker_is_killed_and_the_graph_is_the_local_one(tmp_path, start, address):
    loads = tmp_path / "loads"
    (tmp_path / "preload.py").write_text(PRELOAD.format(file=str(loads)))
    options = ("--no-nanny", "--nthreads", 2, "--no-dashboard", "--preload", "preload.py")
    workers = [start("worker", address, *options)[0] for _ in range(2)]
    done = []

    def break_off(papers):
        done.append(papers)
        if len(done) == 6:
            raise KeyboardInterrupt

    def kill_one(papers):
        done.append(papers)
        if len(done) == 4:
            workers[0].kill()

    given = papers(40)
    build = partial(
        build_graph, given, tmp_path / "g", model=model_name(),
        extract=partial(cluster_extract, address=address, chunk=2),
    )  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        build(progress=break_off)
    done.clear()
    build(progress=kill_one)
    assert workers[0].wait() == -signal.SIGKILL
    build_graph(given, tmp_path / "local", extract=extract, model=model_name())
    assert nquads(tmp_path / "g") == nquads(tmp_path / "local")
    by_worker = Counter(map(int, loads.read_text().split()))
    assert by_worker == {worker.pid: 1 for worker in workers}


@pytest.mark.slow
def test_workers_with_another_model_are_refused(start, address, monkeypatch):
    start("worker", address, "--no-nanny", "--nthreads", 1, "--no-dashboard")
    monkeypatch.setattr("kg.build.cluster.model_name", lambda model: "newer/2")
    with pytest.raises(ClusterError, match=r"workers: they have the model .* place of 'newer/2'"):
        list(cluster_extract(papers(1), address=address))


def test_no_scheduler_is_one_line(monkeypatch):
    monkeypatch.setattr("kg.build.cluster._PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        list(cluster_extract(papers(1), address="tcp://127.0.0.1:9"))


@pytest.mark.parametrize("address", ["nonsense://x", "tcp://127.0.0.1:port", ""])
def test_an_address_that_is_none_is_one_line(address, monkeypatch):
    monkeypatch.setattr("kg.build.cluster._PATIENCE", 0.5)
    with pytest.raises(ClusterError, match="no Dask scheduler"):
        list(cluster_extract(papers(1), address=address))


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'kg\[cluster\]'"):
        list(cluster_extract([], address="tcp://127.0.0.1:1"))


def test_a_worker_checks_its_model():
    from kg.build.cluster import read_chunk

    with pytest.raises(ModelError, match="in place of 'another/1'"):
        read_chunk(tuple(papers(1)), "", "another/1")


def test_jobs_and_cluster_exclude_each_other(run_kg):
    assert run_kg("build", PAPERS, "--jobs", "2", "--cluster", "tcp://127.0.0.1:9").code == 2
