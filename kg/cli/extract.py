"""`kg extract`: abstracts in, one JSON record a paper out; nothing is stored."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.common import (
    ConfidenceOption,
    FormatOption,
    InputsArgument,
    JobsOption,
    ModelOption,
    VenueOption,
    YearOption,
    count_papers,
    note,
    output,
    progress,
    read_inputs,
)
from kg.records import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.records import Abstract

EXAMPLE = "kg extract papers.jsonl -o records.jsonl"


def extract(
    *,
    inputs: InputsArgument,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="File to write; - for output.")
    ] = Path("-"),
    venue: VenueOption = "",
    year: YearOption = None,
    input_format: FormatOption = None,
    jobs: JobsOption = None,
    model: ModelOption = None,
    min_confidence: ConfidenceOption = None,
) -> None:
    """Extract what each abstract says, as one line of JSON a paper; nothing is stored.

    The records are those of an annotator, so that `kg evaluate` and `kg train` read them too;
    offsets count characters of title, line feed, abstract.
    """
    from kg import extract as extraction
    from kg.annotation import as_record

    records = read_inputs(inputs, input_format=input_format, venue=venue, year=year)
    skipped: list[Skipped] = []

    def papers() -> "Iterator[Abstract]":
        for record in records:
            if isinstance(record, Skipped):
                skipped.append(record)
            else:
                yield record

    count = partial(count_papers, inputs, input_format=input_format, venue=venue, year=year)
    done = 0
    with output(out) as sink, progress(count) as advance:
        for extracted in extraction.extract(
            papers(), model=model, jobs=jobs, min_confidence=min_confidence
        ):
            line = json.dumps(as_record(extracted), ensure_ascii=False)
            sink.write(line.encode() + b"\n")
            done += 1
            if advance:
                advance(1)
    note(f"papers {done:,}, skipped {len(skipped):,}")
    for left_out in skipped:
        note(f"  {left_out.source}: {left_out.reason}")
