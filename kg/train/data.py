"""Annotated records to training targets: spans with types, groups, entities, roles, relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.evaluate import paper_of
from kg.extract.layout import (
    TYPES,
    WIDEST,
    Words,
    group_names,
    words_of,
)  # fmt: skip
from kg.extract.pieces import Pieces, encode
from kg.extract.sentences import sentences
from kg.schema import RELATIONS, ROLES, may_relate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Tokenizer

LONGEST = 512
#: Seed of the draw of records that are held out.
_DRAW = 7
ROLE_NUMBER = {r.name: i for i, r in enumerate(ROLES)}
RELATION_NUMBER = {r.name: i for i, r in enumerate(RELATIONS)}


@dataclass(frozen=True, slots=True)
class Example:
    """One annotated document, ready to be read.

    `strings` maps each gold mention string to (type number, entity number); `roles` is one number
    an entity; `relations` maps (head, tail) to a relation's number.
    """

    id: str
    text: str
    title_end: int
    pieces: Pieces
    words: Words
    bounds: list[tuple[int, int]]
    strings: dict[str, tuple[int, int]]
    roles: list[int]
    relations: dict[tuple[int, int], int]
    spans: np.ndarray


def cut(pieces: Pieces) -> Pieces:
    """The first `LONGEST` pieces."""
    return Pieces(**{n: getattr(pieces, n)[:LONGEST] for n in Pieces.__slots__})


def example(record: dict[str, object], text: str, title_end: int, pieces: Pieces) -> Example:
    """The targets of one record over `text`; what lies past the window is left out."""
    pieces = cut(pieces)
    words = words_of(pieces)
    strings: dict[str, tuple[int, int]] = {}
    entities: list[dict[str, object]] = list(record["entities"])  # type: ignore[call-overload]
    numbers = {str(e["id"]): n for n, e in enumerate(entities)}
    for n, e in enumerate(entities):
        for mention in e["mentions"]:  # type: ignore[attr-defined]
            strings.setdefault(mention, (TYPES.index(str(e["type"])), n))
    names = group_names(text, words, {s: t for s, (t, _) in strings.items()})
    spans = [
        (i, j, names.types[g])
        for (i, j), g in zip(names.spans, names.group, strict=True)
        if j - i < WIDEST
    ]
    relations: dict[tuple[int, int], int] = {}
    for head, kind, tail in record["relations"]:  # type: ignore[attr-defined]
        if head in numbers and tail in numbers and head != tail:
            h, t = numbers[head], numbers[tail]
            if may_relate(str(entities[h]["type"]), kind, str(entities[t]["type"])):
                relations.setdefault((h, t), RELATION_NUMBER[kind])
    return Example(
        id=str(record["id"]),
        text=text,
        title_end=title_end,
        pieces=pieces,
        words=words,
        bounds=sentences(text),
        strings=strings,
        roles=[ROLE_NUMBER[str(e["role"])] for e in entities],
        relations=relations,
        spans=np.array(spans, dtype=np.int64).reshape(-1, 3),
    )


def hold_out(
    records: Sequence[dict[str, Any]], count: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Records to learn from, in a drawn order, and `count` (at most a fifth) that are held out.

    Records of one id stay on one side.
    """
    ids = sorted({str(r["id"]) for r in records})
    np.random.default_rng(_DRAW).shuffle(ids)
    held = set(ids[: min(count, len(ids) // 5)])
    place = {name: n for n, name in enumerate(ids)}
    drawn = sorted(records, key=lambda r: place[str(r["id"])])
    return (
        [r for r in drawn if str(r["id"]) not in held],
        [r for r in drawn if str(r["id"]) in held],
    )


def load_examples(
    records: list[dict[str, object]], tokenizer: Tokenizer, *, titles: bool
) -> list[Example]:
    """Examples of `records`, with or without their titles."""
    papers = [paper_of(r if titles else r | {"title": ""}) for r in records]
    texts, ends = [p.document for p in papers], [len(p.title) for p in papers]
    read = encode(texts, tokenizer)
    return [example(*row) for row in zip(records, texts, ends, read, strict=True)]
