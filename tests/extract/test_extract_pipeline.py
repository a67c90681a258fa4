"""The spaCy pipeline: settings, what it assigns, offsets that fall on tokens."""

import pytest
from confection import ConfigValidationError
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.vocab import Vocab

import kg
from kg.extract.pipeline import WordTokenizer, read_doc
from kg.records import Abstract

TEXT = "We train Moss Nets (MN) for weed detection with Adam. MN beat \\rivalname on $\\mu$Weeds."


@pytest.fixture(scope="module")
def nlp():
    return kg.load_pipeline()


def test_the_pipeline_has_no_unmet_need(nlp):
    assert not any(nlp.analyze_pipes()["problems"].values())


def test_a_doc_carries_its_spans_and_records(nlp):
    doc = nlp(TEXT)
    mentions = [(m.start, m.end, e.type) for e in doc._.kg.entities for m in e.mentions]
    spans = [(s.start_char, s.end_char, s.label_) for s in doc.spans["kg"]]
    assert spans
    assert spans == mentions


def test_evidence_is_a_sentence_of_the_doc(nlp):
    doc = nlp(TEXT)
    bounds = {(s.start_char, s.start_char + len(s.text.rstrip())) for s in doc.sents}
    assert {(e.evidence.start, e.evidence.end) for e in doc._.kg.entities} <= bounds


def test_the_pipeline_and_the_library_say_the_same(nlp):
    paper = Abstract(id="p", title="Moss Nets", abstract=TEXT)
    (one,) = kg.extract([paper])
    assert read_doc(nlp, paper) == one


def test_a_misspelt_setting_is_refused(nlp):
    with pytest.raises(ConfigValidationError, match="min_confidense"):
        nlp.add_pipe("kg_reader", name="other", config={"min_confidense": 0.5})


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_the_tokenizer_loses_nothing(text):
    doc = WordTokenizer(Vocab())(text)
    assert isinstance(doc, Doc)
    assert doc.text == text
