"""The answer to a query as a table of plain values, and its text in md, csv, tsv, json."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

from kg.errors import QueryError

Value = str | int | float | None
TABLE_FORMATS = ("csv", "tsv", "json", "md")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of plain values; things are shown by name.

    `iris` has the shape of `rows`: the IRI behind each cell, None where the cell is a plain value.
    `note` says why there may be no rows ("" where there are some).
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    iris: tuple[tuple[str | None, ...], ...]
    title: str = ""
    note: str = ""

    def with_iris(self) -> Table:
        """The same table with a column `…_iri` after each column that shows things by name."""
        named = [any(row[i] for row in self.iris) for i in range(len(self.columns))]
        columns: list[str] = []
        for column, has in zip(self.columns, named, strict=True):
            columns += [column, f"{column}_iri"] if has else [column]
        rows = []
        for row, iris in zip(self.rows, self.iris, strict=True):
            cells: list[Value] = []
            for value, iri, has in zip(row, iris, named, strict=True):
                cells += [value, iri] if has else [value]
            rows.append(tuple(cells))
        blank = (None,) * len(columns)
        return Table(tuple(columns), tuple(rows), (blank,) * len(rows), self.title, self.note)


def table_text(table: Table, format: str) -> str:  # noqa: A002 - the field's word for it
    """`table` in one of `TABLE_FORMATS`, ending in a line feed. Raises QueryError for others.

    CSV as RFC 4180 has it but for bare line feeds; TSV with tabs and line feeds within a value made
    spaces; JSON as a list of objects, one a row; Markdown as GitHub's tables.
    """
    if format == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)
        return out.getvalue()
    if format == "tsv":
        lines = ["\t".join(table.columns)]
        lines += ["\t".join(_one_line(value) for value in row) for row in table.rows]
        return "\n".join(lines) + "\n"
    if format == "json":
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    if format == "md":
        return _markdown(table)
    known = ", ".join(TABLE_FORMATS)
    raise QueryError(f"a table cannot be written as {format!r}; known: {known}")


def _markdown(table: Table) -> str:
    numeric = [
        any(row[i] is not None for row in table.rows)
        and all(isinstance(row[i], int | float | None) for row in table.rows)
        for i in range(len(table.columns))
    ]
    lines = [
        "| " + " | ".join(_cell(column) for column in table.columns) + " |",
        "|" + "|".join(" ---: " if number else " --- " for number in numeric) + "|",
    ]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in table.rows]
    return "\n".join(lines) + "\n"


def _one_line(value: Value) -> str:
    return "" if value is None else " ".join(str(value).split())


def _cell(value: Value) -> str:
    # "<" too: Markdown passes HTML through, and a name from a paper must stay text
    text = _one_line(value).replace("\\", "\\\\").replace("|", "\\|")
    return text.replace("<", "&lt;")
