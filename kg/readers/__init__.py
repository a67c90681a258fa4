"""Abstracts from what people have: files of many formats, folders of them, standard input."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.formats import BY_NAME, PLAIN, Format, choose, listed
from kg.readers.record import checked
from kg.readers.source import Text, open_text
from kg.readers.unpack import PACKED_SUFFIXES
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_abstracts"]

#: More control characters than this share of the head: no text at all.
_BINARY = 0.02
_MAGIC = ("%PDF-", "PK\x03\x04", "\x89PNG", "SQLite format 3", "PAR1", "BZh9", "7z\xbc\xaf")


def read_abstracts(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 (the word of the command line)
    venue: str = "",
    year: int | None = None,
) -> Iterator[Abstract | Skipped]:
    """Read the papers of a file, of all files in a folder, or of standard input ("-").

    The format is told from the content, then from the suffix, or given by its name in
    `kg.readers.formats`; .gz, .xz and .zst are unpacked. `venue` and `year` go to records that have
    none. Records come in the order of the files (those of a folder sorted by path, hidden ones left
    out), each as an Abstract, or as a Skipped that names file, line and reason; memory does not
    grow with the file.

    Raises InputError where there is nothing to read: no such file, an empty one, one that no reader
    understands, packed data that are damaged before the first record. In a folder such files are
    Skipped; InputError is raised at the end if there was no other.
    """
    if format is not None and format not in BY_NAME:
        raise InputError(f"unknown format {format!r}; known are {', '.join(BY_NAME)}")
    chosen = None if format is None else BY_NAME[format]
    if str(path) == "-":
        return _file(None, "stdin", chosen, venue, year)
    path = Path(path)
    if path.is_dir():
        return _folder(path, chosen, venue, year)
    if not path.exists():
        raise InputError(f"no such file or folder: {_shown(path)!r}")
    return _file(path, _shown(path), chosen, venue, year)


def _shown(path: Path) -> str:
    """The path as text; bytes of a name that are no text as question marks."""
    return os.fsencode(path).decode("utf-8", "replace")


def _suffix(path: Path | None) -> str:
    """The suffix that tells the format: the one before .gz, .xz or .zst."""
    suffixes = [suffix.lower() for suffix in path.suffixes] if path else []
    while suffixes and suffixes[-1] in PACKED_SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _folder(
    folder: Path, chosen: Format | None, venue: str, year: int | None
) -> Iterator[Abstract | Skipped]:
    files = sorted(
        (path for path in folder.rglob("*")
         if not any(part.startswith(".") for part in path.relative_to(folder).parts)
         and path.is_file()),
        key=lambda path: path.relative_to(folder).as_posix(),
    )  # fmt: skip
    if not files:
        raise InputError(f"the folder {_shown(folder)!r} has no files in it")
    understood = 0
    for path in files:
        try:
            yield from _file(path, _shown(path), chosen, venue, year, stray=True)
            understood += 1
        except InputError as error:
            yield Skipped(_shown(path), str(error))
    if not understood:
        raise InputError(
            f"none of the {len(files)} files in {_shown(folder)!r} can be read; "
            f"readable are {listed()}"
        )


def _file(
    path: Path | None,
    name: str,
    chosen: Format | None,
    venue: str,
    year: int | None,
    *,
    stray: bool = False,
) -> Iterator[Abstract | Skipped]:
    """The records of one file; `stray`: it was not asked for by name, so be strict with it."""
    found = 0
    try:
        with open_text(path, name) as text:
            row = chosen or _recognised(text, _suffix(path), stray=stray)
            if not text.head.strip():
                raise InputError(f"{name!r} is empty")
            for record in row.read(text):
                found += 1
                if isinstance(record, Abstract):
                    yield checked(record, venue=venue, year=year)
                else:
                    yield record
    except InputError as error:
        if not found:
            raise
        yield Skipped(name, f"the rest is not read: {error}")
    if not found:
        raise InputError(f"no abstract found in {name!r} (read as {row.name})")


def _recognised(text: Text, suffix: str, *, stray: bool) -> Format:
    head = text.head
    if not head.strip():
        raise InputError(f"{text.name!r} is empty")
    controls = sum(char < " " and char not in "\t\n\f" for char in head)
    binary = controls > _BINARY * len(head) or head.startswith(_MAGIC)
    row = None if binary else choose(head, suffix)
    # a folder of papers often has a README and scripts beside them, which are text too
    if row is None or (stray and row is PLAIN and suffix not in PLAIN.suffixes):
        raise InputError(f"no reader understands {text.name!r}; readable are {listed()}")
    return row
