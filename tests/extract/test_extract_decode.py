"""Decoding: one decision a spelling, no overlap, clusters by mean likeness."""

import numpy as np
import pytest
from tokenizers.pre_tokenizers import BertPreTokenizer

from kg.extract.decode import choose, clusters
from kg.extract.layout import NONE, WIDEST, Words


def words_of(text: str) -> Words:
    spans = [s for _, s in BertPreTokenizer().pre_tokenize_str(text)]
    order = np.arange(len(spans))
    return Words(order, order, np.array([s for s, _ in spans]), np.array([e for _, e in spans]))


def scores_for(text: str, words: Words, wanted: dict[str, list[float]]) -> np.ndarray:
    """A band in which every occurrence of a string gets its scores in turn, all else none."""
    band = np.zeros((len(words.start), WIDEST, NONE + 1))
    band[..., NONE] = 9.0
    for string, values in wanted.items():
        left = list(values)
        for i in range(len(words.start)):
            for k in range(min(WIDEST, len(words.start) - i)):
                if text[words.start[i] : words.end[i + k]] == string and left:
                    band[i, k] = -20.0
                    band[i, k, NONE] = 0.0
                    band[i, k, 0] = left.pop(0)
    return band


def chosen(text: str, wanted: dict[str, list[float]]) -> list[str]:
    words = words_of(text)
    return [c.text for c in choose(text, words, scores_for(text, words, wanted))]


def test_the_longer_name_wins_where_it_scores_more():
    text = "deep graph networks learn"
    assert chosen(text, {"deep graph networks": [6.0], "graph networks": [5.0]}) == [
        "deep graph networks"
    ]


def test_two_names_side_by_side_win_over_one_that_covers_both():
    text = "alpha beta gamma"
    wanted = {"alpha": [4.0], "gamma": [4.0], "alpha beta gamma": [5.0]}
    assert chosen(text, wanted) == ["alpha", "gamma"]


@pytest.mark.parametrize(("second", "expected"), [(6.0, ["Foo"]), (-9.0, [])])
def test_a_spelling_is_decided_once_over_all_its_occurrences(second, expected):
    assert chosen("Foo then Foo", {"Foo": [3.0, second]}) == expected


def test_an_occurrence_within_a_word_does_not_count():
    text = "net and netting"
    words = words_of(text)
    found = choose(text, words, scores_for(text, words, {"net": [5.0]}))
    assert [c.text for c in found] == ["net"]


def test_no_name_reaches_from_the_title_into_the_abstract():
    text = "On Ferns\nFerns grow"
    words = words_of(text)
    scores = scores_for(text, words, {"Ferns\nFerns": [8.0], "Ferns": [3.0, 3.0]})
    found = choose(text, words, scores, title_end=len("On Ferns"))
    assert [c.text for c in found] == ["Ferns"]
    assert [c.text for c in choose(text, words, scores)] == ["Ferns\nFerns"]


def test_nothing_comes_of_no_words():
    assert choose("", words_of(""), np.zeros((0, WIDEST, NONE + 1))) == []


def test_clusters_join_by_the_mean_and_never_by_one_doubtful_pair():
    same = np.array(
        [
            [1.0, 0.9, 0.6, 0.1],
            [0.9, 1.0, 0.1, 0.1],
            [0.6, 0.1, 1.0, 0.1],
            [0.1, 0.1, 0.1, 1.0],
        ]
    )
    assert clusters(same).tolist() == [0, 0, 1, 2]


def test_clusters_are_numbered_by_their_first_member():
    same = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.0], [0.9, 0.0, 1.0]])
    assert clusters(same).tolist() == [0, 1, 0]
