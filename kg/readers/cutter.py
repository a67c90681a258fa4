"""Where one JSON value ends and the next begins, in text that arrives in pieces.

It knows strings, escapes and brackets and nothing else; whether a value is good is for `json` to
say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.source import RECORD_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A string (group 1 is empty where it does not end in this piece), a bracket or a comma.
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("?)|[][{},]', re.S)
_STRING_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*("?)', re.S)


class Cutter:
    """Cuts a run of JSON values; it ends at the bracket that encloses them, if `enclosed`."""

    def __init__(self, *, enclosed: bool) -> None:
        self.closed = False
        self.size = 0
        self._enclosed = enclosed
        self._depth = 0
        self._in_string = False
        self._backslash = ""
        self._breaks = 0
        self._held: list[str] = []

    def cut(self, piece: str) -> Iterator[tuple[str, int, int]]:
        """The values that end in this piece: text, line breaks in it, length.

        The text is empty where the length is more than `RECORD_LIMIT`.
        """
        piece = self._backslash + piece
        trailing = len(piece) - len(piece.rstrip("\\"))
        self._backslash = "\\" if trailing % 2 else ""
        piece = piece[: len(piece) - len(self._backslash)]
        begin = at = 0
        if self._in_string and (found := _STRING_END.match(piece)):
            at = found.end()
            self._in_string = not found[1]
        while not (self.closed or self._in_string) and (found := _TOKEN.search(piece, at)):
            at = found.end()
            if (end := self._end(piece, found)) is not None:
                yield self._whole(piece[begin:end])
                begin = at
        self._hold(piece[begin:])

    def _end(self, piece: str, token: re.Match[str]) -> int | None:
        """Where the value ends that this token ends, if it ends one."""
        match piece[token.start()]:
            case '"':
                self._in_string = not token[1]
            case "{" | "[":
                self._depth += 1
            case "," if self._depth == 0:
                return token.start()
            case "}" | "]" if self._depth == 0:
                self.closed = self._enclosed
                return token.start() if self._enclosed else token.end()
            case "}" | "]":
                self._depth -= 1
                return None if self._depth else token.end()
        return None

    def _hold(self, part: str) -> None:
        self.size += len(part)
        self._breaks += part.count("\n")
        if self.size > RECORD_LIMIT:
            self._held.clear()
        elif part:
            self._held.append(part)

    def _whole(self, part: str) -> tuple[str, int, int]:
        self._hold(part)
        done = "".join(self._held), self._breaks, self.size
        self._held.clear()
        self._breaks = self.size = 0
        return done

    def rest(self) -> str:
        """What stands after the last whole value."""
        return "".join(self._held) + self._backslash
