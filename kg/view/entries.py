"""Entities in, an entry for each out: papers, strongest relations, what papers say of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

from kg.network import facts
from kg.style import kind_label
from kg.view.details import store_details
from kg.view.page import parts
from kg.view.sheets import Thing, things

if TYPE_CHECKING:
    from collections.abc import Collection

    from kg.store import Store
    from kg.view.details import Paper

_RELATIONS, _SENTENCES = 6, 3


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation of an entity; `says` reads "used for …" or "… based on it"."""

    says: str
    other: Thing
    papers: int


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, cut at its marks as `kg.view.page.parts` cuts it, and its paper."""

    parts: tuple[tuple[str, str], ...]
    paper: Paper


@dataclass(frozen=True, slots=True)
class Entry:
    """An entity: first and last year (None where unknown), strongest relations, sentences."""

    thing: Thing
    years: tuple[int, int] | None
    ties: tuple[Tie, ...]
    said: tuple[Said, ...]


def entries(store: Store, iris: Collection[str]) -> tuple[Entry, ...]:
    """An entry for each of `iris`, by label."""
    size = Counter(facts.sizes(store))
    support = facts.supports(store, heads=iris) | facts.supports(store, tails=iris)
    mine: dict[str, list[tuple[str, str, int]]] = {iri: [] for iri in iris}
    for (head, kind, tail), count in support.items():
        if head in mine:
            mine[head].append((f"{kind_label(kind)} …", tail, count))
        if tail in mine:
            mine[tail].append((f"… {kind_label(kind)} it", head, count))
    best = {
        iri: sorted(all_, key=lambda t: (-t[2], -size[t[1]], t))[:_RELATIONS]
        for iri, all_ in mine.items()
    }
    shown = things(store, size, {*iris, *(other for all_ in best.values() for _, other, _ in all_)})
    alone = nx.MultiDiGraph()
    alone.add_nodes_from((iri, {"type": shown[iri].type}) for iri in sorted(iris))
    details = store_details(store, per_node=_SENTENCES)(alone)
    found = [
        Entry(
            shown[iri],
            (min(years), max(years)) if (years := details.years.get(iri)) else None,
            tuple(Tie(says, shown[other], count) for says, other, count in best[iri]),
            tuple(
                Said(tuple(parts(s)), details.papers[s.paper])
                for s in details.nodes.get(iri, ())
            ),
        )
        for iri in iris
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda e: (e.thing.label.casefold(), e.thing.iri)))
