from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import vocab
from kg.errors import InputError
from kg.records import Abstract


def paper(**fields: object) -> Abstract:
    return Abstract(**({"id": "", "title": "A title", "abstract": "Some text."} | fields))


@given(st.text())
def test_segment_is_one_legal_path_segment(text):
    segment = vocab.segment(text)
    assert segment not in {"", ".", ".."}
    assert not set(segment) & set('/?#<>"{}|\\^` \n\r\t')
    line = f"<https://kg.example/id/paper/{segment}> <a:b> <a:c> .\n".encode()
    (quad,) = ox.parse(line, ox.RdfFormat.N_QUADS)
    assert quad.subject.value == f"https://kg.example/id/paper/{segment}"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])), max_size=5))
def test_segments_tell_texts_apart(texts):
    assert len({vocab.segment(text) for text in texts}) == len(set(texts))


@given(st.text(alphabet="ab -._/~%", max_size=6), st.text(alphabet="ab -._/~%", max_size=6))
def test_entity_iris_tell_keys_apart(first, second):
    one, two = vocab.entity_iri("Method", first), vocab.entity_iri("Method", second)
    assert (one == two) == (first == second)


def test_entity_iri_reads_like_the_name():
    assert vocab.entity_iri("Method", "mixture of experts") == (
        "https://kg.example/id/method/mixture-of-experts"
    )


@pytest.mark.parametrize(
    ("identifiers", "key"),
    [
        (("doi:10.5555/ABC",), "doi:10.5555%2Fabc"),
        (("arxiv:2401.00001v3",), "arxiv:2401.00001"),
        (("doi:10.48550/arXiv.2401.00001",), "arxiv:2401.00001"),
        (("openreview:aBcD",), "openreview:aBcD"),
        (("openreview:aBcD", "arxiv:2401.00001", "doi:10.1/x"), "doi:10.1%2Fx"),
        (("doi:10.1/../../x y",), "doi:10.1%2F..%2F..%2Fx%20y"),
    ],
)
def test_paper_key_from_identifiers(identifiers, key):
    assert vocab.paper_key(paper(identifiers=identifiers)) == key


def test_openreview_ids_that_differ_by_case_are_two_papers():
    keys = {vocab.paper_key(paper(identifiers=(f"openreview:{i}",))) for i in ("aB", "Ab")}
    assert len(keys) == 2


@pytest.mark.parametrize(
    "other",
    [
        {"title": "A TITLE"},
        {"abstract": "  some\n\ttext "},
        {"abstract": "ｓｏｍｅ text."},
        {"id": "77", "venue": "ICML", "identifiers": ("pmid:5",)},
    ],
)
def test_paper_key_without_identifiers_is_that_of_the_text(other):
    assert vocab.paper_key(paper(**other)) == vocab.paper_key(paper())


@pytest.mark.parametrize("other", [{"title": "B title"}, {"abstract": "Other text."}])
def test_paper_key_changes_with_the_text(other):
    assert vocab.paper_key(paper(**other)) != vocab.paper_key(paper())


def test_paper_key_of_signs_only():
    keys = {vocab.paper_key(paper(title="", abstract=text)) for text in ("!!", "??")}
    assert len(keys) == 2


@given(st.text())
def test_clean_keeps_offsets_and_is_utf8(text):
    cleaned = vocab.clean(text)
    assert len(cleaned) == len(text)
    cleaned.encode()
    assert all(d in {c, "\ufffd"} for c, d in zip(text, cleaned, strict=True))


def test_misspelt_term_is_an_error():
    with pytest.raises(AttributeError):
        vocab.KG.Methd  # noqa: B018
    with pytest.raises(AttributeError):
        vocab.iri("kg:propose")


@pytest.mark.parametrize("base", ["https://x.org/g/", "https://x.org/g", "http://localhost:8000/"])
def test_check_base_gives_a_base_that_ends_in_a_slash(base):
    assert vocab.check_base(base) == base.rstrip("/") + "/"


@pytest.mark.parametrize(
    "base",
    ["", "graph", "/some/where/", "https://x.org/a b/", "https://x.org/#", "https://x.org/?q=<>"],
)
def test_check_base_refuses_what_is_no_base(base):
    with pytest.raises(InputError, match="base IRI"):
        vocab.check_base(base)


def test_prefixes_follow_the_base():
    prefixes = vocab.prefixes("https://x.org/g/")
    assert prefixes["kg"] == "https://x.org/g/ontology#"
    assert prefixes["method"] == "https://x.org/g/id/method/"


@pytest.mark.parametrize(
    ("identifier", "page"),
    [
        ("doi:10.1/X", "https://doi.org/10.1/x"),
        ("arxiv:2401.00001v2", "https://arxiv.org/abs/2401.00001"),
        ("openreview:aB", "https://openreview.net/forum?id=aB"),
        ("pmid:5", ""),
        ("77", ""),
    ],
)
def test_page(identifier, page):
    assert vocab.page(identifier) == page
