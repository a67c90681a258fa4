"""Nodes and links in, a networkx graph with names, years and evidence from the store out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

from kg.network import facts
from kg.query import display_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.network.choosing import Chosen
    from kg.network.facts import Claim, Edge
    from kg.network.links import Link
    from kg.store import Store

Attributes = dict[str, str | int | float]
_LIKENESS = {"cooccurrence": "association", "shares": "jaccard"}


@dataclass(frozen=True, slots=True)
class Best:
    """The surest statement of an edge."""

    confidence: float
    evidence: str
    paper: str


def draw(store: Store, chosen: Chosen, *, stated: Sequence[Claim] | None = None) -> nx.MultiDiGraph:
    """The network of what was chosen, nodes and edges sorted.

    `stated` are the relations between its entities, where they are read already.
    """
    drawn = nx.MultiDiGraph()
    nodes = _papers(store, chosen) | _entities(store, chosen)
    drawn.add_nodes_from((node, nodes[node]) for node in sorted(nodes))
    said = _best(store, chosen, stated)
    # by head, tail and kind, as networkx gives edges back
    for head, kind, tail in sorted(chosen.links, key=lambda edge: (edge[0], edge[2], edge[1])):
        edge = head, kind, tail
        attributes = _edge(chosen, kind, chosen.links[edge], said.get(edge))
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


def _entities(store: Store, chosen: Chosen) -> dict[str, Attributes]:
    shown = {node for node in chosen.sizes if node not in chosen.papers}
    if not shown:
        return {}
    labels = facts.texts(store, "skos:prefLabel", shown)
    aliases = facts.texts(store, "skos:altLabel", shown)
    sure = facts.confidences(store, chosen.part, of=shown)
    years = facts.entity_years(store, chosen.part, of=shown)
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
        node |= _span(years.get(entity, ()))
        if others := [name for name in aliases.get(entity, ()) if name != label]:
            node["aliases"] = " | ".join(others)
        if entity in sure:
            node["confidence"] = sure[entity]
        nodes[entity] = node
    return nodes


def _best(store: Store, chosen: Chosen, stated: Sequence[Claim] | None) -> dict[Edge, Best]:
    """The surest statement of each edge that papers state; of equally sure ones the first."""
    if not chosen.links or chosen.projection not in ("entities", "bipartite"):
        return {}
    claims = stated
    if claims is None and chosen.projection == "entities":
        claims = facts.relation_claims(store, chosen.part, among=chosen.sizes)
    elif claims is None:
        named = {node for node in chosen.sizes if node not in chosen.papers}
        claims = facts.role_claims(store, chosen.part, of=named)
    surest: dict[Edge, list[Claim]] = {}
    for claim in claims:
        if (edge := claim.fact[1:]) not in chosen.links:
            continue
        known = surest.get(edge)
        rank = -claim.confidence, claim.fact[0]
        if known is None or rank < (-known[0].confidence, known[0].fact[0]):
            surest[edge] = [claim]
        elif rank == (-known[0].confidence, known[0].fact[0]):
            known.append(claim)
    sentences = facts.texts(store, "kg:evidence", {c.iri for all_ in surest.values() for c in all_})
    return {
        edge: Best(
            all_[0].confidence, min(sentences[claim.iri][0] for claim in all_), all_[0].fact[0]
        )
        for edge, all_ in surest.items()
    }


def _edge(chosen: Chosen, kind: str, link: Link, best: Best | None) -> Attributes:
    edge: Attributes = {"kind": kind, "label": link.label, "weight": link.weight}
    edge["shared" if kind == "shares" else "papers"] = link.support
    if link.likeness is not None:
        edge[_LIKENESS[kind]] = link.likeness
    edge |= _span(sorted({y for p in link.papers if (y := chosen.papers[p]) is not None}))
    if best:
        edge |= {"confidence": best.confidence, "evidence": best.evidence, "paper": best.paper}
    return edge


def _span(years: Iterable[int]) -> Attributes:
    """First and last of some sorted years, and all of several."""
    known = list(years)
    if not known:
        return {}
    span: Attributes = {"first_year": known[0], "last_year": known[-1]}
    if len(known) > 1:
        span["years"] = "|".join(map(str, known))
    return span
