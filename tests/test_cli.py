"""The command line as a whole: start-up, exit codes, pipes, terminal."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys

import pytest

import kg.extract
import kg.graph
from kg.errors import StoreError

KG = [sys.executable, "-m", "kg"]
HEAVY = ("spacy", "onnxruntime", "pyoxigraph", "rdflib", "networkx", "numpy", "igraph", "pyvis")


def test_help_is_quick_and_imports_nothing_heavy():
    watch = (
        "import sys, time\n"
        "from kg.__main__ import main\n"
        "sys.argv = ['kg', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit:\n"
        f"    print([m for m in {HEAVY} if m in sys.modules], time.process_time())\n"
    )
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True, check=True)
    assert "Commands" in done.stdout
    heavy, seconds = done.stdout.splitlines()[-1].rsplit(" ", 1)
    assert heavy == "[]"
    # of the processor, not of the clock, and far above what it takes on an idle machine
    assert float(seconds) < 2


def test_the_version_is_that_of_the_package(run_kg):
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", run_kg("--version").out)


def test_without_a_command_the_help_is_shown(run_kg):
    assert "build" in (run := run_kg()).out + run.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["build"],
        ["build", "x.txt", "--year", "soon"],
        ["build", "x.txt", "--no-such-option"],
        ["query"],
        ["query", "--limit", "0", "top-methods"],
        ["show"],
        ["export"],
        ["train"],
        ["train", "x.jsonl"],
    ],
)
def test_wrong_usage_ends_with_2(run_kg, arguments):
    run = run_kg(*arguments)
    assert run.code == 2
    assert run.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "no-such-file.jsonl", "--graph", "g"],
        ["build", "-", "-", "--graph", "g"],
        ["extract", "no-such-file.jsonl"],
        ["remove", "x", "--graph", "no-graph"],
        ["query", "top-methods", "--graph", "no-graph"],
        ["query", "SELECT * { ?s ?p }", "--graph", "{graph}"],
        ["query", "no-such-query", "--graph", "{graph}"],
        ["query", "no-such-file.rq", "--graph", "{graph}"],
        ["query", "top-methods", "-p", "limit", "--graph", "{graph}"],
        ["query", "top-methods", "-p", "limit=1", "-p", "limit=2", "--graph", "{graph}"],
        ["query", "top-methods", "-p", "colour=red", "--graph", "{graph}"],
        ["query", "top-methods", "--format", "docx", "--graph", "{graph}"],
        ["query", "top-methods", "--format", "ttl", "--graph", "{graph}"],
        ["query", "top-methods", "-o", "{graph}", "--graph", "{graph}"],
        ["query", "top-methods", "--queries", "no-folder", "--graph", "{graph}"],
        ["query", "DELETE WHERE { ?s ?p ?o }", "--graph", "{graph}"],
        ["view", "--types", "Planet", "--graph", "{graph}"],
        ["view", "--years", "2020..2021", "--graph", "{graph}"],
        ["view", "--years", "2022-2020", "--graph", "{graph}"],
        ["view", "--focus", "no such thing", "--graph", "{graph}"],
        ["view", "--graph", "no-graph"],
        ["export", "graph.docx", "--graph", "{graph}"],
        ["export", "-", "--graph", "{graph}"],
        ["export", "graph.gexf", "--projection", "planets", "--graph", "{graph}"],
        ["show", "no such thing", "--graph", "{graph}"],
        ["stats", "--graph", "no-graph"],
        ["validate", "--graph", "no-graph"],
        ["evaluate", "no-such-file.jsonl"],
    ],
    ids=" ".join,
)
def test_a_fault_of_the_user_ends_with_1_and_one_line(
    run_kg, arguments, sample_graph, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    run = run_kg(*(a.replace("{graph}", str(sample_graph)) for a in arguments))
    assert run.code == 1
    assert run.out == ""
    assert run.err.startswith("kg: ")
    # a query's fault is shown with the line it stands in; anything else in one line
    assert run.err.count("\n") == 1 or "line 1" in run.err
    assert list(tmp_path.iterdir()) == []


def test_a_bug_keeps_its_traceback(run_kg, monkeypatch, tmp_path):
    def broken(model=None):
        raise ZeroDivisionError

    monkeypatch.setattr(kg.extract, "model_name", broken)
    (tmp_path / "a.txt").write_text("An abstract about nothing at all, long enough to be one.\n")
    with pytest.raises(ZeroDivisionError):
        run_kg("build", tmp_path / "a.txt", "--graph", tmp_path / "g")


def test_an_interrupt_ends_with_130(sample_graph, tmp_path):
    # a pipe in place of a file: once it can be opened to write, the process is waiting to read
    os.mkfifo(question := tmp_path / "question.rq")
    # a job in the background of a script begins with SIGINT ignored, and would hand that on
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *KG, "query", question, "--graph", sample_graph],
        stderr=subprocess.PIPE,
        text=True,
    )
    with question.open("w"):
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    with process.stderr as notes:
        assert "Traceback" not in notes.read()


@pytest.mark.parametrize("form", ["csv", "table", "xml"])
def test_a_reader_that_has_enough_is_no_error(form, sample_graph, tmp_path):
    # far more than a pipe holds
    text = "SELECT * { ?a ?b ?c . ?d a kg:Paper . ?e a kg:Paper }"
    (tmp_path / "all.rq").write_text(text)
    done = subprocess.run(
        [
            "bash", "-c",
            'set -o pipefail; "$@" | head -c 100; exit "${PIPESTATUS[0]}"', "bash",
            *KG, "query", tmp_path / "all.rq", "--format", form, "--graph", sample_graph,
        ],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert len(done.stdout.encode()) == 100
    assert done.stderr == ""
    assert done.returncode == 0


def test_the_graph_may_be_named_by_a_variable(run_kg, sample_graph, monkeypatch):
    monkeypatch.setenv("KG_GRAPH", str(sample_graph))
    run = run_kg("query", "SELECT (COUNT(*) AS ?n) { ?p a kg:Paper }", "--format", "csv")
    assert run.out.splitlines() == ["n", "6"]


def test_notes_of_the_library_go_to_standard_error(run_kg, sample_graph, monkeypatch):
    def noisy(folder):
        logging.getLogger("kg.somewhere").info("a note")
        raise StoreError("and no more")

    monkeypatch.setattr(kg.graph, "open_graph", noisy)
    run = run_kg("stats", "--graph", sample_graph)
    assert (run.code, run.out, run.err) == (1, "", "a note\nkg: and no more\n")
