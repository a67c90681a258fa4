"""The measurement itself: on a small graph all engines agree, and a wrong answer is told."""

from __future__ import annotations

import sys

import bench
import bench_sql
import pytest


@pytest.mark.slow
def test_all_engines_agree_on_a_small_graph(monkeypatch, capsys, tmp_path):
    arguments = ["bench.py", "150", "--small", "3", "--graph", str(tmp_path / "graph")]
    monkeypatch.setattr(sys, "argv", arguments)
    assert bench.main() == 0
    printed = capsys.readouterr().out
    assert printed.count("\n| ") == len(bench_sql.SQL) + 1
    # the graph and its facts are kept, and a wrong question is found out
    monkeypatch.setattr(sys, "argv", [*arguments, "--only", "top-methods"])
    wrong = bench_sql.SQL["top-tasks"]
    monkeypatch.setitem(bench_sql.SQL, "top-methods", wrong)
    assert bench.main() == 1
    assert "answers that differ: top-methods" in capsys.readouterr().out
