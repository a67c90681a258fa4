"""Packed bytes unpacked piece by piece, in bounded memory whatever the file says of itself."""

from __future__ import annotations

import gzip
import lzma
import zlib
from typing import TYPE_CHECKING, BinaryIO

import zstandard

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Bytes that are taken at a time.
CHUNK = 1 << 16
#: Dictionaries of packed files may take this much memory; `xz -9` wants 65 MiB.
DICTIONARY_LIMIT = 1 << 28
#: Text packs 3 to 30 times; what grows more than this many times past that size is a bomb.
BOMB_RATIO = 500
BOMB_SIZE = 1 << 28


class Counted:
    """A binary stream that knows how many bytes were taken from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._first = stream.read(CHUNK)
        self.count = 0

    def starts_with(self, magic: bytes) -> bool:
        """Whether what comes next begins so; looking takes nothing."""
        return self._first.startswith(magic)

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, all there are if negative; none at the end."""
        if self._first:
            size = len(self._first) if size < 0 else size
            data, self._first = self._first[:size], self._first[size:]
        else:
            data = self._stream.read(size)
        self.count += len(data)
        return data


def _plain(raw: Counted) -> Iterator[bytes]:
    while chunk := raw.read(CHUNK):
        yield chunk


def _gunzip(raw: Counted) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=raw) as stream:  # type: ignore[call-overload]
        # read1 hands out what stands before a break, read would lose up to a chunk of it
        while chunk := stream.read1(CHUNK):
            yield chunk


def _unxz(raw: Counted) -> Iterator[bytes]:
    # not LZMAFile: it cannot limit the memory that a file asks for
    decoder = lzma.LZMADecompressor(memlimit=DICTIONARY_LIMIT)
    data = b""
    while True:
        if decoder.eof:
            data = decoder.unused_data.lstrip(b"\0") or raw.read(CHUNK).lstrip(b"\0")
            if not data:
                return
            decoder = lzma.LZMADecompressor(memlimit=DICTIONARY_LIMIT)
        elif decoder.needs_input:
            data = raw.read(CHUNK)
            if not data:
                raise EOFError
        else:
            data = b""
        if chunk := decoder.decompress(data, CHUNK):
            yield chunk


def _unzstd(raw: Counted) -> Iterator[bytes]:
    # not stream_reader: it takes a truncated file for a whole one. Slices of 512 bytes keep what
    # one call may return to 16 MiB (a block of 4 bytes stands for 128 KiB at most).
    packer = zstandard.ZstdDecompressor(max_window_size=DICTIONARY_LIMIT >> 1)
    decoder = packer.decompressobj()
    pending = b""
    between = True
    while pending or (pending := raw.read(512)):
        chunk = decoder.decompress(pending)
        for start in range(0, len(chunk), CHUNK):
            yield chunk[start : start + CHUNK]
        between = decoder.eof
        pending = decoder.unused_data if between else b""
        if between:
            decoder = packer.decompressobj()
    if not between:
        raise EOFError


_PACKED: tuple[tuple[bytes, str, Callable[[Counted], Iterator[bytes]]], ...] = (
    (b"\x1f\x8b", "gzip", _gunzip),
    (b"\xfd7zXZ\0", "xz", _unxz),
    (b"\x28\xb5\x2f\xfd", "zstd", _unzstd),
)
PACKED_SUFFIXES = (".gz", ".xz", ".zst")


def unpacked(raw: Counted, name: str) -> Iterator[bytes]:
    """The bytes inside; the first bytes tell the packing, the name does not.

    Raises InputError where packed data is damaged, cut off or a bomb.
    """
    kind, unpack = next(
        ((kind, unpack) for magic, kind, unpack in _PACKED if raw.starts_with(magic)),
        ("", _plain),
    )
    size = 0
    try:
        for chunk in unpack(raw):
            size += len(chunk)
            if size > BOMB_SIZE and size > BOMB_RATIO * raw.count:
                raise InputError(
                    f"{name!r} unpacks to more than {BOMB_RATIO} times its size: refused as a "
                    f"decompression bomb; unpack it yourself if it is none"
                )
            yield chunk
    except EOFError:
        reason = f"{name!r} is cut off: its {kind} data end early; fetch it again"
        raise InputError(reason) from None
    except (zlib.error, gzip.BadGzipFile, lzma.LZMAError, zstandard.ZstdError) as error:
        raise InputError(
            f"{name!r} cannot be unpacked: its {kind} data are damaged ({error}); fetch it again"
        ) from error
