"""Names of one paper: folding, abbreviations after Schwartz and Hearst, likeness."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.names import LIKENESS, abbreviates, fold_name, likeness, likeness_table


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Graph Networks", "graph network"),
        ("multi-task learning", "Multi Task Learning"),
        ("policies", "Policy"),
        ("LLMs", "llm"),
    ],
)
def test_spellings_of_one_name_fold_alike(a, b):
    assert fold_name(a) == fold_name(b)


@pytest.mark.parametrize(("a", "b"), [("loss", "los"), ("analysis", "analysi"), ("Bus", "Bu")])
def test_words_that_only_look_plural_stay(a, b):
    assert fold_name(a) != fold_name(b)


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(name):
    assert fold_name(fold_name(name)) == fold_name(name)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("LLMs", "large language models"),
        ("MDP", "Markov decision process"),
        ("LoRA", "low-rank adaptation"),
        ("kNN", "k nearest neighbours"),
    ],
)
def test_a_short_form_abbreviates_its_long_form(short, long):
    assert abbreviates(short, long)
    assert not abbreviates(long, short)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("CNN", "recurrent network"),
        ("of", "out of fold"),
        ("Big Model", "Bigger Modelling"),
        ("A", "adaptation"),
    ],
)
def test_other_pairs_do_not(short, long):
    assert not abbreviates(short, long)


def test_likeness_says_who_contains_whom():
    row = dict(zip(LIKENESS, likeness("graph network", "network", defined=False), strict=True))
    assert row["contains"] == 1
    assert row["contained"] == 0
    assert row["same-head"] == 1
    assert row["jaccard"] == 0.5


def test_the_table_is_symmetric_but_for_containment():
    table = likeness_table([["graph network"], ["network"], ["GN"]], {(0, 2)})
    turned = table.transpose(1, 0, 2)
    sides = [LIKENESS.index("contains"), LIKENESS.index("contained")]
    rest = [i for i in range(len(LIKENESS)) if i not in sides]
    assert np.array_equal(table[..., rest], turned[..., rest])
    assert np.array_equal(table[..., sides], turned[..., sides[::-1]])
    assert table[0, 2, LIKENESS.index("defined")] == 1
