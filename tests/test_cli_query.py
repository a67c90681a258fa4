"""`kg query`: every way to ask, every form of answer."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
import rdflib

OUTPERFORMS = (
    "SELECT ?winner ?loser { GRAPH ?g { ?winner kg:outperforms ?loser } } ORDER BY ?winner ?loser"
)
PAIRS = {("LanternNet", "GateRNN"), ("BeaconNet", "LanternNet")}


@pytest.fixture
def ask(run_kg, sample_graph):
    def run(*arguments, stdin=None):
        return run_kg("query", *arguments, "--graph", sample_graph, stdin=stdin)

    return run


@pytest.mark.parametrize("how", ["text", "file", "standard input"])
def test_a_question_is_text_a_file_or_standard_input(ask, tmp_path, how):
    (tmp_path / "q.rq").write_text(OUTPERFORMS)
    given = {"text": OUTPERFORMS, "file": tmp_path / "q.rq", "standard input": "-"}[how]
    run = ask(given, "--iris", "--format", "json", stdin=OUTPERFORMS if given == "-" else None)
    bindings = json.loads(run.out)["results"]["bindings"]
    ends = [(b["winner"]["value"], b["loser"]["value"]) for b in bindings]
    names = {tuple(iri.rsplit("/", 1)[1] for iri in pair) for pair in ends}
    assert names == {(a.lower(), b.lower()) for a, b in PAIRS}


def test_a_table_names_things(ask):
    lines = ask(OUTPERFORMS).out.splitlines()
    assert lines[0].split() == ["winner", "loser"]
    assert {tuple(line.split()) for line in lines[2:]} == PAIRS
    assert all(line == line.rstrip() for line in lines)


def test_iris_stand_beside_the_names_where_asked_for(ask):
    lines = ask(OUTPERFORMS, "--iris").out.splitlines()
    assert lines[0].split() == ["winner", "winner_iri", "loser", "loser_iri"]
    assert "https://kg.example/id/method/" in lines[2]


def test_a_table_in_a_pipe_is_as_wide_as_its_widest_row(ask):
    run = ask("SELECT ?e { ?s kg:evidence ?e } ORDER BY DESC(STRLEN(?e)) LIMIT 1")
    sentence = run.out.splitlines()[2]
    assert len(sentence) > 80
    assert sentence.endswith(".")


@pytest.mark.parametrize("form", ["csv", "tsv", "md", "json"])
def test_a_saved_query_names_things_in_every_form(ask, form):
    out = ask("outperforms", "--format", form).out
    assert all(name in out for pair in PAIRS for name in pair)
    if form in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(out), delimiter="," if form == "csv" else "\t"))
        assert len(rows) == 2
    if form == "json":
        assert len(json.loads(out)) == 2


def test_xml_is_that_of_the_sparql_results_format(ask):
    root = ElementTree.fromstring(ask(OUTPERFORMS, "--format", "xml").out)  # noqa: S314
    assert len(root.findall(".//{*}result")) == 2


# rdflib 7's own parser of JSON-LD still makes the deprecated graph
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("form", "parser"),
    [(None, "turtle"), ("ttl", "turtle"), ("nt", "nt"), ("jsonld", "json-ld"), ("rdfxml", "xml")],
)
def test_a_construct_gives_rdf(ask, form, parser):
    text = "CONSTRUCT { ?a kg:outperforms ?b } WHERE { ?a kg:outperforms ?b }"
    out = ask(text, *(["--format", form] if form else [])).out
    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(data=out, format=parser)
    assert len(set(dataset.triples((None, None, None)))) == 2


def test_an_answer_may_go_to_a_file(ask, tmp_path):
    run = ask(OUTPERFORMS, "-o", tmp_path / "new" / "answer.csv")
    assert run.out == ""
    assert (tmp_path / "new" / "answer.csv").read_text().count("\n") == 3


def test_parameters_are_names_as_people_type_them(ask):
    run = ask("evaluated-on", "-p", "benchmark=webtalk", "-p", "method=gaternn", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert [row["method"] for row in rows] == ["GateRNN"]


def test_the_limit_holds_for_every_form(ask):
    for form in ("csv", "tsv", "md", "json"):
        out = ask("top-methods", "--limit", "1", "--format", form).out
        rows = json.loads(out) if form == "json" else out.splitlines()[{"md": 2}.get(form, 1) :]
        assert len(rows) == 1, form


def test_an_empty_answer_says_why(ask):
    run = ask("evaluated-on", "-p", "benchmark=QuizBowl & co", "-p", "method=BeaconNet")
    assert run.code == 0
    assert run.err.strip()


def test_a_runaway_question_is_stopped(ask):
    spokes = " . ".join(f"?s{i} ?p{i} ?o{i}" for i in range(6))
    run = ask(f"SELECT (COUNT(*) AS ?n) {{ {spokes} }}", "--timeout", "1")
    assert run.code == 1
    assert "1" in run.err


def test_the_saved_queries_are_listed_with_their_parameters(run_kg):
    from kg.query import saved_queries

    listed = run_kg("query", "--list").out
    for saved in saved_queries().values():
        assert f"\n{saved.name}: {saved.title}\n" in listed
        for parameter in saved.parameters:
            assert f"-p {parameter.name}={parameter.type}" in listed


def test_own_saved_queries_may_stand_in_a_folder(ask, run_kg, tmp_path):
    (tmp_path / "mine.rq").write_text("# title: Mine\n" + OUTPERFORMS)
    assert "mine: Mine" in run_kg("query", "--list", "--queries", tmp_path).out
    out = ask("mine", "--queries", tmp_path, "--format", "csv").out
    assert out.count("\n") == 3


def test_names_that_look_like_markup_are_shown_as_they_are(ask):
    out = ask("SELECT ('[bold]a[/bold] [link=x]' AS ?x) {}").out
    assert out.splitlines()[2] == "[bold]a[/bold] [link=x]"


def test_control_characters_do_not_reach_the_terminal(ask):
    out = ask('SELECT ("a\\u001b[31mb\\u202Ec" AS ?x) {}').out
    assert out.splitlines()[2] == "a [31mb c"


def test_counts_are_corrected_by_the_card_of_the_graphs_model(ask, tmp_path):
    counts = {"Method": {"right": 10**9, "found": 10**9}}
    (tmp_path / "card.json").write_text(json.dumps({"model": "test/1", "precision": counts}))
    corrected = ("top-methods", "--corrected", "--model", tmp_path, "--format", "csv")
    for row in csv.DictReader(io.StringIO(ask(*corrected).out)):
        assert row["papers_low"] == row["papers_high"] == row["papers"]
        assert row["proposing_low"] == ""
    other = ask("top-methods", "--corrected")
    assert other.code == 1
    assert "'test/1'" in other.err
    assert other.err.count("\n") == 1
