"""A network in, the same nodes with its strongest edges out, where there are too many to see.

The union of every node's few strongest neighbours and a maximum spanning forest: nothing that was
connected comes apart.
"""

from __future__ import annotations

from collections import defaultdict

import networkx as nx
from networkx.utils import UnionFind

#: Up to so many edges a node a drawing stays readable as it is.
READABLE = 2.5


def backbone(network: nx.MultiDiGraph, *, per_node: int = 3) -> nx.MultiDiGraph:
    """`network` itself where it is readable, else a copy with the strongest edges only.

    The strength of two nodes is the sum of the weights of all edges between them; all of these stay
    or go together. `per_node` neighbours of each node stay at least.
    """
    if network.number_of_edges() <= READABLE * network.number_of_nodes():
        return network
    strength: dict[tuple[str, str], float] = defaultdict(float)
    for u, v, data in network.edges(data=True):
        if u != v:
            strength[min(u, v), max(u, v)] += float(data.get("weight", 1.0))
    order = sorted(strength, key=lambda pair: (-strength[pair], pair))
    kept: set[tuple[str, str]] = set()
    taken: dict[str, int] = defaultdict(int)
    joined = UnionFind(network.nodes)
    for u, v in order:
        apart = joined[u] != joined[v]
        if apart:
            joined.union(u, v)
        if apart or taken[u] < per_node or taken[v] < per_node:
            kept.add((u, v))
            taken[u] += 1
            taken[v] += 1
    strong = nx.MultiDiGraph()
    strong.add_nodes_from(network.nodes(data=True))
    strong.add_edges_from(
        (u, v, kind, data)
        for u, v, kind, data in network.edges(keys=True, data=True)
        if (min(u, v), max(u, v)) in kept
    )
    return strong
