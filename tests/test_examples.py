"""The shipped sample: complete, well-formed, and rich enough for the questions asked of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).parent.parent / "examples" / "landmarks.jsonl"
FIELDS = {"id": str, "title": str, "year": int, "venue": str, "authors": list, "abstract": str}
OPTIONAL = {"doi": r"10\.\d{4,}/\S+", "url": r"https://\S+"}
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z0-9])")

RECORDS: list[dict[str, Any]] = [
    json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()
]
each_record = pytest.mark.parametrize("record", RECORDS, ids=[r["id"] for r in RECORDS])


def naming(pattern: str) -> set[str]:
    return {r["id"] for r in RECORDS if re.search(pattern, r["abstract"])}


def test_file_is_plain_jsonl() -> None:
    raw = SAMPLE.read_bytes()
    assert b"\r" not in raw
    assert raw.startswith(b"{")  # no byte order mark
    assert raw.endswith(b"}\n")
    assert all(line.startswith("{") for line in raw.decode("utf-8").splitlines())


def test_enough_papers_over_enough_years() -> None:
    assert len(RECORDS) >= 40
    years = {r["year"] for r in RECORDS}
    assert min(years) < 1990
    assert max(years) >= 2024


def test_readme_states_the_number_of_papers() -> None:
    text = (SAMPLE.parent / "README.md").read_text(encoding="utf-8")
    assert f"holds {len(RECORDS)} well-known" in text


def test_sorted_by_year_and_id() -> None:
    keys = [(r["year"], r["id"]) for r in RECORDS]
    assert keys == sorted(keys)


@pytest.mark.parametrize("field", ["id", "title", "abstract", "doi", "url"])
def test_no_value_twice(field: str) -> None:
    values = [r[field].casefold() for r in RECORDS if field in r]
    assert len(values) == len(set(values))


@each_record
def test_fields(record: dict[str, Any]) -> None:
    assert set(FIELDS) <= set(record) <= set(FIELDS) | set(OPTIONAL)
    for name, kind in FIELDS.items():
        assert type(record[name]) is kind, name
        assert record[name], name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", record["id"])
    for name, pattern in OPTIONAL.items():
        if name in record:
            assert re.fullmatch(pattern, record[name]), name


@each_record
def test_texts_are_clean(record: dict[str, Any]) -> None:
    for text in (record["title"], record["venue"], record["abstract"], *record["authors"]):
        assert isinstance(text, str)
        assert text
        assert text == " ".join(text.split())
    assert len(record["authors"]) == len(set(record["authors"]))


@each_record
def test_abstract_has_three_to_six_sentences(record: dict[str, Any]) -> None:
    sentences = SENTENCE_END.split(record["abstract"])
    assert 3 <= len(sentences) <= 6
    assert all(s[0].isupper() or s[0].isdigit() for s in sentences)
    assert record["abstract"][-1] == "."


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(builds on|based on|extends)[^.]*\bTransformer\b",
         {"bert", "gpt", "gpt-2", "gpt-3", "t5", "vit", "detr", "transformer-xl", "llama"}),
        (r"evaluate[^.]*\bImageNet\b",
         {"vgg", "densenet", "vit", "deit", "mae", "simclr", "convnext", "clip"}),
        (r"outperforms[^.]*\bBERT\b", {"xlnet", "roberta", "albert", "electra"}),
        (r"outperforms[^.]*\bGPT-3\b", {"instructgpt", "chinchilla", "llama", "humaneval"}),
    ],
)  # fmt: skip
def test_questions_have_answers(pattern: str, expected: set[str]) -> None:
    assert expected <= naming(pattern)
