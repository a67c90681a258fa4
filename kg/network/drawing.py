"""Nodes and links in, a networkx graph with names, years and evidence from the store out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

from kg.network import facts
from kg.query import display_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.network.facts import Best, Edge, Fact
    from kg.network.links import Link
    from kg.store import Store

Attributes = dict[str, str | int | float]
_LIKENESS = {"cooccurrence": "association", "shares": "jaccard"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What goes into a network, and what counts for its figures.

    `papers` have their years, `sizes` are the nodes with their number of papers, `links` the edges
    between them.
    """

    papers: Mapping[str, int | None]
    roles: Sequence[Fact]
    types: Mapping[str, Sequence[str]]
    sizes: Mapping[str, int]
    links: Mapping[Edge, Link]


def draw(store: Store, chosen: Chosen, projection: str) -> nx.MultiDiGraph:
    """The network of what was chosen, nodes and edges sorted."""
    drawn = nx.MultiDiGraph()
    entities = {node for node in chosen.sizes if node not in chosen.papers}
    said = facts.best_statements(store, "role", entities, chosen.papers) if entities else {}
    nodes = _papers(store, chosen) | _entities(store, chosen, entities, said)
    drawn.add_nodes_from((node, nodes[node]) for node in sorted(nodes))
    if projection == "entities":
        tails = {tail for _, _, tail in chosen.links}
        said = facts.best_statements(store, "kind", tails, chosen.papers) if tails else {}
    # by head, tail and kind, as networkx gives edges back
    for head, kind, tail in sorted(chosen.links, key=lambda edge: (edge[0], edge[2], edge[1])):
        edge = head, kind, tail
        best = said.get(edge) if projection in ("entities", "bipartite") else None
        attributes = _edge(chosen, kind, chosen.links[edge], best)
        drawn.add_edge(head, tail, key=kind, **attributes)
    return drawn


def _papers(store: Store, chosen: Chosen) -> dict[str, Attributes]:
    shown = {node for node in chosen.sizes if node in chosen.papers}
    if not shown:
        return {}
    titles = display_names(store, shown)
    venues = facts.texts(store, "kg:venue", shown)
    nodes = {}
    for paper in shown:
        node: Attributes = {"label": titles[paper], "type": "Paper", "types": "Paper", "papers": 1}
        if (year := chosen.papers[paper]) is not None:
            node |= {"year": year, "first_year": year, "last_year": year}
        if paper in venues:
            node["venue"] = venues[paper][0]
        nodes[paper] = node
    return nodes


def _entities(
    store: Store, chosen: Chosen, shown: set[str], said: Mapping[Edge, Best]
) -> dict[str, Attributes]:
    labels = facts.texts(store, "skos:prefLabel", shown)
    aliases = facts.texts(store, "skos:altLabel", shown)
    sure: dict[str, float] = {}
    for (_, _, entity), best in said.items():
        sure[entity] = max(best.confidence, sure.get(entity, 0.0))
    spans: dict[str, list[int | None]] = {}
    for paper, _, _, entity in chosen.roles:
        spans.setdefault(entity, []).append(chosen.papers[paper])
    nodes = {}
    for entity in shown:
        kinds = chosen.types[entity]
        label = labels.get(entity, [entity])[0]
        node: Attributes = {
            "label": label,
            "type": kinds[0],
            "types": "|".join(kinds),
            "papers": chosen.sizes[entity],
        }
        node |= _span(spans.get(entity, ()))
        if others := [name for name in aliases.get(entity, ()) if name != label]:
            node["aliases"] = " | ".join(others)
        if entity in sure:
            node["confidence"] = sure[entity]
        nodes[entity] = node
    return nodes


def _edge(chosen: Chosen, kind: str, link: Link, best: Best | None) -> Attributes:
    edge: Attributes = {"kind": kind, "label": link.label, "weight": link.weight}
    edge["shared" if kind == "shares" else "papers"] = link.support
    if link.likeness is not None:
        edge[_LIKENESS[kind]] = link.likeness
    edge |= _span([chosen.papers[paper] for paper in link.papers])
    if best:
        edge |= {"confidence": best.confidence, "evidence": best.evidence, "paper": best.paper}
    return edge


def _span(years: Iterable[int | None]) -> Attributes:
    known = sorted({year for year in years if year is not None})
    if not known:
        return {}
    span: Attributes = {"first_year": known[0], "last_year": known[-1]}
    if len(known) > 1:
        span["years"] = "|".join(map(str, known))
    return span
