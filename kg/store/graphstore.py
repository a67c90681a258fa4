"""`GraphStore`: one graph folder, opened for questions or for writing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Self

import pyoxigraph as ox

from kg import vocab
from kg.errors import QueryError, StoreError
from kg.store import folder as folders
from kg.store.asking import Asker, Graphs
from kg.store.bounded import Bounded
from kg.store.dump import dump, graph_lines, rdf_format, write_triples
from kg.store.folder import Description, WriteLock
from kg.store.protocol import Rows, Term
from kg.store.writing import write_generation

if TYPE_CHECKING:
    from rdflib import Dataset, Graph


_RESULTS = ("csv", "tsv", "json", "xml")


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
        self._asker = _asker(folder, description, store, self.prefixes)
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
                _check_free(path)
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

    @property
    def model(self) -> str:
        """The extractor that read the papers, by name, version and decoding."""
        return self.description.model

    def close(self) -> None:
        """Let go of the folder; the store cannot be used afterwards."""
        self._release()
        if self._lock:
            self._lock.release()

    def _release(self) -> None:
        self._asker.close()
        self._store = ox.Store()  # drops the files of the one that was open
        if self._held:
            self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def select(
        self, sparql: str, *, timeout: float | None = None, limit: int | None = None
    ) -> Rows:
        """The rows of a SELECT, at most `limit`.

        With a `timeout` (seconds) the query runs in a process of its own, which is killed when time
        is up. Raises `QueryError` with line, column and a mark for what is no SPARQL query, for
        updates and SERVICE, and for a query that fails or takes too long.
        """
        columns, rows = self._asker.rows(sparql, timeout=timeout, limit=limit)
        terms = [tuple(None if term is None else Term(*term) for term in row) for row in rows]
        return Rows(tuple(columns), terms)

    def ask(self, sparql: str, *, timeout: float | None = None) -> bool:
        """The answer to an ASK; errors as in `select`."""
        sink = Bounded()
        self._asker.ask(sparql, "ask", sink, timeout=timeout)
        return sink.getvalue() == b"true"

    def construct(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "ttl",  # noqa: A002 - the field's word
        timeout: float | None = None,
        graphs: Graphs | None = None,
    ) -> int:
        """The triples of a CONSTRUCT or DESCRIBE, distinct and sorted, to `sink`; their number."""
        kind = rdf_format(format)
        lines = Bounded()
        self._asker.ask(sparql, "triples", lines, timeout=timeout, graphs=graphs)
        return write_triples(lines.getvalue(), sink, format=kind, prefixes=self.prefixes)

    def write_rows(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "csv",  # noqa: A002
        timeout: float | None = None,
        graphs: Graphs | None = None,
    ) -> None:
        """The answer to a SELECT or ASK in a W3C results format (csv, tsv, json, xml) to `sink`."""
        if format not in _RESULTS:
            raise QueryError(f"{format!r} is no format for rows: use one of {', '.join(_RESULTS)}")
        self._asker.ask(sparql, format, sink, timeout=timeout, graphs=graphs)

    def stop(self) -> None:
        """End the query that runs with a timeout in another thread; it raises a `LimitError`."""
        self._asker.stop()

    def dump(self, sink: BinaryIO, *, format: str = "nq") -> None:  # noqa: A002
        """The whole graph to `sink` as nq, trig, ttl, nt, jsonld or rdfxml.

        Equal graphs give equal bytes: N-Quads and N-Triples are sorted by line, the others by
        graph, subject and predicate.
        """
        dump(self._store, sink, format=rdf_format(format), prefixes=self.prefixes)

    def graph_names(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        return sorted(str(graph.value) for graph in self._store.named_graphs())

    def graphs(self) -> Iterator[tuple[str, bytes]]:
        """Each named graph, sorted by IRI: its IRI and its triples as sorted lines of N-Triples."""
        return ((n, b"".join(graph_lines(self._store, n))) for n in self.graph_names())

    def apply(
        self,
        *,
        papers: Mapping[str, Sequence[str]] | Iterable[tuple[str, Sequence[str]]] = (),
        removed: Iterable[str] = (),
        entities: Sequence[str] | None = None,
        model: str | None = None,
        attach: Callable[[Path], None] | None = None,
    ) -> None:
        """Replace the graphs of `papers` (key → N-Quads lines) and drop those of `removed`.

        `entities` replaces the graph of entities; None leaves it. `attach` may put further files
        into the new generation's folder. All of it happens or nothing, even if the process dies.
        Raises `StoreError` for a store opened for reading, a full disk, a damaged store.
        """
        if not self._lock:
            raise StoreError(f"the graph in {str(self.folder)!r} is open for reading only")
        pairs = papers.items() if isinstance(papers, Mapping) else papers
        write_generation(
            self.folder,
            self.description,
            papers=pairs,
            removed=removed,
            entities=entities,
            model=model,
            attach=attach,
        )
        self.refresh()
        folders.sweep(self.folder, keep=self.description.generation)

    def refresh(self) -> bool:
        """Go over to the current generation; whether it was another one."""
        if folders.read_description(self.folder) == self.description:
            return False
        self._release()
        self.description, self._store, self._held = _open_current(self.folder)
        self._asker = _asker(self.folder, self.description, self._store, self.prefixes)
        return True

    def generation_file(self, name: str) -> Path | None:
        """A file that `attach` put into the current generation; None where there is none."""
        path = folders.generation_path(self.folder, self.description.generation) / name
        return path if path.exists() else None

    def rdflib(self) -> Dataset:
        """The same store as a live rdflib `Dataset`, union of all graphs by default.

        It reads the generation that is open; writing through it raises a `StoreError`.
        """
        from rdflib import Dataset  # noqa: PLC0415 - slow to import, few questions need it

        from kg.store.interop import ReadingStore  # noqa: PLC0415

        dataset = Dataset(store=ReadingStore(store=self._store), default_union=True)
        for prefix, namespace in self.prefixes.items():
            dataset.bind(prefix, namespace, replace=True)
        return dataset

    def union(self) -> Graph:
        """A copy of all triples in memory as one plain graph, for tools without named graphs."""
        from oxrdflib import OxigraphStore  # noqa: PLC0415 - slow to import, few need it
        from rdflib import Graph  # noqa: PLC0415
        from rdflib.graph import DATASET_DEFAULT_GRAPH_ID  # noqa: PLC0415

        memory = ox.Store()
        for graph in self._store.named_graphs():
            content = self._store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph)
            memory.bulk_load(content or b"", ox.RdfFormat.N_TRIPLES)
        return Graph(store=OxigraphStore(store=memory), identifier=DATASET_DEFAULT_GRAPH_ID)


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


def _asker(
    folder: Path, description: Description, store: ox.Store, prefixes: Mapping[str, str]
) -> Asker:
    path = folders.generation_path(folder, description.generation) / "oxigraph"
    return Asker(store, path if description.generation else None, prefixes)


#: How the names of what a graph's folder may hold begin, a write that was broken off included.
_OWN = ("kg.json", "lock", "generations", "extractions.sqlite", "papers.", ".")


def _check_free(folder: Path) -> None:
    """Refuse to make a graph among a folder's other things, such as those of a home directory."""
    names = sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []
    others = [n for n in names if not n.startswith(_OWN)]
    if others:
        raise StoreError(
            f"{str(folder)!r} is no graph and holds other things ({others[0]!r}): "
            "name a folder that is new or empty"
        )
