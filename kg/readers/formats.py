"""The table of formats: a new one is a new row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.readers.atom import is_atom, read_atom
from kg.readers.bibtex import is_bibtex, read_bibtex
from kg.readers.jsons import is_json, is_jsonl, read_json, read_jsonl
from kg.readers.plain import is_plain, read_plain
from kg.readers.table import is_csv, is_tsv, read_table
from kg.readers.tagged import is_nbib, is_ris, read_nbib, read_ris

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kg.readers.source import Text
    from kg.records import Abstract, Skipped


@dataclass(frozen=True, slots=True)
class Format:
    """A format of input: how its files are named and begin, and what reads them.

    `sniff` sees the first characters (`source.HEAD` of them) and must be sure; `read` yields a
    record or a Skipped for everything that stands in the text, in order, and raises InputError only
    where the whole text is none of its own.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[str], bool]
    read: Callable[[Text], Iterator[Abstract | Skipped]]


#: In the order in which they are tried; running text comes last, for most things look like it.
FORMATS: tuple[Format, ...] = (
    Format("atom", "Atom feed (arXiv)", (".atom", ".xml"), is_atom, read_atom),
    Format("bibtex", "BibTeX (ACL Anthology and others)", (".bib", ".bibtex"), is_bibtex,
           read_bibtex),
    Format("ris", "RIS", (".ris",), is_ris, read_ris),
    Format("nbib", "PubMed nbib", (".nbib", ".medline"), is_nbib, read_nbib),
    Format("jsonl", "JSON Lines", (".jsonl", ".ndjson", ".jsonlines"), is_jsonl, read_jsonl),
    Format("json", "JSON (common field names, OpenReview, Semantic Scholar, OpenAlex, arXiv, "
           "Crossref)", (".json",), is_json, read_json),
    Format("tsv", "TSV with a heading row", (".tsv", ".tab"), is_tsv, read_table),
    Format("csv", "CSV with a heading row", (".csv",), is_csv, read_table),
    Format("text", "plain text, abstracts parted by blank lines", (".txt", ".text"), is_plain,
           read_plain),
)  # fmt: skip
BY_NAME = {row.name: row for row in FORMATS}
PLAIN = BY_NAME["text"]


def listed() -> str:
    """The formats in one line, for messages."""
    return "; ".join(f"{row.name}: {row.title}" for row in FORMATS)


def choose(head: str, suffix: str) -> Format | None:
    """The format of a text that begins with `head`: by content, else by suffix; None if neither.

    What the text looks like goes before what it is called: JSON Lines in a .txt file are common.
    """
    for row in FORMATS:
        if row is not PLAIN and row.sniff(head):
            return row
    for row in FORMATS:
        if row is not PLAIN and suffix in row.suffixes:
            return row
    return PLAIN if PLAIN.sniff(head) else None
