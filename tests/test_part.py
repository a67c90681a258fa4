"""What chooses a part of a graph does so in a page and in a file alike."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import asking
import bibtexparser
import pytest
from building import extraction

from kg.graph import open_graph
from kg.network import PROJECTIONS

K, G, F, S = "Kite", "Glider", "flight", "SkyTest"


def sure(paper, role: float, relation: float):
    """`paper` with these confidences in place of its own."""
    return replace(
        paper,
        entities=tuple(replace(e, role_confidence=role) for e in paper.entities),
        relations=tuple(replace(r, confidence=relation) for r in paper.relations),
    )


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    papers = [
        sure(extraction(
            "Kites fly",
            "We propose [Kite|e1] for [flight|e2]. [Kite|e1] outperforms [Glider|e3].",
            "e1 Method proposes, e2 Task addresses, e3 Method comparesWith",
            "e1 usedFor e2, e1 outperforms e3",
            id="a", venue="NeurIPS", year=2020,
        ), 0.9, 0.9),
        sure(extraction(
            "Kites in the sky",
            "We fly [Kite|e1] for [flight|e2], and evaluate it on [SkyTest|e3].",
            "e1 Method uses, e2 Task addresses, e3 Benchmark evaluatesOn",
            "e1 usedFor e2, e1 evaluatedOn e3",
            id="b", venue="ICML", year=2021,
        ), 0.4, 0.4),
        sure(extraction(
            "Gliders in the sky",
            "A study of [Glider|e1], evaluated on [SkyTest|e2].",
            "e1 Method studies, e2 Benchmark evaluatesOn",
            "e1 evaluatedOn e2",
            id="c", venue="ICML", year=2022,
        ), 0.8, 0.6),
        extraction("Silence", "Nothing is said here.", "", id="d", venue="ACL, the 60th"),
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("part") / "graph"
    with asking.graph(folder, papers):
        return folder


def data(path, of: str):
    found = re.search(rf'<script type="application/json" id="{of}-data">(.*?)</script>',
                      path.read_text("utf-8"), re.DOTALL)  # fmt: skip
    return json.loads(found[1])


def drawn(run_kg, graph, path, options):
    """Papers of each node and edge, of the page and of the file, which must say the same."""
    page, file = path / "g.html", path / "g.json"
    for command in (["view", "-o", page], ["export", file]):
        run = run_kg(*command, *options, "--graph", graph)
        assert run.code == 0, run.err
    read = data(page, "graph")
    names = [n["label"] for n in read["nodes"]]
    of_page = (
        {n["label"]: n["papers"] for n in read["nodes"]},
        {
            (names[e["from"]], read["kinds"][e["kind"]]["name"], names[e["to"]]): e["papers"]
            for e in read["edges"]
        },
    )
    read = json.loads(file.read_text("utf-8"))
    names = {n["id"]: n["label"] for n in read["nodes"]}
    of_file = (
        {n["label"]: n["papers"] for n in read["nodes"]},
        {(names[e["source"]], e["kind"], names[e["target"]]): e["papers"] for e in read["edges"]},
    )
    assert of_page == of_file
    return of_page


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("",
         ({K: 2, F: 2, G: 2, S: 2},
          "K usedFor F 2, K outperforms G 1, K evaluatedOn S 1, G evaluatedOn S 1")),
        ("--relation outperforms",
         ({K: 2, G: 2}, "K outperforms G 1")),
        ("--relation|Evaluated On,usedfor|--min-support|2",
         ({K: 2, F: 2}, "K usedFor F 2")),
        ("--role proposes",
         ({K: 1}, "")),
        ("--role|evaluates on",
         ({S: 2}, "")),
        ("--role proposes,comparesWith",
         ({K: 1, G: 1}, "K outperforms G 1")),
        ("--role addresses,studies --types Task",
         ({F: 2}, "")),
        ("--min-confidence 0.5",
         ({K: 1, F: 1, G: 2, S: 1}, "K usedFor F 1, K outperforms G 1, G evaluatedOn S 1")),
        ("--min-confidence 0.7",
         ({K: 1, F: 1, G: 2, S: 1}, "K usedFor F 1, K outperforms G 1")),
        ("--venue icml",
         ({K: 1, F: 1, G: 1, S: 2}, "K usedFor F 1, K evaluatedOn S 1, G evaluatedOn S 1")),
        ("--venue icml --min-confidence 0.5 --role studies",
         ({G: 1}, "")),
        ("--venue|ICML|--venue|neurips|--venue|ACL, the 60th|--focus|flight",
         ({K: 2, F: 2}, "K usedFor F 2")),
        ("--venue ICML --years 2022-2023",
         ({G: 1, S: 1}, "G evaluatedOn S 1")),
        ("--years -2020 --types Method",
         ({K: 1, G: 1}, "K outperforms G 1")),
        ("--focus SkyTest --relation evaluatedOn --hops 2",
         ({K: 2, G: 2, S: 2}, "K evaluatedOn S 1, G evaluatedOn S 1")),
        ("--focus Kite --venue NeurIPS --top 2 --relation outperforms",
         ({K: 1, G: 1}, "K outperforms G 1")),
    ],
)  # fmt: skip
def test_a_page_and_a_file_hold_what_is_asked_for(run_kg, graph, tmp_path, options, wanted):
    nodes, edges = wanted
    rows = [edge.split() for edge in edges.split(", ") if edge]
    name = {"K": K, "G": G, "F": F, "S": S}
    words = options.split("|") if "|" in options else options.split()
    assert drawn(run_kg, graph, tmp_path, words) == (
        nodes,
        {(name[head], kind, name[tail]): int(papers) for head, kind, tail, papers in rows},
    )


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        ("--venue ICML", {"Kites in the sky", "Gliders in the sky"}),
        ("--min-confidence 0.5", {"Kites fly", "Gliders in the sky"}),
        ("--role studies,comparesWith", {"Kites fly", "Gliders in the sky"}),
        ("--relation usedFor", {"Kites fly", "Kites in the sky"}),
        ("--years 2021-2021", {"Kites in the sky"}),
    ],
)
def test_what_is_said_and_cited_is_of_the_same_part(run_kg, graph, tmp_path, options, titles):
    run_kg("view", "-o", tmp_path / "g.html", *options.split(), "--graph", graph)
    evidence = data(tmp_path / "g.html", "evidence")
    if "--relation" in options:
        said = [s for edge in evidence["edges"] for s in edge]
    else:
        said = [s for node in evidence["nodes"] for s in node["said"]]
        assert sum(count for n in evidence["nodes"] for _, count in n["years"]) == len(said)
    assert {evidence["papers"][s["paper"]]["title"] for s in said} == titles
    if "--relation" not in options and "--role" not in options:
        run_kg("export", tmp_path / "g.bib", *options.split(), "--graph", graph)
        found = bibtexparser.parse_file(str(tmp_path / "g.bib")).entries
        assert {e["title"].strip("{}") for e in found} == {t for t in titles if t}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--relation", "usedFor,beats"], "no relation 'beats'; the relations are usedFor, partOf"),
        (["--role", "likes"], "no role 'likes'; the roles are proposes, evaluatesOn"),
        (["--types", "Thing"], "no entity type 'Thing'; the types are Method, Task"),
        (["--venue", "NIPS"], "no paper is of the venue 'NIPS'; known: ICML, ACL, the 60th"),
        (["--min-confidence", "0.95"], "nothing to"),
    ],
)
def test_an_unknown_value_is_refused_with_those_that_are_known(
    run_kg, graph, tmp_path, options, complaint
):
    for command in (["view", "-o", tmp_path / "g.html"], ["export", tmp_path / "g.gexf"]):
        run = run_kg(*command, *options, "--graph", graph)
        assert run.code == 1
        assert complaint in run.err
        assert run.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--relation=usedFor", "--venue=ICML", "--role=uses"])
def test_rdf_and_queries_take_no_part(run_kg, graph, tmp_path, option):
    assert "whole graph" in run_kg("export", tmp_path / "g.ttl", option, "--graph", graph).err
    query = ["--query", "SELECT ?m ?t { ?m kg:usedFor ?t }", option, "--graph", graph]
    for command in (["export", tmp_path / "g.gexf"], ["view", "-o", tmp_path / "g.html"]):
        assert "leave out the filters" in run_kg(*command, *query).err


def test_the_same_by_keywords(graph, tmp_path):
    with open_graph(graph) as opened:
        found = opened.network(relations=["outperforms"], venues=["neurips"], min_confidence=0.5)
        assert sorted(d["label"] for _, d in found.nodes(data=True)) == [G, K]
        report = opened.view(tmp_path / "g.html", roles=["studies"], types=None)
        assert (report.nodes, report.edges) == (1, 0)
        assert opened.export(tmp_path / "g.gexf", top=2, years=(2020, None)).nodes == 2


@pytest.mark.parametrize("projection", [p for p in PROJECTIONS if p != "entities"])
def test_other_projections_hold_the_part_too(graph, projection):
    with open_graph(graph) as opened:
        found = opened.network(projection=projection, venues=["ICML"], min_confidence=0.5)
    edges = {(u.rpartition("/")[2], k, v.rpartition("/")[2]) for u, v, k in found.edges(keys=True)}
    ends = {tuple(sorted(end for end in (u, v) if "skytest" in end or "glider" in end))
            for u, _, v in edges}  # fmt: skip
    # the one paper of that venue that is sure ties the two it names, and nothing else
    assert (
        ends
        == {
            "cooccurrence": {("glider", "skytest")},
            "papers": set(),
            "bipartite": {("glider",), ("skytest",)},
            "benchmarks": {("glider", "skytest")},
        }[projection]
    )
