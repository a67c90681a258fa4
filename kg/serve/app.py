"""The server as an ASGI application: addresses, headers, errors."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kg.errors import KgError, LimitError, QueryError, RefusedError
from kg.serve.negotiation import HTML, TRIPLES, Offer, choose
from kg.serve.pages import Pages
from kg.serve.pool import Pool
from kg.serve.protocol import answer, offered, read_operation
from kg.store import GraphStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Names by which a machine calls itself.
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Yasgui sets styles within the HTML that it makes, and carries its icons as data.
_EDITOR_POLICY = _PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
_STORES_OF_PAGES = 4
_PLAIN = Offer("plain", "text/plain")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a graph is served.

    `timeout` is the seconds that a query may take, `queries` how many run at once, `patience` the
    seconds that one more may wait for a place. `hosts` are the names that the server answers to
    (empty for any), `origins` the sites whose pages may ask it from a browser (CORS; "*" for all).
    `folder` is that of the saved queries, the usual one where None.
    """

    timeout: float = 30.0
    queries: int = 8
    patience: float = 30.0
    hosts: tuple[str, ...] = LOOPBACK
    origins: tuple[str, ...] = ()
    folder: Path | None = None


def application(graph: str | Path, settings: Settings | None = None) -> Starlette:
    """The application that serves the graph in the folder `graph`.

    Raises `StoreError` where there is no graph that can be read.
    """
    settings = settings or Settings()
    path = Path(graph)
    with GraphStore.open(path) as store:
        base = store.base
    asked = Pool(path, size=settings.queries, patience=settings.patience)
    shown = Pool(path, size=_STORES_OF_PAGES, patience=settings.patience)
    pages = Pages(shown, base=base, folder=settings.folder, timeout=settings.timeout)

    async def sparql(request: Request) -> Response:
        operation = await read_operation(request)
        if operation:
            return await answer(request, operation, asked, timeout=settings.timeout)
        offer = offered(request, (HTML, *TRIPLES), request.query_params.get("format", ""))
        return await (pages.editor(request) if offer is HTML else pages.service(request, offer))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - that is what it is registered for
        return told(request, error.status_code, error.detail, dict(error.headers or {}))

    async def kg_error(request: Request, error: Exception) -> Response:
        return told(request, _status(error), str(error), {})

    def told(request: Request, status: int, message: str, headers: dict[str, str]) -> Response:
        browsing = (
            request.url.path != "/sparql"
            and choose(request.headers.get("accept"), (_PLAIN, HTML)) is HTML
        )
        if browsing:
            response = pages.problem(request, status, message)
            response.status_code = status
        else:
            response = PlainTextResponse(message + "\n", status)
        response.headers.update(headers)
        return response

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        asked.close()
        shown.close()

    middleware = [Middleware(Headers)]
    if settings.hosts:
        middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=[*settings.hosts]))
    if settings.origins:
        middleware.append(
            Middleware(
                CORSMiddleware, allow_origins=[*settings.origins], allow_methods=["GET", "POST"]
            )
        )
    return Starlette(
        routes=[
            Route("/", pages.start),
            Route("/sparql", sparql, methods=["GET", "POST"]),
            Route("/search", pages.search),
            Route("/questions", pages.questions),
            Route("/questions/{name}", pages.question),
            Route("/ontology", pages.ontology),
            Route("/id/{path:path}", pages.thing),
            Mount("/static", StaticFiles(directory=Path(__file__).with_name("assets") / "static")),
        ],
        middleware=middleware,
        exception_handlers={HTTPException: http_error, KgError: kg_error},
        lifespan=lifespan,
    )


def _status(error: Exception) -> int:
    if isinstance(error, RefusedError):
        return 403
    if isinstance(error, LimitError):
        return 503
    return 400 if isinstance(error, QueryError) else 500


class Headers:
    """Puts on every answer what keeps a browser from doing more with it than it should."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        policy = _EDITOR_POLICY if scope.get("path") == "/sparql" else _PAGE_POLICY

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", policy.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            await send(message)

        await self._app(scope, receive, send_with)
