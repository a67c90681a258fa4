"""Forms of English words that must have one key, and those that must not."""

import pytest

from kg.words import activity, american, settled, singular


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("networks", "network"), ("policies", "policy"), ("boxes", "box"), ("losses", "loss"),
        ("matrices", "matrix"), ("analyses", "analysis"), ("corpora", "corpus"), ("llms", "llm"),
        ("biases", "bias"), ("approaches", "approach"), ("caches", "cache"), ("movies", "movie"),
    ],
)  # fmt: skip
def test_a_plural_has_its_singular(plural, expected):
    assert singular(plural) == expected


@pytest.mark.parametrize(
    "word",
    ["loss", "bias", "bayes", "analysis", "dynamics", "corpus", "series", "gas", "das", "atlas"],
)
def test_a_word_that_ends_in_s_is_no_plural(word):
    assert singular(word) == word


@pytest.mark.parametrize(
    ("british", "expected"),
    [
        ("modelling", "modeling"), ("labelled", "labeled"), ("regularisation", "regularization"),
        ("optimise", "optimize"), ("behaviour", "behavior"), ("behavioural", "behavioral"),
        ("colour", "color"), ("centre", "center"), ("adaption", "adaptation"),
        ("analysing", "analyzing"), ("dialogue", "dialog"), ("artefact", "artifact"),
    ],
)  # fmt: skip
def test_spellings_of_one_word_agree(british, expected):
    assert american(british) == expected == american(expected)


@pytest.mark.parametrize(
    "word", ["supervised", "noise", "denoising", "precise", "otherwise", "advisor", "revised",
             "promise", "exercise", "expertise", "four", "hour", "controlling", "rolled"]
)  # fmt: skip
def test_a_word_with_such_letters_stays(word):
    assert american(word) == word


@pytest.mark.parametrize(
    ("gerund", "noun"),
    [
        ("estimating", "estimation"), ("classifying", "classification"), ("planning", "planning"),
        ("optimizing", "optimization"), ("recognizing", "recognition"), ("detecting", "detection"),
        ("adapting", "adaptation"), ("segmenting", "segmentation"), ("inferring", "inference"),
    ],
)  # fmt: skip
def test_verb_and_noun_of_an_activity_agree(gerund, noun):
    assert activity(gerund) == activity(noun) != ""


@pytest.mark.parametrize(
    "word", ["sample", "model", "string", "king", "setting", "network", "ring"]
)
def test_a_thing_is_no_activity(word):
    assert activity(word) == ""


@pytest.mark.parametrize(
    "word", ["classes", "adaptions", "modellings", "basis", "colours", "gasses"]
)
def test_a_settled_word_stays_settled(word):
    assert settled(settled(word)) == settled(word)
