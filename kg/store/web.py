"""HTTP to a remote store: its address, user and password, and asking again where that may help."""

from __future__ import annotations

import html
import netrc
import os
import re
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import httpx

from kg.errors import InputError, StoreError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

_TRIES = 4
_BUSY = frozenset((429, 502, 503, 504))
_SAID = 200
_CONNECT = 15.0
_TAG = re.compile(r"<(style|title)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


class Web:
    """Requests to one address; a context manager that closes its connections.

    User and password are those of the environment's `<variable>_USER` and `<variable>_PASSWORD` for
    the first of `variables` that is set, or of netrc; certificates are checked.
    """

    def __init__(
        self, address: str, *, timeout: float, example: str, variables: tuple[str, ...]
    ) -> None:
        """Check the address. Raises `InputError` for what is none."""
        try:
            self.url = httpx.URL(address)
        except httpx.InvalidURL as error:
            raise InputError(f"{address!r} is no address: {error}") from None
        if self.url.userinfo:
            raise InputError(
                "no user and password in the address, where others can read them: put them into "
                f"~/.netrc, or {variables[0]}_USER and {variables[0]}_PASSWORD"
            )
        if self.url.scheme not in ("http", "https") or not self.url.host:
            raise InputError(f"{address!r} is no address of a store: give one like {example}")
        self.shown = str(self.url)
        self._variables = variables
        self._timeout = _patience(timeout)
        self._client = httpx.Client(
            auth=_credentials(self.url.host, variables),
            headers={"user-agent": "kg"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @contextmanager
    def answer(
        self,
        method: str,
        *,
        graph: str | None = None,
        headers: Mapping[str, str],
        content: bytes = b"",
        data: Mapping[str, str] | None = None,
        timeout: float | None = None,
        advice: str = "",
    ) -> Iterator[httpx.Response]:
        """What the store answers, its body not read yet; asked again where it is busy or away.

        `timeout` takes the place of the usual one. Raises `StoreError`, with `advice` behind it,
        where the store cannot be reached, and `httpx.TimeoutException` where it is too slow.
        """
        url = self.url if graph is None else self.url.copy_merge_params({"graph": graph})
        request = self._client.build_request(
            method,
            url,
            headers=headers,
            content=content or None,
            data=data,
            timeout=self._timeout if timeout is None else _patience(timeout),
        )
        found = self._sent(request, advice)
        try:
            yield found
        finally:
            found.close()

    def _sent(self, request: httpx.Request, advice: str) -> httpx.Response:
        for attempt in range(1, _TRIES + 1):
            try:
                found = self._client.send(request, stream=True)
            except (httpx.ReadTimeout, httpx.WriteTimeout):
                raise
            except httpx.TransportError as error:
                final = isinstance(error, httpx.UnsupportedProtocol) or "certificate" in str(error)
                if attempt == _TRIES or final:
                    reason = str(error) or type(error).__name__
                    raise StoreError(f"cannot reach {self.shown!r}: {reason}{advice}") from error
            else:
                if found.status_code not in _BUSY or attempt == _TRIES:
                    return found
                found.close()
            time.sleep(0.25 * 2**attempt)
        raise AssertionError(attempt)

    def refusal(self, found: httpx.Response, hint: str) -> StoreError:
        """The error for an answer that is no success, in one line; `hint` says what to look at."""
        status = f"{found.status_code} {found.reason_phrase}".strip()
        if found.is_redirect:
            status += f" to {found.headers.get('location', '?')!r}"
            hint = "Give that address"
        if found.status_code in (401, 403):
            name = self._variables[0]
            hint = f"Put user and password into ~/.netrc, or {name}_USER and {name}_PASSWORD"
        said = body_line(found)
        return StoreError(
            f"{self.shown!r} refuses {found.request.method}: {status}"
            f"{f' ({said})' if said else ''}. {hint}"
        )


def _patience(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, _CONNECT))


def body_line(found: httpx.Response) -> str:
    """The beginning of an answer's body as one line ("" for a page, other than of an error)."""
    page = "html" in found.headers.get("content-type", "")
    if page and not found.is_server_error:
        return ""
    body = b""
    for block in found.iter_bytes(4096):
        body += block
        if len(body) > 4 * _SAID:
            break
    text = body.decode(found.charset_encoding or "utf-8", "replace")
    if page:
        text = html.unescape(_TAG.sub(" ", text))
    return " ".join(text.split())[:_SAID]


class Credentials(httpx.Auth):
    """User and password by Basic (RFC 7617), or by Digest (RFC 7616) once the store asks for it."""

    def __init__(self, user: str, password: str) -> None:
        self._basic = httpx.BasicAuth(user, password)
        self._digest = httpx.DigestAuth(user, password)
        self._wants_digest = False

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """The request with what it takes to be let in."""
        if not self._wants_digest:
            found = yield next(self._basic.auth_flow(request))
            challenges = found.headers.get("www-authenticate", "").lower()
            if found.status_code != 401 or "basic" in challenges:
                return
            # Virtuoso says that it wants Digest only to those who offer nothing
            del request.headers["authorization"]
            self._wants_digest = True
        yield from self._digest.auth_flow(request)


def _credentials(host: str, variables: tuple[str, ...]) -> Credentials | None:
    """User and password for `host`, from the environment or netrc; None where there are none."""
    for variable in variables:
        if user := os.environ.get(f"{variable}_USER"):
            return Credentials(user, os.environ.get(f"{variable}_PASSWORD", ""))
    path = Path(os.environ.get("NETRC") or Path.home() / ".netrc")
    if not path.is_file():
        return None
    try:
        found = netrc.netrc(path).authenticators(host)
    except (netrc.NetrcParseError, OSError) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from error
    return Credentials(found[0], found[2] or "") if found else None
