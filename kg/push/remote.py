"""A remote store, as the Graph Store Protocol shows it."""

from __future__ import annotations

import time
from typing import Self

import httpx

from kg.errors import StoreError
from kg.store.web import Web

#: Bytes of a request, which a store has to take in before its answer is due.
PIECE = 4_000_000
_TRIES = 4
_TRIPLES = "application/n-triples"
_QUADS = "application/n-quads"
#: Answers of a store that takes single graphs but no dataset.
_NO_DATASET = frozenset((400, 404, 405, 406, 411, 415, 422, 501))
_HINT = "Is this its address of the Graph Store Protocol, and may one write there?"
_AGAIN = ". What went is written down; run the same command again to go on"


class Remote:
    """The Graph Store Protocol at `endpoint`; a context manager that closes its connections."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        """Check the address. Raises `InputError` for what is none."""
        self._web = Web(
            endpoint,
            timeout=timeout,
            example="http://localhost:7878/store",
            variables=("KG_PUSH", "KG"),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._web.close()

    def has(self, graph: str) -> bool:
        """Whether the store holds a graph of that name."""
        status = self._request("HEAD", graph, fine=(404, 405, 501))
        if status in (405, 501):
            status = self._request("GET", graph, fine=(404,))
        return status != 404

    def put(self, graph: str, content: bytes) -> None:
        """Make `content` (N-Triples) the whole of a graph; what is large goes in several requests.

        Between those, and after one that fails, the store holds a part of the graph.
        """
        first, *others = _pieces(content)
        self._request("PUT", graph, first, _TRIPLES)
        for piece in others:
            self._request("POST", graph, piece, _TRIPLES)

    def delete(self, graph: str) -> None:
        """Take a graph out; one that is not there is no error."""
        self._request("DELETE", graph, fine=(404,))

    def post_quads(self, content: bytes) -> bool:
        """Add N-Quads to the graphs that they name; whether the store takes such."""
        return all(
            self._request("POST", None, piece, _QUADS, fine=_NO_DATASET) not in _NO_DATASET
            for piece in _pieces(content)
        )

    def _request(
        self,
        method: str,
        graph: str | None,
        content: bytes = b"",
        kind: str = "",
        *,
        fine: frozenset[int] | tuple[int, ...] = (),
    ) -> int:
        """The status of the store's answer, a success or one of `fine`."""
        # Virtuoso deletes nothing for those who want triples in return
        headers = {"accept": _TRIPLES if method in ("GET", "HEAD") else "*/*"}
        if kind:
            headers["content-type"] = kind
        for attempt in range(1, _TRIES + 1):
            last = attempt == _TRIES
            try:
                with self._web.answer(
                    method, graph=graph, headers=headers, content=content, advice=_AGAIN
                ) as found:
                    if found.status_code in fine or found.is_success:
                        if method != "GET":
                            found.read()  # or the connection is not used again
                        return found.status_code
                    # by 500 Virtuoso says that two writers were in each other's way
                    if found.status_code != 500 or last:
                        raise self._web.refusal(found, _HINT)
            except httpx.TimeoutException as error:
                # what was put or deleted may be so again
                if last:
                    raise StoreError(
                        f"{self._web.shown!r} took too long: give --timeout more seconds{_AGAIN}"
                    ) from error
            except httpx.TransportError as error:
                if last:
                    raise StoreError(
                        f"{self._web.shown!r} broke off: {error or type(error).__name__}{_AGAIN}"
                    ) from error
            time.sleep(0.5 * attempt)
        raise AssertionError(attempt)


def _pieces(lines: bytes) -> list[bytes]:
    """Whole lines, some `PIECE` bytes in each piece; one empty piece where there are none."""
    pieces = []
    start = 0
    while len(lines) - start > PIECE:
        end = lines.rfind(b"\n", start, start + PIECE) + 1 or lines.find(b"\n", start) + 1
        pieces.append(lines[start:end])
        start = end
    return [*pieces, lines[start:]] if start < len(lines) or not pieces else pieces
