"""`kg build`, `kg remove`, `kg extract`: what they leave on disk and print."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import sys

import building
import pytest

pytestmark = pytest.mark.usefixtures("known_papers")


@pytest.fixture
def papers(tmp_path):
    """The invented papers as a file of JSON lines."""
    file = tmp_path / "papers.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for found in building.sample():
            paper = found.abstract
            record = {
                "id": paper.id,
                "title": paper.title,
                "abstract": paper.abstract,
                "authors": list(paper.authors),
                "venue": paper.venue,
                "year": paper.year,
            }
            lines.write(json.dumps(record) + "\n")
    return file


def counts(notes: str) -> dict[str, str]:
    """The table at the end of a build."""
    rows = (re.split("  +", line) for line in notes.splitlines() if not line.startswith(" "))
    return {name: figure for name, figure, *_ in rows}


def titles(run_kg, graph) -> list[str]:
    query = "SELECT ?t { ?p a kg:Paper OPTIONAL { ?p dcterms:title ?t } } ORDER BY ?t"
    return run_kg("query", query, "--format", "csv", "--graph", graph).out.splitlines()[1:]


def test_a_build_ends_with_its_counts(run_kg, papers, tmp_path):
    run = run_kg("build", papers, "--graph", tmp_path / "g")
    assert run.code == 0
    assert run.out == ""
    table = counts(run.err)
    assert table["papers new"] == "6"
    assert table["papers skipped"] == "0"
    assert int(table["entities"]) > 10
    assert int(table["edges"]) > 20
    last = run.err.splitlines()[-1]
    total, *stages = map(float, re.findall(r"\d+\.\d", last))
    assert re.sub(r"\d+(\.\d)?", "0", last).split("0  ")[1] == (
        "(reading 0, extraction 0 = 0%, resolving 0, writing 0)"
    )
    assert len(stages) == 4
    assert sum(stages) == pytest.approx(total, abs=0.3)
    assert len(titles(run_kg, tmp_path / "g")) == 6


def test_a_second_build_finds_all_unchanged(run_kg, papers, tmp_path):
    run_kg("build", papers, "--graph", tmp_path / "g")
    table = counts(run_kg("build", papers, "--graph", tmp_path / "g").err)
    assert (table["papers new"], table["papers unchanged"]) == ("0", "6")


def test_each_skipped_record_is_named_with_its_reason(run_kg, papers, tmp_path):
    with papers.open("a") as lines:
        lines.write('{"id": "empty", "title": "Nothing to say"}\n{"id": "broken", \n')
    run = run_kg("build", papers, "--graph", tmp_path / "g")
    assert run.code == 0
    assert counts(run.err)["papers skipped"] == "2"
    named = [line for line in run.err.splitlines() if line.startswith("  ")]
    assert [":7: " in named[0], ":8: " in named[1]] == [True, True]


def test_several_inputs_and_standard_input_go_into_one_graph(run_kg, papers, tmp_path):
    first, *rest = papers.read_text(encoding="utf-8").splitlines(keepends=True)
    papers.write_text("".join(rest), encoding="utf-8")
    run = run_kg("build", papers, "-", "--graph", tmp_path / "g", stdin=first)
    assert counts(run.err)["papers new"] == "6"


def test_venue_and_year_fill_in_where_none_is_given(run_kg, tmp_path):
    paper = building.sample()[3].abstract
    (tmp_path / "one.jsonl").write_text(json.dumps({"abstract": paper.abstract}))
    run_kg(
        "build",
        tmp_path / "one.jsonl",
        "--venue",
        "COLT",
        "--year",
        "2021",
        "--graph",
        tmp_path / "g",
    )
    query = "SELECT ?v (STR(?y) AS ?year) { ?p kg:venue ?v ; dcterms:issued ?y }"
    out = run_kg("query", query, "--format", "csv", "--graph", tmp_path / "g").out
    assert out.splitlines()[1:] == ["COLT,2021"]


def test_a_removed_paper_is_gone_and_its_entities_with_it(run_kg, papers, tmp_path):
    run_kg("build", papers, "--graph", tmp_path / "g")
    run = run_kg("remove", "sgd", "--graph", tmp_path / "g")
    assert run.code == 0
    assert counts(run.err)["papers removed"] == "1"
    assert len(titles(run_kg, tmp_path / "g")) == 5
    ask = "ASK { ?e skos:prefLabel ?l FILTER(CONTAINS(LCASE(STR(?l)), 'gradient descent')) }"
    assert "no" in run_kg("query", ask, "--graph", tmp_path / "g").out


def test_a_paper_that_is_not_there_cannot_be_removed(run_kg, papers, tmp_path):
    run_kg("build", papers, "--graph", tmp_path / "g")
    run = run_kg("remove", "no-such-paper", "--graph", tmp_path / "g")
    assert run.code == 1
    assert "'no-such-paper'" in run.err
    assert len(titles(run_kg, tmp_path / "g")) == 6


def test_extract_writes_the_records_of_an_annotator(run_kg, papers):
    run = run_kg("extract", papers)
    assert run.code == 0
    records = [json.loads(line) for line in run.out.splitlines()]
    assert [r["id"] for r in records] == [f.abstract.id for f in building.sample()]
    for record, found in zip(records, building.sample(), strict=True):
        document = found.abstract.document
        for entity in record["entities"]:
            assert {document[a:b] for a, b in entity["spans"]} == set(entity["mentions"])
        ids = {entity["id"] for entity in record["entities"]}
        assert all(head in ids and tail in ids for head, _, tail in record["relations"])
        assert len(record["evidence"]) == len(record["relations"]) == len(found.relations)
        for proof in record["evidence"]:
            start, end = proof["span"]
            assert document[start:end] == proof["sentence"]


def test_extract_to_a_file_prints_nothing(run_kg, papers, tmp_path):
    run = run_kg("extract", papers, "-o", tmp_path / "new" / "records.jsonl")
    assert run.out == ""
    assert (tmp_path / "new" / "records.jsonl").read_text().count("\n") == 6


def test_extract_stores_nothing(run_kg, papers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_kg("extract", papers)
    assert [path.name for path in tmp_path.iterdir()] == ["papers.jsonl"]


def test_a_paper_without_an_id_goes_by_its_key(run_kg, tmp_path):
    paper = building.sample()[3].abstract
    (tmp_path / "one.jsonl").write_text(json.dumps({"abstract": paper.abstract}))
    record = json.loads(run_kg("extract", tmp_path / "one.jsonl").out)
    run_kg("build", tmp_path / "one.jsonl", "--graph", tmp_path / "g")
    ask = f"ASK {{ paper:{record['id']} a kg:Paper }}"
    assert "yes" in run_kg("query", ask, "--graph", tmp_path / "g").out


@pytest.mark.parametrize("command", ["build", "extract"])
def test_a_bar_is_drawn_on_a_terminal_only(command, papers, tmp_path, monkeypatch, run_kg):
    extra = ["--graph", str(tmp_path / "g")] if command == "build" else ["-o", str(tmp_path / "o")]
    assert "papers/s" not in run_kg(command, papers, *extra).err

    from kg.cli import app

    terminal, process_end = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with os.fdopen(process_end, "w") as screen, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", screen)
        with pytest.raises(SystemExit) as end:
            app([command, str(papers), *extra])
        assert end.value.code == 0
    shown = os.read(terminal, 1_000_000).decode()
    os.close(terminal)
    assert "papers/s" in shown
    assert "6/6" in shown


def labels(run_kg, graph) -> set[str]:
    query = "SELECT ?l { ?e skos:prefLabel ?l }"
    return set(run_kg("query", query, "--format", "csv", "--graph", graph).out.splitlines()[1:])


def test_curation_holds_until_it_is_taken_away(run_kg, papers, tmp_path):
    graph = ["--graph", tmp_path / "g"]
    run_kg("build", papers, *graph)
    before = labels(run_kg, tmp_path / "g")
    decisions = tmp_path / "decisions.toml"
    decisions.write_text(
        'rename = [{ name = "GateRNN", to = "Gated RNN" }, { name = "no such thing", to = "x" }]\n'
    )
    run = run_kg("build", papers, *graph, "--curation", decisions)
    assert run.code == 0
    assert "decisions.toml: rename 2: no longer applies: no entity" in run.err
    assert "Gated RNN" in labels(run_kg, tmp_path / "g")
    run = run_kg("remove", "sgd", *graph)
    assert "the curation of an earlier build still holds (2 decisions)" in run.err
    assert "Gated RNN" in labels(run_kg, tmp_path / "g")
    run = run_kg("build", papers, *graph, "--no-curation")
    assert "still holds" not in run.err
    assert labels(run_kg, tmp_path / "g") == before


def test_vocabulary_and_confidence(run_kg, papers, tmp_path):
    vocabulary = tmp_path / "v.ttl"
    vocabulary.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<https://v.example/mt> skos:prefLabel "machine translation" .\n'
    )
    graph = ["--graph", tmp_path / "g"]
    run = run_kg("build", papers, *graph, "--vocabulary", vocabulary, "--min-confidence", "0.8")
    assert counts(run.err)["links out"] == "1"
    ask = "ASK { task:machine-translation skos:exactMatch <https://v.example/mt> }"
    assert "yes" in run_kg("query", ask, *graph).out
    # the invented relations are sure to 0.7
    assert "no" in run_kg("query", "ASK { ?a kg:outperforms ?b }", *graph).out
    run = run_kg("build", papers, *graph, "--no-vocabulary", "--min-confidence", "0")
    assert "links out" not in run.err
    assert "no" in run_kg("query", ask, *graph).out
    assert "yes" in run_kg("query", "ASK { ?a kg:outperforms ?b }", *graph).out


def test_a_file_and_its_absence_are_not_asked_for_at_once(run_kg, papers, tmp_path):
    (tmp_path / "d.toml").write_text("")
    run = run_kg("build", papers, "--curation", tmp_path / "d.toml", "--no-curation")
    assert run.code == 2
    run = run_kg("build", papers, "--vocabulary", tmp_path / "d.toml", "--no-vocabulary")
    assert run.code == 2


def test_curate_suggest_writes_a_curation_file(run_kg, papers, tmp_path):
    run_kg("build", papers, "--graph", tmp_path / "g")
    run = run_kg("curate", "suggest", "--graph", tmp_path / "g", "-o", tmp_path / "s.toml")
    assert (run.code, run.out) == (0, "")
    assert (
        run_kg("curate", "suggest", "--graph", tmp_path / "g").out.encode()
        == (tmp_path / "s.toml").read_bytes()
    )
    run = run_kg("build", papers, "--graph", tmp_path / "g", "--curation", tmp_path / "s.toml")
    assert run.code == 0
    assert counts(run.err)["papers unchanged"] == "6"


def test_a_new_model_is_announced_before_it_reads(run_kg, papers, tmp_path, monkeypatch):
    run_kg("build", papers, "--graph", tmp_path / "g")
    known = building.extractor(building.sample())
    told = []

    def extract(abstracts, *, model=None, jobs=None):
        for found in known(abstracts):
            told.append("read")
            yield found

    monkeypatch.setattr("kg.extract.extract", extract)
    monkeypatch.setattr("kg.extract.model_name", lambda model=None: "test/2")
    monkeypatch.setattr(
        "kg.build.rebuild.logger.warning", lambda text, *values: told.append(text % values)
    )
    run_kg("build", papers, "--graph", tmp_path / "g")
    assert told[0] == "the model changed from test/1 to test/2: all 6 papers are read again"
    assert told[1:] == ["read"] * 6
