"""A file or standard input as bounded pieces of text: unpacked, decoded, line ends made one."""

from __future__ import annotations

import codecs
import io
import itertools
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.unpack import CHUNK, Counted, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: Characters that the sniffers see.
HEAD = 1 << 18
#: Longest line or record that is read at all; a longer one is skipped, never held.
RECORD_LIMIT = 1 << 22

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Text:
    r"""Decoded text under way: `pieces` yields all of it once, `head` is how it begins.

    Line ends are "\n" alone. The head has `HEAD` characters, or fewer if that is all.
    """

    name: str
    head: str
    pieces: Iterator[str]

    def at(self, line: int) -> str:
        """The place of a record in the form of `Abstract.source`."""
        return f"{self.name}:{line}"


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line or record longer than `RECORD_LIMIT`: how it begins, the rest was not kept."""

    start: str

    @property
    def reason(self) -> str:
        """Why it is skipped."""
        return f"more than {RECORD_LIMIT >> 20} MiB in one record"


def _line(data: bytes) -> str:
    """One line (or a piece of a long one) as UTF-8, else as Windows-1252, which holds Latin-1.

    A line of UTF-8 with a few broken bytes stays UTF-8; the broken ones alone are read as
    Windows-1252.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    lenient = data.decode("utf-8", "surrogateescape")
    broken = sum("\udc80" <= c <= "\udcff" for c in lenient)
    if sum(c > "\x7f" for c in lenient) - broken > broken:
        return "".join(
            _western(bytes([ord(c) - 0xDC00])) if "\udc80" <= c <= "\udcff" else c for c in lenient
        )
    return _western(data)


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:  # five bytes that Windows-1252 leaves undefined
        return data.decode("latin-1")


def _utf8_end(data: bytes) -> int:
    """Where to cut `data` so that no UTF-8 character is cut in two."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            return len(data) - back
        if byte < 0x80:
            break
    return len(data)


def _decoded_lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """UTF-8 or Windows-1252, decided line by line, in pieces that end with a line if they can."""
    rest = b""
    for chunk in chunks:
        data = rest + chunk
        end = data.rfind(b"\n") + 1
        if not end and len(data) > CHUNK:
            end = _utf8_end(data)
        block, rest = data[:end], data[end:]
        try:
            yield block.decode()
        except UnicodeDecodeError:
            yield "".join(map(_line, block.splitlines(keepends=True)))
    if rest:
        yield _line(rest)


def _decoded(chunks: Iterator[bytes]) -> Iterator[str]:
    first = next(chunks, b"")
    bom, encoding = next((row for row in _BOMS if first.startswith(row[0])), (b"", "utf-8"))
    chunks = itertools.chain([first[len(bom) :]], chunks)
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    if encoding == "utf-8":
        for piece in _decoded_lines(chunks):
            yield newlines.decode(piece)
    else:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        for chunk in chunks:
            yield newlines.decode(decoder.decode(chunk))
        yield newlines.decode(decoder.decode(b"", final=True))
    yield newlines.decode("", final=True)


def _begun(pieces: Iterator[str]) -> tuple[str, Iterator[str]]:
    """At least `HEAD` characters, if there are as many, and what follows them.

    Where the data break within them, what stands before the break is still read.
    """
    head: list[str] = []
    size = 0
    try:
        for piece in pieces:
            head.append(piece)
            size += len(piece)
            if size >= HEAD:
                break
    except InputError as error:
        if not "".join(head).strip():
            raise
        return "".join(head), _broken(error)
    return "".join(head), pieces


def _broken(error: InputError) -> Iterator[str]:
    raise error
    yield


@contextmanager
def open_text(path: Path | None, name: str) -> Iterator[Text]:
    """Open a file, or standard input where `path` is None, as text; `name` is for messages.

    UTF-8, UTF-16 and UTF-32 with a byte order mark, UTF-8 and Windows-1252 (and so Latin-1)
    without. Raises InputError where it cannot be read or unpacked; reading on may raise it too.
    """
    try:
        opened = nullcontext(sys.stdin.buffer) if path is None else path.open("rb")
        with opened as stream:
            pieces = _decoded(unpacked(Counted(stream), name))
            start, rest = _begun(pieces)
            yield Text(name, start[:HEAD], itertools.chain([start], rest))
    except OSError as error:
        raise InputError(f"cannot read {name!r}: {error.strerror or error}") from error


def lines(text: Text) -> Iterator[tuple[int, str | Overlong]]:
    """Each line with its number from 1, without its line end."""
    number = 1
    held: list[str] = []
    size = 0
    for piece in text.pieces:
        *ended, rest = piece.split("\n")
        for row in ended:
            size += len(row)
            held.append(row)
            yield number, _bounded("".join(held), size)
            held.clear()
            size = 0
            number += 1
        size += len(rest)
        if size > RECORD_LIMIT:
            del held[1:]
        if rest:
            held.append(rest)
    if size:
        yield number, _bounded("".join(held), size)


def _bounded(text: str, size: int) -> str | Overlong:
    return text if size <= RECORD_LIMIT else Overlong(text[:1_000])


def blocks(text: Text, *, starts: Callable[[str], bool]) -> Iterator[tuple[int, str | Overlong]]:
    """Runs of lines, each with the number of its first; a run begins where `starts(line)` holds.

    The first run is whatever stands before the first start, if anything does.
    """
    first = 1
    held: list[str] = []
    size = 0
    for number, line in lines(text):
        begin = line.start if isinstance(line, Overlong) else line
        if size and starts(begin):
            yield first, _bounded("\n".join(held), size)
            held.clear()
            first, size = number, 0
        size += len(begin) + 1 if begin is line else RECORD_LIMIT + 1
        if size > RECORD_LIMIT:
            del held[1:]
        held.append(begin)
    if size:
        yield first, _bounded("\n".join(held), size)
