"""The pages for people: start, search, one thing, the ready questions, the editor."""

from __future__ import annotations

import io
import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

import jinja2
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from kg import vocab
from kg.errors import QueryError
from kg.query import find_query, run, saved_queries, table_text
from kg.query.literals import is_iri
from kg.query.table import TABLE_FORMATS
from kg.serve.addresses import address, thing
from kg.serve.drawing import curve, ego, pieces
from kg.serve.finding import Found, find
from kg.serve.negotiation import HTML, TRIPLES, Offer
from kg.serve.protocol import describe_service, offered, sent
from kg.show import Card, show
from kg.stats import Stats, stats
from kg.store import Bounded, Timed
from kg.style import kind_label, node_colour

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from kg.query import SavedQuery, Table
    from kg.serve.pool import Pool
    from kg.store import GraphStore, Store

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("kg.serve", "assets"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals.update(label=kind_label, colour=node_colour, pieces=pieces)
_TABLES = tuple(
    Offer(name, kind)
    for name, kind in (
        ("csv", "text/csv"),
        ("tsv", "text/tab-separated-values"),
        ("json", "application/json"),
        ("md", "text/markdown"),
    )
)
_PREFIX = re.compile(r"(?<![\w:<?$@/])([A-Za-z][\w-]*):(?!/)")


class Pages:
    """The handlers of the pages; `pool` is theirs alone, so that no query of others blocks them.

    `folder` is the folder of saved queries (the usual one where None), `timeout` the seconds that
    all questions of one page may take, `base` the graph's.
    """

    def __init__(self, pool: Pool, *, base: str, folder: Path | None, timeout: float) -> None:
        self._pool = pool
        self._base = base
        self._folder = folder
        self._timeout = timeout
        self._counted: tuple[int, Stats] | None = None

    async def start(self, request: Request) -> Response:
        """What the graph holds, and ways in."""

        def count(store: GraphStore) -> Stats:
            generation = store.description.generation
            if not self._counted or self._counted[0] != generation:
                self._counted = generation, stats(Timed(store, self._timeout), top=8)
            return self._counted[1]

        return self._page(request, "start.html.j2", counts=await self._pool.ask(request, count))

    async def search(self, request: Request) -> Response:
        """What a name may mean."""
        text = request.query_params.get("q", "").strip()[:200]

        def look(store: GraphStore) -> Found:
            return find(Timed(store, self._timeout), text)

        found = await self._pool.ask(request, look) if text else Found((), ())
        return self._page(request, "search.html.j2", text=text, found=found)

    async def thing(self, request: Request) -> Response:
        """A paper or an entity, as a page or as RDF; a retired name leads to what replaced it."""
        raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
        iri = thing(raw.partition(b"?")[0].decode("ascii", "replace"), self._base)
        if not is_iri(iri):
            raise HTTPException(404, "nothing in this graph is called that")
        offer = offered(request, (HTML, *TRIPLES), request.query_params.get("format", ""))

        def describe(store: GraphStore) -> Card | bytes | str:
            timed = Timed(store, self._timeout)
            found = _known(timed, iri)
            if found != iri:
                return found
            return (
                show(timed, iri, edges=12, sentences=20)
                if offer is HTML
                else _rdf(timed, iri, offer.name)
            )

        found = await self._pool.ask(request, describe)
        if isinstance(found, bytes):
            return sent(found, offer)
        if isinstance(found, str):
            if not found:
                raise HTTPException(404, f"nothing in this graph is called <{iri}>")
            return RedirectResponse(address(found, self._base) or "/", 301)
        groups = [
            (kind, outgoing, list(edges))
            for (kind, outgoing), edges in groupby(found.edges, lambda e: (e.kind, e.outgoing))
        ]
        return self._page(
            request,
            "thing.html.j2",
            card=found,
            groups=groups,
            curve=curve(found.years),
            ego=ego(found.edges),
            page=vocab.page,
            formats=[offer.name for offer in TRIPLES],
            paper=found.types == ("Paper",),
        )

    async def questions(self, request: Request) -> Response:
        """All ready questions."""
        queries = saved_queries(self._folder).values()
        groups = [(name, list(group)) for name, group in groupby(queries, lambda q: q.group)]
        return self._page(request, "questions.html.j2", groups=groups)

    async def question(self, request: Request) -> Response:
        """One ready question: what it asks for, and its answer once that is given."""
        try:
            query = find_query(request.path_params["name"], self._folder)
        except QueryError as error:
            raise HTTPException(404, str(error)) from None
        given = {
            p.name: request.query_params[p.name]
            for p in query.parameters
            if request.query_params.get(p.name, "").strip()
        }
        complete = all(p.default is not None or p.name in given for p in query.parameters)
        offer = offered(request, (HTML, *_TABLES), request.query_params.get("format", ""))

        def ask(store: GraphStore) -> Table:
            timed = Timed(store, self._timeout)
            return run(timed, query.name, parameters=given, folder=self._folder)

        table = await self._pool.ask(request, ask) if complete else None
        if offer is not HTML:
            if table is None:
                raise HTTPException(400, "a parameter is missing that has no usual value")
            return sent(table_text(table, offer.name).encode(), offer)
        return self._page(
            request,
            "question.html.j2",
            query=query,
            given=given,
            table=table,
            formats=TABLE_FORMATS,
            address_query=str(request.url.include_query_params()).partition("?")[2],
        )

    async def editor(self, request: Request) -> Response:
        """The editor for SPARQL, with the ready questions in a menu."""
        prefixes = vocab.prefixes(self._base)
        queries = [
            {
                "name": query.name,
                "title": query.title,
                "group": query.group,
                "text": with_prefixes(query, prefixes),
            }
            for query in saved_queries(self._folder).values()
        ]
        return self._page(
            request, "editor.html.j2", settings={"queries": queries, "prefixes": prefixes}
        )

    async def ontology(self, request: Request) -> Response:
        """The vocabulary in Turtle."""
        return sent(vocab.ontology(self._base).encode(), offered(request, TRIPLES[:1], "ttl"))

    async def service(self, request: Request, offer: Offer) -> Response:
        """What the endpoint can do, as RDF."""
        endpoint = str(request.url.replace(query="", fragment=""))
        if not is_iri(endpoint):
            raise HTTPException(400, f"no address: {endpoint!r}")

        def describe(store: GraphStore) -> bytes:
            sink = io.BytesIO()
            describe_service(store, endpoint, sink, format=offer.name)
            return sink.getvalue()

        return sent(await self._pool.ask(request, describe), offer)

    def problem(self, request: Request, status: int, message: str) -> Response:
        """A page that says what went wrong."""
        return self._page(request, "problem.html.j2", status=status, message=message)

    def _page(self, request: Request, template: str, **values: Any) -> HTMLResponse:  # noqa: ANN401 - what templates take
        def link(iri: str | None) -> str | None:
            return address(iri, self._base) if iri else None

        text = _TEMPLATES.get_template(template).render(
            link=link, searched=request.query_params.get("q", ""), **values
        )
        return HTMLResponse(text, headers={"vary": "Accept"})


def with_prefixes(query: SavedQuery, prefixes: dict[str, str]) -> str:
    """The text of a query with the prefixes it uses declared, so that it is whole anywhere."""
    body = "\n".join(line for line in query.text.splitlines() if not line.startswith("#"))
    used = {name for name in _PREFIX.findall(body) if name in prefixes}
    head = [f"# {query.title}"]
    head += [f"PREFIX {name}: <{prefixes[name]}>" for name in sorted(used)]
    return "\n".join([*head, body.strip()]) + "\n"


def _known(store: Store, iri: str) -> str:
    """`iri` where the graph says something of it, what replaced it, or "" for neither."""
    replaced = store.select(f"SELECT ?new {{ <{iri}> dcterms:isReplacedBy ?new }}", limit=1).rows
    if replaced and replaced[0][0]:
        return replaced[0][0].value
    named = f"ASK {{ {{ <{iri}> a kg:Paper }} UNION {{ <{iri}> skos:prefLabel ?name }} }}"
    return iri if store.ask(named) else ""


def _rdf(store: Store, iri: str, format: str) -> bytes:  # noqa: A002 - the field's word
    """A paper's own graph, or all triples to and from an entity but those of single mentions."""
    sink = Bounded()
    if iri.startswith(f"{store.prefixes['kgr']}paper/"):
        query = f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}"
    else:
        query = (
            f"CONSTRUCT {{ <{iri}> ?p ?o . ?s ?q <{iri}> }} {{ {{ <{iri}> ?p ?o }} UNION"
            f" {{ ?s ?q <{iri}> FILTER(?q NOT IN (rdf:subject, rdf:object, kg:refersTo)) }} }}"
        )
    store.construct(query, sink, format=format)
    return sink.getvalue()
