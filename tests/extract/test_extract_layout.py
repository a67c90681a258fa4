"""Where names stand: occurrences, groups, tags, features of entities and pairs."""

import numpy as np
import pytest
from test_extract_decode import words_of

from kg.extract.layout import (
    TYPES,
    defined_pairs,
    group_names,
    name_features,
    occurrences,
    pair_features,
    tags_of,
)
from kg.extract.sentences import sentences

METHOD, TASK = TYPES.index("Method"), TYPES.index("Task")
TEXT = "Tree Nets\nWe propose Tree Nets (TN). TN solve parsing. A tree net is small."


@pytest.fixture
def names():
    strings = {"Tree Nets": METHOD, "TN": METHOD, "parsing": TASK, "tree net": METHOD}
    return group_names(TEXT, words_of(TEXT), strings)


def test_longer_strings_take_their_place_first():
    hits = occurrences("big tree net, tree", ["tree", "tree net"])
    assert hits == [(4, 12, 1), (14, 18, 0)]


def test_a_string_within_a_word_is_no_occurrence():
    assert occurrences("subtree trees tree", ["tree"]) == [(14, 18, 0)]


def test_spellings_of_one_fold_are_one_group(names):
    assert names.strings == [["Tree Nets", "tree net"], ["TN"], ["parsing"]]
    assert names.group.tolist() == [0, 0, 1, 1, 2, 0]
    assert names.types.tolist() == [METHOD, METHOD, TASK]


def test_tags_mark_first_and_further_pieces(names):
    words = words_of(TEXT)
    tags = tags_of(names, words, len(words.start))
    assert tags[:2].tolist() == [1 + 2 * METHOD, 2 + 2 * METHOD]
    assert tags[2] == 0
    assert np.count_nonzero(tags == 1 + 2 * TASK) == 1


def test_a_short_form_in_brackets_is_defined(names):
    assert defined_pairs(TEXT, names, words_of(TEXT)) == {(0, 1)}


def test_features_tell_counts_title_and_place(names):
    rows = name_features(names, words_of(TEXT), names.group, 3, len("Tree Nets"))
    assert rows[:, 0].tolist() == [2, 1, 0]
    assert rows[:, 1].tolist() == [1, 0, 0]
    assert rows[0, 2] < rows[2, 2]


def test_pair_features_tell_sentences_apart_and_order(names):
    pairs = np.array([[1, 2], [2, 1], [0, 2]])
    rows = pair_features(names, words_of(TEXT), names.group, pairs, sentences(TEXT))
    assert rows[:, 0].tolist() == [0, 0, 1]
    assert rows[:2, 2].tolist() == [1, 0]
    assert rows[0, 3] == 1
