"""A network in, the same network out with its measures as attributes of nodes; or edges merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx

from kg.errors import QueryError
from kg.export.attributes import directed

if TYPE_CHECKING:
    from kg.layout import Layout


def measure(network: nx.MultiDiGraph, places: Layout) -> None:
    """Set on every node community, community_name, degree, in_degree, out_degree and pagerank.

    Degrees count edges, parallel ones too. PageRank (Brin and Page 1998) follows the edges' heads
    with damping 0.85, by `weight`; its values add up to 1. Where edges have no direction, it goes
    both ways, and there is neither in_degree nor out_degree.
    """
    one_way = directed(network)
    nodes = sorted(network)
    number = {node: i for i, node in enumerate(nodes)}
    edges = sorted(network.edges(keys=True))
    graph = igraph.Graph(
        n=len(nodes), edges=[(number[u], number[v]) for u, v, _ in edges], directed=one_way
    )
    weights = [max(float(network.edges[e].get("weight", 1.0)), 0.0) for e in edges]
    ranks = graph.pagerank(weights=weights if any(weights) else None)
    for node, rank in zip(nodes, ranks, strict=True):
        group = places.communities[places.community[node]]
        network.nodes[node].update(
            community=group.number,
            community_name=group.name,
            degree=network.degree(node),
            pagerank=round(rank, 9),
        )
        if one_way:
            network.nodes[node].update(
                in_degree=network.in_degree(node), out_degree=network.out_degree(node)
            )


def weigh(network: nx.MultiDiGraph, name: str) -> None:
    """Make the attribute `name` of every edge its weight, say `confidence` or `association`.

    Raises QueryError where an edge has no such figure.
    """
    for _, _, data in network.edges(data=True):
        if not isinstance(data.get(name), int | float):
            figures = sorted(k for k, v in data.items() if isinstance(v, int | float))
            raise QueryError(
                f"edges cannot be weighed by {name!r}; their figures are {', '.join(figures)}"
            )
        data["weight"] = float(data[name])


def merged(network: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """A copy with one edge at most from a node to another, as programs without multigraphs need.

    Several edges become one of the kind "related": its label and `kinds` name the kinds, weight is
    their sum, papers and confidence the largest, the years span all, evidence is the surest one's.
    """
    copy = nx.MultiDiGraph()
    copy.add_nodes_from(network.nodes(data=True))
    between: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for u, v, _, data in sorted(network.edges(keys=True, data=True), key=lambda e: e[:3]):
        between.setdefault((u, v), []).append(data)
    for (u, v), all_ in between.items():
        one = dict(all_[0]) if len(all_) == 1 else _one(all_)
        copy.add_edge(u, v, key=one.get("kind", "related"), **one)
    return copy


def _one(edges: list[dict[str, Any]]) -> dict[str, Any]:
    # of equally sure ones the first by kind
    surest = max(edges, key=lambda d: float(d.get("confidence", 0.0)))
    one: dict[str, Any] = {
        "kind": "related",
        "label": ", ".join(str(d.get("label") or d["kind"]) for d in edges),
        "kinds": "|".join(str(d["kind"]) for d in edges),
        "weight": sum(float(d.get("weight", 1.0)) for d in edges),
    }
    one |= {name: surest[name] for name in ("evidence", "paper") if name in surest}
    for name, of in (
        ("papers", max),
        ("shared", max),
        ("confidence", max),
        ("first_year", min),
        ("last_year", max),
    ):
        if known := [d[name] for d in edges if name in d]:
            one[name] = of(known)
    years = {str(d[y]) for d in edges for y in ("first_year", "last_year") if y in d}
    years |= {y for d in edges for y in str(d.get("years", "")).split("|") if y}
    if len(years) > 1:
        one["years"] = "|".join(sorted(years))
    return one
