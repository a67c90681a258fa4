"""Asking a store: in this process, or in one that is killed when time is up."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeVar

from kg.errors import LimitError, QueryError
from kg.store import worker
from kg.store.bounded import Bounded
from kg.store.sparql import check_query, syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pyoxigraph as ox

#: Bytes of memory that the process of a query may take.
MEMORY = 2 * 2**30

_HEAD = 5
_Answer = TypeVar("_Answer")
_FORMS = {
    "rows": "a SELECT is needed here",
    "ask": "an ASK is needed here",
    "triples": "a CONSTRUCT or DESCRIBE is needed here",
}


class Graphs(NamedTuple):
    """The graphs that a query sees, by IRI: merged as its default graph, and by name.

    These are the `default-graph-uri` and `named-graph-uri` of the SPARQL 1.1 Protocol (§2.1.4).
    """

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


class Asker:
    """Answers for one immutable store; `path` is None for a graph that holds nothing yet."""

    def __init__(self, store: ox.Store, path: Path | None, prefixes: Mapping[str, str]) -> None:
        self._store = store
        self._path = path
        self._prefixes = dict(prefixes)
        self._process: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def stop(self) -> None:
        """End the query that runs, from another thread; it raises a `LimitError` where it ran."""
        process = self._process
        if process:
            process.kill()
            process.wait()

    def rows(
        self, sparql: str, *, timeout: float | None, limit: int | None
    ) -> tuple[list[str], list[list[worker.Term | None]]]:
        """Columns and rows of a SELECT; errors as in `ask`."""
        request = self._request(sparql, "rows", limit)
        if timeout is None or not self._path:
            return _translated(lambda: _held(self._store, request), sparql, "rows")
        sink = Bounded()
        self._in_child(sparql, request, sink, timeout)
        sink.seek(0)
        columns, *rows = map(json.loads, sink)
        return columns, rows

    def ask(
        self,
        sparql: str,
        wanted: str,
        sink: BinaryIO,
        *,
        timeout: float | None = None,
        graphs: Graphs | None = None,
    ) -> None:
        """Write the answer to `sink` as it comes, in the form of `kg.store.worker.answer`.

        Raises `QueryError` for what is no query, is refused, or fails, and `LimitError` where it
        takes longer than `timeout` seconds, or more memory than its process may have.
        """
        request = self._request(sparql, wanted, None, graphs)
        if timeout is None or not self._path:
            _translated(lambda: worker.answer(self._store, request, sink), sparql, wanted)
        else:
            self._in_child(sparql, request, sink, timeout)

    def _request(
        self, sparql: str, wanted: str, limit: int | None, graphs: Graphs | None = None
    ) -> dict[str, object]:
        chosen = check_query(sparql)
        return {
            "query": sparql,
            "prefixes": self._prefixes,
            "wanted": wanted,
            "limit": limit,
            "union": graphs is None and not chosen,
            "default_graphs": graphs.default if graphs else (),
            "named_graphs": graphs.named if graphs else (),
        }

    def _in_child(
        self, sparql: str, request: dict[str, object], sink: BinaryIO, timeout: float
    ) -> None:
        deadline = time.monotonic() + timeout
        try:
            head = self._exchange(json.dumps(request).encode() + b"\n", sink, deadline)
        except TimeoutError:
            self.close()
            raise LimitError(
                f"stopped after {round(timeout, 3):g} s: ask for less (LIMIT, a narrower pattern), "
                "or give it more time with --timeout"
            ) from None
        except EOFError:
            self.close()
            raise LimitError(
                f"the query's process died (it may take {MEMORY / 2**30:g} GB of memory): ask for "
                "less, by LIMIT or a narrower pattern"
            ) from None
        except BaseException:
            self.close()  # an interrupted exchange would answer the next question
            raise
        if head.get("error") == "syntax":
            raise syntax_error(sparql, SyntaxError(str(head["message"])))
        if head.get("error") == "form":
            raise _other_form(str(head["message"]))
        if head.get("error"):
            raise _failed(head["message"])

    def _exchange(self, request: bytes, sink: BinaryIO, deadline: float) -> dict[str, object]:
        """Send a request, pass its answer on as it comes, and give the block that ends it."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(  # noqa: S603 - our own script, no shell
                [sys.executable, "-P", worker.__file__, str(self._path), str(MEMORY)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # the last words of one that ran out of memory
            )
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise EOFError
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except BrokenPipeError as error:
            # unlike that of a reader of the answer who has enough, which is the caller's to meet
            raise EOFError from error
        received = bytearray()
        while True:
            while len(received) < _HEAD or len(received) < _HEAD + _size(received):
                received += _block(process.stdout.fileno(), deadline)
            kind, end = received[:1], _HEAD + _size(received)
            content = bytes(received[_HEAD:end])
            del received[:end]
            if kind == b"e":
                return dict(json.loads(content))
            sink.write(content)


def _size(received: bytearray) -> int:
    return int.from_bytes(received[1:_HEAD], "big")


def _block(handle: int, deadline: float) -> bytes:
    ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
    if not ready:
        raise TimeoutError
    block = os.read(handle, 1 << 20)
    if not block:
        raise EOFError
    return block


def _held(
    store: ox.Store, request: dict[str, object]
) -> tuple[list[str], list[list[worker.Term | None]]]:
    columns, rows = worker.select(store, request)
    return columns, list(rows)


def _translated(run: Callable[[], _Answer], sparql: str, wanted: str) -> _Answer:
    """What `run` gives, its errors as `QueryError`."""
    try:
        return run()
    except SyntaxError as error:
        raise syntax_error(sparql, error) from None
    except TypeError:
        raise _other_form(wanted) from None
    except (ValueError, RuntimeError, OSError) as error:
        raise _failed(error) from error


def _other_form(wanted: str) -> QueryError:
    return QueryError(_FORMS.get(wanted, "a SELECT or ASK is needed here"))


def _failed(error: object) -> QueryError:
    return QueryError(f"the query cannot be answered: {error}")
