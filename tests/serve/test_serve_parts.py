"""The parts of the server by themselves: negotiation, addresses, drawings, prefixes."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import vocab
from kg.query import SavedQuery, saved_queries
from kg.schema import ENTITY_TYPES
from kg.serve.addresses import address, thing
from kg.serve.drawing import curve, ego, pieces
from kg.serve.negotiation import HTML, ROWS, TRIPLES, choose
from kg.serve.pages import with_prefixes
from kg.show import Edge

BASE = "https://kg.example/graph/"


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        (None, "html"),
        ("text/turtle", "ttl"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"),
        ("application/rdf+xml, text/turtle;q=0.9", "rdfxml"),
        ("application/ld+json;profile=x", "jsonld"),
        ("application/json", "jsonld"),
        ("*/*;q=0.1, application/n-triples;q=0.2", "nt"),
        ("text/turtle;q=nonsense, application/n-triples;q=0.1", "nt"),
        ("garbage", "html"),
        ("image/png", None),
        ("text/html;q=0", None),
    ],
)
def test_choice_of_a_format(accept, name):
    chosen = choose(accept, (HTML, *TRIPLES))
    assert (chosen and chosen.name) == name


def test_xml_of_an_answer_is_its_results_format():
    assert choose("application/xml", ROWS).name == "xml"
    assert choose("application/xml", TRIPLES).name == "rdfxml"


@given(key=st.text(min_size=1, max_size=20), kind=st.sampled_from(ENTITY_TYPES))
def test_an_address_leads_back_to_its_iri(key, kind):
    iri = vocab.entity_iri(kind.name, key, BASE)
    path = address(iri, BASE)
    assert path.isascii()
    assert urlsplit(path).path == path
    assert thing(path, BASE) == iri


@given(key=st.text(min_size=1, max_size=20))
def test_a_browser_that_encodes_more_or_in_small_letters_finds_the_same_paper(key):
    iri = vocab.paper_iri(vocab.segment(key), BASE)
    path = "/" + quote(iri.removeprefix(BASE), safe="/%")
    assert thing(path, BASE) == thing(address(iri, BASE), BASE) == iri


def test_what_is_not_ours_has_no_address():
    assert address("https://elsewhere.example/id/method/x", BASE) is None
    assert address(f"{BASE}ontology#Method", BASE) is None


def test_bytes_that_are_no_text_do_no_harm():
    assert thing("/id/method/%ff%FE", BASE) == f"{BASE}id/method/%FF%FE"


def test_a_curve_has_a_bar_for_every_year():
    drawn = curve([(2019, 2), (2022, 4)])
    assert [(bar.year, bar.papers) for bar in drawn.bars] == [
        (2019, 2), (2020, 0), (2021, 0), (2022, 4),
    ]  # fmt: skip
    assert drawn.bars[0].height * 2 == drawn.bars[3].height
    assert all(bar.x + drawn.bar <= drawn.width for bar in drawn.bars)
    assert len({bar.y + bar.height for bar in drawn.bars}) == 1
    assert curve([(2020, 7)]) is None
    assert curve([(20, 1), (2020, 7)]) is None


def edge(number: int, kind: str = "basedOn") -> Edge:
    return Edge(kind, True, f"{BASE}id/method/{number}", f"M{number}", ("Method",), number, None)


def test_neighbours_stand_once_each_the_strongest_first():
    drawn = ego([edge(1), edge(3), edge(3, "partOf"), *(edge(n) for n in range(4, 20))])
    assert len(drawn.neighbours) == 12
    assert drawn.neighbours[0].name == "M19"
    assert len({(n.x, n.y) for n in drawn.neighbours}) == 12
    assert len({n.iri for n in drawn.neighbours}) == 12
    assert all(0 <= n.x <= drawn.width and 0 <= n.y <= drawn.height for n in drawn.neighbours)
    assert ego([]) is None


@given(text=st.text(max_size=30), data=st.data())
def test_pieces_are_the_sentence_and_marked_are_its_marks(text, data):
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    marks = [tuple(sorted(pair)) for pair in data.draw(st.lists(places, max_size=4))]
    cut = pieces(text, marks)
    assert "".join(piece for _, piece in cut) == text
    marked = [piece for is_marked, piece in cut if is_marked]
    assert set(marked) <= {text[start:end] for start, end in marks}


def test_a_query_for_the_editor_is_whole(tmp_path):
    prefixes = vocab.prefixes(BASE)
    for query in saved_queries().values():
        text = with_prefixes(query, prefixes)
        assert text.startswith(f"# {query.title}")
        assert "parameter:" not in text
    query = SavedQuery(
        "x", "Title", "", (), "# title: Title\nSELECT * { ?s a <http://no:prefix> ; kg:uses ?kg }"
    )
    head, body = with_prefixes(query, prefixes).rsplit("\n", 2)[:2]
    assert head == f"# Title\nPREFIX kg: <{BASE}ontology#>"
    assert body == "SELECT * { ?s a <http://no:prefix> ; kg:uses ?kg }"
