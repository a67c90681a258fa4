"""A remote store, as the Graph Store Protocol shows it."""

from __future__ import annotations

import netrc
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import httpx

from kg.errors import InputError, StoreError

if TYPE_CHECKING:
    from types import TracebackType

_TRIES = 4
_TRIPLES = "application/n-triples"
_QUADS = "application/n-quads"
#: Answers of a store that takes single graphs but no dataset.
_NO_DATASET = frozenset((400, 404, 405, 406, 411, 415, 422, 501))
_BUSY = frozenset((429, 502, 503, 504))


class Remote:
    """The Graph Store Protocol at `endpoint`; a context manager that closes its connections."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        """Check the address. Raises `InputError` for what is none."""
        try:
            self._url = httpx.URL(endpoint)
        except httpx.InvalidURL as error:
            raise InputError(f"{endpoint!r} is no address: {error}") from None
        if self._url.scheme not in ("http", "https") or not self._url.host:
            raise InputError(
                f"{endpoint!r} is no address of a store: give one like http://localhost:7878/store"
            )
        if self._url.userinfo:
            raise InputError(
                "no user and password in the address, where others can read them: put them into "
                "~/.netrc, or KG_PUSH_USER and KG_PUSH_PASSWORD"
            )
        self._shown = str(self._url)
        self._client = httpx.Client(
            timeout=timeout, auth=_credentials(self._url.host), headers={"user-agent": "kg"}
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def has(self, graph: str) -> bool:
        """Whether the store holds a graph of that name."""
        found = self._request("HEAD", graph)
        if found.status_code in (405, 501):
            found = self._request("GET", graph)
        if found.status_code == 404:
            return False
        self._expect(found)
        return True

    def put(self, graph: str, content: bytes) -> None:
        """Make `content` (N-Triples) the whole of a graph."""
        self._expect(self._request("PUT", graph, content, _TRIPLES))

    def delete(self, graph: str) -> None:
        """Take a graph out; one that is not there is no error."""
        found = self._request("DELETE", graph)
        if found.status_code != 404:
            self._expect(found)

    def post_quads(self, content: bytes) -> bool:
        """Add N-Quads to the graphs that they name; whether the store takes such."""
        found = self._request("POST", None, content, _QUADS)
        if found.status_code in _NO_DATASET:
            return False
        self._expect(found)
        return True

    def _request(
        self, method: str, graph: str | None, content: bytes = b"", kind: str = ""
    ) -> httpx.Response:
        """What the store answers; asked again where it is busy or the line breaks."""
        url = self._url if graph is None else self._url.copy_merge_params({"graph": graph})
        headers = {"content-type": kind} if kind else {"accept": _TRIPLES}
        for attempt in range(1, _TRIES + 1):
            try:
                found = self._client.request(method, url, content=content or None, headers=headers)
            except httpx.TransportError as error:
                if attempt == _TRIES or isinstance(error, httpx.UnsupportedProtocol):
                    raise StoreError(
                        f"cannot reach {self._shown!r}: {error or type(error).__name__}. What went "
                        "is written down; run the same command again to go on"
                    ) from error
            else:
                if found.status_code not in _BUSY or attempt == _TRIES:
                    return found
            time.sleep(0.25 * 2**attempt)
        raise AssertionError(attempt)

    def _expect(self, found: httpx.Response) -> None:
        if found.is_success:
            return
        status = f"{found.status_code} {found.reason_phrase}"
        said = " ".join(found.text.split())[:200]
        hint = "Is this its address of the Graph Store Protocol, and may one write there?"
        if found.status_code in (401, 403):
            hint = "Put user and password into ~/.netrc, or KG_PUSH_USER and KG_PUSH_PASSWORD"
        raise StoreError(
            f"{self._shown!r} refuses {found.request.method}: {status}"
            f"{f' ({said})' if said else ''}. {hint}"
        )


def _credentials(host: str) -> tuple[str, str] | None:
    """User and password for `host`, from the environment or netrc; None where there are none."""
    if user := os.environ.get("KG_PUSH_USER"):
        return user, os.environ.get("KG_PUSH_PASSWORD", "")
    path = Path(os.environ.get("NETRC") or Path.home() / ".netrc")
    if not path.is_file():
        return None
    try:
        found = netrc.netrc(path).authenticators(host)
    except (netrc.NetrcParseError, OSError) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from error
    return (found[0], found[2] or "") if found else None
