"""`open_graph(place)`: a graph on disk or at an endpoint, asked, drawn and written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from kg.errors import StoreError
from kg.part import choose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import networkx as nx
    import rdflib

    from kg.export import ExportReport
    from kg.query import Table
    from kg.show import Card
    from kg.stats import Stats
    from kg.store import GraphStore, Store
    from kg.validate import Violation
    from kg.view import Gallery, ViewReport

    #: First and last year, None for no bound.
    Years = tuple[int | None, int | None]


class Graph:
    """A graph opened for reading; a context manager that closes its store.

    `store` is the SPARQL store behind it. Every method raises a QueryError where a name,
    query or parameter cannot be answered.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; the graph answers nothing after."""
        self.store.close()

    def query(
        self,
        query: str,
        *,
        parameters: Mapping[str, str] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        folder: Path | None = None,
    ) -> Table:
        """The rows of a saved query (by name), a `.rq` file or SPARQL text; see `kg.query.run`."""
        from kg.query import run

        return run(
            self.store, query, parameters=parameters, limit=limit, timeout=timeout, folder=folder
        )

    def show(self, name: str) -> Card:
        """What is known of one entity or paper, by a name, id or IRI."""
        from kg.show import show

        return show(self.store, name)

    def stats(self) -> Stats:
        """What is in the graph, counted."""
        from kg.stats import stats

        return stats(self.store)

    def validate(self) -> list[Violation]:
        """What breaks the SHACL shapes; empty for a graph that is in order."""
        from kg.validate import validate

        return validate(self._folder())

    def network(
        self,
        *,
        projection: str = "entities",
        focus: str | None = None,
        hops: int = 1,
        top: int | None = None,
        types: Sequence[str] | None = None,
        roles: Sequence[str] | None = None,
        relations: Sequence[str] | None = None,
        years: Years | None = None,
        venues: Sequence[str] | None = None,
        min_support: int = 1,
        min_confidence: float = 0.0,
    ) -> nx.MultiDiGraph:
        """The graph, or a part of it, as networkx with plain attributes; see `kg.network.network`.

        What chooses the part is told in `kg.part.Part`.
        """
        from kg.network import network

        return network(
            self.store,
            choose(
                focus=focus,
                hops=hops,
                top=top,
                types=types,
                roles=roles,
                relations=relations,
                years=years,
                venues=venues,
                min_support=min_support,
                min_confidence=min_confidence,
            ),
            projection=projection,
        )

    def view(
        self,
        path: str | Path,
        *,
        focus: str | None = None,
        hops: int = 1,
        top: int | None = None,
        types: Sequence[str] | None = None,
        roles: Sequence[str] | None = None,
        relations: Sequence[str] | None = None,
        years: Years | None = None,
        venues: Sequence[str] | None = None,
        min_support: int = 1,
        min_confidence: float = 0.0,
        query: str | None = None,
        title: str | None = None,
        renderer: str | None = None,
    ) -> ViewReport:
        """Draw the graph, or a part of it, as one HTML file; see `kg.view.view` and `kg.part`."""
        from kg.view import view

        return view(
            self.store,
            path,
            choose(
                focus=focus,
                hops=hops,
                top=top,
                types=types,
                roles=roles,
                relations=relations,
                years=years,
                venues=venues,
                min_support=min_support,
                min_confidence=min_confidence,
            ),
            query=query,
            title=title,
            renderer=renderer,
        )

    def gallery(
        self,
        folder: str | Path,
        *,
        sides: tuple[str, str] | None = None,
        near: int = 3,
        hops: int = 1,
        top: int | None = None,
        types: Sequence[str] | None = None,
        roles: Sequence[str] | None = None,
        relations: Sequence[str] | None = None,
        years: Years | None = None,
        venues: Sequence[str] | None = None,
        min_support: int = 1,
        min_confidence: float = 0.0,
        renderer: str | None = None,
    ) -> Gallery:
        """Write a folder of pages with an index; see `kg.view.view_gallery` and `kg.part`."""
        from kg.view import view_gallery

        return view_gallery(
            self.store,
            folder,
            choose(
                hops=hops,
                top=top,
                types=types,
                roles=roles,
                relations=relations,
                years=years,
                venues=venues,
                min_support=min_support,
                min_confidence=min_confidence,
            ),
            sides=sides,
            near=near,
            renderer=renderer,
        )

    def export(
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002 - the field's word for it
        projection: str = "entities",
        query: str | None = None,
        focus: str | None = None,
        hops: int = 1,
        top: int | None = None,
        types: Sequence[str] | None = None,
        roles: Sequence[str] | None = None,
        relations: Sequence[str] | None = None,
        years: Years | None = None,
        venues: Sequence[str] | None = None,
        min_support: int = 1,
        min_confidence: float = 0.0,
        weight: str | None = None,
        merge: bool = False,
    ) -> ExportReport:
        """Write the graph as a file for another program; see `kg.export.export` and `kg.part`."""
        from kg.export import export

        return export(
            self.store,
            path,
            choose(
                focus=focus,
                hops=hops,
                top=top,
                types=types,
                roles=roles,
                relations=relations,
                years=years,
                venues=venues,
                min_support=min_support,
                min_confidence=min_confidence,
            ),
            format=format,
            projection=projection,
            query=query,
            weight=weight,
            merge=merge,
        )

    def rdflib(self) -> rdflib.Dataset:
        """The same store as a live rdflib Dataset, its default graph the union of all graphs."""
        return self._folder().rdflib()

    def _folder(self) -> GraphStore:
        from kg.store import GraphStore

        if not isinstance(self.store, GraphStore):
            raise StoreError("this needs the graph's folder; a remote store only answers queries")
        return self.store


def open_graph(place: str | Path) -> Graph:
    """Open the graph in the folder `place`, or at that address of SPARQL queries, for reading.

    Raises StoreError where there is none, or one that this version cannot read.
    """
    from kg.store import open_store

    return Graph(open_store(place))
