"""`RemoteStore`: a graph at a SPARQL 1.1 endpoint, asked as one in a folder is.

The endpoint's default graph must be all named graphs together. Some stores make it so by
themselves, others when a request asks for it in their own way; which one does is tried when the
store is opened, so that no answer comes from a part of the graph.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, BinaryIO, Self, cast

import httpx
import pyoxigraph as ox

from kg import vocab
from kg.errors import LimitError, QueryError, StoreError
from kg.store.body import Body, results
from kg.store.dialect import adapted, dialect_of, with_prefixes
from kg.store.dump import dump, rdf_format, write_triples
from kg.store.form import check_form
from kg.store.protocol import Rows, Term
from kg.store.replies import HINT, RDF, ROWS, TRIPLES, check_reply
from kg.store.web import Web
from kg.store.worker import term

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Seconds a question may take where none are named.
_TIMEOUT = 600.0
_GRAPHS_AT_ONCE = 200
_RESULTS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}
#: What makes all named graphs the default graph: nothing more, or a word that Oxigraph knows.
_UNIONS: tuple[dict[str, str], ...] = ({}, {"union-default-graph": ""})
_ONTOLOGY = "ontology#Paper"


class RemoteStore:
    """The graph at a SPARQL endpoint, for reading. Use it in a `with` block, or close it."""

    folder = None

    def __init__(self, web: Web) -> None:
        """Use `RemoteStore.open`."""
        self.prefixes = vocab.prefixes()
        self._web = web
        self._base = vocab.BASE
        self._union: dict[str, str] = {}
        self._dialect = ""

    @classmethod
    def open(cls, endpoint: str) -> Self:
        """Find the graph at `endpoint`, the address of SPARQL queries.

        User and password are those of KG_USER and KG_PASSWORD, or of netrc; TLS certificates are
        checked. Raises `InputError` for what is no address, `StoreError` for an endpoint that
        cannot be reached, refuses, is none, or holds no graph of this program.
        """
        web = Web(
            endpoint,
            timeout=_TIMEOUT,
            example="http://localhost:7878/query",
            variables=("KG",),
        )
        store = cls(web)
        try:
            store._find()
        except BaseException:
            web.close()
            raise
        return store

    def _find(self) -> None:
        """Learn how to ask for all graphs at once, and the base of the graph."""
        for union in _UNIONS:
            self._union = union
            try:
                found = self.select(_probe("?paper a fabio:ResearchPaper ."))
            except QueryError as error:
                if union:
                    continue  # it does not know the word
                raise StoreError(f"{error}. {HINT}") from error
            bases = sorted(row[0].value.removesuffix(_ONTOLOGY) for row in found.rows if row[0])
            if len(bases) > 1:
                raise StoreError(
                    f"{self._web.shown!r} holds several graphs of kg, as {bases[0]!r} and "
                    f"{bases[1]!r}: give each a store or repository of its own"
                )
            if bases:
                self._base = bases[0]
                self.prefixes = vocab.prefixes(self._base)
                return
        self._union = {}
        if self.select(_probe("")).rows:
            raise StoreError(
                f"the default graph of {self._web.shown!r} leaves its named graphs out: set up the "
                "store so that it is the union of them (Fuseki: tdb2:unionDefaultGraph, Stardog: "
                "query.all.graphs)"
            )
        raise StoreError(
            f"there is no graph of kg at {self._web.shown!r}: `kg push` puts one into a store"
        )

    @property
    def base(self) -> str:
        """The base IRI of everything minted in the graph."""
        return self._base

    @property
    def model(self) -> str:
        """The extractors that read the papers, as the graph describes itself."""
        rows = self.select(
            f"SELECT DISTINCT ?label {{ <{vocab.description_iri(self.base)}> prov:wasGeneratedBy"
            " ?run . ?run prov:wasAssociatedWith ?extractor . ?extractor rdfs:label ?label }"
        ).rows
        return ", ".join(sorted(row[0].value for row in rows if row[0]))

    def close(self) -> None:
        """Close the connections."""
        self._web.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def select(
        self, sparql: str, *, timeout: float | None = None, limit: int | None = None
    ) -> Rows:
        """The rows of a SELECT, at most `limit`.

        Raises `QueryError` with line, column and a mark for what is no SPARQL query, for updates
        and SERVICE, and for a query that the endpoint refuses; `LimitError` for one that takes
        longer than `timeout` seconds, or whose answer is too large or was cut off.
        """
        with self._solutions(sparql, "rows", timeout) as found:
            columns = tuple(variable.value for variable in found.variables)
            rows = []
            for row in islice(found, limit):
                terms = [term(value) for value in row]
                rows.append(tuple(None if t is None else Term(*t) for t in terms))
        return Rows(columns, rows)

    def ask(self, sparql: str, *, timeout: float | None = None) -> bool:
        """The answer to an ASK; errors as in `select`."""
        with self._asked(sparql, "ask", timeout, accept=ROWS) as body:
            found = results(body)
            if not isinstance(found, ox.QueryBoolean):
                raise QueryError(f"{self._web.shown!r} answers an ASK with rows. {HINT}")
            return bool(found)

    def construct(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "ttl",  # noqa: A002 - the field's word
        timeout: float | None = None,
    ) -> int:
        """The triples of a CONSTRUCT or DESCRIBE, distinct and sorted, to `sink`; their number."""
        kind = rdf_format(format)
        with self._asked(sparql, "triples", timeout, accept=TRIPLES) as body:
            try:
                quads = list(ox.parse(cast("IO[bytes]", body), RDF[body.kind]))
            except SyntaxError as error:
                raise self._unreadable(error) from error
        lines = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES)
        return write_triples(lines or b"", sink, format=kind, prefixes=self.prefixes)

    def write_rows(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "csv",  # noqa: A002
        timeout: float | None = None,
    ) -> None:
        """The answer to a SELECT or ASK in a W3C results format (csv, tsv, json, xml) to `sink`."""
        if format not in _RESULTS:
            raise QueryError(f"{format!r} is no format for rows: use one of {', '.join(_RESULTS)}")
        with self._asked(sparql, "results", timeout, accept=ROWS) as body:
            try:
                written = results(body).serialize(format=_RESULTS[format])
            except SyntaxError as error:
                raise self._unreadable(error) from error
        sink.write(written or b"")

    def dump(self, sink: BinaryIO, *, format: str = "nq") -> None:  # noqa: A002
        """The graph's named graphs to `sink`, as `GraphStore.dump` writes them; others stay out."""
        kind = rdf_format(format)
        papers = self.select("SELECT DISTINCT ?paper { GRAPH ?paper { ?paper a kg:Paper } }").rows
        names = [vocab.entities_graph(self.base), *sorted(r[0].value for r in papers if r[0])]
        with tempfile.TemporaryDirectory(prefix="kg-dump-") as folder:
            copy = ox.Store(folder)
            for start in range(0, len(names), _GRAPHS_AT_ONCE):
                graphs = " ".join(f"<{name}>" for name in names[start : start + _GRAPHS_AT_ONCE])
                wanted = (
                    f"SELECT ?g ?s ?p ?o {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s ?p ?o }} }}"
                )
                with self._solutions(wanted, "rows", None) as found:
                    copy.bulk_extend(ox.Quad(s, p, o, g) for g, s, p, o in found)
            dump(copy, sink, format=kind, prefixes=self.prefixes)
            del copy

    @contextmanager
    def _solutions(
        self, sparql: str, wanted: str, timeout: float | None
    ) -> Iterator[ox.QuerySolutions]:
        with self._asked(sparql, wanted, timeout, accept=ROWS) as body:
            try:
                found = results(body)
                if not isinstance(found, ox.QuerySolutions):
                    raise QueryError(f"{self._web.shown!r} answers a SELECT without rows. {HINT}")
                yield found
            except SyntaxError as error:
                raise self._unreadable(error) from error

    @contextmanager
    def _asked(
        self, sparql: str, wanted: str, timeout: float | None, *, accept: str
    ) -> Iterator[Body]:
        """The body of the endpoint's answer to a query that was looked at first."""
        # a choice of graphs in the query goes before the union
        union = {} if check_form(sparql, wanted, self.prefixes) else self._union
        seconds = _TIMEOUT if timeout is None else timeout
        deadline = time.monotonic() + seconds
        text = with_prefixes(adapted(sparql, self._dialect), self.prefixes)
        try:
            with self._web.answer(
                "POST",
                headers={"accept": accept},
                data={"query": text, **union},
                timeout=seconds,
            ) as found:
                self._dialect = self._dialect or dialect_of(found.headers.get("server", ""))
                check_reply(found, self._web, accept=accept)
                yield Body(found, deadline=deadline)
        except httpx.TimeoutException:
            raise LimitError(
                f"stopped after {seconds:g} s: ask for less (LIMIT, a narrower pattern), or give "
                "it more time with --timeout"
            ) from None
        except httpx.TransportError as error:
            raise StoreError(
                f"{self._web.shown!r} broke off its answer: {error or type(error).__name__}"
            ) from error

    def _unreadable(self, error: SyntaxError) -> StoreError:
        return StoreError(
            f"{self._web.shown!r} gave an answer that cannot be read ({error}); "
            "it may have been cut off: ask again, or for less"
        )


def _probe(also: str) -> str:
    """A question for the class of papers in named graphs, and `also` in the default graph."""
    return (
        f"SELECT DISTINCT ?type WHERE {{ {also}"
        " GRAPH ?graph { ?paper a fabio:ResearchPaper , ?type"
        f' FILTER(STRENDS(STR(?type), "{_ONTOLOGY}")) }} }} LIMIT 2'
    )
