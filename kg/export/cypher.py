"""A network to a Cypher script for Neo4j or Memgraph; running it again changes nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import Value, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_NAMES = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def write_cypher(network: nx.MultiDiGraph, sink: TextIO) -> None:
    """Write one statement a line: the constraint, nodes by `iri`, edges by type, all sorted.

    A node has the label Entity and its types' (`:Entity:Method`), an edge its kind in capitals
    (`BASED_ON`).
    """
    sink.write("CREATE CONSTRAINT kg_iri IF NOT EXISTS FOR (n:Entity) REQUIRE n.iri IS UNIQUE;\n")
    for node, data in sorted(network.nodes(data=True)):
        types = [t for t in str(data.get("types") or data.get("type") or "").split("|") if t]
        labels = "".join(f":{_name(t)}" for t in types)
        sink.write(f"MERGE (n:Entity {{iri: {_text(node)}}}) SET n += {_map(data)}")
        sink.write(f", n{labels};\n" if labels else ";\n")
    for u, v, kind, data in sorted(network.edges(keys=True, data=True), key=lambda e: e[:3]):
        relation = _name(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).upper())
        sink.write(
            f"MATCH (a:Entity {{iri: {_text(u)}}}), (b:Entity {{iri: {_text(v)}}}) "
            f"MERGE (a)-[r:{relation}]->(b) SET r += {_map(data)};\n"
        )


def _map(data: Mapping[str, Value]) -> str:
    return "{" + ", ".join(f"{_name(k)}: {_value(v)}" for k, v in sorted(data.items())) + "}"


def _value(value: Value) -> str:
    return _text(value) if isinstance(value, str) else written(value)


def _name(name: str) -> str:
    """A label, type or key; in backticks where it is no plain word."""
    if _NAME.fullmatch(name):
        return name
    return "`" + _NOT_IN_NAMES.sub("_", vocab.clean(name)).replace("`", "``") + "`"


def _text(text: str) -> str:
    r"""A string literal on one line.

    Neo4j before 5 undoes `\\uXXXX` before it parses, even behind an escaped backslash, which would
    let a name close its own string: no backslash stands beside a `u` here.
    """
    escaped = "".join(_ESCAPES.get(c, c) for c in vocab.clean(text))
    return "'" + re.sub(r"\\\\(?=[uU])", r"\\\\' + '", escaped) + "'"
