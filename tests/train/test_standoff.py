"""Annotations without texts: nothing of a text in them, everything back with it."""

import json
import lzma

import pytest

from kg.errors import InputError
from kg.train.standoff import SHIPPED, join, main, part

RECORD = {
    "id": "fern-1",
    "title": "Fern Nets (FN) for leaf sorting",
    "abstract": "Unlike moss trees, FN \U0001f33f sorts; Fern Nets beat $\\alpha$-moss trees.",
    "entities": [
        {"id": "a", "type": "Method", "role": "proposes", "mentions": ["Fern Nets", "FN"]},
        {"id": "b", "type": "Method", "role": "comparesWith", "mentions": ["$\\alpha$-moss trees"]},
        {"id": "c", "type": "Task", "role": "addresses", "mentions": ["leaf sorting"]},
    ],
    "relations": [["a", "outperforms", "b"], ["a", "usedFor", "c"]],
}


def test_parting_and_joining_gives_the_record_back():
    back = join(part(RECORD), RECORD)
    names = {"a": "e0", "b": "e1", "c": "e2"}
    assert [(e["type"], e["role"], e["mentions"]) for e in back["entities"]] == [
        (e["type"], e["role"], e["mentions"]) for e in RECORD["entities"]
    ]
    assert back["relations"] == [[names[h], r, names[t]] for h, r, t in RECORD["relations"]]
    assert (back["id"], back["title"], back["abstract"]) == (
        RECORD["id"],
        RECORD["title"],
        RECORD["abstract"],
    )


def test_no_word_of_the_text_is_parted():
    shipped = json.dumps(part(RECORD))
    for word in ("Fern", "FN", "leaf", "moss", "Unlike"):
        assert word not in shipped


def test_another_text_is_refused():
    with pytest.raises(InputError, match="'fern-1' is not the one that was annotated"):
        join(part(RECORD), RECORD | {"title": "Fern Nets (FN) for leaf  sorting"})


def test_a_mention_that_is_not_in_the_text_is_refused():
    wrong = {"id": "d", "type": "Task", "role": "addresses", "mentions": ["bark parsing"]}
    with pytest.raises(InputError, match="'bark parsing' is not in its text"):
        part(RECORD | {"entities": [wrong], "relations": []})


def test_files_go_there_and_back(tmp_path):
    records, shipped, back = (tmp_path / n for n in ("r.jsonl", "a.jsonl.xz", "b.jsonl"))
    records.write_text(json.dumps(RECORD) + "\n")
    main(["part", str(records), "-o", str(shipped)])
    texts = tmp_path / "texts.jsonl.xz"
    others = [{"id": "x", "title": "Moss", "abstract": "None of ours."}, RECORD]
    texts.write_bytes(lzma.compress("".join(json.dumps(t) + "\n" for t in others).encode()))
    main(["join", str(shipped), str(texts), "-o", str(back)])
    assert json.loads(back.read_text())["entities"][0]["mentions"] == ["Fern Nets", "FN"]
    lacking = tmp_path / "lacking.jsonl"
    lacking.write_text(json.dumps(others[0]) + "\n")
    with pytest.raises(InputError, match="1 of 1 annotated texts are missing, 'fern-1'"):
        main(["join", str(shipped), str(lacking), "-o", str(back)])


def test_what_is_shipped_holds_places_only():
    with lzma.open(SHIPPED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    assert len(rows) > 1000
    assert len({r["id"] for r in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"id", "text", "entities", "relations"}
        for _, _, places in row["entities"]:
            assert all(0 <= start < end for start, end in places)
        assert all(max(h, t) < len(row["entities"]) for h, _, t in row["relations"])
