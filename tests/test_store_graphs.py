"""Which graphs a query sees, the graphs one by one, and a query that is stopped from outside."""

from __future__ import annotations

import io
import threading
import time

import pytest
from building import sample

from kg import vocab
from kg.errors import LimitError
from kg.store import Graphs, GraphStore

LANTERN, BEACON = (vocab.paper_iri(vocab.paper_key(found.abstract)) for found in sample()[:2])
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


def proposed(store, query, **options) -> list[str]:
    sink = io.BytesIO()
    store.write_rows(query, sink, format="csv", **options)
    return sorted(line.rpartition("/")[2] for line in sink.getvalue().decode().split()[1:])


@pytest.mark.parametrize("timeout", [None, 30])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SELECT ?e { ?p kg:proposes ?e }", ["beaconnet", "lanternnet", "webtalk", "%CE%BCgate"]),
        ("SELECT ?e FROM <LANTERN> { ?p kg:proposes ?e }", ["lanternnet"]),
        (
            "SELECT ?e FROM <LANTERN> FROM <BEACON> { ?p kg:proposes ?e }",
            ["beaconnet", "lanternnet"],
        ),
        ("SELECT ?e FROM NAMED <BEACON> { GRAPH ?g { ?p kg:proposes ?e } }", ["beaconnet"]),
        ("SELECT ?e FROM NAMED <BEACON> { ?p kg:proposes ?e }", []),
    ],
)  # fmt: skip
def test_from_says_which_graphs_are_asked(store, query, found, timeout):
    query = query.replace("<LANTERN>", f"<{LANTERN}>").replace("<BEACON>", f"<{BEACON}>")
    answered = proposed(store, query, timeout=timeout)
    assert len(answered) == len(found)
    assert set(found) - {"%CE%BCgate"} <= set(answered)


@pytest.mark.parametrize("timeout", [None, 30])
@pytest.mark.parametrize(
    ("graphs", "merged", "named"),
    [
        (Graphs(default=(LANTERN,)), ["lanternnet"], []),
        (Graphs(named=(BEACON,)), [], ["beaconnet"]),
        (Graphs((LANTERN, BEACON), (BEACON,)), ["beaconnet", "lanternnet"], ["beaconnet"]),
    ],
)
def test_graphs_given_beside_the_query(store, graphs, merged, named, timeout):
    ask = "SELECT ?e { ?p kg:proposes ?e }"
    assert proposed(store, ask, graphs=graphs, timeout=timeout) == merged
    # what is asked for beside the query goes before what stands in it (§2.1.4)
    contrary = ask.replace("{", "FROM <http://x.example/> {", 1)
    assert proposed(store, contrary, graphs=graphs, timeout=timeout) == merged
    ask = "SELECT ?e { GRAPH ?g { ?p kg:proposes ?e } }"
    assert proposed(store, ask, graphs=graphs, timeout=timeout) == named


def test_the_graphs_one_by_one_are_the_whole_graph(store):
    lines = [
        line[:-1] + f"<{name}> ."
        for name, content in store.graphs()
        for line in content.decode().split("\n")
        if line
    ]
    sink = io.BytesIO()
    store.dump(sink, format="nq")
    assert sorted(lines) == sink.getvalue().decode().split("\n")[:-1]
    names = [name for name, _ in store.graphs()]
    assert names == sorted(names)
    assert LANTERN in names


def test_a_query_can_be_stopped_from_another_thread_and_the_next_one_is_answered(store):
    threading.Timer(1, store.stop).start()
    began = time.monotonic()
    with pytest.raises(LimitError):
        store.select(SLOW, timeout=60)
    assert time.monotonic() - began < 20
    store.stop()  # nothing runs: no harm
    assert store.ask("ASK { ?p kg:proposes method:lanternnet }", timeout=30)
