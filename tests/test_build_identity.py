from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.build.identity import cleaned, group, handle, merge
from kg.records import Abstract
from kg.vocab import normal_text

TEXT = (
    "We fold attention maps so that long pages cost less to translate. The folded model keeps its "
    "quality on spoken pages and needs half the memory of the plain one."
)
PAPER = Abstract("a1", "Folding attention for pages", TEXT, ("Ada Minor",), "NeurIPS", 2023)
DOI, ARXIV = ("doi:10.5555/fold",), ("arxiv:2301.00001",)
REWORDED = TEXT.replace("half the memory of the plain one", "far less memory than before")
OTHER = (
    "A benchmark of recipes asks cooks to plan dinners. Planners fail where ovens are shared, and "
    "people do not."
)


def papers_of(*records: Abstract) -> list[list[int]]:
    """The groups, as indices into `records`."""
    ready = [cleaned(record) for record in records]
    names = {handle(record).record: number for number, record in enumerate(ready)}
    by_name = {handle(record).record: record for record in ready}

    def words(name: str) -> frozenset[str]:
        return frozenset(normal_text(by_name[name].abstract).split())

    groups = group([handle(record) for record in by_name.values()], words)
    return sorted(sorted(names[name] for name in members) for members in groups)


@pytest.mark.parametrize(
    "other",
    [
        replace(PAPER, id="b2", identifiers=DOI),
        replace(
            PAPER, id="b2", title=PAPER.title.upper(), abstract=f"  {TEXT}\n".replace(" ", "  ")
        ),
        replace(PAPER, id="b2", identifiers=DOI, title="Folding, attention: for pages!"),
        replace(PAPER, id="b2", identifiers=DOI, abstract=REWORDED),
        replace(PAPER, id="b2", title=""),
    ],
    ids=["other id", "case and space", "signs", "proceedings reworded", "no title"],
)
def test_the_same_paper_from_two_sources_is_one(other):
    first = replace(PAPER, identifiers=ARXIV)
    assert papers_of(first, other) == [[0, 1]]
    both = merge([cleaned(first), cleaned(other)])
    assert {*first.identifiers, *other.identifiers} <= set(both.identifiers)
    assert {both.id, *both.identifiers} >= {"a1", "b2"}


@pytest.mark.parametrize(
    "other",
    [
        replace(PAPER, id="b2", abstract=OTHER),
        replace(PAPER, id="b2", title="Cooking for pages", abstract=REWORDED),
        replace(PAPER, id="a1", title="Other", abstract=OTHER),
        replace(PAPER, id="A1", identifiers=("openreview:Ab",), title="X", abstract=OTHER),
    ],
    ids=["other text", "other title and text", "same id of another source", "id in other case"],
)
def test_other_papers_stay_apart(other):
    assert papers_of(replace(PAPER, identifiers=("openreview:aB",)), other) == [[0], [1]]


def test_a_shared_identifier_joins_whatever_the_texts_say():
    first = replace(PAPER, identifiers=DOI)
    second = replace(PAPER, id="b2", title="Another title", abstract=OTHER, identifiers=DOI + ARXIV)
    third = replace(PAPER, id="c3", title="A third", abstract="Short.", identifiers=ARXIV)
    assert papers_of(first, second, third) == [[0, 1, 2]]


def test_a_heading_over_many_texts_is_no_title_to_compare_by():
    shared = " ".join(f"common{i}" for i in range(40))
    few = [Abstract(str(i), "Notes of the guest editors", f"{shared} own{i}") for i in range(3)]
    assert papers_of(*few) == [[0, 1, 2]]
    many = [Abstract(str(i), "Notes of the guest editors", f"{shared} own{i}") for i in range(2000)]
    assert papers_of(*many) == sorted([i] for i in range(2000))


def test_boilerplate_joins_no_titles():
    blank = Abstract("", "", "This article was withdrawn by its authors.")
    first = replace(PAPER, id="1", title="One thing", abstract=blank.abstract)
    second = replace(PAPER, id="2", title="Quite another", abstract=blank.abstract)
    assert papers_of(first, second, blank) == [[0], [1], [2]]


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"abstract": OTHER}, True),
        ({"year": 2024, "venue": "ICML"}, True),
        ({"id": "other"}, False),
    ],
)
def test_a_record_with_a_lasting_id_is_replaced_by_its_next_version(change, same):
    first = replace(PAPER, identifiers=DOI)
    assert (handle(first).record == handle(replace(first, **change)).record) is same


def test_without_a_lasting_id_the_source_id_and_title_tell_versions():
    assert handle(PAPER).record == handle(replace(PAPER, abstract=OTHER)).record
    assert handle(PAPER).record != handle(replace(PAPER, title="Other", abstract=OTHER)).record


def test_proceedings_give_text_venue_and_year():
    preprint = replace(
        PAPER, id="p", venue="arXiv", year=2022, identifiers=ARXIV, authors=("A. Minor",)
    )
    printed = replace(PAPER, id="q", abstract=REWORDED, identifiers=DOI, keywords=("pages",))
    for records in itertools.permutations([preprint, printed]):
        both = merge(records)
        assert (both.abstract, both.venue, both.year) == (REWORDED, "NeurIPS", 2023)
        assert both.identifiers == (*DOI, *ARXIV, "p")
        assert both.keywords == ("pages",)


RECORDS = st.lists(
    st.builds(
        Abstract,
        id=st.sampled_from(["", "1", "2"]),
        title=st.sampled_from(["", "Folding attention maps", "FOLDING attention  maps", "Cook"]),
        abstract=st.sampled_from([TEXT, TEXT.upper(), REWORDED, OTHER]),
        venue=st.sampled_from(["", "arXiv", "ICML"]),
        year=st.sampled_from([None, 2022, 2023]),
        identifiers=st.sampled_from([(), DOI, ARXIV, DOI + ARXIV, ("pmid:1",)]),
    ),
    max_size=7,
)


@given(RECORDS, st.randoms())
def test_papers_do_not_depend_on_the_order_of_records(records, random):
    by_name = {handle(record).record: record for record in map(cleaned, records)}

    def papers(names: list[str]) -> set[tuple[Abstract, ...]]:
        def words(name: str) -> frozenset[str]:
            return frozenset(normal_text(by_name[name].abstract).split())

        groups = group([handle(by_name[name]) for name in names], words)
        merged = []
        for members in groups:
            random.shuffle(members)
            merged.append(merge([by_name[name] for name in members]))
        return set(merged)

    names = sorted(by_name)
    expected = papers(names)
    random.shuffle(names)
    assert papers(names) == expected


def test_cleaned_keeps_offsets():
    dirty = replace(PAPER, title="a\x00b", abstract="x\ud800y\x0c", authors=("\x01",))
    neat = cleaned(dirty)
    assert (neat.title, neat.abstract, neat.authors) == ("a\ufffdb", "x\ufffdy\ufffd", ("\ufffd",))
