"""CSV and TSV with a heading row: Scopus, IEEE Xplore, Web of Science, spreadsheets, pandas."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.fields import ALIASES, KNOWN, abstract_from, plain_name
from kg.readers.source import RECORD_LIMIT, Overlong, Text, lines
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATOR_LINE = re.compile(r'"?sep=."?[ ,;]{0,20}', re.I)  # Excel's own first line


def _heading(head: str) -> tuple[str, list[str]]:
    """The separator and the names of the columns in the first line that has any."""
    rows = (row for row in head.split("\n") if row.strip() and not _SEPARATOR_LINE.fullmatch(row))
    row = next(rows, "")
    row = row[:20_000].replace("\r", " ")
    cut = {mark: next(csv.reader([row], delimiter=mark), []) for mark in "\t,;|"}
    return max(cut.items(), key=lambda each: (_known(each[1]), len(each[1])))


def _known(names: list[str]) -> int:
    return sum(plain_name(name) in KNOWN for name in names)


def _is_table(head: str) -> tuple[str, bool]:
    mark, names = _heading(head)
    plain = {plain_name(name) for name in names}
    return mark, _known(names) > 1 and not plain.isdisjoint(ALIASES["abstract"])


def is_csv(head: str) -> bool:
    """Whether the first line names columns, an abstract and another, with , ; or | between."""
    mark, fits = _is_table(head)
    return fits and mark != "\t"


def is_tsv(head: str) -> bool:
    """Whether the first line names columns, an abstract and another, with tabs between."""
    mark, fits = _is_table(head)
    return fits and mark == "\t"


def read_table(text: Text) -> Iterator[Abstract | Skipped]:
    """One record a row; the separator is the one that makes the heading known names.

    Raises InputError if no column is named as an abstract.
    """
    # the limit is the process's own and has no other form; a field of a row is never longer
    csv.field_size_limit(RECORD_LIMIT)
    mark, names = _heading(text.head)
    if {plain_name(name) for name in names}.isdisjoint(ALIASES["abstract"]):
        shown = ", ".join(repr(name[:40]) for name in names[:12])
        raise InputError(
            f"{text.name!r} has no column of abstracts (columns: {shown}); "
            f"name one 'abstract' in its first line"
        )
    skipped: list[Skipped] = []

    def rows() -> Iterator[str]:
        for number, line in lines(text):
            if isinstance(line, Overlong):
                skipped.append(Skipped(text.at(number), line.reason))
            yield "\n" if isinstance(line, Overlong) else f"{line}\n"

    reader = csv.reader(rows(), delimiter=mark)
    headed = False
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield Skipped(text.at(line), f"broken row ({error})")
            continue
        yield from skipped
        skipped.clear()
        if row is None:
            return
        if not any(map(str.strip, row)) or (
            not headed and _SEPARATOR_LINE.fullmatch(mark.join(row))
        ):
            continue
        if not headed:
            headed = True
        elif any(cell.strip() for cell in row[len(names) :]):
            reason = f"broken row: {len(row)} fields under {len(names)} headings"
            yield Skipped(text.at(line), reason)
        else:
            record: dict[str, object] = dict(zip(names, row, strict=False))
            yield abstract_from(record, source=text.at(line))
