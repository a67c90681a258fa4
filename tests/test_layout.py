from __future__ import annotations

import itertools
import math
import random
import time

import igraph
import networkx as nx
import pytest
from networks import clusters, iri, small

from kg.layout import layout


def overlaps(places) -> list[tuple[str, str]]:
    return [
        (a, b)
        for a, b in itertools.combinations(places.places, 2)
        if math.dist(places.places[a], places.places[b]) < places.radii[a] + places.radii[b]
    ]


@pytest.mark.parametrize("network", [small(), clusters(5, 12), clusters(2, 150), clusters(1, 700)])
def test_no_two_nodes_overlap(network):
    assert overlaps(layout(network)) == []


def test_same_network_in_any_order_gives_same_places():
    network = clusters(4, 9)
    other = nx.MultiDiGraph()
    nodes, edges = list(network.nodes(data=True)), list(network.edges(keys=True, data=True))
    nodes.reverse()
    edges.sort(key=lambda e: (e[1], e[0]), reverse=True)
    other.add_nodes_from(nodes)
    other.add_edges_from(edges)
    random.seed(99)
    assert layout(other) == layout(network)


def test_layout_leaves_the_random_numbers_of_others_alone():
    random.seed(5)
    state = random.getstate()
    layout(clusters(3, 9))
    assert random.getstate() == state
    # igraph is back on the shared generator too
    random.seed(1)
    first = igraph.Graph.Erdos_Renyi(n=20, m=30).get_edgelist()
    random.seed(1)
    assert igraph.Graph.Erdos_Renyi(n=20, m=30).get_edgelist() == first


def test_communities_are_the_rings_and_stay_together():
    network = clusters(5, 12)
    places = layout(network)
    rings = {n: n.rsplit("/", 1)[1].split("-")[0] for n in network}
    found = {
        frozenset(n for n in network if places.community[n] == c.number) for c in places.communities
    }
    assert found == {frozenset(n for n in network if rings[n] == g) for g in rings.values()}
    centres = {
        g: [sum(places.places[n][i] for n in network if rings[n] == g) / 12 for i in (0, 1)]
        for g in set(rings.values())
    }
    for node, ring in rings.items():
        nearest = min(centres, key=lambda g: math.dist(centres[g], places.places[node]))
        assert nearest == ring


def test_community_is_named_by_its_strongest_members():
    names = [c.name for c in layout(clusters(1, 5)).communities]
    assert names == ["m 0 4, m 0 3, m 0 2"]


def test_nodes_without_edges_stand_below_the_rest():
    places = layout(small())
    alone = places.places[iri("method/alone")]
    assert alone[1] > max(y for n, (_, y) in places.places.items() if n != iri("method/alone"))
    assert places.communities[places.community[iri("method/alone")]].name == "Unconnected"


def test_more_papers_make_a_larger_node():
    places = layout(small())
    by_papers = [
        "method/transformer",
        "method/bert",
        "method/lstm",
        "benchmark/glue",
        "method/alone",
    ]
    radii = [places.radii[iri(n)] for n in by_papers]
    assert radii == sorted(radii, reverse=True)
    assert len(set(radii)) == len(radii)


@pytest.mark.parametrize("size", [0, 1, 2, 40])
def test_networks_without_edges(size):
    network = nx.MultiDiGraph()
    network.add_nodes_from((f"n{i}", {"label": str(i), "papers": 1}) for i in range(size))
    places = layout(network)
    assert set(places.places) == set(network)
    assert overlaps(places) == []


def test_a_loop_and_a_weight_of_nothing_are_no_obstacle():
    network = small()
    bert = iri("method/bert")
    network.add_edge(bert, bert, key="basedOn", kind="basedOn", weight=1.0)
    network.add_edge(bert, iri("method/lstm"), key="basedOn", kind="basedOn", weight=0.0)
    assert all(math.isfinite(x + y) for x, y in layout(network).places.values())


def test_many_nodes_take_no_more_than_their_share():
    network = nx.MultiDiGraph()
    network.add_nodes_from((iri(f"method/{i}"), {"papers": 1 + i % 7}) for i in range(40_000))
    # of the processor's own time: other programs do not count
    start = time.process_time()
    places = layout(network)
    assert time.process_time() - start < 6
    assert len(set(places.places.values())) == 40_000
