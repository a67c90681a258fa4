"""Asking a store: in this process, or in one that is killed when time is up."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from kg.errors import LimitError, QueryError
from kg.store import worker
from kg.store.sparql import check_query, syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pyoxigraph as ox

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
            return _translated(lambda: worker.select(self._store, request), sparql, "rows")
        found = json.loads(self._in_child(sparql, request, timeout))
        return found["columns"], found["rows"]

    def ask(
        self,
        sparql: str,
        wanted: str,
        *,
        timeout: float | None = None,
        graphs: Graphs | None = None,
    ) -> bytes:
        """The answer in the form of `kg.store.worker.answer`, from `graphs` where they are given.

        Raises `QueryError` for what is no query, is refused, or fails, and `LimitError` where it
        takes longer than `timeout` seconds.
        """
        request = self._request(sparql, wanted, None, graphs)
        if timeout is None or not self._path:
            return _translated(lambda: worker.answer(self._store, request), sparql, wanted)
        return self._in_child(sparql, request, timeout)

    def _request(
        self, sparql: str, wanted: str, limit: int | None, graphs: Graphs | None = None
    ) -> dict[str, object]:
        try:
            sparql.encode()
        except UnicodeEncodeError as error:
            raise QueryError(
                f"not a SPARQL query: {sparql[error.start]!r} at character {error.start + 1} "
                "is no character"
            ) from None
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

    def _in_child(self, sparql: str, request: dict[str, object], timeout: float) -> bytes:
        deadline = time.monotonic() + timeout
        try:
            head, body = self._exchange(json.dumps(request).encode() + b"\n", deadline)
        except TimeoutError:
            self.close()
            raise LimitError(
                f"stopped after {timeout:g} s: ask for less (LIMIT, a narrower pattern), or give "
                "it more time with --timeout"
            ) from None
        except (EOFError, BrokenPipeError):
            self.close()
            raise LimitError(
                "the query's process died (out of memory?): ask for less, by LIMIT or a narrower "
                "pattern"
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
        return body

    def _exchange(self, request: bytes, deadline: float) -> tuple[dict[str, object], bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(  # noqa: S603 - our own script, no shell
                [sys.executable, "-P", worker.__file__, str(self._path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise EOFError
        process.stdin.write(request)
        process.stdin.flush()
        handle = process.stdout.fileno()
        received = bytearray()
        size = -1
        head: dict[str, object] = {}
        while size < 0 or len(received) < size:
            ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            block = os.read(handle, 1 << 20)
            if not block:
                raise EOFError
            received += block
            if size < 0 and b"\n" in received:
                line, _, rest = bytes(received).partition(b"\n")
                head = json.loads(line)
                size, received = int(str(head["size"])), bytearray(rest)
        return head, bytes(received)


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
