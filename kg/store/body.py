"""The body of an answer that comes over the network, as a file, with bounds."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING

from kg.errors import LimitError

if TYPE_CHECKING:
    import httpx

#: Bytes of an answer, beyond which its terms would not fit into memory.
MOST = 256 * 2**20


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
