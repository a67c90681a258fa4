"""What the model read, kept: text and model → extraction. Safe to delete, costly to make again."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kg.errors import StoreError
from kg.records import Evidence, Extraction, Mention, PaperEntity, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.records import Abstract

NAME = "extractions.sqlite"
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS extraction (
        text TEXT, model TEXT, body BLOB, PRIMARY KEY (model, text)
    ) WITHOUT ROWID
"""

#: What sqlite says of a disk or folder that fails it, not of the file's content.
_OUTSIDE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip

logger = logging.getLogger(__name__)


class Cache:
    """Extractions on disk. Nothing in it is trusted to be more than data: JSON, no pickles."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(_SCHEMA)
        self._db.execute("SELECT count(*) FROM (SELECT 1 FROM extraction LIMIT 1)").fetchone()
        self._db.execute("BEGIN")

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Cache]:
        """Open the cache at `path`; one that is damaged is begun anew.

        Raises `StoreError` where the disk is full or fails: the file may be whole, and is kept.
        """
        try:
            cache = cls(path)
        except sqlite3.DatabaseError as error:
            if _is_outside(error):
                raise _unwritable(path, error) from error
            logger.warning("%s cannot be read (%s): it is made anew", path, error)
            for name in (
                path,
                path.with_name(path.name + "-wal"),
                path.with_name(path.name + "-shm"),
            ):
                name.unlink(missing_ok=True)
            cache = cls(path)
        try:
            try:
                yield cache
            finally:
                cache.close()
        except sqlite3.OperationalError as error:
            raise _unwritable(path, error) from error

    def close(self) -> None:
        """Keep what was put and let go of the file."""
        self.commit()
        self._db.close()

    def commit(self) -> None:
        """Make what was put so far survive a crash."""
        if self._db.in_transaction:
            self._run("COMMIT")
        self._run("BEGIN")

    def __contains__(self, wanted: tuple[str, str]) -> bool:
        query = "SELECT 1 FROM extraction WHERE text = ? AND model = ?"
        return self._run(query, wanted).fetchone() is not None

    def put(self, text: str, model: str, extraction: Extraction) -> None:
        """Keep the extraction of the text with the hash `text`."""
        self._run("REPLACE INTO extraction VALUES (?, ?, ?)", (text, model, pack(extraction)))

    def get(self, text: str, model: str, abstract: Abstract) -> Extraction | None:
        """The extraction as if it had just been made of `abstract`; None where there is none.

        Raises `StoreError` for one that is damaged.
        """
        query = "SELECT body FROM extraction WHERE text = ? AND model = ?"
        found = self._run(query, (text, model)).fetchone()
        try:
            return unpack(found[0], abstract, model) if found else None
        except (zlib.error, ValueError, TypeError) as error:
            name = abstract.id or abstract.title
            raise StoreError(
                f"what the model read of {name!r} is damaged in {NAME!r} ({error}): delete that "
                "file and run the same command again, which reads all papers anew"
            ) from error

    def _run(self, query: str, values: tuple[str | bytes, ...] = ()) -> sqlite3.Cursor:
        """Ask the file; where a page of it is damaged, say so of it and of no other file."""
        try:
            return self._db.execute(query, values)
        except sqlite3.DatabaseError as error:
            if _is_outside(error):
                raise
            raise StoreError(
                f"{str(self._path)!r} is damaged ({error}): delete that file and run the same "
                "command again, which reads all papers anew"
            ) from error


def _is_outside(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    # a file that ends too early is damaged
    return code & 0xFF in _OUTSIDE and code != sqlite3.SQLITE_IOERR_SHORT_READ


def _unwritable(path: Path, error: sqlite3.DatabaseError) -> StoreError:
    return StoreError(
        f"cannot write {str(path)!r}: {error}. What was read up to here is kept; make room, then "
        "run the same command again"
    )


def text_hash(abstract: Abstract) -> str:
    """SHA-256 of the text that offsets point into, title and abstract told apart."""
    text = f"{len(abstract.title)}\n{abstract.document}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def pack(extraction: Extraction) -> bytes:
    """Entities and relations as compressed JSON; texts are left to the document."""
    entities = [
        [
            entity.id,
            entity.type,
            entity.role,
            entity.names,
            [[m.start, m.end, m.confidence] for m in entity.mentions],
            entity.confidence,
            entity.role_confidence,
            [entity.evidence.start, entity.evidence.end],
        ]
        for entity in extraction.entities
    ]
    relations = [
        [
            relation.head,
            relation.type,
            relation.tail,
            relation.confidence,
            [relation.evidence.start, relation.evidence.end],
            relation.head_mention,
            relation.tail_mention,
        ]
        for relation in extraction.relations
    ]
    return zlib.compress(json.dumps([entities, relations], separators=(",", ":")).encode(), 1)


def unpack(body: bytes, abstract: Abstract, model: str) -> Extraction:
    """The inverse of `pack`, with the texts of `abstract`."""
    document = abstract.document

    def evidence(span: list[int]) -> Evidence:
        return Evidence(span[0], span[1], document[span[0] : span[1]])

    entities, relations = json.loads(zlib.decompress(body))
    return Extraction(
        abstract,
        tuple(
            PaperEntity(
                local,
                kind,
                role,
                tuple(names),
                tuple(Mention(start, end, document[start:end], c) for start, end, c in mentions),
                confidence,
                role_confidence,
                evidence(span),
            )
            for local, kind, role, names, mentions, confidence, role_confidence, span in entities
        ),
        tuple(
            Relation(head, kind, tail, confidence, evidence(span), i, j)
            for head, kind, tail, confidence, span, i, j in relations
        ),
        model,
    )
