"""`kg view`, `export`, `show`, `stats`, `validate`, `evaluate`: files written, words printed."""

from __future__ import annotations

import json
import sys

import networkx as nx
import pytest
import rdflib
from defusedxml import ElementTree


def test_view_writes_one_page(run_kg, sample_graph, tmp_path):
    run = run_kg("view", "-o", tmp_path / "new" / "page.html", "--graph", sample_graph)
    assert (run.code, run.out) == (0, "")
    assert "BeaconNet" in (tmp_path / "new" / "page.html").read_text(encoding="utf-8")


def test_view_goes_to_exports_by_default(run_kg, sample_graph, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_kg("view", "--graph", sample_graph)
    assert [str(p) for p in tmp_path.rglob("*.html")] == [str(tmp_path / "exports" / "graph.html")]


def test_view_to_standard_output_is_the_same_page(run_kg, sample_graph, tmp_path):
    run_kg("view", "-o", tmp_path / "page.html", "--graph", sample_graph)
    run = run_kg("view", "-o", "-", "--graph", sample_graph)
    assert run.out_bytes == (tmp_path / "page.html").read_bytes()


def test_view_draws_what_is_asked_for(run_kg, sample_graph, tmp_path):
    options = ["--focus", "webtalk", "--types", "method,benchmark", "--years", "2022-2022"]
    page = tmp_path / "page.html"
    run = run_kg("view", *options, "--title", "One year", "-o", page, "--graph", sample_graph)
    assert "One year" in page.read_text(encoding="utf-8")
    # WebTalk with the two methods that its own paper studies on it
    assert "3 nodes, 2 edges" in run.err


# rdflib 7's own parser of TriG still makes the deprecated graph
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("suffix", "count"),
    [
        ("gexf", lambda p: len(ElementTree.parse(p).getroot().findall(".//{*}node"))),
        ("graphml", lambda p: len(nx.read_graphml(p))),
        ("json", lambda p: len(nx.node_link_graph(json.loads(p.read_text()), edges="edges"))),
        ("ttl", lambda p: len(rdflib.Graph().parse(p))),
        ("nt", lambda p: len(rdflib.Graph().parse(p))),
        ("trig", lambda p: len(rdflib.Dataset().parse(p))),
        ("nq", lambda p: len(p.read_bytes().splitlines())),
        ("jsonld", lambda p: len(json.loads(p.read_text()))),
        ("cypher", lambda p: p.read_text().count("BeaconNet")),
    ],
)
def test_export_writes_what_the_suffix_says(run_kg, sample_graph, tmp_path, suffix, count):
    file = tmp_path / "new" / f"graph.{suffix}"
    run = run_kg("export", file, "--graph", sample_graph)
    assert (run.code, run.out) == (0, "")
    assert count(file) > 0
    piped = run_kg("export", "-", "--format", suffix, "--graph", sample_graph)
    assert piped.out_bytes == file.read_bytes()


def test_export_to_csv_writes_and_names_two_files(run_kg, sample_graph, tmp_path):
    run = run_kg("export", tmp_path / "graph.csv", "--graph", sample_graph)
    written = sorted(p.name for p in tmp_path.iterdir())
    assert written == ["graph-edges.csv", "graph-nodes.csv"]
    assert all(name in run.err for name in written)


def test_export_of_a_part(run_kg, sample_graph, tmp_path):
    file = tmp_path / "part.gexf"
    run_kg("export", file, "--projection", "bipartite", "--types", "Task", "--graph", sample_graph)
    nodes = ElementTree.parse(file).getroot().findall(".//{*}node")
    labels = {node.get("label") for node in nodes}
    assert "machine translation" in labels
    assert "GateRNN" not in labels


def test_show_tells_of_an_entity_with_its_sentences(run_kg, sample_graph):
    run = run_kg("show", "beaconnet", "--graph", sample_graph)
    assert run.code == 0
    assert run.out.startswith("BeaconNet")
    assert "Method" in run.out
    assert "LanternNet" in run.out
    assert "beats LanternNet at summarisation" in run.out


def test_show_tells_of_a_paper(run_kg, sample_graph):
    run = run_kg("show", "doi:10.5555/beacon.1", "--graph", sample_graph)
    assert run.out.startswith("BeaconNet for long documents")
    assert "Bo Quill" in run.out
    assert "PaperPile-9" in run.out


def test_stats_count_what_is_there(run_kg, sample_graph):
    out = run_kg("stats", "--graph", sample_graph).out
    assert "6" in out
    assert "2024" in out
    assert "NeurIPS" in out
    assert "outperforms" in out


def test_validate_is_clean_on_what_build_writes(run_kg, sample_graph):
    run = run_kg("validate", "--graph", sample_graph)
    assert (run.code, run.out) == (0, "")


def test_evaluate_scores_records(run_kg, tmp_path):
    gold = {
        "id": "a",
        "title": "",
        "abstract": "LanternNet helps translation. GateRNN does not.",
        "entities": [
            {"id": "e1", "type": "Method", "role": "proposes", "mentions": ["LanternNet"]},
            {"id": "e2", "type": "Task", "role": "addresses", "mentions": ["translation"]},
        ],
        "relations": [["e1", "usedFor", "e2"]],
    }
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    half = gold | {"entities": gold["entities"][:1], "relations": []}
    (tmp_path / "half.jsonl").write_text(json.dumps(half))
    out = run_kg("evaluate", tmp_path / "gold.jsonl", tmp_path / "half.jsonl").out
    rows = {line.split()[0]: line.split()[2:7:2] for line in out.splitlines()}
    assert rows["mention"] == ["1.000", "0.500", "0.667"]
    assert rows["relation"] == ["0.000", "0.000", "0.000"]


def test_training_without_pytorch_says_what_to_install(run_kg, tmp_path, monkeypatch):
    # what importlib finds where a module is None is what it finds where it is not installed
    monkeypatch.setitem(sys.modules, "torch", None)
    run = run_kg("train", tmp_path / "x.jsonl", "-o", tmp_path / "model")
    assert run.code == 1
    assert "pip install 'kg[train]'" in run.err


def test_a_gallery_from_the_command_line(run_kg, sample_graph, tmp_path):
    ran = run_kg("view", "--gallery", tmp_path / "g", "--graph", sample_graph)
    assert ran.code == 0, ran.err
    files = {p.name for p in (tmp_path / "g").iterdir()}
    assert {"index.html", "overview.html", "timeline.html", "matrix.html"} <= files
    assert ran.err.splitlines()[-1].startswith(f"wrote {tmp_path / 'g' / 'index.html'}")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--compare", "2020,2021"], "name --gallery DIR"),
        (["--gallery", "{out}", "--compare", "2020"], "write two years or venues"),
        (["--gallery", "{out}", "--compare", "1066,1067"], "'1066'"),
        (["--gallery", "{out}", "--focus", "x"], "leave out --focus"),
        (["--renderer", "crayon", "-o", "{out}"], "'crayon'"),
    ],
)
def test_what_a_view_cannot_do_is_said_in_one_line(run_kg, sample_graph, tmp_path, options, words):
    given = [o.replace("{out}", str(tmp_path / "g")) for o in options]
    ran = run_kg("view", *given, "--graph", sample_graph)
    assert ran.code == 1
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
