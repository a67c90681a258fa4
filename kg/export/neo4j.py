"""A network to the two tables of `neo4j-admin database import` (Neo4j 5), RFC 4180."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import columns, written

if TYPE_CHECKING:
    import networkx as nx

_BREAKS = re.compile(r"[\r\n]+")
_TYPES = {"string": "string", "integer": "long", "double": "double", "boolean": "boolean"}


def write_neo4j(network: nx.MultiDiGraph, nodes: TextIO, edges: TextIO) -> None:
    """Write nodes and relationships, sorted, with typed headers.

    Import them with `neo4j-admin database import full --nodes=NAME-nodes.csv
    --relationships=NAME-edges.csv neo4j`; line breaks are written as spaces, so that it needs no
    option for fields of several lines. Labels and types are those of the Cypher script:
    `Entity;Method`, `BASED_ON`. https://neo4j.com/docs/operations-manual/5/tools/neo4j-admin/
    """
    rows = sorted(network.nodes(data=True))
    of = columns(d for _, d in rows)
    table = csv.writer(nodes, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(["iri:ID", *(f"{c.name}:{_TYPES[c.type]}" for c in of), ":LABEL"])
    for node, data in rows:
        cells = [written(data[c.name]) if c.name in data else "" for c in of]
        types = str(data.get("types") or data.get("type") or "").split("|")
        labels = ";".join(dict.fromkeys(("Entity", *(t.replace(";", "_") for t in types if t))))
        table.writerow(map(_line, [node, *cells, labels]))
    links = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    of = columns(d for *_, d in links)
    table = csv.writer(edges, lineterminator="\n", quoting=csv.QUOTE_ALL)
    head = [f"{c.name}:{_TYPES[c.type]}" for c in of]
    table.writerow([":START_ID", ":END_ID", *head, ":TYPE"])
    for u, v, kind, data in links:
        cells = [written(data[c.name]) if c.name in data else "" for c in of]
        relation = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).upper()
        table.writerow(map(_line, [u, v, *cells, relation]))


def _line(text: str) -> str:
    return _BREAKS.sub(" ", vocab.clean(text))
