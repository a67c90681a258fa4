"""A store that many questions are put to, all within one span of time."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from kg.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.store.protocol import Rows, Store


class Timed:
    """The `store`, of which all questions together may take `seconds` from now on.

    A question that is running when they are over is stopped, one that comes later is refused, both
    by a `LimitError`. Closing stays with who opened the store.
    """

    def __init__(self, store: Store, seconds: float) -> None:
        self.prefixes = store.prefixes
        self._store = store
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def base(self) -> str:
        """As of the store within."""
        return self._store.base

    @property
    def folder(self) -> Path | None:
        """As of the store within."""
        return self._store.folder

    @property
    def model(self) -> str:
        """As of the store within."""
        return self._store.model

    def close(self) -> None:
        """Do nothing: the store goes on for others."""

    def select(
        self, sparql: str, *, timeout: float | None = None, limit: int | None = None
    ) -> Rows:
        """As of the store within, in the time that is left."""
        with self._within(timeout) as left:
            return self._store.select(sparql, timeout=left, limit=limit)

    def ask(self, sparql: str, *, timeout: float | None = None) -> bool:
        """As of the store within, in the time that is left."""
        with self._within(timeout) as left:
            return self._store.ask(sparql, timeout=left)

    def construct(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "ttl",  # noqa: A002 - the field's word
        timeout: float | None = None,
    ) -> int:
        """As of the store within, in the time that is left."""
        with self._within(timeout) as left:
            return self._store.construct(sparql, sink, format=format, timeout=left)

    def write_rows(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "csv",  # noqa: A002
        timeout: float | None = None,
    ) -> None:
        """As of the store within, in the time that is left."""
        with self._within(timeout) as left:
            self._store.write_rows(sparql, sink, format=format, timeout=left)

    def dump(self, sink: BinaryIO, *, format: str = "nq") -> None:  # noqa: A002
        """As of the store within, without a limit."""
        self._store.dump(sink, format=format)

    @contextmanager
    def _within(self, timeout: float | None) -> Iterator[float]:
        """The seconds that one question may take; where all are over, an error that names all."""
        left = self._end - time.monotonic()
        try:
            if left <= 0:
                raise LimitError("no time is left")
            yield left if timeout is None else min(left, timeout)
        except LimitError:
            if time.monotonic() < self._end:
                raise
            raise LimitError(
                f"stopped after {self._seconds:g} s: ask for less (LIMIT, a narrower pattern), or "
                "give it more time with --timeout"
            ) from None
