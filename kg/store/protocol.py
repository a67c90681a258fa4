"""What every store answers: the Protocol of those that ask, and the terms of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path


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


class Store(Protocol):
    """A graph that can be asked, in a folder (`GraphStore`) or at an endpoint (`RemoteStore`).

    Queries see all named graphs together as the default graph, and the prefixes of
    `kg.vocab.prefixes` without declaring them. Every way of asking raises a `QueryError` for what
    is no query, is refused, fails or takes longer than `timeout` seconds.
    """

    prefixes: dict[str, str]

    @property
    def base(self) -> str:
        """The base IRI of everything minted in the graph."""

    @property
    def folder(self) -> Path | None:
        """The folder of the graph; None where it is elsewhere."""

    @property
    def model(self) -> str:
        """The extractor that read the papers ("" where that is not known)."""

    def close(self) -> None:
        """Let go of what the store holds; it cannot be asked afterwards."""

    def select(
        self, sparql: str, *, timeout: float | None = None, limit: int | None = None
    ) -> Rows:
        """The rows of a SELECT, at most `limit`."""

    def ask(self, sparql: str, *, timeout: float | None = None) -> bool:
        """The answer to an ASK."""

    def construct(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "ttl",  # noqa: A002 - the field's word
        timeout: float | None = None,
    ) -> int:
        """The triples of a CONSTRUCT or DESCRIBE, distinct and sorted, to `sink`; their number."""

    def write_rows(
        self,
        sparql: str,
        sink: BinaryIO,
        *,
        format: str = "csv",  # noqa: A002
        timeout: float | None = None,
    ) -> None:
        """The answer to a SELECT or ASK in a W3C results format (csv, tsv, json, xml) to `sink`."""

    def dump(self, sink: BinaryIO, *, format: str = "nq") -> None:  # noqa: A002
        """The whole graph to `sink` as nq, trig, ttl, nt, jsonld or rdfxml."""
