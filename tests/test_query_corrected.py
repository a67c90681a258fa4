"""Error bars of counts: the distribution, what the header says of a column, the model's card."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import asking
import numpy as np
import pytest

from kg.errors import InputError, ModelError, QueryError
from kg.extract.model import SHIPPED, model_version
from kg.query import Precision, answer, prepare, read_precisions, run, saved_queries, write
from kg.query.library import EDGE_KINDS, parse_query

QUERIES = Path(__file__).parent.parent / "queries"
LIBRARY = saved_queries(QUERIES)
#: All that is measured is as sure as can be, but these.
CARD = dict.fromkeys(EDGE_KINDS, Precision(10**9, 10**9)) | {
    "Method": Precision(5 * 10**8, 10**9),
    "outperforms": Precision(0, 10**9),
    "trainedOn": Precision(0, 0),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("asking") / "graph", asking.papers()) as store:
        yield store


@pytest.mark.parametrize(
    ("right", "found", "count", "low", "high"),
    [
        # nothing counted, all sure, none right
        (3, 10, 0, 0, 0),
        (10**9, 10**9, 20, 20, 20),
        (0, 10**9, 20, 0, 0),
        # a fair coin, 20 throws: the binomial's own points
        (5 * 10**8, 10**9, 20, 6, 14),
        # one throw of a coin that nobody has seen may end either way
        (0, 0, 1, 0, 1),
    ],
)
def test_the_range_is_that_of_the_beta_binomial(right, found, count, low, high):
    assert Precision(right, found).of(count) == (low, high)


@pytest.mark.parametrize(("right", "found", "count"), [(64, 142, 30), (3, 16, 7), (211, 277, 900)])
def test_the_range_holds_what_is_drawn_from_it(right, found, count):
    rng = np.random.default_rng(1)
    shares = rng.beta(right + 0.5, found - right + 0.5, 200_000)
    drawn = rng.binomial(count, shares)
    low, high = Precision(right, found).of(count)
    assert 0 <= low <= high <= count
    assert np.mean((drawn >= low) & (drawn <= high)) >= 0.945
    # and one less at either side would hold too little
    assert np.mean(drawn < low) <= 0.026
    assert np.mean(drawn > high) <= 0.026


def test_a_surer_measurement_gives_a_narrower_range():
    widths = [np.ptp(Precision(n // 2, n).of(100)) for n in (4, 40, 400)]
    assert widths == sorted(widths, reverse=True)


def test_ranges_stand_beside_the_counts_that_the_header_names(store):
    table = run(store, "top-methods", parameters={"limit": "2"}, folder=QUERIES, measured=CARD)
    assert table.columns == (
        "method", "papers", "papers_low", "papers_high",
        "proposing", "proposing_low", "proposing_high", "first", "last",
    )  # fmt: skip
    assert table.rows == (
        ("GateRNN", 9, 2, 7, 0, 0, 0, 2022, 2026),
        ("LanternNet", 5, 0, 5, 1, 1, 1, 2023, 2025),
    )


@pytest.mark.parametrize(
    ("name", "parameters", "column", "ranges"),
    [
        # the relation of each row
        ("support", {"head": "LanternNet", "relation": "outperforms"}, "papers", [(0, 0)]),
        ("about", {"entity": "DuskNet"}, "papers", [(1, 1), (2, 2), (2, 2)]),
        # the role of each row, the type of a parameter, the type in each row
        ("roles", {"entity": "GateRNN"}, "papers", [(4, 4), (3, 3), (2, 2)]),
        ("curve", {"entity": "GateRNN"}, "papers", [(0, 1), (0, 1), (0, 3), (0, 2), (0, 1)]),
        ("curve", {"entity": "WebTalk"}, "papers", [(1, 1), (1, 1), (2, 2)]),
        ("same-name", {"name": "question answering"}, "papers", [(2, 2), (0, 1)]),
        # a fixed kind
        ("contradictions", {}, "other_wins", [(0, 0)]),
    ],
)
def test_a_count_is_of_the_kind_that_stands_in_its_row(store, name, parameters, column, ranges):
    table = run(store, name, parameters=parameters, folder=QUERIES, measured=CARD)
    at = table.columns.index(f"{column}_low")
    assert table.columns[at + 1] == f"{column}_high"
    assert [row[at : at + 2] for row in table.rows] == ranges


def test_what_was_not_measured_has_no_range(store):
    table = run(store, "about", parameters={"entity": "PaperPile-9"}, folder=QUERIES, measured=CARD)
    trained = next(row for row in table.rows if row[1] == "trainedOn")
    assert trained[3:6] == (1, None, None)


@pytest.mark.parametrize("name", ["co-used-pairs", "SELECT * { ?p kg:uses ?x }", "ASK { ?s ?p 1 }"])
def test_a_query_without_such_counts_cannot_be_corrected(store, name):
    with pytest.raises(QueryError, match="correct"):
        run(store, name, folder=QUERIES, measured=CARD)


def test_a_header_of_ones_own_names_its_counts(store):
    query = (
        "# counts: n Benchmark\nSELECT ?b (COUNT(?p) AS ?n) (2.5 AS ?x)"
        " { ?p kg:evaluatesOn ?b } GROUP BY ?b ORDER BY DESC(?n) LIMIT 1"
    )
    table = run(store, query, measured=CARD)
    assert table.rows == (("WebTalk", 3, 3, 3, 2.5),)


def test_corrected_answers_are_written_as_tables(store):
    question = prepare(store, "top-methods", limit=1, folder=QUERIES)
    sink = io.BytesIO()
    write(store, question, sink, format="csv", measured=CARD)
    assert sink.getvalue().splitlines()[1] == b"GateRNN,9,2,7,0,0,0,2022,2026"
    sink = io.BytesIO()
    write(store, question, sink, format="csv", measured=CARD, names=False)
    assert b",https://kg.example/id/method/gaternn,9,2,7," in sink.getvalue()
    with pytest.raises(QueryError, match="'xml'"):
        write(store, question, io.BytesIO(), format="xml", measured=CARD)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [("papers", "no kind"), ("", "no kind"), ("papers used", "unknown kind 'used'")],
)
def test_a_line_of_counts_at_fault_is_named(line, complaint):
    with pytest.raises(InputError, match=complaint):
        parse_query(f"# counts: {line}\nASK {{}}", name="broken")


@pytest.mark.parametrize("name", sorted(n for n, query in LIBRARY.items() if query.counts))
def test_counts_name_columns_and_what_is_known_of_the_row(store, name):
    query = LIBRARY[name]
    given = dict(query.example) if query.example else {}
    known = {p.name for p in query.parameters}
    head = query.text.partition("WHERE")[0]
    for counted in query.counts:
        assert f"?{counted.column}" in head
        for kind in counted.kinds:
            assert not kind.startswith("?") or kind in head or kind[1:] in known, given


def test_the_shipped_card_is_that_of_the_shipped_model(store):
    shipped = replace(store.description, model=model_version(SHIPPED))
    try:
        store.description, before = shipped, store.description
        measured = read_precisions(store)
    finally:
        store.description = before
    assert set(measured) == set(EDGE_KINDS)
    assert all(0 <= p.right <= p.found for p in measured.values())


def test_a_card_of_another_model_or_none_is_refused(store, tmp_path):
    with pytest.raises(ModelError, match="'test/1' read this graph"):
        read_precisions(store)
    with pytest.raises(ModelError, match="'test/1'"):
        read_precisions(store, tmp_path)
    (tmp_path / "card.json").write_text("[]")
    with pytest.raises(ModelError, match="no card"):
        read_precisions(store, tmp_path)
    counts = {"uses": {"right": 3, "found": 4}}
    (tmp_path / "card.json").write_text(json.dumps({"model": "test/1", "precision": counts}))
    measured = read_precisions(store, tmp_path)
    assert measured == {"uses": Precision(3, 4)}
    table = answer(store, prepare(store, "top-tasks", folder=QUERIES), measured=measured)
    assert {row[2] for row in table.rows} == {None}
