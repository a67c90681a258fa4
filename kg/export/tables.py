"""A network to the two tables that Gephi imports: nodes (Id, Label …), edges (Source …)."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.export.attributes import Value, columns, directed, edge_id, spells, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

    from kg.layout import Layout


_EDGE_HEAD = ("Source", "Target", "Type", "Kind", "Id", "Label", "Timeset", "Weight", "relation")


def write_csv(network: nx.MultiDiGraph, places: Layout, nodes: TextIO, edges: TextIO) -> None:
    """Write the two tables, RFC 4180 with commas and line feeds, rows sorted.

    Gephi knows the columns Id, Label, Timeset (for its timeline), Source, Target, Type, Kind (which
    keeps parallel edges apart) and Weight by these names; `relation` is the kind once more, to
    filter by.
    """
    # everything in quotes: Python 3.11 leaves a lone carriage return bare otherwise
    rows = sorted(network.nodes(data=True))
    others = [c.name for c in columns(d for _, d in rows) if c.name != "label"]
    table = csv.writer(nodes, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(["Id", "Label", "Timeset", *others, "x", "y", "size"])
    for node, data in rows:
        x, y = places.places[node]
        cells = [written(data[name]) if name in data else "" for name in others]
        place = [written(x), written(-y if y else 0.0), written(places.radii[node])]
        head = [node, str(data.get("label") or node), _timeset(data)]
        table.writerow(map(vocab.clean, [*head, *cells, *place]))
    links = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    known = ("label", "weight", "kind")
    others = [c.name for c in columns(d for *_, d in links) if c.name not in known]
    table = csv.writer(edges, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow([*_EDGE_HEAD, *others])
    way = "Directed" if directed(network) else "Undirected"
    for u, v, kind, data in links:
        head = [u, v, way, kind, edge_id(u, kind, v), str(data.get("label") or kind)]
        head += [_timeset(data), written(data.get("weight", 1.0)), kind]
        cells = [written(data[name]) if name in data else "" for name in others]
        table.writerow(map(vocab.clean, [*head, *cells]))


def _timeset(data: Mapping[str, Value]) -> str:
    """The years as Gephi writes a set of intervals: "<[2017, 2019]; [2021, 2021]>"."""
    runs = "; ".join(f"[{first}, {last}]" for first, last in spells(data))
    return f"<{runs}>" if runs else ""
