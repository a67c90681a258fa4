"""Records: which sentence shows a role, which mentions a relation stands between."""

import pytest

from kg.extract.convert import CUES, between, nearest, role_evidence
from kg.extract.sentences import sentences
from kg.records import Mention
from kg.schema import ROLES

TEXT = (
    "Fern Nets at Work\nFern Nets are old. We introduce Moss Nets. Fern Nets fail on LeafBench. "
    "Moss Nets outperform Fern Nets."
)


def mentions(name: str) -> tuple[Mention, ...]:
    found, at = [], TEXT.find(name)
    while at >= 0:
        found.append(Mention(at, at + len(name), name, 0.9))
        at = TEXT.find(name, at + 1)
    return tuple(found)


@pytest.mark.parametrize(
    ("name", "role", "sentence"),
    [
        ("Moss Nets", "proposes", "We introduce Moss Nets."),
        ("Fern Nets", "comparesWith", "Moss Nets outperform Fern Nets."),
        ("LeafBench", "evaluatesOn", "Fern Nets fail on LeafBench."),
        ("Fern Nets", "proposes", "Fern Nets are old."),
        ("at Work", "mentions", "Fern Nets at Work"),
    ],
)
def test_a_role_is_shown_by_the_sentence_that_says_it(name, role, sentence):
    evidence = role_evidence(TEXT, sentences(TEXT), mentions(name), role)
    assert evidence.sentence == sentence
    assert TEXT[evidence.start : evidence.end] == sentence


def test_every_role_has_its_words():
    assert set(CUES) == {r.name for r in ROLES}


def test_a_relation_stands_between_the_nearest_mentions():
    bounds = sentences(TEXT)
    assert nearest(mentions("Moss Nets"), mentions("LeafBench"), bounds) == (1, 0)
    # the last one is nearer, but in the next sentence
    assert nearest(mentions("Fern Nets")[:3], mentions("LeafBench"), bounds) == (2, 0)


def test_evidence_reaches_from_one_mention_to_the_other():
    bounds = sentences(TEXT)
    one, other = mentions("Moss Nets")[0], mentions("LeafBench")[0]
    evidence = between(TEXT, bounds, other, one)
    assert evidence.sentence == "We introduce Moss Nets. Fern Nets fail on LeafBench."
    alone = between(TEXT, bounds, mentions("Fern Nets")[3], mentions("Moss Nets")[1])
    assert alone.sentence == "Moss Nets outperform Fern Nets."
