"""Answers queries in a process of its own, which can be killed: Oxigraph cannot stop a query.

Run as a script with the store's path and the bytes of memory it may take. It reads one request a
line (JSON) from standard input and answers each with blocks: their kind, their size in four bytes,
big-endian, and so many bytes. Blocks of kind "d" are the answer, as it comes; one of kind "e" ends
it and holds JSON, with what went wrong if anything did. It imports nothing of kg, so that it is up
in a tenth of a second.
"""

from __future__ import annotations

import io
import json
import resource
import sys
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, cast

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Kind, value, datatype, language.
Term = tuple[str, str, str, str]


def answer(store: ox.Store, request: dict[str, Any], sink: IO[bytes]) -> None:
    """Write the answer to one request to `sink` as it comes; raises what Oxigraph raises."""
    wanted = request["wanted"]
    if wanted == "rows":
        columns, rows = select(store, request)
        for line in chain([columns], rows):
            sink.write(json.dumps(line).encode() + b"\n")
        return
    found = _query(store, request)
    if wanted == "ask" and isinstance(found, ox.QueryBoolean):
        sink.write(b"true" if found else b"false")
    elif wanted == "triples" and isinstance(found, ox.QueryTriples):
        found.serialize(sink, format=ox.RdfFormat.N_TRIPLES)
    elif wanted in _RESULTS and not isinstance(found, ox.QueryTriples):
        found.serialize(sink, format=_RESULTS[wanted])
    else:
        raise TypeError(wanted)


def select(
    store: ox.Store, request: dict[str, Any]
) -> tuple[list[str], Iterator[list[Term | None]]]:
    """The columns and rows of a SELECT, the rows as they come."""
    found = _query(store, request)
    if not isinstance(found, ox.QuerySolutions):
        raise TypeError(request["wanted"])
    columns = [variable.value for variable in found.variables]
    return columns, ([term(value) for value in row] for row in islice(found, request["limit"]))


def _query(
    store: ox.Store, request: dict[str, Any]
) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    named = request["named_graphs"]
    default = request["default_graphs"]
    return store.query(
        request["query"],
        prefixes=request["prefixes"],
        # given together with a choice of graphs, it would undo that choice
        use_default_graph_as_union=request["union"],
        default_graph=[ox.NamedNode(iri) for iri in default] if default else None,
        named_graphs=[ox.NamedNode(iri) for iri in named] if named or default else None,
    )


def term(value: object) -> Term | None:
    """A term as kind, value, datatype and language."""
    if value is None:
        return None
    if isinstance(value, ox.NamedNode):
        return "iri", value.value, "", ""
    if isinstance(value, ox.Literal):
        return "literal", value.value, value.datatype.value, value.language or ""
    if isinstance(value, ox.BlankNode):
        return "bnode", value.value, "", ""
    return "literal", str(value), "", ""  # a triple term, which only a query itself can make


_RESULTS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}


class _Blocks(io.RawIOBase):
    """Puts what is written out as blocks of an answer."""

    def writable(self) -> bool:
        return True

    def write(self, block: Any, /) -> int:  # noqa: ANN401 - whatever holds bytes
        _put(b"d", bytes(block))
        return len(block)


def _put(kind: bytes, block: bytes) -> None:
    sys.stdout.buffer.write(kind + len(block).to_bytes(4, "big") + block)


def main() -> None:
    """Serve until standard input ends."""
    most = int(sys.argv[2])
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    store = ox.Store.read_only(sys.argv[1])
    for line in sys.stdin.buffer:
        head: dict[str, Any] = {}
        try:
            with io.BufferedWriter(_Blocks(), 1 << 18) as sink:
                answer(store, json.loads(line), cast("IO[bytes]", sink))
        except SyntaxError as error:
            head = {"error": "syntax", "message": str(error)}
        except TypeError as error:
            head = {"error": "form", "message": str(error)}
        except (ValueError, RuntimeError, OSError) as error:
            head = {"error": "run", "message": str(error)}
        _put(b"e", json.dumps(head).encode())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
