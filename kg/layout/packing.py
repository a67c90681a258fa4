"""Communities in, all of them in one plane out: circles packed, and turned towards each other."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.layout.inside import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    import igraph
    from numpy.typing import NDArray

    from kg.layout.inside import Points

#: Screens are wider than high.
ASPECT = 1.25


def pack(
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
