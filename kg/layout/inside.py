"""One community in, places of its nodes around the origin out, none over another."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import igraph
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Points = NDArray[np.float64]

SEED = 7
#: Free space around a node, in pixels: room for the label of the larger ones.
GAP = 17.0
_KAMADA_KAWAI_UP_TO = 120
_EXACT_UP_TO = 600


def inside(graph: igraph.Graph, radii: Sequence[float]) -> Points:
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
