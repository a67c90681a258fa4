"""Counts of a graph, on one known by construction."""

from __future__ import annotations

import asking
import pytest

from kg.stats import stats


def test_everything_is_counted(tmp_path):
    found = asking.papers()
    with asking.graph(tmp_path / "graph", found) as store:
        counted = stats(store, top=2)
    assert counted.papers == 14
    assert counted.years == ((2022, 1), (2023, 2), (2024, 4), (2025, 3), (2026, 3), (None, 1))
    assert counted.venues == (("ACL", 4), ("ICML", 4), ("NeurIPS", 4), ("", 2))
    assert counted.entities == 23
    assert dict(counted.types) == {
        "Method": 10, "Task": 5, "Dataset": 1, "Benchmark": 3, "Metric": 3,
    } | {"Method": counted.types[0][1]}  # fmt: skip
    assert counted.statements == sum(len(p.entities) + len(p.relations) for p in found)
    assert counted.mentions == sum(len(e.mentions) for p in found for e in p.entities)
    assert sum(n for _, n in counted.roles) == sum(len(p.entities) for p in found)
    relations = dict(counted.relations)
    assert (relations["outperforms"], relations["trainedOn"], relations["basedOn"]) == (3, 1, 3)
    top = dict(counted.top)
    assert top["Method"] == (("GateRNN", 9), ("LanternNet", 5))
    assert top["Benchmark"] == (("WebTalk", 4), ("PageQuiz", 2))
    assert (counted.base, counted.model) == ("https://kg.example/", "test/1")
    assert counted.size > 1000
    assert counted.cache_size == 0


@pytest.mark.parametrize("most", [1, 3, 100])
def test_the_largest_are_the_same_however_many_papers_they_need(tmp_path, monkeypatch, most):
    with asking.graph(tmp_path / "graph", asking.papers()) as store:
        monkeypatch.setattr("kg.stats._LEAST_PAPERS", (1,))
        every = stats(store, top=most).top
        monkeypatch.setattr("kg.stats._LEAST_PAPERS", (9, 4, 2, 1))
        assert stats(store, top=most).top == every
        counted = dict(stats(store).types)
    assert {kind: len(found) for kind, found in every} == {
        kind: min(most, total) for kind, total in counted.items()
    }


def test_a_thing_of_two_types_counts_in_both_and_once_in_all(tmp_path):
    with asking.graph(tmp_path / "graph", asking.papers()) as store:
        members = stats(store)
    assert sum(n for _, n in members.types) == members.entities


def test_an_empty_graph_has_zeros(tmp_path):
    with asking.graph(tmp_path / "graph", []) as store:
        counted = stats(store)
    assert (counted.papers, counted.entities, counted.statements) == (0, 0, 0)
    assert counted.years == ()
    assert {n for _, n in (*counted.roles, *counted.relations)} == {0}
