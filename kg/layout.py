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
from typing import TYPE_CHECKING, Any

import igraph
import numpy as np

from kg.style import node_radius

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

SEED = 7
#: Free space around a node, in pixels: room for the label of the larger ones.
GAP = 17.0
#: Screens are wider than high.
ASPECT = 1.25
_KAMADA_KAWAI_UP_TO = 120
_EXACT_UP_TO = 600


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes with more edges among themselves than to others; `name` is its strongest members."""

    number: int
    name: str
    size: int


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
    radii = [node_radius(p, max(papers)) for p in papers]
    groups, loose = _communities(graph)
    inner = [_inside(graph.induced_subgraph(g), [radii[i] for i in g]) for g in groups]
    places = _pack(graph, groups, inner, radii)
    if loose:
        _strip(places, loose, radii)
        groups.append(loose)
    community = {nodes[i]: number for number, group in enumerate(groups) for i in group}
    named = tuple(
        Community(
            number,
            "Unconnected" if loose and group is loose else _name(network, nodes, group, graph),
            len(group),
        )
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


def _name(
    network: nx.MultiDiGraph, nodes: Sequence[str], group: Sequence[int], graph: igraph.Graph
) -> str:
    degree = dict(zip(group, graph.strength(list(group), weights="weight"), strict=True))
    best = sorted(
        group, key=lambda i: (-int(network.nodes[nodes[i]].get("papers", 1)), -degree[i], nodes[i])
    )
    return ", ".join(str(network.nodes[nodes[i]].get("label", nodes[i])) for i in best[:3])


def _inside(graph: igraph.Graph, radii: Sequence[float]) -> Points:
    """One community around the origin, without overlaps."""
    n = graph.vcount()
    if n == 1:
        return np.zeros((1, 2))
    start = graph.layout_circle()
    if n <= _KAMADA_KAWAI_UP_TO:
        placed = graph.layout_kamada_kawai(seed=start)
    else:
        # above a few hundred vertices the exact forces are too slow; igraph's grid is linear
        igraph.set_random_number_generator(random.Random(SEED))  # noqa: S311
        try:
            placed = graph.layout_fruchterman_reingold(
                weights="weight",
                niter=500 if n <= _EXACT_UP_TO else 150,
                grid="nogrid" if n <= _EXACT_UP_TO else "grid",
                seed=start,
            )
        finally:
            igraph.set_random_number_generator(random)
    points = np.asarray(placed.coords, dtype=np.float64)
    points -= points.mean(axis=0)
    sizes = np.asarray(radii) + GAP
    # the discs of the nodes shall fill about half of the community's own disc
    room = math.sqrt(float((sizes**2).sum()) / 0.5)
    spread = float(np.percentile(np.linalg.norm(points, axis=1), 90)) or 1.0
    points *= room / spread
    return _apart(points, sizes)


def _strip(places: Points, loose: Sequence[int], radii: Sequence[float]) -> None:
    """Nodes without edges, in rows under the picture."""
    step = 2.0 * max(radii[i] for i in loose) + 2.0 * GAP
    tied = np.setdiff1d(np.arange(len(places)), loose)
    low, width = 0.0, step * math.sqrt(len(loose) * 6.0)
    if len(tied):
        low = float(places[tied, 1].max()) + 3.0 * step
        width = max(width, float(np.ptp(places[tied, 0])))
    columns = min(len(loose), max(1, int(width / step)))
    k = np.arange(len(loose))
    middle = float(places[tied, 0].min() + places[tied, 0].max()) / 2 if len(tied) else 0.0
    left = middle - step * (columns - 1) / 2
    places[list(loose)] = np.column_stack(
        (left + step * (k % columns), low + step * (k // columns))
    )


def _apart(points: Points, sizes: NDArray[np.float64], rounds: int = 60) -> Points:
    """Push overlapping discs apart, each pair by half of what it overlaps."""
    points = points.copy()
    for _ in range(rounds):
        a, b = _near(points, 2.0 * float(sizes.max()))
        delta = points[b] - points[a]
        distance = np.linalg.norm(delta, axis=1)
        lap = sizes[a] + sizes[b] - distance
        hit = lap > 0.5
        if not hit.any():
            break
        a, b, delta, distance, lap = a[hit], b[hit], delta[hit], distance[hit], lap[hit]
        # two nodes in one place have no direction to part in: take one from their numbers
        same = distance < 1e-9
        angle = (a[same] * 2.399963 + b[same]) % (2 * math.pi)
        delta[same] = np.column_stack((np.cos(angle), np.sin(angle)))
        distance[same] = 1.0
        push = delta / distance[:, None] * (lap * 0.5)[:, None]
        np.add.at(points, a, -push)
        np.add.at(points, b, push)
    return points


def _near(points: Points, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs (a < b) of points that may lie within `reach`: those in the same or adjoining cells."""
    cell = np.floor(points / reach).astype(np.int64)
    cell -= cell.min(axis=0) - 1
    width = int(cell[:, 1].max()) + 2
    key = cell[:, 0] * width + cell[:, 1]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    pairs: list[NDArray[np.intp]] = []
    for shift in (0, 1, width - 1, width, width + 1):
        low = np.searchsorted(ordered, key + shift, side="left")
        high = np.searchsorted(ordered, key + shift, side="right")
        count = high - low
        first = np.repeat(np.arange(len(key)), count)
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        second = order[np.repeat(low, count) + offset]
        keep = first < second if shift == 0 else first != second
        pairs.append(np.column_stack((first[keep], second[keep])))
    both = np.concatenate(pairs)
    return both.min(axis=1), both.max(axis=1)


def _pack(
    graph: igraph.Graph,
    groups: Sequence[Sequence[int]],
    inner: Sequence[Points],
    radii: Sequence[float],
) -> Points:
    """All communities in one plane."""
    part = np.zeros(graph.vcount(), dtype=np.int64)
    for number, group in enumerate(groups):
        part[list(group)] = number
    between: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for edge in graph.es:
        a, b = int(part[edge.source]), int(part[edge.target])
        if a != b:
            between[a][b] += edge["weight"]
            between[b][a] += edge["weight"]
    discs = [
        float((np.linalg.norm(p, axis=1) + np.asarray([radii[i] for i in g])).max()) + GAP
        for p, g in zip(inner, groups, strict=True)
    ]
    centres = _centres(discs, between)
    places = np.zeros((graph.vcount(), 2))
    for number, group in enumerate(groups):
        places[list(group)] = inner[number] + centres[number]
    for _ in range(3):
        _turn(graph, groups, places, centres, part)
    return places


def _centres(discs: Sequence[float], between: dict[int, dict[int, float]]) -> Points:
    """Greedy packing: the next disc is the one tied most to those that stand, else the largest."""
    centres = np.zeros((len(discs), 2))
    standing: list[int] = []
    left = {c for c in range(len(discs)) if c in between}
    tie = dict.fromkeys(left, 0.0)
    while left:
        number = min(left, key=lambda c: (-tie[c], -discs[c], c))
        left.remove(number)
        ties = [(s, between[number][s]) for s in standing if s in between[number]]
        centres[number] = _free_spot(number, ties, standing, centres, discs)
        standing.append(number)
        for other, weight in between[number].items():
            tie[other] += weight
    _around(discs, standing, centres)
    return centres


def _free_spot(
    number: int,
    ties: Sequence[tuple[int, float]],
    standing: Sequence[int],
    centres: Points,
    discs: Sequence[float],
) -> Points:
    """The place touching a standing disc that is nearest to the disc's ties and to the middle."""
    if not standing:
        return np.zeros(2)
    here, size = centres[list(standing)], np.asarray([discs[s] for s in standing])
    angle = np.linspace(0.0, 2.0 * math.pi, 36, endpoint=False)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    reach = size + discs[number] + 4.0
    spots = (here[:, None, :] + reach[:, None, None] * ring[None, :, :]).reshape(-1, 2)
    cost = np.hypot(spots[:, 0] / ASPECT, spots[:, 1])
    if ties:
        total = sum(w for _, w in ties)
        for s, w in ties:
            cost = cost + 2.0 * (w / total) * np.linalg.norm(spots - centres[s], axis=1)
    spots = spots[np.argsort(np.round(cost, 6), kind="stable")]
    for first in range(0, len(spots), 256):
        some = spots[first : first + 256]
        away = np.linalg.norm(some[:, None, :] - here[None, :, :], axis=2)
        free = (away >= size[None, :] + discs[number] + 3.9).all(axis=1)
        if free.any():
            return np.asarray(some[int(np.argmax(free))])
    # the outermost disc always has room on its outer side
    raise AssertionError("no room beside any disc")


def _around(discs: Sequence[float], standing: list[int], centres: Points) -> None:
    """Discs without ties, the largest first, along one spiral into whatever gaps there are."""
    rest = sorted(set(range(len(discs))) - set(standing), key=lambda c: (-discs[c], c))
    here = np.zeros((len(discs), 2))
    size = np.zeros(len(discs))
    here[: len(standing)] = centres[standing]
    size[: len(standing)] = [discs[s] for s in standing]
    placed, angle = len(standing), 0.0
    for number in rest:
        own = discs[number]
        while True:
            radius = 0.12 * own * angle
            spot = np.asarray([ASPECT * radius * math.cos(angle), radius * math.sin(angle)])
            away = np.linalg.norm(here[:placed] - spot, axis=1)
            if (away >= size[:placed] + own + 4.0).all():
                break
            angle += own / (2.0 * max(radius, own))
        centres[number] = here[placed] = spot
        size[placed] = own
        placed += 1


def _turn(
    graph: igraph.Graph,
    groups: Sequence[Sequence[int]],
    places: Points,
    centres: Points,
    part: NDArray[np.int64],
) -> None:
    """Turn each community about its centre so that its edges to others are as short as may be."""
    ends: Any = np.asarray(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weight = np.asarray(graph.es["weight"]) if graph.ecount() else np.zeros(0)
    crossing = part[ends[:, 0]] != part[ends[:, 1]] if len(ends) else np.zeros(0, dtype=bool)
    ends, weight = ends[crossing], weight[crossing]
    both = np.concatenate((ends, ends[:, ::-1]))
    weights = np.concatenate((weight, weight))
    for number, group in enumerate(groups):
        mine = part[both[:, 0]] == number
        if len(group) == 1 or not mine.any():
            continue
        own = places[both[mine, 0]] - centres[number]
        other = places[both[mine, 1]] - centres[number]
        own_z, other_z = own[:, 0] + 1j * own[:, 1], other[:, 0] + 1j * other[:, 1]
        pull = (weights[mine] * np.conj(own_z) * other_z / np.maximum(np.abs(other_z), 1e-9)).sum()
        if abs(pull) < 1e-9:
            continue
        turn = pull / abs(pull)
        z = (places[list(group)] - centres[number]) @ np.asarray([1.0, 1j]) * turn
        places[list(group)] = np.column_stack((z.real, z.imag)) + centres[number]
