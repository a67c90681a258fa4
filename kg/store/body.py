"""The body of an answer that comes over the network, as a file, with bounds."""

from __future__ import annotations

import io
import time
from typing import IO, TYPE_CHECKING, cast

import pyoxigraph as ox

from kg.errors import LimitError

if TYPE_CHECKING:
    import httpx

#: Bytes of an answer, beyond which its terms would not fit into memory.
MOST = 256 * 2**20
#: The column of Virtuoso's answer to an ASK: a figure, where a boolean should be.
_VIRTUOSO = "__ASK_RETVAL"


class Body(io.RawIOBase):
    """What is read raises a `LimitError` past `deadline` (monotonic seconds) or `MOST` bytes."""

    def __init__(self, found: httpx.Response, *, deadline: float) -> None:
        self.kind = content_kind(found)
        self._blocks = found.iter_bytes(1 << 16)
        self._deadline = deadline
        self._rest = b""
        self._size = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes (all that is left, where it is negative); none at the end."""
        if size < 0:
            return b"".join(iter(lambda: self.read(1 << 16), b""))
        if not self._rest:
            self._rest = next(self._blocks, b"")
            self._size += len(self._rest)
            if self._size > MOST:
                raise LimitError(
                    f"the answer is larger than {MOST // 2**20} MB: ask for less (LIMIT, a narrower"
                    " pattern)"
                )
            if time.monotonic() > self._deadline:
                raise LimitError(
                    "the answer took too long to arrive: ask for less (LIMIT, a narrower pattern), "
                    "or give it more time with --timeout"
                )
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


def content_kind(found: httpx.Response) -> str:
    """The media type of an answer, without its parameters."""
    return str(found.headers.get("content-type", "")).partition(";")[0].strip().lower()


def results(body: Body) -> ox.QuerySolutions | ox.QueryBoolean:
    """An answer in JSON, the rows read as they are asked for; `SyntaxError` for what is none."""
    json = ox.QueryResultsFormat.JSON
    found = ox.parse_query_results(cast("IO[bytes]", body), format=json)
    if isinstance(found, ox.QuerySolutions) and [v.value for v in found.variables] == [_VIRTUOSO]:
        yes = any(str(getattr(row[0], "value", "")) == "1" for row in found)
        return ox.parse_query_results(b'{"head":{},"boolean":%s}' % str(yes).lower().encode(), json)
    return found
