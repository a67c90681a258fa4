"""From a store to a page."""

from __future__ import annotations

import json
import re

import pytest

from kg.errors import QueryError
from kg.network import facts, network
from kg.part import Part
from kg.store import GraphStore
from kg.view import view
from kg.view.details import no_details, store_details


@pytest.fixture(scope="module")
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


def read(path, of: str) -> dict:
    found = re.search(
        rf'<script type="application/json" id="{of}-data">(.*?)</script>',
        path.read_text("utf-8"),
        re.DOTALL,
    )
    return json.loads(found[1])


def plain(name: str) -> str:
    """As resolution shows a name that the text writes in LaTeX."""
    return name.casefold().replace("$\\mu$", "μ")


def by_label(drawn, label: str) -> str:
    return next(n for n, d in drawn.nodes(data=True) if d["label"] == label)


def test_every_edge_has_statements_whose_marks_are_its_ends(store):
    drawn = network(store)
    details = store_details(store)(drawn)
    assert set(details.edges) == set(drawn.edges(keys=True))
    names = {
        n: {plain(name) for name in (d["label"], *d.get("aliases", "").split(" | "))}
        for n, d in drawn.nodes(data=True)
    }
    for (head, tail, kind), statements in details.edges.items():
        assert statements
        for said in statements:
            assert said.kind == kind
            assert said.paper in details.papers
            start, end = said.head
            assert plain(said.sentence[start:end]) in names[head]
            start, end = said.tail
            assert plain(said.sentence[start:end]) in names[tail]


def test_a_nodes_years_add_up_to_its_papers(store):
    drawn = network(store)
    details = store_details(store)(drawn)
    for node, data in drawn.nodes(data=True):
        assert sum(details.years[node].values()) == data["papers"]
        assert min(details.years[node]) == data["first_year"]
        assert max(details.years[node]) == data["last_year"]


def test_the_weightiest_role_stands_first_and_no_more_than_asked(store):
    drawn = network(store)
    beacon = by_label(drawn, "BeaconNet")
    assert [s.kind for s in store_details(store)(drawn).nodes[beacon]] == ["proposes", "studies"]
    few = store_details(store, per_node=1, per_edge=1)(drawn)
    assert {len(s) for s in (*few.nodes.values(), *few.edges.values())} == {1}


def test_papers_are_cited_with_title_year_venue_and_link(store):
    papers = store_details(store)(network(store)).papers.values()
    beacon = next(p for p in papers if p.title.startswith("BeaconNet"))
    assert (beacon.year, beacon.venue, beacon.authors) == (2024, "ICML", "Bo Quill")
    assert beacon.url == "https://doi.org/10.5555/beacon.1"


def test_papers_as_nodes_have_what_they_say(store):
    drawn = network(store, projection="bipartite")
    details = store_details(store)(drawn)
    for node, kind in drawn.nodes(data="type"):
        assert details.nodes[node]
        if kind == "Paper":
            assert {s.paper for s in details.nodes[node]} == {node}
    assert set(details.edges) == set(drawn.edges(keys=True))


def test_no_details_say_nothing(store):
    assert no_details(network(store)).edges == {}


def test_view_writes_the_whole_graph(store, tmp_path):
    report = view(store, tmp_path / "deep" / "g.html")
    drawn, graph = network(store), read(report.path, "graph")
    assert {n["iri"] for n in graph["nodes"]} == set(drawn)
    assert (report.nodes, report.edges) == (len(graph["nodes"]), len(graph["edges"]))
    assert report.hidden_edges == drawn.number_of_edges() - report.edges
    assert all(read(report.path, "evidence")["edges"])
    again = view(store, tmp_path / "again.html")
    assert again.path.read_bytes() == report.path.read_bytes()


def test_focus_is_selected_and_gives_the_title(store, tmp_path):
    report = view(store, tmp_path / "g.html", Part(focus="beaconnet", hops=1))
    graph = read(report.path, "graph")
    assert graph["nodes"][graph["focus"]]["label"] == graph["title"] == "BeaconNet"
    near = {
        e[k]
        for e in graph["edges"]
        for k in ("from", "to")
        if graph["focus"] in (e["from"], e["to"])
    }
    assert near == set(range(len(graph["nodes"])))


def test_a_paper_as_focus_is_drawn_with_what_it_names(store, tmp_path):
    title = next(
        p.title for p in store_details(store)(network(store)).papers.values()
        if p.title.startswith("BeaconNet")
    )  # fmt: skip
    graph = read(view(store, tmp_path / "g.html", Part(focus=title)).path, "graph")
    focus = graph["nodes"][graph["focus"]]
    assert focus["label"] == graph["title"] == title
    drawn = network(store, Part(focus=focus["iri"]), projection="bipartite")
    assert {n["iri"] for n in graph["nodes"]} == set(drawn)
    assert {e["from"] for e in graph["edges"]} == {graph["focus"]}


def test_roles_and_venues_of_the_page_are_those_of_its_papers(store, tmp_path):
    graph = read(view(store, tmp_path / "g.html").path, "graph")
    stated = facts.roles(store)
    venues = facts.texts(store, "kg:venue", set(facts.paper_years(store)))
    for node in graph["nodes"]:
        mine = [(f[0], f[2]) for f in stated if f[3] == node["iri"]]
        assert {graph["roles"][i]["name"] for i in node["roles"]} == {role for _, role in mine}
        assert {graph["venues"][i] for i in node["venues"]} == {
            venues.get(paper, [""])[0] for paper, _ in mine
        }
    by_relation = {}
    for paper, head, kind, tail in facts.relations(store):
        by_relation.setdefault((head, kind, tail), set()).add(venues.get(paper, [""])[0])
    for edge in graph["edges"]:
        ends = graph["nodes"][edge["from"]]["iri"], graph["nodes"][edge["to"]]["iri"]
        wanted = by_relation[ends[0], graph["kinds"][edge["kind"]]["name"], ends[1]]
        assert {graph["venues"][i] for i in edge["venues"]} == wanted


def test_top_types_and_query_choose(store, tmp_path):
    assert view(store, tmp_path / "a.html", Part(top=4)).nodes == 4
    view(store, tmp_path / "b.html", Part(types=("Task",)))
    assert [t["name"] for t in read(tmp_path / "b.html", "graph")["types"]] == ["Task"]
    view(store, tmp_path / "c.html", query="SELECT ?p ?b { ?p kg:evaluatesOn ?b }", title="On what")
    graph = read(tmp_path / "c.html", "graph")
    assert graph["title"] == "On what"
    assert {k["name"] for k in graph["kinds"]} == {"b"}
    assert [t["name"] for t in graph["types"]][-1] == "Paper"


@pytest.mark.parametrize(
    ("part", "options", "words"),
    [
        (Part(years=(1801, 1802)), {}, "nothing to draw"),
        (Part(focus="beaconnet"), {"query": "top-methods"}, "use one"),
        (Part(top=3), {"query": "top-methods"}, "leave out the filters"),
        (Part(focus="no such thing at all"), {}, "no such thing at all"),
        (Part(), {"renderer": "crayon"}, "'crayon'; known: vis, sigma"),
    ],
)
def test_what_cannot_be_drawn_is_said(store, tmp_path, part, options, words):
    with pytest.raises(QueryError, match=words):
        view(store, tmp_path / "g.html", part, **options)
    assert not list(tmp_path.iterdir())
