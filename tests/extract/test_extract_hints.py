"""Hints of the text: exact definitions, undefined macros, and what is neither."""

import numpy as np
import pytest
from test_extract_decode import chosen, words_of

from kg.extract.hints import announced, definitions, informed, macros
from kg.extract.layout import NONE, WIDEST
from kg.extract.sentences import sentences


def defined(text: str) -> list[tuple[str, str]]:
    words = words_of(text)

    def string(span: tuple[int, int]) -> str:
        return text[words.start[span[0]] : words.end[span[1]]]

    return [(string(long), string(short)) for long, short in definitions(text, words)]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("the Growth Plan for Winter Trees (GPWT) is", ("Growth Plan for Winter Trees", "GPWT")),
        ("use leaf-wise tree pruning (LWTP) now", ("leaf-wise tree pruning", "LWTP")),
        ("of deep fern networks (DFNs) we", ("deep fern networks", "DFNs")),
        ("Search of Old Leaves (SOOL)", ("Search of Old Leaves", "SOOL")),
    ],
)
def test_a_phrase_that_spells_its_short_form_is_found_whole(text, pair):
    assert defined(text) == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "a fast method (see below) works",
        "trained on many leaves (GPU) for days",
        "deep nets (DXN) are",
        "(ABC) alone",
        "all Big Creatures (abc) here",
    ],
)
def test_other_brackets_define_nothing(text):
    assert defined(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We introduce \\ourthing, which wins.", ["\\ourthing"]),
        ("With \\ourthing and \\theirs we win.", ["\\ourthing", "\\theirs"]),
        ("Here $\\ourthing$ is in a formula.", []),
        ("As \\textbf{bold} or \\emph words or \\alpha say.", []),
        ("A path C:\\\\users stays.", []),
    ],
)
def test_only_undefined_macros_of_the_text_are_names(text, names):
    words = words_of(text)
    assert [text[words.start[i] : words.end[j]] for i, j in macros(text, words)] == names


def test_a_definition_wins_over_its_parts():
    text = "The Growth Plan for Winter Trees (GPWT) is new."
    wanted = {"Growth Plan": [0.5], "Winter Trees": [2.0], "GPWT": [5.0]}
    assert chosen(text, wanted) == ["Growth Plan for Winter Trees", "GPWT"]


def test_a_short_form_that_is_no_name_lends_nothing():
    text = "The Growth Plan for Winter Trees (GPWT) is new."
    assert chosen(text, {"Growth Plan": [0.5]}) == ["Growth Plan"]


def test_hints_leave_probabilities_that_sum_to_one():
    text = "The Growth Plan for Winter Trees (GPWT) is \\ourthing now."
    words = words_of(text)
    band = np.full((len(words.start), WIDEST, NONE + 1), -np.log(NONE + 1))
    band[..., NONE] = np.log(0.4)
    band[..., :NONE] = np.log(0.6 / NONE)
    out = informed(text, words, band)
    assert np.allclose(np.exp(out).sum(axis=-1), 1.0)
    assert not np.allclose(out, band)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We introduce a fast pruned X here.", True),
        ("In this paper, we therefore present X.", True),
        ("X (XX) is proposed.", True),
        ("X were recently introduced by others.", True),
        ("We introduce a method for X.", False),
        ("We introduce Y. X is old.", False),
        ("Others introduce X.", False),
        ("X is used.", False),
    ],
)
def test_an_announcement_is_told_from_its_neighbours(sentence, expected):
    text = f"Something else. {sentence}"
    at = text.index("X")
    assert announced(text, sentences(text), at, at + 1) is expected
