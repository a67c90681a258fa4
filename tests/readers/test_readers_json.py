"""JSON in all its forms: arrays, lines, lists inside objects, and each service's fields."""

from __future__ import annotations

import json

import pytest

from kg.readers.cutter import Cutter
from kg.records import Abstract

FIRST = "We grow a tree of prompts and prune it by a learned critic."
SECOND = "A sketch of the gradient is shared between workers that never meet."
ONE = {"id": "a", "title": "Tree", "abstract": FIRST}
TWO = {"id": "b", "title": "Sketch", "abstract": SECOND}


def lines_of(*records: object) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


FORMS = {
    "array": json.dumps([ONE, TWO]),
    "pretty array": json.dumps([ONE, TWO], indent=2),
    "array of one record a line": f"[{json.dumps(ONE)},\n{json.dumps(TWO)}\n]",
    "trailing comma": f"[{json.dumps(ONE)},\n{json.dumps(TWO)},\n]",
    "lines": lines_of(ONE, TWO),
    "lines with blank ones": "\n" + lines_of(ONE) + "\n\n" + lines_of(TWO),
    "notes": json.dumps({"notes": [ONE, TWO], "count": 2}),
    "data after a total": json.dumps({"total": 2, "offset": 0, "data": [ONE, TWO]}, indent=1),
    "nested list": json.dumps({"message": {"total": 2, "items": [ONE, TWO]}}),
    "pages, one a line": lines_of({"results": [ONE], "meta": {}}, {"results": [TWO], "meta": {}}),
    "objects in a row": json.dumps(ONE, indent=2) + "\n" + json.dumps(TWO, indent=2),
    "mapping from ids": json.dumps({"a": {**ONE, "id": None}, "b": {**TWO, "id": None}}),
    "wrapped": lines_of({"paper": ONE, "rank": 1}, {"paper": TWO, "rank": 2}),
}


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt", ""])
@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_gives_the_same_records(read, form, suffix):
    papers, skipped = read(f"papers{suffix}", FORMS[form])
    assert [(p.id, p.title, p.abstract) for p in papers] == [
        ("a", "Tree", FIRST), ("b", "Sketch", SECOND)
    ]  # fmt: skip
    assert skipped == []


def test_a_list_of_strings_is_a_list_of_abstracts(read):
    papers, skipped = read("a.json", json.dumps([FIRST, SECOND]))
    assert [p.document for p in papers] == [FIRST, SECOND]
    assert skipped == []


@pytest.mark.parametrize("record", [ONE, {**ONE, "references": [{"title": "x"}]}])
def test_a_single_object_is_a_record(read, record):
    papers, _ = read("a.json", json.dumps(record, indent=1))
    assert [p.title for p in papers] == ["Tree"]


def test_lines_and_records_are_counted(read):
    papers, skipped = read("a.json", f"[\n{json.dumps(ONE)},\n\n  {{\n}}, {{}}, {json.dumps(TWO)}]")
    assert [p.source.rpartition(":")[2] for p in papers] == ["2", "5 (record 4)"]
    assert [(s.source.rpartition(":")[2], s.reason) for s in skipped] == [
        ("4", "no abstract"), ("5", "no abstract")
    ]  # fmt: skip
    _, skipped = read("b.json", json.dumps([ONE, {}, TWO]))
    assert [(s.source.rpartition(":")[2], s.reason) for s in skipped] == [
        ("1 (record 2)", "no abstract")
    ]


@pytest.mark.parametrize(
    "broken",
    ["{'id': 1}", '{"a": }', '{"a": 1} x', '{"a": tru}', "{bare: 1}", '{"a" "b"}', "3", "null",
     "true", "[1, 2]"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["lines", "array"])
def test_a_broken_record_costs_itself_alone(read, broken, form):
    rows = [json.dumps(ONE), broken, json.dumps(TWO)]
    text = "\n".join(rows) if form == "lines" else "[" + ",\n".join(rows) + "]"
    papers, skipped = read("a.json", text)
    assert [p.title for p in papers] == ["Tree", "Sketch"]
    assert {s.source.rpartition(":")[2].removesuffix(" (record 3)") for s in skipped} == {"2"}


def test_the_nan_of_pandas_is_no_value(read):
    text = json.dumps([{**ONE, "venue": float("nan"), "year": 2031.0},
                       {**TWO, "abstract": float("nan")}])  # fmt: skip
    assert "NaN" in text
    papers, skipped = read("a.json", text)
    assert [(p.venue, p.year) for p in papers] == [("", 2031)]
    assert len(skipped) == 1


@pytest.mark.parametrize("end", ["", ",", ", {", ', {"id": "c", "abstract": "cut he'])
def test_an_array_that_is_cut_off_keeps_what_was_whole(read, end):
    papers, skipped = read("a.json", f"[{json.dumps(ONE)},\n{json.dumps(TWO)}{end}")
    assert [p.title for p in papers] == ["Tree", "Sketch"]
    assert ["cut off" in s.reason for s in skipped] == [True]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_cutter_cuts_alike_whatever_the_pieces(size):
    records = [{"a": 'x"\\', "b": ["]", "}{", "\\\\", {"c": ","}]}, {}, [], {"é\n": "\\"}]
    text = json.dumps(records)[1:] + " trailing"
    cutter = Cutter(enclosed=True)
    found: list[str] = []
    for start in range(0, len(text), size):
        found += [row for row, _, _ in cutter.cut(text[start : start + size])]
        if cutter.closed:
            break
    assert cutter.closed
    assert [json.loads(row) for row in found if row.strip()] == records


# --- the services


def only(read, record: object) -> Abstract:
    papers, skipped = read("one.jsonl", lines_of(record))
    assert skipped == []
    assert len(papers) == 1
    return papers[0]


@pytest.mark.parametrize("version", [1, 2])
def test_openreview(read, version):
    content = {
        "title": "Tree", "abstract": FIRST, "authors": ["Ada Lee", "Jane Roe"],
        "keywords": ["trees", "prompts"], "venue": "FooConf 2031 poster", "venueid": "Foo/2031",
        "TL;DR": "short",
    }  # fmt: skip
    if version == 2:
        content = {key: {"value": value} for key, value in content.items()}
    note = {"id": "aB3_x-Yz12", "forum": "aB3_x-Yz12", "cdate": 1900000000000, "content": content}
    paper = only(read, note)
    assert paper == Abstract(
        id="aB3_x-Yz12", title="Tree", abstract=FIRST, authors=("Ada Lee", "Jane Roe"),
        venue="FooConf", year=2031, identifiers=("openreview:aB3_x-Yz12",),
        url="https://openreview.net/forum?id=aB3_x-Yz12", keywords=("trees", "prompts"),
        source=paper.source,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("FooConf 2031 Conference", ("FooConf", 2031)),
        ("FooConf 2031 oral", ("FooConf", 2031)),
        ("Submitted to FooConf 2031", ("Submitted to FooConf 2031", 2031)),
        ("FooConf 2031 Workshop on Bars", ("FooConf 2031 Workshop on Bars", 2031)),
        ("Journal of Foo", ("Journal of Foo", 2030)),
    ],
)
def test_openreview_venues(read, venue, expected):
    note = {"id": "aB3xYz12", "tcdate": 1900000000000,
            "content": {"title": "T", "abstract": FIRST, "venue": venue}}  # fmt: skip
    paper = only(read, note)
    assert (paper.venue, paper.year) == expected


def test_a_review_is_no_paper(read):
    note = {"id": "rEv1ew00", "content": {"title": {"value": "Good"}, "rating": {"value": 8}}}
    papers, skipped = read("a.json", json.dumps({"notes": [note, note]}))
    assert papers == []
    assert [s.reason for s in skipped] == ["no abstract for Good"] * 2


def test_semantic_scholar(read):
    paper = only(read, {
        "paperId": "0" * 40, "externalIds": {"DOI": "10.1234/AbC", "ArXiv": "3101.01234",
                                             "PubMed": "123", "CorpusId": 7},
        "title": "Tree", "abstract": FIRST, "venue": "", "journal": {"name": "JoT", "volume": "3"},
        "year": 2031, "authors": [{"authorId": "1", "name": "Ada Lee"}],
        "s2FieldsOfStudy": [{"category": "Computer Science", "source": "s2"}],
        "url": "https://www.semanticscholar.org/paper/x",
    })  # fmt: skip
    assert (paper.id, paper.venue, paper.year) == ("0" * 40, "JoT", 2031)
    assert paper.authors == ("Ada Lee",)
    assert paper.identifiers == ("doi:10.1234/abc", "arxiv:3101.01234", "pmid:123")
    assert paper.keywords == ("Computer Science",)


def test_older_semantic_scholar_and_s2orc(read):
    old = only(read, {"id": "f" * 40, "title": "Tree", "paperAbstract": FIRST, "doi": "10.1234/x",
                      "authors": [{"name": "Ada Lee", "ids": ["1"]}], "year": 2031})  # fmt: skip
    assert (old.abstract, old.identifiers) == (FIRST, ("doi:10.1234/x",))
    s2orc = only(read, {"paper_id": "77", "metadata": {
        "title": "Tree", "abstract": FIRST, "acl_id": "P31-1001", "arxiv_id": None, "year": 2031,
        "authors": [{"first": "Ada", "middle": ["B."], "last": "Lee", "suffix": ""}]}})  # fmt: skip
    assert (s2orc.id, s2orc.authors) == ("77", ("Ada B. Lee",))
    assert s2orc.identifiers == ("acl:p31-1001",)


def test_openalex(read):
    paper = only(read, {
        "id": "https://openalex.org/W123", "doi": "https://doi.org/10.1234/AbC",
        "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/123"},
        "title": None, "display_name": "Tree", "publication_year": 2031,
        "publication_date": "2031-05-01",
        "abstract_inverted_index": {"trees": [1, 4], "We": [0], "of": [3], "grow": [2]},
        "authorships": [{"author": {"id": "x", "display_name": "Ada Lee"}, "institutions": []}],
        "primary_location": {"landing_page_url": "https://arxiv.org/abs/3101.01234v3",
                             "source": {"display_name": "JoT"}},
        "keywords": [{"id": "k", "display_name": "Trees"}],
    })  # fmt: skip
    assert (paper.title, paper.abstract) == ("Tree", "We trees grow of trees")
    assert (paper.venue, paper.year, paper.authors) == ("JoT", 2031, ("Ada Lee",))
    assert paper.identifiers == (
        "doi:10.1234/abc", "arxiv:3101.01234", "pmid:123", "openalex:w123"
    )  # fmt: skip
    assert paper.keywords == ("Trees",)


def test_openalex_with_hostile_positions(read):
    places = {"far": [10**15], "near": [0], "odd": ["x", None, -3], "not": 3}
    paper = only(read, {"id": "W1", "authorships": [], "abstract_inverted_index": places})
    assert paper.abstract == "odd near far"


def test_arxiv_snapshot(read):
    paper = only(read, {
        "id": "3101.01234", "submitter": "A", "authors": "Ada Lee, J\\'ozef M\\\"uller",
        "title": "A tree\n  of prompts", "doi": None, "categories": "cs.CL cs.AI",
        "abstract": f"  {FIRST[:30]}\n{FIRST[30:]}\n", "update_date": "2033-01-01",
        "versions": [{"version": "v1", "created": "Mon, 5 Jan 2031 19:18:42 GMT"}],
        "authors_parsed": [["Lee", "Ada", ""], ["Müller", "Józef", "Jr."]],
    })  # fmt: skip
    assert paper == Abstract(
        id="3101.01234", title="A tree of prompts", abstract=f"{FIRST[:30].strip()} {FIRST[30:]}",
        authors=("Ada Lee", "Józef Müller Jr."), year=2031, identifiers=("arxiv:3101.01234",),
        url="https://arxiv.org/abs/3101.01234", keywords=("cs.CL", "cs.AI"), source=paper.source,
    )  # fmt: skip


def test_crossref(read):
    paper = only(read, {
        "DOI": "10.1234/AbC", "URL": "https://doi.org/10.1234/abc", "title": ["Tree"],
        "container-title": ["JoT"], "issued": {"date-parts": [[2031, 5]]},
        "author": [{"given": "Ada", "family": "Lee", "sequence": "first"}, {"name": "Blue Team"}],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We grow <jats:italic>trees"
                    "</jats:italic> &amp; H<jats:sub>2</jats:sub>O where a &lt; b.</jats:p>",
    })  # fmt: skip
    assert paper.abstract == "We grow trees & H2O where a < b."
    assert (paper.title, paper.venue, paper.year) == ("Tree", "JoT", 2031)
    assert paper.authors == ("Ada Lee", "Blue Team")
    assert paper.identifiers == ("doi:10.1234/abc",)


@pytest.mark.parametrize(
    ("record", "field", "expected"),
    [
        ({"Paper Title": "Tree"}, "title", "Tree"),
        ({"author": "Lee, Ada; Roe, Jane"}, "authors", ("Ada Lee", "Jane Roe")),
        ({"authors": ["Lee, Ada", "Jane Roe"]}, "authors", ("Ada Lee", "Jane Roe")),
        ({"Journal": "JoT"}, "venue", "JoT"),
        ({"conference": "FooConf"}, "venue", "FooConf"),
        ({"published": "2031-02-03T00:00:00Z"}, "year", 2031),
        ({"year": "2031"}, "year", 2031),
        ({"year": "forthcoming", "date": "May 2031"}, "year", 2031),
        ({"keywords": "trees; prompts"}, "keywords", ("trees", "prompts")),
        ({"keywords": ["trees", "trees", ""]}, "keywords", ("trees",)),
        ({"DOI": "doi:10.1234/AbC"}, "identifiers", ("doi:10.1234/abc",)),
        ({"url": "https://openreview.net/forum?id=aB3xYz12"}, "identifiers",
         ("openreview:aB3xYz12",)),
        ({"arxiv_id": "3101.01234v2"}, "identifiers", ("arxiv:3101.01234",)),
        ({"id": 17}, "id", "17"),
        ({"pdf_url": "https://x.org/a.pdf"}, "url", "https://x.org/a.pdf"),
        ({"identifiers": ["doi:10.1234/abc", "acl:p31-1001"]}, "identifiers",
         ("doi:10.1234/abc", "acl:p31-1001")),
    ],
)  # fmt: skip
def test_common_field_names(read, record, field, expected):
    assert getattr(only(read, {"abstract": FIRST, **record}), field) == expected


@pytest.mark.parametrize(
    "name", ["abstract", "Abstract", "abstractText", "summary", "abstract_note"]
)
def test_names_of_the_abstract(read, name):
    assert only(read, {"title": "T", name: FIRST}).abstract == FIRST
