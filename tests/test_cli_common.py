"""What the commands share: where output goes, what a reader is told."""

from __future__ import annotations

import pytest


def test_what_fails_leaves_the_older_file(tmp_path):
    from kg.cli.common import output

    path = tmp_path / "records.jsonl"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), output(path) as sink:
        sink.write(b"new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    with output(path) as sink:
        sink.write(b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["records.jsonl"]
    assert path.read_text() == "new"


def test_one_bad_input_of_several_is_skipped_and_named(tmp_path):
    from kg.cli.common import read_inputs
    from kg.records import Abstract, Skipped

    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.dat"
    good.write_text('{"title": "Moss", "abstract": "We grow moss nets on old walls."}\n')
    bad.write_bytes(bytes(range(256)) * 20)
    names = [str(bad), str(good)]
    records = list(read_inputs(names, input_format=None, venue="", year=None))
    assert [type(r) for r in records] == [Skipped, Abstract]
    assert records[0].source == str(bad)


def test_inputs_without_a_paper_are_an_error_before_anything_is_written(tmp_path, run_kg):
    empty = tmp_path / "none.jsonl"
    empty.write_text('{"title": "no abstract"}\n')
    assert run_kg("build", empty, "--graph", tmp_path / "g").code == 1
    assert not (tmp_path / "g").exists()


def test_a_graph_is_not_made_among_other_things(tmp_path, run_kg):
    (tmp_path / "thesis.tex").write_text("my work")
    paper = tmp_path / "paper.jsonl"
    paper.write_text('{"title": "Moss", "abstract": "We grow moss nets on old walls."}\n')
    done = run_kg("build", paper, "--graph", tmp_path)
    assert done.code == 1
    assert "thesis.tex" in done.err or "paper.jsonl" in done.err
    assert not (tmp_path / "kg.json").exists()


@pytest.mark.parametrize("year", ["-3", "12", "20255"])
def test_a_year_that_is_none_is_wrong_usage(tmp_path, run_kg, year):
    paper = tmp_path / "paper.jsonl"
    paper.write_text('{"title": "Moss", "abstract": "We grow moss nets on old walls."}\n')
    assert run_kg("extract", paper, "--year", year).code == 2
