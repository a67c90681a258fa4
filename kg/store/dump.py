"""Writing RDF out: every format, sorted, so that equal graphs give equal bytes."""

from __future__ import annotations

import heapq
import io
import tempfile
from contextlib import ExitStack
from itertools import chain, groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

import pyoxigraph as ox

from kg.errors import QueryError
from kg.store.jsonld import write_jsonld

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Format names (file suffixes) and what Oxigraph calls them.
FORMATS: dict[str, ox.RdfFormat] = {
    "nq": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
_OTHER_NAMES = {
    "turtle": "ttl",
    "ntriples": "nt",
    "nquads": "nq",
    "json-ld": "jsonld",
    "rdf": "rdfxml",
    "xml": "rdfxml",
}
_TYPE = b" <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
_TYPE_FIRST = b" \x00 "  # sorts before every IRI, and stands in no N-Triples line
_CHUNK = 64 * 2**20


def rdf_format(name: str) -> ox.RdfFormat:
    """The RDF format of that name; `QueryError` for one that is not known."""
    found = FORMATS.get(_OTHER_NAMES.get(name, name))
    if found is None:
        raise QueryError(f"{name!r} is no RDF format: use one of {', '.join(FORMATS)}")
    return found


def dump(
    store: ox.Store,
    sink: BinaryIO,
    *,
    format: ox.RdfFormat,  # noqa: A002 - the field's word
    prefixes: Mapping[str, str],
) -> None:
    """Write the whole store to `sink`, sorted; memory stays bounded, the sorting is done on disk.

    N-Quads and N-Triples are sorted by line, as bytes. The other formats group by graph, where they
    have graphs, then by subject, with the type first. Formats without graphs hold their union.
    """
    with tempfile.TemporaryDirectory(prefix="kg-dump-") as folder, ExitStack() as stack:
        scratch = Path(folder)
        if format == ox.RdfFormat.N_QUADS:
            sink.writelines(_sorted(_lines(store, ox.RdfFormat.N_QUADS), scratch, stack))
        elif format == ox.RdfFormat.N_TRIPLES:
            sink.writelines(_sorted(_lines(store, ox.RdfFormat.N_TRIPLES), scratch, stack))
        elif format.supports_datasets:
            graphs = sorted(store.named_graphs(), key=str)
            quads = chain.from_iterable(
                _parsed(_sorted(_readable(_graph(store, graph)), scratch, stack), graph)
                for graph in [ox.DefaultGraph(), *graphs]
            )
            write(quads, sink, format=format, prefixes=prefixes)
        else:
            lines = _sorted(_readable(_lines(store, ox.RdfFormat.N_TRIPLES)), scratch, stack)
            write(_parsed(lines, None), sink, format=format, prefixes=prefixes)


def write(
    statements: Iterable[ox.Quad | ox.Triple],
    sink: BinaryIO,
    *,
    format: ox.RdfFormat,  # noqa: A002
    prefixes: Mapping[str, str],
) -> None:
    """Serialise statements in the order given, with prefixes where the format has them."""
    if format == ox.RdfFormat.JSON_LD:
        write_jsonld(statements, sink, prefixes)
    else:
        # its stub asks for one kind or the other, not for an iterable of either
        ox.serialize(cast("Iterable[ox.Quad]", statements), sink, format, prefixes=dict(prefixes))


def write_triples(
    lines: bytes,
    sink: BinaryIO,
    *,
    format: ox.RdfFormat,  # noqa: A002
    prefixes: Mapping[str, str],
) -> int:
    """The triples of an answer (N-Triples), distinct and sorted, to `sink`; their number."""
    ordered = sorted(set(_readable(_split(lines))))
    used = {p: n for p, n in prefixes.items() if b"<" + n.encode() in lines}
    write(_parsed(ordered, None), sink, format=format, prefixes=used)
    return len(ordered)


def _split(lines: bytes) -> list[bytes]:
    # bytes.splitlines parts at CR too, but N-Triples escapes it
    return lines.splitlines(keepends=True)


def _graph(store: ox.Store, graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph) -> list[bytes]:
    return _split(store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph) or b"")


def graph_lines(store: ox.Store, graph: str) -> list[bytes]:
    """The triples of the graph with that IRI as N-Triples, one a line, sorted."""
    return sorted(_graph(store, ox.NamedNode(graph)))


def _lines(store: ox.Store, format: ox.RdfFormat) -> Iterator[bytes]:  # noqa: A002
    """All lines, one graph in memory at a time."""
    for graph in [ox.DefaultGraph(), *sorted(store.named_graphs(), key=str)]:
        suffix = b"" if isinstance(graph, ox.DefaultGraph) else b" " + str(graph).encode()
        for line in _graph(store, graph):
            yield line[:-3] + suffix + b" .\n" if format == ox.RdfFormat.N_QUADS else line


def _readable(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (_readable_line(line) for line in lines)


def _readable_line(line: bytes) -> bytes:
    """The line with its type predicate, if it has one, marked to sort first."""
    subject, _, rest = line.partition(b" ")
    if rest.startswith(_TYPE[1:]):
        return subject + _TYPE_FIRST + rest[len(_TYPE) - 1 :]
    return line


def _parsed(
    lines: Iterable[bytes], graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph | None
) -> Iterator[ox.Quad | ox.Triple]:
    """Terms of sorted lines; as triples where `graph` is None."""
    restored = (line.replace(_TYPE_FIRST, _TYPE, 1) for line in lines)
    for quad in ox.parse(cast("IO[bytes]", _Stream(restored)), ox.RdfFormat.N_TRIPLES):
        if graph is None:
            yield quad.triple
        else:
            yield ox.Quad(quad.subject, quad.predicate, quad.object, graph)


class _Stream(io.RawIOBase):
    """Lines as a file that Oxigraph's parser reads."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        parts = [self._rest]
        length = len(self._rest)
        for line in self._lines:
            parts.append(line)
            length += len(line)
            if 0 <= size <= length:
                break
        joined = b"".join(parts)
        if size < 0:
            size = len(joined)
        self._rest = joined[size:]
        return joined[:size]


def _sorted(lines: Iterable[bytes], scratch: Path, stack: ExitStack) -> Iterator[bytes]:
    """Distinct lines in order: sorted in chunks that are spilt to `scratch` and merged."""
    spilt: list[Iterable[bytes]] = []
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        chunk.append(line)
        size += len(line) + 33  # bytes of the object itself
        if size > _CHUNK:
            chunk.sort()
            file = stack.enter_context((scratch / f"{id(spilt)}-{len(spilt)}").open("w+b"))
            file.writelines(chunk)
            file.seek(0)
            spilt.append(file)
            chunk, size = [], 0
    chunk.sort()
    merged = heapq.merge(*spilt, chunk) if spilt else chunk
    return (line for line, _ in groupby(merged))
