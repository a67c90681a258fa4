from __future__ import annotations

import networkx as nx
from networks import clusters, small

from kg.backbone import READABLE, backbone


def dense(n: int) -> nx.MultiDiGraph:
    network = nx.MultiDiGraph()
    network.add_nodes_from((str(i), {"label": str(i)}) for i in range(n))
    for i in range(n):
        for j in range(i + 1, n):
            network.add_edge(
                str(i), str(j), key="usedFor", kind="usedFor", weight=float(1 + (i * j) % 7)
            )
    return network


def test_a_readable_network_is_left_as_it_is():
    network = small()
    assert backbone(network) is network


def test_a_dense_one_keeps_its_nodes_its_strongest_edges_and_its_connection():
    network = dense(40)
    strong = backbone(network)
    assert set(strong) == set(network)
    assert strong.number_of_edges() < network.number_of_edges() / 2
    assert nx.is_weakly_connected(strong)
    for node in network:
        best = max(d["weight"] for *_, d in network.to_undirected().edges(node, data=True))
        assert max(d["weight"] for *_, d in strong.to_undirected().edges(node, data=True)) == best
    kept = {frozenset(e) for e in strong.edges()}
    assert kept < {frozenset(e) for e in network.edges()}


def test_parallel_edges_stay_or_go_together():
    network = dense(30)
    for i in range(29):
        network.add_edge(str(i + 1), str(i), key="partOf", kind="partOf", weight=0.5)
    strong = backbone(network)
    for u, v in strong.edges():
        for a, b in ((u, v), (v, u)):
            if network.has_edge(a, b):
                assert set(strong[a][b]) == set(network[a][b])


def test_components_stay_apart():
    network = nx.union(dense(20), nx.relabel_nodes(dense(20), lambda n: f"x{n}"))
    assert nx.number_weakly_connected_components(backbone(network)) == 2
    assert READABLE * len(network) < network.number_of_edges()
    assert backbone(clusters(3, 10)).number_of_edges() <= clusters(3, 10).number_of_edges()
