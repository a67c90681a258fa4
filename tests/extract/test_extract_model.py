"""The shipped model on texts of every kind, and model folders that are not what they should be."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import ModelError
from kg.extract import extract, model_name
from kg.extract.layout import Words
from kg.extract.model import SHIPPED, WINDOW, OnnxModel, read_config, windows_of
from kg.records import Abstract
from kg.schema import may_play, may_relate

ABSTRACT = (
    "We introduce Feather Graph Networks (FGN), a graph neural network for traffic forecasting. "
    "FGN builds on message passing and is trained with stochastic gradient descent. On the "
    "benchmark RoadBench it outperforms long short-term memory (LSTM) networks in mean absolute "
    "error. Code for \\projectname and $\\mu$KE is public."
)


@pytest.fixture(scope="module")
def found():
    (one,) = extract([Abstract(id="a", title="Feather Graph Networks", abstract=ABSTRACT)])
    return one


def check(extraction):
    """Whatever the text: offsets, types, roles and relations hold together."""
    text = extraction.abstract.document
    entities = {e.id: e for e in extraction.entities}
    taken = np.zeros(len(text) + 1, dtype=bool)
    for e in extraction.entities:
        assert e.mentions
        assert may_play(e.role, e.type)
        assert {m.text for m in e.mentions} == set(e.names)
        for m in e.mentions:
            assert text[m.start : m.end] == m.text
            assert not taken[m.start : m.end].any()
            taken[m.start : m.end] = True
        for value in (e.confidence, e.role_confidence, *(m.confidence for m in e.mentions)):
            assert 0.0 <= value <= 1.0
        assert text[e.evidence.start : e.evidence.end] == e.evidence.sentence
        assert any(e.evidence.start <= m.start < e.evidence.end for m in e.mentions)
    for r in extraction.relations:
        head, tail = entities[r.head], entities[r.tail]
        assert may_relate(head.type, r.type, tail.type)
        assert text[r.evidence.start : r.evidence.end] == r.evidence.sentence
        for m in (head.mentions[r.head_mention], tail.mentions[r.tail_mention]):
            assert r.evidence.start <= m.start
            assert m.end <= r.evidence.end


def test_a_plain_abstract_gives_its_contribution(found):
    check(found)
    proposed = {n for e in found.entities if e.role == "proposes" for n in e.names}
    assert proposed & {"Feather Graph Networks", "FGN"}
    assert any(r.type for r in found.relations)


def test_an_abbreviation_joins_its_long_form(found):
    (entity,) = [e for e in found.entities if "FGN" in e.names]
    assert "Feather Graph Networks" in entity.names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Word",
        "\u200b",
        "?!... ---",
        "A" * 5000,
        "α" * 300,
        "WE PROPOSE BIG NETS. THEY WIN ON EVERY BENCHMARK.",
        "Wir schlagen ein neues Verfahren vor, das auf Bäumen beruht und schneller lernt.",
        "我们提出了一种新的图神经网络方法。",
        "$d_{\\rm{type2}}'$ bounds \\projectname for \\textbf{X} in $\\mu$KE.",
        "Broken \ud800 surrogate, NUL \x00 and bidi \u202e marks.".encode(
            "utf-8", "replace"
        ).decode(),
        "a\n\n\nb\r\nc\td",
    ],
)
def test_odd_texts_give_records_that_hold_together(text):
    (one,) = extract([Abstract(id="x", title="", abstract=text)])
    check(one)


def test_a_text_of_twenty_thousand_characters_is_read_to_its_end():
    filler = "This line says little of note and goes on for a while without any name at all. "
    long = (filler * 260)[:19_600] + ABSTRACT
    (one,) = extract([Abstract(id="x", title="", abstract=long)])
    check(one)
    names = {n for e in one.entities for n in e.names}
    assert names & {"Feather Graph Networks", "FGN"}
    assert max(m.start for e in one.entities for m in e.mentions) > 19_500


@pytest.mark.parametrize("jobs", [1, 3])
def test_texts_come_back_in_order_whatever_the_jobs(jobs):
    papers = [Abstract(id=str(i), title="", abstract=ABSTRACT[: 60 + 9 * i]) for i in range(15)]
    assert [e.abstract.id for e in extract(papers, jobs=jobs)] == [p.id for p in papers]


def test_the_same_text_gives_the_same_records():
    paper = Abstract(id="a", title="Feather Graph Networks", abstract=ABSTRACT)
    first, second = extract([paper, paper], jobs=2)
    assert first == second


def test_what_is_less_sure_is_left_out(found):
    (strict,) = extract([found.abstract], min_confidence=0.8)
    check(strict)
    assert {e.id for e in strict.entities} == {e.id for e in found.entities if e.confidence >= 0.8}
    assert all(r.confidence >= 0.8 for r in strict.relations)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=900))
def test_windows_keep_every_piece_once_and_stay_small(lengths):
    ends = np.cumsum(lengths)
    first = 1 + np.concatenate([[0], ends[:-1]])
    words = Words(first, ends, first, ends)
    pieces = int(ends[-1]) + 2
    windows = windows_of(words, pieces)
    kept = [i for _, _, low, high in windows for i in range(low, high)]
    assert kept == list(range(1, pieces - 1))
    assert all(0 < end - start <= WINDOW - 2 for start, end, _, _ in windows)


def test_a_model_is_keyed_by_its_bytes(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED, copy)
    assert model_name(copy) == model_name()
    config = json.loads((copy / "config.json").read_text())
    config["decoding"]["span_bias"] += 0.5
    other = tmp_path / "other"
    shutil.copytree(SHIPPED, other)
    (other / "config.json").write_text(json.dumps(config))
    assert model_name(other) != model_name()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 99}, "model format 99"),
        ({"types": ["Thing"]}, "other types"),
        ({"decoding": {"span_bias": 0}}, "lacks or misnames"),
    ],
)
def test_a_folder_of_another_kind_is_refused(tmp_path, change, words):
    held = json.loads((SHIPPED / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(held | change))
    with pytest.raises(ModelError, match=words):
        read_config(tmp_path)


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"no config\.json"):
        OnnxModel(tmp_path)
    with pytest.raises(ModelError, match="no model folder"):
        model_name(tmp_path)


def test_a_damaged_graph_is_refused(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED, copy)
    (copy / "names.onnx").write_bytes(b"not a graph")
    with pytest.raises(ModelError, match=r"names\.onnx"):
        OnnxModel(copy)
