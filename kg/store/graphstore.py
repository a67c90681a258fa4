"""`GraphStore`: one graph folder, opened for questions or for writing."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, Self

import pyoxigraph as ox

from kg import vocab
from kg.errors import QueryError, StoreError
from kg.store import folder as folders
from kg.store.dump import dump, rdf_format, write_triples
from kg.store.folder import Description, WriteLock
from kg.store.sparql import query_form, syntax_error

if TYPE_CHECKING:
    import rdflib

_RESULTS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}

logger = logging.getLogger(__name__)


class Term(NamedTuple):
    """An RDF term in an answer: `kind` is "iri", "literal" or "bnode"."""

    kind: str
    value: str
    datatype: str = ""
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer to a SELECT; an unbound variable is None."""

    columns: tuple[str, ...]
    rows: list[tuple[Term | None, ...]]


class GraphStore:
    """A graph folder. Use it in a `with` block, or close it.

    Queries see the union of all named graphs as the default graph, and the prefixes of
    `kg.vocab.prefixes` without declaring them.
    """

    def __init__(
        self,
        folder: Path,
        description: Description,
        store: ox.Store,
        held: IO[bytes] | None,
        lock: WriteLock | None,
    ) -> None:
        """Use `GraphStore.open`."""
        self.folder = folder
        self.description = description
        self.prefixes = vocab.prefixes(description.base)
        self._store = store
        self._held = held
        self._lock = lock

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        write: bool = False,
        create: bool = False,
        base: str | None = None,
    ) -> Self:
        """Open the graph in `folder`; many may read while one writes.

        `create` makes the folder where there is none (and implies `write`). `base` is checked
        against the graph's own. Raises `StoreError` for a graph that is missing, damaged, of
        another format or base, or being written by another process.
        """
        path = Path(folder)
        lock = WriteLock(path) if create or (write and path.is_dir()) else None
        try:
            if create and not (path / "kg.json").exists():
                folders.write_description(
                    path, Description(base=vocab.check_base(base or vocab.BASE))
                )
            description, store, held = _open_current(path)
            if base is not None and vocab.check_base(base) != description.base:
                raise StoreError(
                    f"the graph in {str(path)!r} has the base {description.base!r}, not {base!r}: "
                    "leave the base out, or build into another folder"
                )
            if lock:
                folders.sweep(path, keep=description.generation)
        except BaseException:
            if lock:
                lock.release()
            raise
        return cls(path, description, store, held, lock)

    @property
    def base(self) -> str:
        """The base IRI of everything minted in this graph."""
        return self.description.base

    def close(self) -> None:
        """Let go of the folder; the store cannot be used afterwards."""
        del self._store
        if self._held:
            self._held.close()
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def select(self, sparql: str, *, timeout: float | None = None, limit: int | None = None) -> Rows:
        """The rows of a SELECT, at most `limit`; `QueryError` where it cannot be answered."""
        answer = self._query(sparql)
        if not isinstance(answer, ox.QuerySolutions):
            raise QueryError("a SELECT is needed here, not ASK, CONSTRUCT or DESCRIBE")
        columns = tuple(variable.value for variable in answer.variables)
        rows: list[tuple[Term | None, ...]] = []
        for solution in answer:
            if limit is not None and len(rows) >= limit:
                break
            rows.append(tuple(_term(value) for value in solution))
        return Rows(columns, rows)

    def ask(self, sparql: str, *, timeout: float | None = None) -> bool:
        """The answer to an ASK."""
        answer = self._query(sparql)
        if not isinstance(answer, ox.QueryBoolean):
            raise QueryError("an ASK is needed here, not SELECT, CONSTRUCT or DESCRIBE")
        return bool(answer)

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
        answer = self._query(sparql)
        if not isinstance(answer, ox.QueryTriples):
            raise QueryError("a CONSTRUCT or DESCRIBE is needed here, not SELECT or ASK")
        return write_triples(answer, sink, format=kind, prefixes=self.prefixes)

    def write_rows(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "csv",  # noqa: A002
        timeout: float | None = None,
    ) -> None:
        """The rows of a SELECT (or the answer to an ASK) in a W3C results format, to `sink`."""
        kind = _results_format(format)
        answer = self._query(sparql)
        if isinstance(answer, ox.QueryTriples):
            raise QueryError("a SELECT or ASK is needed here, not CONSTRUCT or DESCRIBE")
        answer.serialize(sink, kind)

    def dump(self, sink: BinaryIO, *, format: str = "nq") -> None:  # noqa: A002
        """The whole graph to `sink` as nq, trig, ttl, nt, jsonld or rdfxml; equal graphs, equal bytes."""
        dump(self._store, sink, format=rdf_format(format), prefixes=self.prefixes)

    def apply(
        self,
        *,
        papers: Mapping[str, Sequence[str]] | None = None,
        removed: Iterable[str] = (),
        entities: Sequence[str] | None = None,
        model: str | None = None,
    ) -> None:
        """Replace the graphs of `papers` (key → N-Quads lines), drop those of `removed`.

        `entities` replaces the graph of entities; None leaves it. All of it happens or nothing.
        """
        if not self._lock:
            raise StoreError(f"the graph in {str(self.folder)!r} is open for reading only")
        number = self.description.generation + 1
        target = folders.generation_path(self.folder, number)
        target.mkdir(parents=True)
        (target / "in-use").touch()
        if self.description.generation:
            ox.Store(
                str(folders.generation_path(self.folder, number - 1) / "oxigraph")
            ).backup(str(target / "oxigraph"))
        store = ox.Store(str(target / "oxigraph"))
        papers = papers or {}
        for key in chain(removed, papers):
            store.remove_graph(ox.NamedNode(vocab.paper_iri(key, self.base)))
        for lines in papers.values():
            store.bulk_load("\n".join(lines).encode(), ox.RdfFormat.N_QUADS)
        if entities is not None:
            store.remove_graph(ox.NamedNode(vocab.entities_graph(self.base)))
            store.bulk_load("\n".join(entities).encode(), ox.RdfFormat.N_QUADS)
        store.flush()
        del store
        self.description = replace(
            self.description, generation=number, model=model or self.description.model
        )
        folders.write_description(self.folder, self.description)
        if self._held:
            self._held.close()
        _, self._store, self._held = _open_current(self.folder)
        folders.sweep(self.folder, keep=number)

    def _query(self, sparql: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        query_form(sparql)
        try:
            return self._store.query(
                sparql, prefixes=self.prefixes, use_default_graph_as_union=True
            )
        except SyntaxError as error:
            raise syntax_error(sparql, error) from None

    def rdflib(self) -> rdflib.Dataset:
        """The same store as a live rdflib `Dataset`, union of all graphs by default.

        It reads the generation that is open; writing through it is refused by the store.
        """
        import rdflib
        from oxrdflib import OxigraphStore

        dataset = rdflib.Dataset(store=OxigraphStore(store=self._store), default_union=True)
        for prefix, namespace in self.prefixes.items():
            dataset.bind(prefix, namespace, replace=True)
        return dataset


def _open_current(folder: Path) -> tuple[Description, ox.Store, IO[bytes] | None]:
    """The current generation, held against sweeping; a writer may switch it while we look."""
    for _ in range(100):
        description = folders.read_description(folder)
        if not description.generation:
            return description, ox.Store(), None
        held = folders.hold_generation(folder, description.generation)
        if held is None:
            continue
        path = folders.generation_path(folder, description.generation) / "oxigraph"
        try:
            return description, ox.Store.read_only(str(path)), held
        except (OSError, RuntimeError, ValueError) as error:
            held.close()
            raise folders.damaged(folder, str(error)) from error
    raise folders.damaged(folder, f"generation {description.generation} is missing")


def _results_format(name: str) -> ox.QueryResultsFormat:
    found = _RESULTS.get(name)
    if found is None:
        raise QueryError(f"{name!r} is no format for rows: use one of {', '.join(_RESULTS)}")
    return found


def _term(value: object) -> Term | None:
    if value is None:
        return None
    if isinstance(value, ox.NamedNode):
        return Term("iri", value.value)
    if isinstance(value, ox.Literal):
        return Term("literal", value.value, value.datatype.value, value.language or "")
    if isinstance(value, ox.BlankNode):
        return Term("bnode", value.value)
    return Term("literal", str(value))  # a triple term, which only a query itself can make
