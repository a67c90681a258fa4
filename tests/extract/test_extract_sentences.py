"""Sentences: where they end, and where a full stop does not end one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.sentences import sentence_at, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One thing. Another thing!", ["One thing.", "Another thing!"]),
        ("A Title\nIts text.", ["A Title", "Its text."]),
        ("We use e.g. Trees. They grow.", ["We use e.g. Trees.", "They grow."]),
        ("By Li et al. Models win.", ["By Li et al. Models win."]),
        ("J. Doe wrote it. It stayed.", ["J. Doe wrote it.", "It stayed."]),
        ("It gains 3.5 points. Good.", ["It gains 3.5 points.", "Good."]),
        ("(It is so.) Then more.", ["(It is so.)", "Then more."]),
        ("no end", ["no end"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_its_sentences(text, expected):
    assert [text[s:e] for s, e in sentences(text)] == expected


@given(st.text(alphabet="aA. \n!?(", max_size=60))
def test_bounds_are_ordered_and_lose_only_space(text):
    bounds = sentences(text)
    flat = [b for pair in bounds for b in pair]
    assert flat == sorted(flat)
    kept = "".join(text[s:e] for s, e in bounds)
    assert kept.replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")


def test_an_offset_finds_its_sentence():
    bounds = sentences("One. Two. Three.")
    assert [sentence_at(bounds, i) for i in (0, 5, 7, 15)] == [0, 1, 1, 2]
