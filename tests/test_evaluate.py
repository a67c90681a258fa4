"""Scores: cases counted by hand, the guidelines' own scorer, intervals, cuts, wrong input."""

import copy
import importlib.util
import json
import random
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.evaluate import evaluate, read_records, score, spans, text_of

SHARED = Path(__file__).parents[2] / "shared"
GOLD = {
    "id": "p1",
    "title": "Fern Nets",
    "abstract": "Fern Nets (FN) solve leaf sorting. FN beat Moss on LeafBench by accuracy.",
    "entities": [
        {"id": "e1", "type": "Method", "role": "proposes", "mentions": ["Fern Nets", "FN"]},
        {"id": "e2", "type": "Task", "role": "addresses", "mentions": ["leaf sorting"]},
        {"id": "e3", "type": "Method", "role": "comparesWith", "mentions": ["Moss"]},
        {"id": "e4", "type": "Benchmark", "role": "evaluatesOn", "mentions": ["LeafBench"]},
    ],
    "relations": [["e1", "usedFor", "e2"], ["e1", "outperforms", "e3"]],
}


def scored(predicted, **options):
    rows = score({"p1": GOLD}, {"p1": GOLD}, {"p1": predicted} if predicted else {}, **options)
    return {s.name: s for s in rows}


def test_the_gold_itself_scores_one():
    assert {s.f1 for s in scored(GOLD).values()} == {1.0}


def test_a_missing_record_scores_nothing():
    assert {s.f1 for s in scored(None).values()} == {0.0}


def test_each_figure_counts_its_own_kind_of_error():
    predicted = copy.deepcopy(GOLD)
    predicted["entities"][0]["mentions"] = ["fern net", "FN"]
    predicted["entities"][1]["type"] = "Method"
    predicted["entities"][3]["role"] = "uses"
    rows = scored(predicted)
    # gold has 7 mentions: Fern Nets twice, FN twice, and three more; "fern net" stands nowhere
    assert (rows["mention"].gold, rows["mention"].recall) == (7, pytest.approx(4 / 7))
    assert rows["entity"].recall == 0.75
    assert rows["anytype"].recall == 1.0
    assert rows["role"].recall == 0.5
    assert rows["relation"].recall == 0.5


def test_a_relation_turned_round_is_only_a_pair():
    predicted = copy.deepcopy(GOLD)
    predicted["relations"] = [["e3", "outperforms", "e1"], ["e1", "usedFor", "e2"]]
    rows = scored(predicted)
    assert rows["relation"].f1 == 0.5
    assert rows["pair"].f1 == 1.0


def test_a_nested_mention_counts_only_outside():
    record = {"entities": [{"type": "Task", "mentions": ["leaf", "leaf sorting"]}]}
    assert spans("leaf sorting of a leaf", record) == {(0, 12, "Task"), (18, 22, "Task")}


@pytest.mark.parametrize("by", ["type", "role", "relation", "venue"])
def test_cuts_sum_to_the_whole(by):
    rows = scored(GOLD, by=by)
    whole = {"type": "mention", "role": "role", "relation": "relation", "venue": "entity"}[by]
    parts = [s for n, s in rows.items() if n.startswith(f"{whole}/{by}/")]
    assert sum(s.gold for s in parts) == rows[whole].gold


def test_the_interval_holds_the_figure():
    predicted = copy.deepcopy(GOLD)
    predicted["entities"].pop()
    for s in scored(predicted).values():
        assert s.low <= s.f1 <= s.high


def test_records_without_text_need_texts(tmp_path):
    bare = {k: GOLD[k] for k in ("id", "entities", "relations")}
    gold, texts = tmp_path / "gold.jsonl", tmp_path / "texts.jsonl"
    gold.write_text(json.dumps(bare) + "\n")
    texts.write_text(json.dumps(GOLD) + "\n")
    with pytest.raises(InputError, match="--texts"):
        evaluate(gold, gold)
    assert {s.f1 for s in evaluate(gold, gold, texts=texts).scores} == {1.0}


@pytest.mark.parametrize("line", ["{", "[1]", '"x"', "{}"])
def test_a_line_that_is_no_record_is_named(tmp_path, line):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(GOLD) + "\n" + line + "\n")
    with pytest.raises(InputError, match=r"gold\.jsonl:2"):
        read_records(path)


def test_an_unknown_cut_is_named():
    with pytest.raises(InputError, match="'colour'"):
        scored(GOLD, by="colour")


@pytest.mark.shared
def test_the_scores_are_those_of_the_guidelines_scorer():
    spec = importlib.util.spec_from_file_location("their", SHARED / "annotation" / "score.py")
    their = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(their)
    gold = read_records(SHARED / "annotation" / "dev.jsonl")
    rng = random.Random(1)  # noqa: S311
    predicted = copy.deepcopy(gold)
    for record in predicted.values():
        record["entities"] = [e for e in record["entities"] if rng.random() < 0.8]
        held = {e["id"] for e in record["entities"]}
        for e in record["entities"]:
            if rng.random() < 0.2:
                e["type"] = "Method"
            e["mentions"] = [m for m in e["mentions"] if rng.random() < 0.8] or e["mentions"][:1]
        record["relations"] = [r for r in record["relations"] if r[0] in held and r[2] in held]
    expected = their.score(gold, gold, predicted)
    for row in score(gold, gold, predicted, draws=10):
        assert row.f1 == pytest.approx(expected[row.name]["f1"], abs=1e-4)
        assert row.gold == expected[row.name]["gold"]
    assert text_of(gold[next(iter(gold))]).count("\n") >= 1


@pytest.mark.shared
@pytest.mark.slow
def test_the_shipped_model_holds_its_floors():
    rows = {s.name: s for s in evaluate(SHARED / "annotation" / "dev.jsonl").scores}
    floors = {"mention": 0.60, "entity": 0.55, "relation": 0.20}
    assert {n: rows[n].f1 for n, f in floors.items() if rows[n].f1 < f} == {}


@pytest.mark.parametrize(
    "change",
    [
        {"entities": 5},
        {"relations": None},
        {"entities": [{"type": "Method", "mentions": ["x"]}]},
        {"entities": [{"id": "e1", "type": "Method", "mentions": "x"}]},
        {"relations": [["e1", "usedFor"]]},
        {"relations": [["e1", "usedFor", "e99"]]},
        {"relations": [[["e1"], "usedFor", "e2"]]},
    ],
)
def test_a_record_of_another_form_is_named(tmp_path, change):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(GOLD | change) + "\n")
    with pytest.raises(InputError, match=r"gold\.jsonl:1"):
        read_records(path)


def test_a_line_ends_at_a_line_feed_alone(tmp_path):
    path = tmp_path / "gold.jsonl"
    odd = GOLD | {"abstract": "Moss\u2028grows\x85on."}
    path.write_text(json.dumps(odd, ensure_ascii=False) + "\n", encoding="utf-8")
    assert read_records(path) == {"p1": odd}


def test_records_of_other_papers_are_no_prediction(tmp_path):
    gold, other = tmp_path / "gold.jsonl", tmp_path / "other.jsonl"
    gold.write_text(json.dumps(GOLD) + "\n")
    other.write_text(json.dumps(GOLD | {"id": "p2"}) + "\n")
    with pytest.raises(InputError, match="no record"):
        evaluate(gold, other)
