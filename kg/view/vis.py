"""The one place that knows pyvis: a network and its layout in, vis-network's data and code out.

pyvis' own page links a style sheet and a script on a CDN whatever its options say, and lays out in
the browser; so only its data model and the vis-network that it carries are used.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pyvis.network import Network

from kg.style import edge_family, node_colour, node_shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

    from kg.layout import Layout

_VIS_SHAPES = {"disc": "dot"}
_DASHES: dict[str, bool | list[int]] = {"solid": False, "dashed": [7, 5], "dotted": [2, 4]}
_OPTIONS: dict[str, Any] = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "hoverConnectedEdges": False,
        "selectConnectedEdges": False,
        "dragNodes": True,
        "tooltipDelay": 100,
    },
    # size 0: the page draws the labels itself, those that fit without colliding
    "nodes": {"borderWidth": 1.5, "font": {"size": 0}, "chosen": False},
    "edges": {
        "font": {"size": 0},
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.45}},
        "arrowStrikethrough": False,
        "chosen": False,
        "hoverWidth": 0,
        "selectionWidth": 0,
    },
}


def drawing(network: nx.MultiDiGraph, places: Layout, number: Mapping[str, int]) -> dict[str, Any]:
    """vis-network's nodes, edges and options as pyvis makes them; ids are `number`'s.

    Edges are numbered in the order of `sorted(network.edges(keys=True))`.
    """
    net = Network(directed=True, cdn_resources="in_line")
    for node, data in sorted(network.nodes(data=True)):
        kind = str(data.get("type", ""))
        x, y = places.places[node]
        net.add_node(
            number[node],
            label=str(data.get("label") or node),
            shape=_VIS_SHAPES.get(node_shape(kind), node_shape(kind)),
            color=node_colour(kind),
            size=places.radii[node],
            x=x,
            y=y,
        )
    parallel: dict[tuple[str, str], int] = {}
    for u, v, kind in sorted(network.edges(keys=True)):
        data = network.edges[u, v, kind]
        # edges between the same two nodes bend apart, whichever way they point
        lane = parallel.get((min(u, v), max(u, v)), 0)
        parallel[min(u, v), max(u, v)] = lane + 1
        net.add_edge(
            number[u],
            number[v],
            width=round(min(1.0 + 0.8 * (float(data.get("papers", 1)) - 1) ** 0.5, 5.0), 2),
            dashes=_DASHES[edge_family(kind).stroke],
            smooth={"enabled": True, "type": "curvedCW", "roundness": 0.08 + 0.14 * lane},
        )
    net.set_options(json.dumps(_OPTIONS))
    nodes, edges, _heading, _height, _width, options = net.get_network_data()
    return {
        "nodes": nodes,
        "edges": [dict(edge, id=i) for i, edge in enumerate(edges)],
        "options": json.loads(options),
    }


def library() -> str:
    """The vis-network that pyvis carries (Apache-2.0 or MIT; its notice stays in the code)."""
    found = sorted(
        p.name
        for p in (files("pyvis") / "templates" / "lib").iterdir()
        if p.name.startswith("vis-")
    )
    newest = max(found, key=lambda n: [int(d) for d in re.findall(r"\d+", n)])
    code = (files("pyvis") / "templates" / "lib" / newest / "vis-network.min.js").read_text("utf-8")
    return re.sub(r"\n//# sourceMappingURL=\S*\s*$", "\n", code)
