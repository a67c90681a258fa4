"""Predicted records against gold records: the scores of the annotation guidelines, by any cut.

All figures are micro averages over the documents, as the guidelines' own scorer counts them:

mention   a span (start, end) of "title, line feed, abstract" with its type; every whole-word
          occurrence of a mention string counts, the longest string first, none inside another
overlap   the same, found if a span of the same type overlaps it (each used once)
entity    an entity of the same type that shares a mention string (case, hyphen, plural folded)
anytype   the same, whatever the type
role      a matched entity whose role agrees too
relation  head, relation and tail agree, head and tail being matched entities
pair      the same without the relation's name or direction
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.evaluate.counting import Counts, align, count, fold, overlaps, spans, text_of
from kg.evaluate.records import Record, list_records, read_records
from kg.evaluate.scoring import CUTS, FIGURES, Score, score, venue_of
from kg.records import Abstract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = [
    "CUTS",
    "FIGURES",
    "Counts",
    "Record",
    "Report",
    "Score",
    "align",
    "count",
    "evaluate",
    "fold",
    "list_records",
    "overlaps",
    "paper_of",
    "predict",
    "read_records",
    "score",
    "spans",
    "text_of",
    "venue_of",
]


@dataclass(frozen=True, slots=True)
class Report:
    """The scores with the records that they were counted on."""

    scores: tuple[Score, ...]
    texts: Mapping[str, Record]
    gold: Mapping[str, Record]
    predicted: Mapping[str, Record]


def paper_of(record: Record) -> Abstract:
    """The paper that a record annotates."""
    title, abstract = str(record.get("title") or ""), str(record["abstract"])
    return Abstract(id=str(record["id"]), title=title, abstract=abstract)


def predict(records: Iterable[Record], *, model: Path | None = None) -> dict[str, Record]:
    """What a model says of the records' texts, in the records' format."""
    from kg.annotation import as_record  # noqa: PLC0415
    from kg.extract import extract  # noqa: PLC0415

    return {e.abstract.id: as_record(e) for e in extract(map(paper_of, records), model=model)}


def evaluate(
    gold: Path, predicted: Path | None = None, *, texts: Path | None = None,
    model: Path | None = None, by: str | None = None,
) -> Report:  # fmt: skip
    """Score the records of `predicted`, or of a model where none are given, against `gold`.

    Raises:
        InputError: a file cannot be read or does not fit the others.

    """
    wanted = read_records(gold)
    if not wanted:
        raise InputError(f"{str(gold)!r} holds no records")
    held = read_records(texts, annotated=False) if texts else wanted
    if predicted is not None:
        given = read_records(predicted)
        if not given.keys() & wanted.keys():
            raise InputError(f"no record of {str(predicted)!r} has an id of {str(gold)!r}")
        return Report(tuple(score(held, wanted, given, by=by)), held, wanted, given)
    missing = [k for k in wanted if "abstract" not in held.get(k, {})]
    if missing:
        raise InputError(f"no text for the gold record {missing[0]!r}: give --texts FILE")
    found = predict((held[k] for k in wanted), model=model)
    return Report(tuple(score(held, wanted, found, by=by)), held, wanted, found)
