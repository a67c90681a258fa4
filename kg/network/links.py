"""Facts of papers in, the edges of each projection out: plain counting, no store."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.network.facts import Edge, Fact

#: An entity of more papers than this does not tie papers together. It would say little of them, and
#: so the ties grow as the papers do, not as their square.
_COMMON = 50
#: What a paper that evaluates does with the methods it evaluates.
_EVALUATED = ("proposes", "comparesWith", "studies")

#: Kinds of edges that run both ways; the others have a direction.
UNDIRECTED = frozenset({"cooccurrence", "shares"})


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to be: how its kind reads, its support, weight, and the papers it stands in.

    `likeness` is its support measured against that of its ends, where the projection has one.
    """

    label: str
    support: int
    weight: float
    papers: tuple[str, ...]
    likeness: float | None = None


def entities(stated: Iterable[Fact]) -> dict[Edge, Link]:
    """Relations between entities; support and weight are the number of papers."""
    found: dict[Edge, set[str]] = {}
    for paper, head, kind, tail in stated:
        found.setdefault((head, kind, tail), set()).add(paper)
    return {
        edge: Link(
            RELATION_BY_NAME[edge[1]].label, len(papers), float(len(papers)), _sorted(papers)
        )
        for edge, papers in found.items()
    }


def bipartite(roles: Iterable[Fact]) -> dict[Edge, Link]:
    """Papers to their entities, by role."""
    return {
        (paper, role, entity): Link(ROLE_BY_NAME[role].label, 1, 1.0, (paper,))
        for paper, _, role, entity in roles
    }


def benchmarks(
    roles: Iterable[Fact], stated: Iterable[Fact], types: Mapping[str, Sequence[str]]
) -> dict[Edge, Link]:
    """Methods to what they are evaluated on; support and weight are the number of papers."""
    methods: dict[str, set[str]] = {}
    grounds: dict[str, set[str]] = {}
    for paper, _, role, entity in roles:
        if role in _EVALUATED and "Method" in types[entity]:
            methods.setdefault(paper, set()).add(entity)
        elif role == "evaluatesOn":
            grounds.setdefault(paper, set()).add(entity)
    found: dict[Edge, set[str]] = {}
    for paper in methods.keys() & grounds.keys():
        for method, ground in product(methods[paper], grounds[paper]):
            found.setdefault((method, "evaluatedOn", ground), set()).add(paper)
    for paper, head, kind, tail in stated:
        if kind == "evaluatedOn" and head in types and tail in types:
            found.setdefault((head, kind, tail), set()).add(paper)
    label = RELATION_BY_NAME["evaluatedOn"].label
    return {
        edge: Link(label, len(papers), float(len(papers)), _sorted(papers))
        for edge, papers in found.items()
        if edge[0] != edge[2]
    }


def pairs(roles: Sequence[Fact], count: int) -> dict[Edge, Link]:
    """Entities of the same papers, of `count` papers in all; support and weight are their number.

    Likeness is the association strength (van Eck and Waltman 2009, doi:10.1002/asi.21075) times
    `count`: papers together over those to expect if both were strewn by chance. 1 is chance.
    """
    named_by = _by(roles, key=0, value=3)
    sizes = Counter(entity for named in named_by.values() for entity in named)
    together: dict[tuple[str, str], list[str]] = {}
    for paper, named in sorted(named_by.items()):
        for pair in combinations(sorted(named), 2):
            together.setdefault(pair, []).append(paper)
    return {
        (one, "cooccurrence", other): Link(
            "together with",
            len(papers),
            float(len(papers)),
            tuple(papers),
            round(count * len(papers) / (sizes[one] * sizes[other]), 6),
        )
        for (one, other), papers in together.items()
    }


def paper_links(roles: Sequence[Fact]) -> dict[Edge, Link]:
    """Papers that share entities; support is how many they share.

    The weight adds 1 / ln(papers) of each shared entity (Adamic and Adar 2003); likeness is their
    number over that of all entities of either paper (Jaccard 1912). Entities that tie none count
    for neither.
    """
    shared: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    weights: dict[tuple[str, str], float] = {}
    for _, papers in sorted(_by(roles, key=3, value=0).items()):
        if len(papers) > _COMMON:
            continue
        sizes.update(papers)
        for pair in combinations(sorted(papers), 2):
            shared[pair] += 1
            weights[pair] = weights.get(pair, 0.0) + 1 / math.log(len(papers))
    return {
        (one, "shares", other): Link(
            "shares entities with",
            number,
            round(weights[one, other], 6),
            (one, other),
            round(number / (sizes[one] + sizes[other] - number), 6),
        )
        for (one, other), number in shared.items()
    }


def _by(roles: Iterable[Fact], *, key: int, value: int) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for fact in roles:
        found.setdefault(fact[key], set()).add(fact[value])
    return found


def _sorted(papers: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(papers))
