"""A question in, its answer out: as a `Table` of names, or written in a format of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kg.errors import LimitError, QueryError
from kg.query.corrected import Precision, with_ranges
from kg.query.library import SavedQuery, find_query, parse_query, read_query
from kg.query.names import display_names
from kg.query.notes import why_empty
from kg.query.parameters import bind
from kg.query.table import TABLE_FORMATS, Table, Value, table_text
from kg.query.teams import count_teams

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.store import Rows, Store, Term

RESULT_FORMATS = ("csv", "tsv", "json", "xml")
#: Rows of a table, which is held as a whole.
MOST_ROWS = 200_000
RDF_FORMATS = ("ttl", "nt", "jsonld", "rdfxml")

_NAME = re.compile(r"^[\w-]+$")
_PROLOGUE = re.compile(
    r"\s+|#[^\n\r]*|BASE\s*<[^<>]*>|PREFIX\s+[^\s:]*:\s*<[^<>]*>|VERSION\s+(?:\"[^\"]*\"|'[^']*')",
    re.IGNORECASE,
)
_FORM = re.compile(r"[A-Za-z]+")
_WHOLE = frozenset(("integer", "int", "long", "short", "byte", "nonNegativeInteger", "gYear"))
_FRACTION = frozenset(("decimal", "double", "float"))
_XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True, slots=True)
class Question:
    """A query ready to run. `form` is "SELECT", "ASK", "CONSTRUCT" or "DESCRIBE".

    `saved` is what was asked for, `terms` are the SPARQL terms of its parameters.
    """

    text: str
    form: str
    saved: SavedQuery
    terms: dict[str, str]


def prepare(
    store: Store,
    query: str,
    *,
    parameters: Mapping[str, str] | None = None,
    limit: int | None = None,
    folder: Path | None = None,
) -> Question:
    """The question behind `query`: a saved query's name, a `.rq` file, or SPARQL text.

    `limit` also replaces the limit that a saved query sets itself. Raises QueryError for an unknown
    name or a parameter at fault, InputError for a file that cannot be read.
    """
    saved = _saved(query.strip(), folder)
    values = dict(parameters or {})
    if limit is not None and any(p.name == "limit" for p in saved.parameters):
        values["limit"] = str(limit)
    text, terms = bind(store, saved, values)
    return Question(text, query_form(text), saved, terms)


def run(
    store: Store,
    query: str,
    *,
    parameters: Mapping[str, str] | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    folder: Path | None = None,
    measured: Mapping[str, Precision] | None = None,
) -> Table:
    """The answer to a SELECT or ASK query, things shown by name; at most `limit` rows.

    `query` is a saved query's name, the path of a `.rq` file, or SPARQL text. An ASK gives one row
    with "yes" or "no". With `measured` (`kg.query.read_precisions`) columns `…_low` and `…_high`
    stand beside the counts of a saved query: how many of them are likely to be right. Raises
    QueryError for what cannot be answered, CONSTRUCT and DESCRIBE among it (`write` writes their
    RDF), and for a query that takes longer than `timeout` seconds.
    """
    question = prepare(store, query, parameters=parameters, limit=limit, folder=folder)
    return answer(store, question, limit=limit, timeout=timeout, measured=measured)


def answer(
    store: Store,
    question: Question,
    *,
    limit: int | None = None,
    timeout: float | None = None,
    measured: Mapping[str, Precision] | None = None,
) -> Table:
    """As `run`, for a question that is already prepared."""
    if measured is not None and question.form != "SELECT":
        raise QueryError(f"a {question.form} query counts nothing that could be corrected")
    if question.form == "ASK":
        yes = store.ask(question.text, timeout=timeout)
        rows = (("yes" if yes else "no",),)
        return Table(("answer",), rows, ((None,),), question.saved.title)
    if question.form != "SELECT":
        raise QueryError(
            f"a {question.form} query gives RDF, not rows; write it as {', '.join(RDF_FORMATS)}"
        )
    rows_found = store.select(question.text, timeout=timeout, limit=limit or MOST_ROWS + 1)
    if not limit and len(rows_found.rows) > MOST_ROWS:
        raise LimitError(
            f"more than {MOST_ROWS:,} rows are too many for a table: give a LIMIT, or have them as "
            "they come, by `--format csv --iris`"
        )
    rows_found = count_teams(store, rows_found, question.saved.teams)
    if measured is not None:
        rows_found = with_ranges(store, rows_found, question.saved, question.terms, measured)
    note = "" if rows_found.rows else why_empty(store, question.text, question.terms)
    return _table(store, rows_found, title=question.saved.title, note=note)


def write(
    store: Store,
    question: Question,
    sink: BinaryIO,
    *,
    format: str,  # noqa: A002 - the field's word for it
    names: bool | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    measured: Mapping[str, Precision] | None = None,
) -> None:
    """Write the answer to `sink`: rows as csv, tsv, json, xml or md, RDF as one of `RDF_FORMATS`.

    With `names` (the default for a saved query) csv, tsv and json hold the table as `run` gives it;
    without, they are the SPARQL 1.1 result formats, IRIs and all, streamed. xml is always the
    latter, md always the former. `measured` is as in `run`, for tables alone. Raises QueryError
    where format and query do not go together.
    """
    rows = question.form in ("SELECT", "ASK")
    fitting = (*RESULT_FORMATS, "md") if rows else RDF_FORMATS
    if format not in fitting:
        raise QueryError(
            f"a {question.form} query cannot be written as {format!r}; use {', '.join(fitting)}"
        )
    if measured is not None and format not in TABLE_FORMATS:
        raise QueryError(
            f"counts are corrected in tables alone, not as {format!r};"
            f" use {', '.join(TABLE_FORMATS)}"
        )
    if not rows:
        store.construct(question.text, sink, format=format, timeout=timeout)
        return
    if names is None:
        names = bool(question.saved.name)
    # Teams are counted outside SPARQL, and only the table can be cut at a limit
    tabled = names or format == "md" or question.saved.teams or limit or measured is not None
    if format in TABLE_FORMATS and tabled:
        table = answer(store, question, limit=limit, timeout=timeout, measured=measured)
        table = table.with_iris() if names is False else table
        sink.write(table_text(table, format).encode("utf-8"))
        return
    store.write_rows(question.text, sink, format=format, timeout=timeout)


def query_form(text: str) -> str:
    """The form of a SPARQL text: the first word after its prologue, in capitals ("" where none)."""
    place = 0
    while match := _PROLOGUE.match(text, place):
        place = match.end()
    word = _FORM.match(text, place)
    form = word.group().upper() if word else ""
    # What is no query at all is the store's to refuse, with the place of the fault
    return form if form in ("ASK", "CONSTRUCT", "DESCRIBE") else "SELECT"


def _saved(query: str, folder: Path | None) -> SavedQuery:
    if _NAME.match(query):
        return find_query(query, folder)
    if "\n" not in query and query.endswith(".rq"):
        return read_query(Path(query))
    if not query:
        raise QueryError("the query is empty; give a saved query's name, a .rq file or SPARQL")
    return parse_query(query)


def _table(store: Store, found: Rows, *, title: str, note: str) -> Table:
    things = {t.value for row in found.rows for t in row if t is not None and t.kind == "iri"}
    names = display_names(store, things)
    rows, iris = [], []
    for row in found.rows:
        rows.append(tuple(None if t is None else _value(t, names) for t in row))
        iris.append(tuple(t.value if t is not None and t.kind == "iri" else None for t in row))
    return Table(tuple(found.columns), tuple(rows), tuple(iris), title, note)


def _value(term: Term, names: Mapping[str, str]) -> Value:
    if term.kind == "iri":
        return names[term.value]
    if term.kind != "literal":
        return f"_:{term.value}"
    kind = term.datatype.removeprefix(_XSD)
    try:
        if kind in _WHOLE:
            return int(term.value)
        if kind in _FRACTION:
            return float(Decimal(term.value)) if kind == "decimal" else float(term.value)
    except ValueError:
        return term.value  # a literal that its datatype does not allow is shown as it stands
    return term.value
