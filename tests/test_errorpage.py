"""The page of errors: every kind marked, nothing of a record runs."""

import copy

import lxml.html
import pytest
from test_evaluate import GOLD

from kg.errorpage import errors_of, pieces, write_errors
from kg.evaluate import Report, text_of


@pytest.fixture
def predicted():
    out = copy.deepcopy(GOLD)
    out["entities"][1]["type"] = "Method"
    out["entities"].pop()
    out["entities"].append(
        {"id": "e9", "type": "Metric", "role": "measures", "mentions": ["accuracy"]}
    )
    return out


def test_pieces_join_to_the_text_and_name_each_kind(predicted):
    found = pieces(text_of(GOLD), GOLD, predicted)
    assert "".join(p.text for p in found) == text_of(GOLD)
    kinds = {p.text: p.kind for p in found}
    assert kinds["Moss"] == "hit"
    assert kinds["leaf sorting"] == "type"
    assert kinds["LeafBench"] == "miss"
    assert kinds["accuracy"] == "false"


def test_errors_are_said_in_words(predicted):
    found = errors_of(GOLD, predicted)
    assert "missed Benchmark: LeafBench" in found
    assert "false Metric: accuracy" in found
    assert "missed: Fern Nets usedFor leaf sorting" in found


def test_nothing_of_a_record_runs(tmp_path):
    evil = "<script>alert(1)</script>"
    record = {
        "id": evil,
        "title": evil,
        "abstract": f"Of {evil}.",
        "entities": [{"id": "e1", "type": "Method", "role": "uses", "mentions": [evil]}],
        "relations": [],
    }
    empty = {"id": evil, "entities": [], "relations": []}
    path = tmp_path / "errors.html"
    write_errors(Report((), {evil: record}, {evil: record}, {evil: empty}), path)
    page = lxml.html.fromstring(path.read_text())
    assert page.findall(".//script") == []
    assert evil in page.find(".//article/p").text_content()
