"""Limits of a query: time, the size of its answer, and memory; and what comes after one is hit."""

from __future__ import annotations

import io
import time

import pytest

from kg.errors import LimitError
from kg.store import GraphStore, asking, bounded

SLOW = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
LARGE = "{ ?a ?b ?c . ?d ?e ?f }"


@pytest.fixture
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


def still_answers(store: GraphStore) -> bool:
    return store.ask("ASK { ?p kg:proposes method:lanternnet }", timeout=30)


#: Each way of asking, for a pattern.
WAYS = {
    "select": lambda store, pattern, **options: store.select(f"SELECT * {pattern}", **options),
    "ask": lambda store, pattern, **options: store.ask(
        f"ASK {{ {{ SELECT (COUNT(*) AS ?n) {pattern} }} FILTER(?n = 1) }}", **options
    ),
    "csv": lambda store, pattern, **options: store.write_rows(
        f"SELECT * {pattern}", io.BytesIO(), **options
    ),
    "construct": lambda store, pattern, **options: store.construct(
        f"CONSTRUCT {{ ?a ?e ?c }} {pattern}", io.BytesIO(), **options
    ),
    "describe": lambda store, pattern, **options: store.construct(
        f"DESCRIBE ?a {pattern}", io.BytesIO(), **options
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_form_is_stopped_when_its_time_is_up(store, way):
    began = time.monotonic()
    with pytest.raises(LimitError, match=r"stopped after 1 s|more than"):
        WAYS[way](store, SLOW, timeout=1)
    assert time.monotonic() - began < 30
    assert still_answers(store)


@pytest.mark.parametrize("timeout", [None, 60])
@pytest.mark.parametrize("way", ["construct", "describe"])
def test_rdf_that_grows_beyond_the_largest_answer_is_refused(store, monkeypatch, way, timeout):
    monkeypatch.setattr(bounded, "LARGEST", 30_000)
    with pytest.raises(LimitError, match=r"more than 0\.03 MB"):
        WAYS[way](store, LARGE, timeout=timeout)
    assert still_answers(store)


def test_rows_that_grow_beyond_the_largest_answer_are_refused(store, monkeypatch):
    monkeypatch.setattr(bounded, "LARGEST", 30_000)
    with pytest.raises(LimitError, match=r"more than 0\.03 MB"):
        WAYS["select"](store, LARGE, timeout=60)
    assert still_answers(store)
    assert len(store.select("SELECT * { ?s kg:proposes ?o }", timeout=60).rows) == 4


@pytest.mark.parametrize("timeout", [None, 60])
def test_rows_in_a_file_come_as_they_are_found(store, monkeypatch, timeout):
    # no part of a streamed answer is held, so no size is too large for it
    monkeypatch.setattr(bounded, "LARGEST", 30_000)
    sink = io.BytesIO()
    store.write_rows("SELECT ?a ?d { ?a a kg:Mention . ?d a ?f }", sink, timeout=timeout)
    assert len(sink.getvalue()) > 300_000
    assert sink.getvalue().endswith(b"\r\n")


def test_a_sink_that_is_full_leaves_the_store_in_order(store):
    with pytest.raises(LimitError):
        store.write_rows(f"SELECT * {LARGE}", bounded.Bounded(10_000), timeout=60)
    assert still_answers(store)


def test_a_query_that_takes_too_much_memory_is_stopped(store, monkeypatch):
    monkeypatch.setattr(asking, "MEMORY", 200 * 2**20)
    joined = "SELECT (GROUP_CONCAT(CONCAT(?c, ?c, ?c, ?c)) AS ?x)"
    with pytest.raises(LimitError, match="memory"):
        store.select(f"{joined} {{ ?a kg:evidence ?c . ?d ?e ?f . ?g ?h ?i }}", timeout=300)
    assert still_answers(store)
