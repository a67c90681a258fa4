"""The card of an entity or paper, on a graph known by construction."""

from __future__ import annotations

import asking
import pytest

from kg.errors import QueryError
from kg.show import show


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("asking") / "graph", asking.papers()) as store:
        yield store


def test_an_entity_has_names_counts_and_teams(store):
    card = show(store, "gaternn")
    assert (card.name, card.types, card.aliases) == ("GateRNN", ("Method",), ())
    # nine papers: three of Ada Minor's, six by others
    assert (card.papers, card.teams) == (9, 7)
    assert card.years == ((2022, 1), (2023, 1), (2024, 3), (2025, 2), (2026, 1))
    assert card.roles == (("studies", 4), ("uses", 3), ("comparesWith", 2))
    assert show(store, "LanternNet").aliases == ("LN",)


def test_edges_are_the_strongest_of_each_kind_and_direction(store):
    card = show(store, "LanternNet", edges=1)
    assert [(e.kind, e.outgoing, e.name, e.papers) for e in card.edges] == [
        ("usedFor", True, "machine translation", 1),
        ("basedOn", True, "Transformers", 1),
        ("basedOn", False, "BeaconNet", 1),
        ("evaluatedOn", True, "WebTalk", 1),
        ("outperforms", True, "GateRNN", 2),
        ("outperforms", False, "BeaconNet", 1),
    ]
    assert {e.types for e in card.edges} == {("Task",), ("Method",), ("Benchmark",)}
    assert len(show(store, "LanternNet").edges) == 8


def test_each_edge_has_a_sentence_with_both_ends_marked(store):
    for name in ("LanternNet", "GateRNN", "$\\mu$Gate", "WebTalk", "Layer normalisation"):
        for edge in show(store, name).edges:
            assert edge.sentence
            marked = {edge.sentence.text[a:b] for a, b in edge.sentence.marks}
            assert len(marked) == 2
            assert edge.sentence.kind == edge.kind
            names = {edge.sentence.subject_name, edge.sentence.object_name}
            assert names == {show(store, name).name, edge.name}


def test_what_papers_do_with_an_entity_is_said_by_sentences(store):
    said = show(store, "WebTalk", sentences=2).sentences
    assert [(s.kind, s.year, s.title) for s in said] == [
        ("proposes", 2022, "WebTalk, a benchmark of spoken pages"),
        ("evaluatesOn", 2025, said[1].title),
    ]
    assert [s.text[a:b] for s in said for a, b in s.marks] == ["WebTalk", "WebTalk"]


def test_a_paper_has_its_details_and_all_that_it_states(store):
    card = show(store, "doi:10.5555/beacon.1")
    assert (card.name, card.types, card.papers) == ("BeaconNet for long documents", ("Paper",), 1)
    assert dict(card.details)["authors"] == "Bo Quill"
    assert ("identifier", "beacon") in card.details
    assert card.years == ((2024, 1),)
    assert [(e.kind, e.name) for e in card.edges] == [
        ("proposes", "BeaconNet"),
        ("comparesWith", "LanternNet"),
        ("uses", "PaperPile-9"),
        ("addresses", "summarisation"),
        ("measures", "ROUGE"),
    ]
    assert {(s.subject_name, s.kind, s.object_name) for s in card.sentences} == {
        ("BeaconNet", "basedOn", "LanternNet"),
        ("BeaconNet", "outperforms", "LanternNet"),
        ("BeaconNet", "trainedOn", "PaperPile-9"),
        ("BeaconNet", "usedFor", "summarisation"),
    }


def test_a_paper_without_title_year_or_authors_has_a_card(store):
    card = show(store, "undated")
    assert card.name.startswith("GateRNN is older")
    assert card.years == ()
    assert dict(card.details).keys() == {"identifier", "abstract"}


def test_an_entity_goes_before_a_paper_of_its_name(store):
    assert show(store, "SGD").types == ("Method",)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("LN", "'LN' names 2 entities"),
        ("lantern net", "nearest: 'LanternNet'"),
        # no fragment of the name: SGD and LN are shorter than that
        ("SGD for LN networks", r"no entity is called 'SGD for LN networks'; (?!.*'(SGD|LN)')"),
        ("", "''"),
    ],
)
def test_a_name_that_does_not_settle_is_an_error(store, name, complaint):
    with pytest.raises(QueryError, match=complaint):
        show(store, name)
