"""Annotations without their texts: what may be shipped of records on abstracts that may not.

A line is one record: its `id`, the start of the SHA-256 of its `title` + newline + `abstract`,
entities as `[type, role, [[start, end], …]]` with the places of the mentions in that text, and
relations as `[head, name, tail]` by the entities' numbers from 0.

    python -m kg.train.standoff join ANNOTATIONS.jsonl.xz TEXTS.jsonl.xz … -o RECORDS.jsonl
    python -m kg.train.standoff part RECORDS.jsonl -o ANNOTATIONS.jsonl.xz

`join` needs the texts (one JSON object a line with id, title and abstract; `.xz` is unpacked) and
gives records that `kg train` reads; `part` makes the shipped file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import InputError, KgError
from kg.evaluate import list_records, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Further annotations made for this project, on abstracts of the corpus.
SHIPPED = Path(__file__).with_name("annotations.jsonl.xz")
_DIGITS = 16


def part(record: dict[str, Any]) -> dict[str, Any]:
    """The annotations of `record` by places, without a word of its text.

    Raises InputError where a mention does not stand in the text.
    """
    text = text_of(record)
    number = {e["id"]: n for n, e in enumerate(record["entities"])}
    entities = []
    for entity in record["entities"]:
        places = []
        for mention in entity["mentions"]:
            start = text.find(mention)
            if start < 0:
                raise InputError(
                    f"record {record['id']!r}: the mention {mention!r} is not in its text"
                )
            places.append([start, start + len(mention)])
        entities.append([entity["type"], entity["role"], places])
    relations = [[number[h], name, number[t]] for h, name, t in record["relations"]]
    return {
        "id": record["id"],
        "text": _digest(text),
        "entities": entities,
        "relations": relations,
    }


def join(annotated: Mapping[str, Any], paper: dict[str, Any]) -> dict[str, Any]:
    """The record of `annotated` over the text of `paper`.

    Raises InputError where the text is not the one that was annotated.
    """
    text = text_of(paper)
    if _digest(text) != annotated["text"]:
        raise InputError(
            f"the text of {annotated['id']!r} is not the one that was annotated: "
            "take the corpus that the annotations were made on"
        )
    return {
        "id": annotated["id"],
        "title": paper["title"],
        "abstract": paper["abstract"],
        "entities": [
            {
                "id": f"e{n}",
                "type": kind,
                "role": role,
                "mentions": [text[start:end] for start, end in places],
            }
            for n, (kind, role, places) in enumerate(annotated["entities"])
        ],
        "relations": [[f"e{h}", name, f"e{t}"] for h, name, t in annotated["relations"]],
    }


def join_all(
    annotations: Iterable[Mapping[str, Any]], papers: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The records of all `annotations`, in their order.

    Raises InputError, naming how many, where `papers` lack some of their texts.
    """
    asked = list(annotations)
    wanted = {a["id"] for a in asked}
    texts = {p["id"]: p for p in papers if p["id"] in wanted}
    if missing := sorted(wanted - set(texts)):
        raise InputError(
            f"{len(missing):,} of {len(wanted):,} annotated texts are missing, {missing[0]!r} "
            "the first: name all files of the corpus"
        )
    for annotated in asked:
        yield join(annotated, texts[annotated["id"]])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGITS]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with (
            lzma.open(path, "rt", encoding="utf-8", newline="\n")
            if path.suffix == ".xz"
            else path.open(encoding="utf-8", newline="\n")
        ) as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    raise InputError(f"{path}:{number}: not JSON ({error.msg})") from error
    except (OSError, UnicodeDecodeError, lzma.LZMAError) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from error


def main(arguments: list[str] | None = None) -> None:
    """Join the annotations with their texts, or part them."""
    parser = argparse.ArgumentParser(prog="python -m kg.train.standoff", description=__doc__)
    parser.add_argument("what", choices=["join", "part"])
    parser.add_argument("data", type=Path, help="annotations to join, records to part")
    parser.add_argument("texts", type=Path, nargs="*", help="files with the texts")
    parser.add_argument("-o", "--out", type=Path, required=True)
    asked = parser.parse_intermixed_args(arguments)
    if asked.what == "part":
        rows = [part(r) for r in list_records(asked.data)]
    else:
        rows = list(join_all(_lines(asked.data), (p for t in asked.texts for p in _lines(t))))
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode("utf-8")
    asked.out.write_bytes(lzma.compress(text, preset=9) if asked.out.suffix == ".xz" else text)


if __name__ == "__main__":
    try:
        main()
    except KgError as error:
        sys.exit(f"error: {error}")
