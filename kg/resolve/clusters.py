"""Union of keys with its evidence: a forest whose every edge knows the rule that drew it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from networkx.utils import UnionFind

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
    _sets: UnionFind[str] = field(default_factory=UnionFind)

    def join(self, edges: Iterable[Edge]) -> list[Edge]:
        """Join along the edges, the surest first; the result does not depend on their order.

        Returns the edges that joined two clusters.
        """
        drawn = []
        for edge in sorted(set(edges), key=lambda e: (-e.score, e.rule, e.a, e.b)):
            a, b = self._sets[edge.a], self._sets[edge.b]
            if a == b:
                continue
            barred = self._bar(a, b)
            if barred:
                self.refused.append((edge, *barred))
                continue
            self._sets.union(a, b)
            drawn.append(edge)
            self.edges.setdefault(edge.a, []).append(edge)
            self.edges.setdefault(edge.b, []).append(edge)
        return drawn

    def _bar(self, a: str, b: str) -> tuple[str, str] | None:
        if not self.apart:
            return None
        for x, others in sorted(self.apart.items()):
            for y in sorted(others):
                if {self._sets[x], self._sets[y]} == {a, b}:
                    return x, y
        return None

    def root(self, key: str) -> str:
        """The cluster of a key, named by one of its members."""
        root: str = self._sets[key]
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
