"""What an endpoint may answer with, and what is no whole answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.errors import LimitError, QueryError, StoreError
from kg.store.body import content_kind
from kg.store.web import body_line

if TYPE_CHECKING:
    import httpx

    from kg.store.web import Web

ROWS = "application/sparql-results+json"
TRIPLES = "application/n-triples, text/turtle;q=0.5, application/rdf+xml;q=0.3"
RDF = {
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "text/plain": ox.RdfFormat.N_TRIPLES,
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/x-turtle": ox.RdfFormat.TURTLE,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
}
HINT = "Is this the address of its SPARQL queries?"


def check_reply(found: httpx.Response, web: Web, *, accept: str) -> None:
    """Refuse an answer that is none, or not the whole; `accept` is what was asked for.

    Raises `QueryError` for what the endpoint says of the query, `StoreError` for what is no
    answer to a query, `LimitError` for one that was cut off.
    """
    if found.status_code in (400, 413, 422, 500, 501, 503) and (said := body_line(found)):
        raise QueryError(f"{web.shown!r} cannot answer ({found.status_code}): {said}")
    if not found.is_success:
        raise web.refusal(found, HINT)
    kind = content_kind(found)
    fitting = RDF if accept == TRIPLES else (ROWS, "application/json")
    if kind not in fitting:
        raise StoreError(
            f"{web.shown!r} answers with {kind or 'nothing'}, not with the answer to a "
            f"query. {HINT}"
        )
    if found.headers.get("x-sql-state") == "S1TAT":
        raise LimitError(
            f"{web.shown!r} ran out of its own time and gave a part of the answer: ask "
            "for less (LIMIT, a narrower pattern)"
        )
    if most := found.headers.get("x-sparql-maxrows"):
        raise LimitError(
            f"{web.shown!r} gives {most} rows at most and cut the answer off: ask for "
            "less (LIMIT), or set its ResultSetMaxRows higher"
        )
