"""An answer in memory that may not grow beyond a size."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from kg.errors import LimitError

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Bytes of an answer that is held as a whole before it is written: 256 MiB.
LARGEST = 256 * 2**20


class Bounded(io.BytesIO):
    """Bytes in memory; raises `LimitError` where more than `largest` are written."""

    def __init__(self, largest: int | None = None) -> None:
        """Hold at most `largest` bytes, `LARGEST` where None."""
        super().__init__()
        self._largest = LARGEST if largest is None else largest

    def write(self, block: Buffer, /) -> int:
        """Add `block`, or raise the `LimitError`."""
        if self.tell() + len(memoryview(block)) > self._largest:
            raise LimitError(
                f"the answer has more than {self._largest / 1e6:,.6g} MB: ask for less, by LIMIT "
                "or a narrower pattern"
            )
        return super().write(block)
