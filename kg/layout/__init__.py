"""A network in, a place in the plane and a community for every node out: same input, same places.

Communities come from Leiden (Traag, Waltman and van Eck 2019). Each is laid out by itself, freed of
overlaps and put into a circle; the circles are packed, each as near as it fits to those it has most
edges with, and turned so that these are short. A node is thus always found among its own kind, and
no edge needs to cross a ball of others. Page and Gephi files share these places.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import igraph
import numpy as np

from kg.layout.inside import GAP, SEED, inside
from kg.layout.packing import pack
from kg.style import node_radius

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from kg.layout.inside import Points


#: The name of the nodes without any edge, which stand together though nothing ties them.
UNCONNECTED = "Unconnected"


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes with more edges among themselves than to others; `name` is its `strongest` members."""

    number: int
    name: str
    size: int
    strongest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Places in pixels (y grows downwards, as on a screen), radii in pixels, community numbers."""

    places: dict[str, tuple[float, float]]
    radii: dict[str, float]
    community: dict[str, int]
    communities: tuple[Community, ...]


def layout(network: nx.MultiDiGraph) -> Layout:
    """Place every node of `network` (uses `papers` and `label` of nodes, `weight` of edges)."""
    nodes = sorted(network.nodes)
    if not nodes:
        return Layout({}, {}, {}, ())
    graph = _simple(network, nodes)
    papers = [int(network.nodes[n].get("papers", 1)) for n in nodes]
    most = max(papers)
    radii = [node_radius(p, most) for p in papers]
    groups, loose = _communities(graph)
    inner = [inside(graph.induced_subgraph(g), [radii[i] for i in g]) for g in groups]
    places = pack(graph, groups, inner, radii)
    if loose:
        _strip(places, loose, radii)
        groups.append(loose)
    community = {nodes[i]: number for number, group in enumerate(groups) for i in group}
    named = tuple(
        Community(number, UNCONNECTED, len(group))
        if loose and group is loose
        else _named(number, group, _strongest(network, nodes, group, graph))
        for number, group in enumerate(groups)
    )
    return Layout(
        {
            n: (round(float(x), 1), round(float(y), 1))
            for n, (x, y) in zip(nodes, places, strict=True)
        },
        dict(zip(nodes, radii, strict=True)),
        community,
        named,
    )


def _simple(network: nx.MultiDiGraph, nodes: Sequence[str]) -> igraph.Graph:
    """The undirected simple graph; parallel edges and both directions add up, damped."""
    index = {n: i for i, n in enumerate(nodes)}
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for u, v, data in network.edges(data=True):
        if u != v:
            a, b = sorted((index[u], index[v]))
            weights[a, b] += float(data.get("weight", 1.0))
    pairs = sorted(weights)
    graph = igraph.Graph(n=len(nodes), edges=pairs)
    graph.es["weight"] = [1.0 + math.log1p(max(weights[p], 0.0)) for p in pairs]
    return graph


def _communities(graph: igraph.Graph) -> tuple[list[list[int]], list[int]]:
    """Groups of vertex numbers, the largest first; and the vertices without any edge."""
    loose = [v for v, degree in enumerate(graph.degree()) if degree == 0]
    if graph.ecount() == 0:
        return [], loose
    # igraph draws from one generator for the whole process: ours for this call, then its own again
    igraph.set_random_number_generator(random.Random(SEED))  # noqa: S311
    try:
        parts = graph.community_leiden(
            objective_function="modularity", weights="weight", n_iterations=10
        )
    finally:
        igraph.set_random_number_generator(random)
    alone = set(loose)
    groups = [sorted(p) for p in parts if not alone.issuperset(p)]
    return sorted(groups, key=lambda g: (-len(g), g)), loose


def _named(number: int, group: Sequence[int], strongest: tuple[str, ...]) -> Community:
    return Community(number, ", ".join(strongest), len(group), strongest)


def _strongest(
    network: nx.MultiDiGraph, nodes: Sequence[str], group: Sequence[int], graph: igraph.Graph
) -> tuple[str, ...]:
    """The labels of the three members with most papers, of these with most edges."""
    degree = dict(zip(group, graph.strength(list(group), weights="weight"), strict=True))
    best = sorted(
        group, key=lambda i: (-int(network.nodes[nodes[i]].get("papers", 1)), -degree[i], nodes[i])
    )
    return tuple(str(network.nodes[nodes[i]].get("label", nodes[i])) for i in best[:3])


def _strip(places: Points, loose: Sequence[int], radii: Sequence[float]) -> None:
    """Nodes without edges, in a few rows under the picture, with room for names between them."""
    step = 2.0 * max(radii[i] for i in loose) + 2.0 * GAP
    wide = 2.5 * step
    tied = np.setdiff1d(np.arange(len(places)), loose)
    low, middle = 0.0, 0.0
    columns = math.ceil(math.sqrt(len(loose) * 1.6))
    if len(tied):
        low = float(places[tied, 1].max()) + 3.0 * step
        middle = float(places[tied, 0].min() + places[tied, 0].max()) / 2
        # no wider than the picture, and rather fuller rows than many
        columns = max(
            columns, int(min(math.sqrt(len(loose) * 4.0), np.ptp(places[tied, 0]) / wide))
        )
    k = np.arange(len(loose))
    left = middle - wide * (min(columns, len(loose)) - 1) / 2
    places[list(loose)] = np.column_stack(
        (left + wide * (k % columns), low + step * (k // columns))
    )
