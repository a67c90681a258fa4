"""The user's own file and the corpus, where they stand beside the project."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from kg.readers import read_abstracts
from kg.records import Abstract

SHARED = Path(__file__).parents[3] / "shared"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there"),
]


def test_the_seeds_are_nineteen_papers():
    records = list(read_abstracts(SHARED / "seeds/neurips-2026.txt", venue="NeurIPS", year=2026))
    papers = [record for record in records if isinstance(record, Abstract)]
    assert len(records) == len(papers) == 19
    assert {(p.title, p.venue, p.year) for p in papers} == {("", "NeurIPS", 2026)}
    text = (SHARED / "seeds/neurips-2026.txt").read_text(encoding="utf-8")
    assert all(paper.document in text for paper in papers)
    assert any(r"\projectname" in paper.document for paper in papers)


def test_the_corpus_begins_whole():
    path = SHARED / "corpus/papers-12k.jsonl.xz"
    papers = list(itertools.islice(read_abstracts(path), 200))
    assert all(isinstance(p, Abstract) and p.title and p.authors and p.year for p in papers)
    assert papers[199].source.endswith("papers-12k.jsonl.xz:200")
