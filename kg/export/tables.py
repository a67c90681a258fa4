"""A network to the two tables that Gephi imports: nodes (Id, Label …), edges (Source …)."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import columns, directed, edge_id, written

if TYPE_CHECKING:
    import networkx as nx

    from kg.layout import Layout


def write_csv(network: nx.MultiDiGraph, places: Layout, nodes: TextIO, edges: TextIO) -> None:
    """Write the two tables, RFC 4180 with commas and line feeds, rows sorted.

    Gephi knows the columns Id, Label, Source, Target, Type and Weight by these names.
    """
    # everything in quotes: Python 3.11 leaves a lone carriage return bare otherwise
    rows = sorted(network.nodes(data=True))
    others = [c.name for c in columns(d for _, d in rows) if c.name != "label"]
    table = csv.writer(nodes, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(["Id", "Label", *others, "x", "y", "size"])
    for node, data in rows:
        x, y = places.places[node]
        cells = [written(data[name]) if name in data else "" for name in others]
        place = [written(x), written(-y if y else 0.0), written(places.radii[node])]
        table.writerow(map(vocab.clean, [node, str(data.get("label") or node), *cells, *place]))
    links = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    others = [c.name for c in columns(d for *_, d in links) if c.name not in ("label", "weight")]
    table = csv.writer(edges, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(["Source", "Target", "Type", "Id", "Label", "Weight", *others])
    way = "Directed" if directed(network) else "Undirected"
    for u, v, kind, data in links:
        head = [u, v, way, edge_id(u, kind, v), str(data.get("label") or kind)]
        cells = [written(data[name]) if name in data else "" for name in others]
        table.writerow(map(vocab.clean, [*head, written(data.get("weight", 1.0)), *cells]))
