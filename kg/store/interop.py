"""The store as rdflib sees it: every way of reading, no way of writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from oxrdflib import OxigraphStore

from kg.errors import StoreError

if TYPE_CHECKING:
    from rdflib import Graph


class ReadingStore(OxigraphStore):
    """oxrdflib's store over a generation that is never changed in place."""

    def add_graph(self, graph: Graph) -> None:
        """Nothing: `Dataset.graph` calls this for graphs that are there as for others."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise StoreError(
            "this Dataset is for reading: `kg build` and `kg remove` write; copy it "
            "(`rdflib.Dataset() + …`) to change a copy"
        )

    add = addN = remove = remove_graph = update = _refuse  # noqa: N815
