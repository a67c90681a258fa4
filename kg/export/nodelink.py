"""A network to node-link JSON, the form of `networkx.node_link_graph` and of d3."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import directed, written
from kg.style import node_colour

if TYPE_CHECKING:
    import networkx as nx

    from kg.layout import Layout


def write_nodelink(network: nx.MultiDiGraph, places: Layout, sink: TextIO) -> None:
    """Write one JSON object with `nodes` and `edges`, one a line, sorted; `y` grows downwards."""
    way = written(directed(network))
    sink.write(f'{{"directed": {way}, "multigraph": true, "graph": {{}},\n"nodes": [')
    for number, (node, data) in enumerate(sorted(network.nodes(data=True))):
        x, y = places.places[node]
        look = {
            "x": x,
            "y": y,
            "size": places.radii[node],
            "color": node_colour(data.get("type", "")),
        }
        sink.write((",\n" if number else "\n") + _json({"id": node} | data | look))
    sink.write('\n],\n"edges": [')
    links = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    for number, (u, v, kind, data) in enumerate(links):
        row = {"source": u, "target": v, "key": kind} | data
        sink.write((",\n" if number else "\n") + _json(row))
    sink.write("\n]}\n")


def _json(row: dict[str, object]) -> str:
    return vocab.clean(json.dumps(row, ensure_ascii=False, allow_nan=False))
