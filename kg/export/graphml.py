"""A network to GraphML (http://graphml.graphdrawing.org) with typed keys, written as a stream.

Read by Gephi, igraph, Cytoscape, yEd and networkx. Place, colour and size stand under the names
that Gephi gives them: x, y, r, g, b, size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from kg.export.attributes import Column, Value, columns, directed, edge_id, written
from kg.export.gexf import attribute
from kg.style import node_colour

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import networkx as nx

    from kg.layout import Layout

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_TYPES = {"string": "string", "integer": "long", "double": "double", "boolean": "boolean"}


def write_graphml(network: nx.MultiDiGraph, places: Layout, sink: TextIO) -> None:
    """Write `network` with its layout to `sink`, nodes and edges sorted; `y` grows upwards."""
    sink.writelines(_document(network, places))


def _document(network: nx.MultiDiGraph, places: Layout) -> Iterator[str]:
    nodes = sorted(network.nodes(data=True))
    edges = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    of_nodes = columns(d | _look(n, d, places) for n, d in nodes)
    of_edges = columns(d for *_, d in edges)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<graphml xmlns="{NAMESPACE}">\n'
    for letter, of, all_columns in (("n", "node", of_nodes), ("e", "edge", of_edges)):
        for number, column in enumerate(all_columns):
            yield (
                f'<key id="{letter}{number}" for="{of}" attr.name={attribute(column.name)} '
                f'attr.type="{_TYPES[column.type]}"/>\n'
            )
    way = "directed" if directed(network) else "undirected"
    yield f'<graph id="G" edgedefault="{way}">\n'
    for node, data in nodes:
        yield f"<node id={attribute(node)}>\n"
        yield from _values("n", of_nodes, data | _look(node, data, places))
        yield "</node>\n"
    for u, v, kind, data in edges:
        yield f'<edge id="{edge_id(u, kind, v)}" source={attribute(u)} target={attribute(v)}>\n'
        yield from _values("e", of_edges, data)
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _look(node: str, data: Mapping[str, Value], places: Layout) -> dict[str, Value]:
    x, y = places.places[node]
    colour = node_colour(str(data.get("type", "")))
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    size = places.radii[node]
    return {"x": x, "y": -y if y else 0.0, "r": r, "g": g, "b": b, "size": size}


def _values(
    letter: str, all_columns: tuple[Column, ...], data: Mapping[str, Value]
) -> Iterator[str]:
    for number, column in enumerate(all_columns):
        if column.name in data:
            value = data[column.name]
            text = written(float(value)) if column.type == "double" else written(value)
            # as in an attribute, so that a carriage return survives the parser
            yield f'<data key="{letter}{number}">{attribute(text)[1:-1]}</data>\n'
