"""Union of keys with its evidence: a forest whose every edge knows the rule that drew it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Edge(NamedTuple):
    """Two keys are one for the reason `rule`."""

    score: float
    rule: str
    a: str
    b: str


@dataclass(slots=True)
class Clusters:
    """Keys joined by the surest edges first; pairs in `apart` are never in one cluster.

    `refused` are the edges that `apart` forbade, each with the pair that forbade it.
    """

    apart: dict[str, set[str]] = field(default_factory=dict)
    refused: list[tuple[Edge, str, str]] = field(default_factory=list)
    edges: dict[str, list[Edge]] = field(default_factory=dict)
    _parents: dict[str, str] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def join(self, edges: Iterable[Edge]) -> list[Edge]:
        """Join along the edges, the surest first; the result does not depend on their order.

        Returns the edges that joined two clusters.
        """
        drawn = []
        for edge in sorted(set(edges), key=lambda e: (-e.score, e.rule, e.a, e.b)):
            a, b = self.root(edge.a), self.root(edge.b)
            if a == b:
                continue
            barred = self._bar(a, b)
            if barred:
                self.refused.append((edge, *barred))
                continue
            self._union(a, b)
            drawn.append(edge)
            self.edges.setdefault(edge.a, []).append(edge)
            self.edges.setdefault(edge.b, []).append(edge)
        return drawn

    def _bar(self, a: str, b: str) -> tuple[str, str] | None:
        if not self.apart:
            return None
        for x, others in sorted(self.apart.items()):
            for y in sorted(others):
                if {self.root(x), self.root(y)} == {a, b}:
                    return x, y
        return None

    def _union(self, a: str, b: str) -> None:
        # between equals the name decides: networkx's UnionFind leaves it to the order of a set,
        # which is another in every process
        sizes = self._sizes
        root, other = sorted((a, b), key=lambda r: (-sizes.get(r, 1), r))
        self._parents[other] = root
        sizes[root] = sizes.get(root, 1) + sizes.get(other, 1)

    def root(self, key: str) -> str:
        """The cluster of a key, named by one of its members."""
        parents = self._parents
        root = key
        while root in parents:
            root = parents[root]
        while key != root:  # so that the next time is short
            parents[key], key = root, parents[key]
        return root

    def reasons(self, start: str) -> dict[str, Edge]:
        """For every other key of the cluster of `start`: the edge by which it hangs on the tree."""
        found: dict[str, Edge] = {}
        seen = {start}
        queue = [start]
        for key in queue:
            for edge in sorted(self.edges.get(key, ()), key=lambda e: (-e.score, e.a, e.b)):
                other = edge.b if edge.a == key else edge.a
                if other not in seen:
                    seen.add(other)
                    found[other] = edge
                    queue.append(other)
        return found
