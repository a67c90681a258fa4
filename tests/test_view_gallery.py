"""The folder of pages: what stands on each, against counts made here from the papers."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

import pytest
from building import sample
from lxml import html

from kg.errors import QueryError
from kg.network import facts, network
from kg.part import Part
from kg.store import GraphStore
from kg.view import view_gallery
from kg.view.gallery import Drawn, gallery
from kg.view.sheets import appearances, compare, matrix


@pytest.fixture(scope="module")
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


@pytest.fixture(scope="module")
def named(store) -> dict[str, set[str]]:
    """The papers that name each entity."""
    found: dict[str, set[str]] = {}
    for paper, _, _, entity in facts.roles(store):
        found.setdefault(entity, set()).add(paper)
    return found


def test_every_entity_appears_once_in_its_first_year(store, named):
    years = facts.paper_years(store)
    first = {
        e: min(known) for e, papers in named.items()
        if (known := [years[p] for p in papers if years[p] is not None])
    }  # fmt: skip
    shown = {t.iri: a.year for a in appearances(store, per_year=10_000) for t in a.things}
    assert shown == first
    for year in appearances(store, per_year=2):
        assert len(year.things) <= 2
        assert year.count == Counter(first.values())[year.year]
        assert year.papers == sum(y == year.year for y in years.values())
        sizes = [t.papers for t in year.things]
        assert sizes == sorted(sizes, reverse=True)


def test_a_cell_counts_the_papers_that_evaluate_the_one_on_the_other(store):
    table = matrix(store)
    assert table.cells
    roles = {(f[0], f[3]): f[2] for f in facts.roles(store)}
    stated = {(f[0], f[1], f[3]) for f in facts.relations(store) if f[2] == "evaluatedOn"}
    papers = set(facts.paper_years(store))
    for row, method in enumerate(table.rows):
        for column, ground in enumerate(table.columns):
            wanted = sum(
                (p, method.iri, ground.iri) in stated
                or (
                    roles.get((p, method.iri)) in ("proposes", "comparesWith", "studies")
                    and roles.get((p, ground.iri)) == "evaluatesOn"
                )
                for p in papers
            )
            assert table.cells.get((row, column), 0) == wanted


def test_two_years_are_compared_by_their_papers(store, named):
    years = facts.paper_years(store)
    a, b = sorted({y for y in years.values() if y is not None})[-2:]
    change = compare(store, sides=(str(a), str(b)), most=10_000)
    count = {
        year: {e: sum(years[p] == year for p in papers) for e, papers in named.items()}
        for year in (a, b)
    }
    for name, holds in {
        "new": lambda x, y: not x and y,
        "gone": lambda x, y: x and not y,
        "grown": lambda x, y: x and y and y / change.papers[1] > x / change.papers[0],
        "shrunk": lambda x, y: x and y and y / change.papers[1] < x / change.papers[0],
    }.items():
        shown = {c.thing.iri: (c.before, c.after) for c in getattr(change, name)}
        assert shown == {
            e: (count[a][e], count[b][e]) for e in named if holds(count[a][e], count[b][e])
        }


def test_venues_are_compared_in_any_case_and_unknown_sides_are_named(store):
    venue = next(x.abstract.venue for x in sample() if x.abstract.venue)
    year = next(str(x.abstract.year) for x in sample() if x.abstract.year)
    assert compare(store, sides=(venue.lower(), year)).papers[0] > 0
    with pytest.raises(QueryError, match="'1066'"):
        compare(store, sides=("1066", year))


def test_the_gallery_links_its_pages_and_runs_no_script_on_sheets(store, tmp_path):
    written = view_gallery(store, tmp_path / "g", near=2)
    assert {p.name for p in (tmp_path / "g").iterdir()} == {p.name for p in written.paths}
    assert written.left_out == ()
    index = html.parse(tmp_path / "g" / "index.html")
    assert {a.get("href") for a in index.iter("a")} == {p.name for p in written.paths[1:]}
    iris = set(
        re.findall(r'"iri":"([^"]+)"', (tmp_path / "g" / "overview.html").read_text("utf-8"))
    )
    for name in ("timeline", "matrix", "compare"):
        page = html.parse(tmp_path / "g" / f"{name}.html")
        assert not list(page.iter("script"))
        policy = page.find(".//meta[@http-equiv]").get("content")
        assert "default-src 'none'; script-src 'none'" in policy
        links = {unquote(a.get("href").partition("#node=")[2]) for a in page.iter("a")} - {""}
        assert links
        assert links <= iris


def test_what_the_overview_leaves_out_has_an_entry(store, named, tmp_path):
    written = view_gallery(store, tmp_path / "g", Part(top=4), near=1)
    assert (tmp_path / "g" / "others.html") in written.paths
    others = html.parse(tmp_path / "g" / "others.html")
    entry = {a.get("id"): a for a in others.iter("article")}
    papers = network(store).nodes(data="papers")
    for name in ("timeline", "matrix", "compare"):
        page = html.parse(tmp_path / "g" / f"{name}.html")
        led = [a for a in page.iter("a") if a.get("href").startswith("others.html")]
        assert led
        for a in led:
            found = entry[a.get("href").partition("#")[2]]
            assert found.findtext("h2/bdi") == a.findtext("bdi")
        # nothing is named that leads nowhere
        assert not [s for s in page.iter("span") if s.find("bdi") is not None]
    by_label = {d["label"]: n for n, d in network(store).nodes(data=True)}
    for found in entry.values():
        iri = by_label[found.findtext("h2/bdi")]
        assert f" {papers[iri]} paper" in found.findtext("p")
        assert found.find("blockquote") is not None
    assert len(list(others.iter("mark"))) >= len(entry)


def test_hostile_names_are_text_on_every_sheet(store, tmp_path):
    def draw(path, focus):
        path.write_text("", "utf-8")
        return Drawn("<b>bold</b>", frozenset())

    hostile = "</style><script>alert(1)</script>"
    gallery(store, tmp_path, draw=draw, entities=[("https://x/y/../z", hostile)], title=hostile)
    index = html.parse(tmp_path / "index.html")
    assert index.findtext(".//h1") == hostile
    assert f"Around {hostile}" in [b.text for b in index.iter("b")]
    assert "<b>bold</b>" in [span.text for span in index.iter("span")]
    assert not list(index.iter("script"))
    assert (tmp_path / "near-z.html").exists()


def test_the_same_graph_gives_the_same_bytes(store, tmp_path):
    one = view_gallery(store, tmp_path / "1")
    two = view_gallery(store, tmp_path / "2")
    assert [p.read_bytes() for p in one.paths] == [p.read_bytes() for p in two.paths]
