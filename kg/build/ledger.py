"""The ledger of a graph: the records it was given and a digest of each paper's quads.

It lives in the generation it describes (`papers.sqlite`) and is switched with it. A build works on
a copy, so that a build that dies leaves graph and ledger as they were.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from kg.build.identity import Handle
from kg.errors import StoreError
from kg.records import Abstract

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "papers.sqlite"
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS record (
        record TEXT PRIMARY KEY, identifiers TEXT, content TEXT, title TEXT, abstract TEXT,
        body BLOB, paper TEXT
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS record_paper ON record (paper);
    CREATE TABLE IF NOT EXISTS paper (
        paper TEXT PRIMARY KEY, about TEXT, input TEXT, quads TEXT, statements INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""


_FIELDS = tuple(field.name for field in fields(Abstract) if field.name != "source")


class Row(NamedTuple):
    """What is known of a paper's graph: digests of its record, of all it was made of, its quads."""

    about: str
    input: str
    quads: str
    statements: int


class Ledger:
    """A ledger: a generation's own, to read, or a working copy."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self.changed = False

    @classmethod
    @contextmanager
    def read(cls, path: Path) -> Iterator[Ledger]:
        """The ledger of a generation, which never changes."""
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            yield cls(db, path)
        except sqlite3.DatabaseError as error:
            raise _damaged(path, error) from error
        finally:
            db.close()

    @classmethod
    @contextmanager
    def copy(cls, current: Path | None, work: Path) -> Iterator[Ledger]:
        """A working copy at `work` of the `current` ledger, or an empty one; gone at the end."""
        work.unlink(missing_ok=True)
        try:
            if current:
                _copied(current, work)
            ledger = cls(_working(work), work)
            try:
                yield ledger
            finally:
                ledger.close()
        except sqlite3.OperationalError as error:
            raise _unwritable(work, error) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(current or work, error) from error
        finally:
            work.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def move(self, folder: Path) -> None:
        """Put the ledger into a new generation's folder; it is closed then."""
        self._db.execute("COMMIT")
        self._db.close()
        self._path.replace(folder / NAME)

    def put(self, handle: Handle, abstract: Abstract) -> None:
        """Add a record, or replace the one that it is a new version of."""
        body = _pack(abstract)
        old = self._db.execute(
            "SELECT body FROM record WHERE record = ?", (handle.record,)
        ).fetchone()
        if old and old[0] == body:
            return
        self.changed = True
        self._db.execute(
            "REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?, NULL)",
            (
                handle.record,
                json.dumps(handle.identifiers),
                handle.content,
                handle.title,
                handle.abstract,
                body,
            ),
        )

    def drop(self, record: str) -> None:
        """Take a record out."""
        self.changed = True
        self._db.execute("DELETE FROM record WHERE record = ?", (record,))

    def handles(self) -> Iterator[Handle]:
        """Every record's handle, in the order of their names."""
        query = "SELECT record, identifiers, content, title, abstract FROM record ORDER BY record"
        for record, identifiers, content, title, abstract in self._db.execute(query):
            yield Handle(record, tuple(json.loads(identifiers)), content, title, abstract)

    def record(self, record: str) -> Abstract:
        """The record itself, as it was given."""
        query = "SELECT body FROM record WHERE record = ?"
        return _unpack(self._db.execute(query, (record,)).fetchone()[0])

    def assign(self, paper: str, records: list[str]) -> None:
        """Note which paper records belong to."""
        self._db.executemany(
            "UPDATE record SET paper = ? WHERE record = ? AND paper IS NOT ?",
            [(paper, record, paper) for record in records],
        )

    def members(self) -> dict[str, list[str]]:
        """The records of each paper, as noted."""
        found: dict[str, list[str]] = {}
        query = "SELECT paper, record FROM record WHERE paper IS NOT NULL ORDER BY paper, record"
        for paper, record in self._db.execute(query):
            found.setdefault(paper, []).append(record)
        return found

    def rows(self) -> dict[str, Row]:
        """The row of each paper in the graph."""
        query = "SELECT paper, about, input, quads, statements FROM paper ORDER BY paper"
        return {paper: Row(*values) for paper, *values in self._db.execute(query)}

    def set_row(self, paper: str, row: Row) -> None:
        """Note a paper's row."""
        self.changed = True
        self._db.execute("REPLACE INTO paper VALUES (?, ?, ?, ?, ?)", (paper, *row))

    def drop_row(self, paper: str) -> None:
        """Forget a paper."""
        self.changed = True
        self._db.execute("DELETE FROM paper WHERE paper = ?", (paper,))

    def fact(self, name: str) -> str:
        """A fact about the whole graph; "" where it is not known."""
        found = self._db.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def set_fact(self, name: str, value: str) -> None:
        """Note a fact about the whole graph."""
        if self.fact(name) != value:
            self.changed = True
            self._db.execute("REPLACE INTO fact VALUES (?, ?)", (name, value))


def _working(path: Path) -> sqlite3.Connection:
    # an extractor may read ahead in a thread of its own
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    # the copy is thrown away if anything goes wrong: no journal needed
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_SCHEMA)
    db.execute("BEGIN")
    return db


def _copied(current: Path, work: Path) -> None:
    try:
        shutil.copyfile(current, work)
    except OSError as error:
        raise _unwritable(work, error) from error


def _unwritable(path: Path, error: Exception) -> StoreError:
    return StoreError(
        f"cannot write {str(path)!r}: {error}. The graph is as it was; make room, then run the "
        "same command again"
    )


def _damaged(path: Path, error: sqlite3.DatabaseError) -> StoreError:
    return StoreError(
        f"{str(path)!r} is damaged ({error}): build into another folder from the inputs"
    )


def _pack(abstract: Abstract) -> bytes:
    # where it stood in a file is no part of the paper
    said = {field: getattr(abstract, field) for field in _FIELDS}
    return zlib.compress(json.dumps(said, sort_keys=True).encode(), 6)


def _unpack(body: bytes) -> Abstract:
    said = json.loads(zlib.decompress(body))
    for name in ("authors", "identifiers", "keywords"):
        said[name] = tuple(said[name])
    return Abstract(**said)
