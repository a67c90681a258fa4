"""SPARQL 1.1 Protocol, the query operation (W3C Recommendation, §2.1), and what the service is.

Status codes: 400 for what is no query, 403 for what would write or call another server, 406 and 415
for formats, 413 for a query of more than a megabyte, 503 for one that took too long, whose answer
grew too large, or that no place came free for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kg.query import RESULT_FORMATS, query_form
from kg.serve.negotiation import ROWS, TRIPLES, Offer, choose
from kg.store import Bounded, Graphs, GraphStore
from kg.vocab import description_iri

if TYPE_CHECKING:
    import io
    from collections.abc import Sequence

    from starlette.requests import Request

    from kg.serve.pool import Pool

_LONGEST = 1_000_000
_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
#: What rdflib's SPARQLStore asks for when it means the endpoint's default graph.
_RDFLIB_DEFAULT = "urn:x-rdflib:default"


@dataclass(frozen=True, slots=True)
class Operation:
    """A query as a client sent it; `format` is the name of a format, where the address says one."""

    query: str
    graphs: Graphs | None
    format: str


async def read_operation(request: Request) -> Operation | None:
    """The query in `request`; None for a GET without one. Raises `HTTPException`."""
    fields = _fields(request.url.query)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST":
        body = await _body(request)
        if kind == _FORM:
            fields += _fields(body)
        elif kind == _QUERY:
            if any(name == "query" for name, _ in fields):
                raise HTTPException(400, "the query is both in the address and in the body")
            fields.append(("query", body))
        elif kind == _UPDATE:
            raise HTTPException(403, "this endpoint only reads: updates are refused")
        else:
            raise HTTPException(415, f"send a query as {_QUERY} or {_FORM}, not {kind!r}")
    return _operation(fields, required=request.method == "POST")


def _operation(fields: Sequence[tuple[str, str]], *, required: bool) -> Operation | None:
    def values(name: str) -> tuple[str, ...]:
        return tuple(value for field, value in fields if field == name)

    if values("update"):
        raise HTTPException(403, "this endpoint only reads: updates are refused")
    queries = values("query")
    if len(queries) > 1:
        raise HTTPException(400, f"one query at a time: {len(queries)} were given")
    if not queries:
        if required:
            raise HTTPException(400, "the parameter 'query' is missing")
        return None
    default = tuple(iri for iri in values("default-graph-uri") if iri != _RDFLIB_DEFAULT)
    graphs = Graphs(default, values("named-graph-uri"))
    return Operation(queries[0], graphs if any(graphs) else None, "".join(values("format")[:1]))


def _fields(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=1000)
    except UnicodeDecodeError:
        raise HTTPException(400, "the request is not UTF-8") from None
    except ValueError as error:
        raise HTTPException(400, f"the request cannot be read: {error}") from None


async def _body(request: Request) -> str:
    received = bytearray()
    async for block in request.stream():
        received += block
        if len(received) > _LONGEST:
            raise HTTPException(413, f"a query may have {_LONGEST:,} bytes at most")
    try:
        return received.decode()
    except UnicodeDecodeError:
        raise HTTPException(400, "the request is not UTF-8") from None


async def answer(request: Request, operation: Operation, pool: Pool, *, timeout: float) -> Response:
    """The answer to a query, in the format that its client prefers.

    Raises `HTTPException` or `QueryError`.
    """
    rows = query_form(operation.query) in ("SELECT", "ASK")
    offer = offered(request, ROWS if rows else TRIPLES, operation.format)

    def run(store: GraphStore) -> bytes:
        sink = Bounded()
        if offer.name in RESULT_FORMATS:
            store.write_rows(
                operation.query, sink, format=offer.name, timeout=timeout, graphs=operation.graphs
            )
        else:
            store.construct(
                operation.query, sink, format=offer.name, timeout=timeout, graphs=operation.graphs
            )
        return sink.getvalue()

    return sent(await pool.ask(request, run), offer)


def offered(request: Request, offers: Sequence[Offer], wanted: str = "") -> Offer:
    """What to answer in: the format called `wanted`, or what the client accepts.

    Raises `HTTPException` where it is none of `offers`.
    """
    if wanted:
        found = next((offer for offer in offers if offer.name == wanted), None)
    else:
        # several header lines are one list
        found = choose(", ".join(request.headers.getlist("accept")), offers)
    if found is None:
        types = ", ".join(offer.media_type for offer in offers)
        raise HTTPException(406, f"this can be had as {types}")
    return found


def sent(content: bytes, offer: Offer) -> Response:
    """`content` as a response, of which caches must know that it hangs on the Accept header."""
    charset = "; charset=utf-8" if offer.media_type.startswith("text/") else ""
    return Response(content, headers={"content-type": offer.media_type + charset, "vary": "Accept"})


def describe_service(store: GraphStore, address: str, sink: io.BytesIO, *, format: str) -> None:  # noqa: A002 - the field's word
    """Write what the endpoint at `address` is and can do (SPARQL 1.1 Service Description)."""
    formats = " , ".join(f"formats:{name}" for name in _W3C_FORMATS)
    store.construct(
        "PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>"
        " PREFIX formats: <http://www.w3.org/ns/formats/>"
        f" CONSTRUCT {{ <{address}> a sd:Service ; sd:endpoint <{address}> ;"
        " sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:UnionDefaultGraph ;"
        f" sd:resultFormat {formats} ; sd:defaultDataset <{description_iri(store.base)}> }} {{}}",
        sink,
        format=format,
    )


_W3C_FORMATS = (
    "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
    "Turtle", "N-Triples", "JSON-LD", "RDF_XML",
)  # fmt: skip
