"""A network to CX2, the format of Cytoscape 3.10+, Cytoscape Web and NDEx, written as a stream.

https://cytoscape.org/cx/cx2/specification/cytoscape-exchange-format-specification-(version-2)/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import Column, Value, columns, directed
from kg.style import FAMILIES, edge_family, node_colour, node_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import networkx as nx

    from kg.layout import Layout

_SHAPES = {"disc": "ellipse", "square": "rectangle"}


def write_cx2(network: nx.MultiDiGraph, places: Layout, sink: TextIO, *, title: str) -> None:
    """Write `network` with its layout and style, nodes and edges sorted and numbered from 0.

    `name` is a node's label, `iri` its id; `interaction` is an edge's kind, as Cytoscape calls it.
    `y` grows downwards, as in Cytoscape.
    """
    sink.writelines(_document(network, places, title))


def _document(network: nx.MultiDiGraph, places: Layout, title: str) -> Iterator[str]:
    nodes = sorted(network.nodes(data=True))
    number = {node: i for i, (node, _) in enumerate(nodes)}
    edges = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    of_nodes = columns(_node(node, data) for node, data in nodes)
    of_edges = columns(_edge(kind, data) for _, _, kind, data in edges)
    count = {"nodes": len(nodes), "edges": len(edges)}
    yield '[{"CXVersion": "2.0", "hasFragments": false},\n'
    names = ("attributeDeclarations", "networkAttributes", *count)
    names += ("visualProperties", "visualEditorProperties")
    meta = [{"name": n, "elementCount": count.get(n, 1)} for n in names]
    yield _aspect("metaData", meta)
    declared = {
        "networkAttributes": {"name": {"d": "string"}},
        "nodes": {c.name: {"d": c.type} for c in of_nodes},
        "edges": {c.name: {"d": c.type} for c in of_edges},
    }
    yield _aspect("attributeDeclarations", [declared])
    yield _aspect("networkAttributes", [{"name": title}])
    yield from _items(
        "nodes",
        (
            {"id": i, "x": places.places[node][0], "y": places.places[node][1]}
            | {"v": _values(of_nodes, _node(node, data))}
            for i, (node, data) in enumerate(nodes)
        ),
    )
    yield from _items(
        "edges",
        (
            {"id": i, "s": number[u], "t": number[v], "v": _values(of_edges, _edge(kind, data))}
            for i, (u, v, kind, data) in enumerate(edges)
        ),
    )
    types = sorted({str(d.get("type", "")) for _, d in nodes})
    kinds = sorted({kind for _, _, kind, _ in edges})
    most = max((float(places.radii[n]) for n in number), default=1.0)
    arrow = "triangle" if directed(network) else "none"
    papers = [int(data.get("papers", 1)) for _, data in nodes]
    yield _aspect("visualProperties", [_style(types, kinds, papers, most, arrow=arrow)])
    # Cytoscape would draw arrows black otherwise
    editor = {"nodeSizeLocked": False, "arrowColorMatchesEdge": True}
    yield _aspect("visualEditorProperties", [{"properties": editor}])
    yield '{"status": [{"success": true, "error": ""}]}]\n'


def _node(node: str, data: Mapping[str, Value]) -> dict[str, Value]:
    return {"name": data.get("label") or node, "iri": node} | _rest(data, ("label",))


def _edge(kind: str, data: Mapping[str, Value]) -> dict[str, Value]:
    return {"interaction": kind} | _rest(data, ("kind",))


def _rest(data: Mapping[str, Value], but: Sequence[str]) -> dict[str, Value]:
    return {k: v for k, v in data.items() if k not in but}


def _values(all_columns: Iterable[Column], row: Mapping[str, Value]) -> dict[str, Value]:
    """The row with every value of its column's type."""
    kinds = {"string": str, "double": float}
    return {
        c.name: kinds[c.type](row[c.name]) if c.type in kinds else row[c.name]
        for c in all_columns
        if c.name in row
    }


def _style(
    types: Sequence[str],
    kinds: Sequence[str],
    papers: Sequence[int],
    most: float,
    *,
    arrow: str,
) -> dict[str, object]:
    def by(attribute: str, values: Mapping[str, str]) -> dict[str, object]:
        listed = [{"v": name, "vp": look} for name, look in values.items()]
        return {"type": "DISCRETE", "definition": {"attribute": attribute, "map": listed}}

    low, high = min(papers, default=1), max(papers, default=1)
    sizes: dict[str, object] = {}
    if low < high:
        scale = {"min": low, "max": high, "minVPValue": 16.0, "maxVPValue": 2 * most}
        scale |= {"includeMin": True, "includeMax": True}
        definition = {"attribute": "papers", "map": [scale]}
        for side in ("NODE_WIDTH", "NODE_HEIGHT"):
            sizes[side] = {"type": "CONTINUOUS", "definition": definition}
    return {
        "default": {
            "network": {"NETWORK_BACKGROUND_COLOR": "#FFFFFF"},
            "node": {"NODE_SHAPE": "ellipse", "NODE_WIDTH": 16.0, "NODE_HEIGHT": 16.0},
            "edge": {"EDGE_WIDTH": 1.0, "EDGE_LINE_COLOR": FAMILIES[-1].colour}
            | {"EDGE_TARGET_ARROW_SHAPE": arrow},
        },
        "nodeMapping": {
            "NODE_LABEL": {
                "type": "PASSTHROUGH",
                "definition": {"attribute": "name", "type": "string"},
            },
            "NODE_BACKGROUND_COLOR": by("type", {t: node_colour(t) for t in types}),
            "NODE_SHAPE": by("type", {t: _SHAPES.get(node_shape(t), node_shape(t)) for t in types}),
        }
        | sizes,
        "edgeMapping": {
            "EDGE_LINE_COLOR": by("interaction", {k: edge_family(k).colour for k in kinds}),
            "EDGE_LINE_STYLE": by("interaction", {k: edge_family(k).stroke for k in kinds}),
        },
    }


def _aspect(name: str, items: Sequence[object]) -> str:
    return f'{{"{name}": {_json(items)}}},\n'


def _items(name: str, items: Iterable[object]) -> Iterator[str]:
    yield f'{{"{name}": ['
    for i, item in enumerate(items):
        yield (",\n" if i else "\n") + _json(item)
    yield "\n]},\n"


def _json(value: object) -> str:
    return vocab.clean(json.dumps(value, ensure_ascii=False, allow_nan=False))
