"""JSON-LD 1.1 with compact names, written as it goes: Oxigraph's own writer knows no prefixes."""

from __future__ import annotations

import json
import re
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, BinaryIO

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_NAMESPACE = re.compile(r".*[/#]", re.DOTALL)


def write_jsonld(
    statements: Iterable[ox.Quad | ox.Triple],
    sink: BinaryIO,
    prefixes: Mapping[str, str],
) -> None:
    """Write statements, already grouped by graph and subject, as one JSON-LD document.

    One node object a line; a named graph is an object with "@id" and "@graph" (JSON-LD 1.1 §4.9).
    """
    names = _Names(prefixes)
    sink.write(b'{"@context": ' + json.dumps(dict(sorted(prefixes.items()))).encode())
    sink.write(b',\n"@graph": [')
    first = True
    for graph, members in groupby(statements, key=_graph_name):
        opening = (
            "\n" if graph is None else f'\n{{"@id": {_json(names.compact(graph))}, "@graph": [\n'
        )
        sink.write((("" if first else ",") + opening).encode())
        for number, node in enumerate(_nodes(members, names)):
            sink.write((",\n" if number else "").encode() + _json(node).encode())
        sink.write(b"" if graph is None else b"]}")
        first = False
    sink.write(b"\n]}\n")


class _Names:
    """IRIs as compact names, where a prefix fits and the rest cannot be misread."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefix = {namespace: prefix for prefix, namespace in prefixes.items()}

    def compact(self, iri: str) -> str:
        """`iri` as "prefix:rest" or as it is."""
        bare = iri.partition("#")[0] if "/id/" in iri else iri
        namespace = _NAMESPACE.match(bare)
        if namespace and (prefix := self._prefix.get(namespace[0])):
            rest = iri[len(namespace[0]) :]
            if rest and not rest.startswith("//"):
                return f"{prefix}:{rest}"
        return iri


def _graph_name(statement: ox.Quad | ox.Triple) -> str | None:
    graph = getattr(statement, "graph_name", None)
    return None if graph is None or isinstance(graph, ox.DefaultGraph) else _id(graph)


def _id(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else str(term)


def _nodes(statements: Iterable[ox.Quad | ox.Triple], names: _Names) -> Iterator[dict[str, object]]:
    for subject, about in groupby(statements, key=attrgetter("subject")):
        node: dict[str, object] = {"@id": names.compact(_id(subject))}
        for predicate, same in groupby(about, key=attrgetter("predicate")):
            if predicate.value == _TYPE:
                node["@type"] = [names.compact(_id(s.object)) for s in same]
            else:
                values = [_value(s.object, names) for s in same]
                node[names.compact(predicate.value)] = values if len(values) > 1 else values[0]
        yield node


def _value(term: object, names: _Names) -> object:
    if not isinstance(term, ox.Literal):
        return {"@id": names.compact(_id(term))}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    if term.datatype.value == _STRING:
        return term.value
    return {"@value": term.value, "@type": names.compact(term.datatype.value)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
