"""`view(store, path)`: a graph in, one HTML file out that needs no network connection."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kg.backbone import backbone
from kg.errors import QueryError
from kg.layout import layout
from kg.network import choose, draw, facts
from kg.part import ALL, Part
from kg.query import find_entity, find_paper, papers_called
from kg.selection import query_network
from kg.view.details import store_details
from kg.view.gallery import Drawn, Gallery, gallery
from kg.view.page import RENDERERS, page

if TYPE_CHECKING:
    import networkx as nx

    from kg.network import Chosen
    from kg.store import Store

__all__ = ["Gallery", "ViewReport", "view", "view_gallery"]

#: What the vis-network renderer draws well, and what a reader can take in.
DEFAULT_TOP = 300
_CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class ViewReport:
    """What was written: nodes and edges on the page, and edges left out to keep it readable.

    `iris` are those of the nodes.
    """

    path: Path
    nodes: int
    edges: int
    hidden_edges: int
    iris: frozenset[str]


def view(
    store: Store,
    path: str | Path,
    part: Part = ALL,
    *,
    query: str | None = None,
    title: str | None = None,
    renderer: str | None = None,
) -> ViewReport:
    """Draw a part of the graph into the HTML file `path`.

    The focus may be a paper too: of it are drawn the entities it names, by role. Where no `top` is
    asked for, it is 300. `query` is a saved query, a file or SPARQL text whose answer is drawn
    instead. `renderer` is "vis" or "sigma"; above 500 nodes it is sigma unless said. Raises
    `QueryError` for an unknown name or renderer, a wrong query, or nothing to draw.
    """
    if renderer is not None and renderer not in RENDERERS:
        raise QueryError(f"no renderer {renderer!r}; known: {', '.join(RENDERERS)}")
    centre, papers, stated, cut = None, None, None, part.top is not None
    if query is not None:
        if part.focus is not None:
            raise QueryError(
                f"--query draws an answer and --focus {part.focus!r} a part of the graph: use one"
            )
        if part != ALL:
            raise QueryError("a query chooses by itself: leave out the filters")
        network = query_network(store, query)
    else:
        chosen = _choose(store, part)
        centre, papers, part = chosen.centre, chosen.papers, chosen.part
        if not cut and len(chosen.sizes) > DEFAULT_TOP:
            chosen, cut = chosen.only(_best(chosen)), True
        if chosen.projection == "entities":
            stated = facts.relation_claims(store, part, among=chosen.sizes)
        network = draw(store, chosen, stated=stated)
    if not network:
        raise QueryError("there is nothing to draw: no entity passes the filters; loosen them")
    strong = backbone(network)
    left_out = network.number_of_edges() - strong.number_of_edges()
    text = page(
        strong,
        layout(strong),
        store_details(store, part=part, papers=papers, stated=stated)(strong),
        title=title or _title(network, centre),
        note=_note(cut=cut, left_out=left_out),
        focus=centre,
        renderer=renderer,
    )
    out = Path(path)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8", newline="\n")
    return ViewReport(
        out, strong.number_of_nodes(), strong.number_of_edges(), left_out, frozenset(strong)
    )


def view_gallery(
    store: Store,
    folder: str | Path,
    part: Part = ALL,
    *,
    sides: tuple[str, str] | None = None,
    near: int = 3,
    renderer: str | None = None,
) -> Gallery:
    """Write a folder of pages with an index.

    They are an overview, what is around each of the `near` entities with most papers, a timeline, a
    matrix of methods and benchmarks, and a comparison of two years or venues (`sides`). `part`
    holds for what is drawn; its focus is each of these entities in turn.

    Raises QueryError where there is nothing to draw, and for a side that no paper has.
    """

    def draw_page(path: Path, focus: str | None) -> Drawn:
        report = view(store, path, replace(part, focus=focus), renderer=renderer)
        says = f"{report.nodes:,} entities and {report.edges:,} relations"
        return Drawn(says, report.iris)

    first = choose(store, replace(part, focus=None, top=near), "entities")
    names = facts.texts(store, "skos:prefLabel", first.sizes)
    order = sorted(first.sizes, key=lambda n: (-first.sizes[n], n))
    entities = [(n, names.get(n, [n])[0]) for n in order]
    return gallery(store, folder, draw=draw_page, entities=entities, sides=sides)


def _choose(store: Store, part: Part) -> Chosen:
    """What is drawn of `part`, or where it names no number, what that is chosen from."""
    if part.top is None:
        part = replace(part, top=_CANDIDATES * DEFAULT_TOP)
    if part.focus is None:
        return choose(store, part, "entities")
    try:
        iri = find_entity(store, part.focus)
    except QueryError:
        if not papers_called(store, part.focus):
            raise
        return choose(store, replace(part, focus=find_paper(store, part.focus)), "bipartite")
    return choose(store, replace(part, focus=iri), "entities")


def _best(chosen: Chosen) -> list[str]:
    """The entities with most papers among those that have a relation; the others fill up."""
    degree = Counter(end for head, _, tail in chosen.links for end in (head, tail))
    order = sorted(
        chosen.sizes,
        key=lambda n: (
            n != chosen.centre,
            degree[n] == 0,
            -chosen.sizes[n],
            -degree[n],
            # by IRI all methods would come before all tasks
            hashlib.sha256(n.encode()).digest(),
        ),
    )
    return order[:DEFAULT_TOP]


def _title(network: nx.MultiDiGraph, centre: str | None) -> str:
    if centre is not None and centre in network:
        return str(network.nodes[centre].get("label", centre))
    return "Knowledge graph of research abstracts"


def _note(*, cut: bool, left_out: int) -> str:
    """What a reader must know of what is not drawn."""
    notes = ["the entities with most papers"] if cut else []
    if left_out:
        notes.append(f"{left_out:,} weaker relations left out")
    return " · ".join(notes)
