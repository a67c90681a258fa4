"""`view(store, path)`: a graph in, one HTML file out that needs no network connection."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.backbone import backbone
from kg.errors import QueryError
from kg.layout import layout
from kg.network import network as network_of
from kg.query import find_entity, find_paper, papers_called
from kg.selection import query_network
from kg.view.details import store_details
from kg.view.gallery import Drawn, Gallery, gallery
from kg.view.page import RENDERERS, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

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
    *,
    focus: str | None = None,
    hops: int = 1,
    top: int | None = None,
    types: Sequence[str] | None = None,
    years: tuple[int | None, int | None] | None = None,
    min_support: int = 1,
    query: str | None = None,
    title: str | None = None,
    renderer: str | None = None,
) -> ViewReport:
    """Draw the graph, or the part of it that the options name, into the HTML file `path`.

    `focus` is a name or IRI, drawn with what lies within `hops` edges; of a paper these are the
    entities it names, by role. `top` the number of entities
    with most papers (300 unless said); `min_support` the papers that must state an edge; `query` a
    saved query, a file or SPARQL text whose answer is drawn instead. `renderer` is "vis" or
    "sigma"; above 500 nodes it is sigma unless said. Raises `QueryError` for an unknown name or
    renderer, a wrong query, or nothing to draw.
    """
    if renderer is not None and renderer not in RENDERERS:
        raise QueryError(f"no renderer {renderer!r}; known: {', '.join(RENDERERS)}")
    centre, projection = (None, "entities") if focus is None else _centre(store, focus)
    cut = top is not None
    if query is not None:
        if focus is not None:
            raise QueryError(
                f"--query draws an answer and --focus {focus!r} a part of the graph: use one"
            )
        network = query_network(store, query)
    else:
        network = network_of(
            store,
            projection=projection,
            top=_CANDIDATES * DEFAULT_TOP if top is None else top,
            types=types,
            years=years,
            focus=centre,
            hops=hops,
            min_support=min_support,
        )
        if top is None and len(network) > DEFAULT_TOP:
            network, cut = _best(network, centre), True
    if not network:
        raise QueryError("there is nothing to draw: no entity passes the filters; loosen them")
    strong = backbone(network)
    left_out = network.number_of_edges() - strong.number_of_edges()
    text = page(
        strong,
        layout(strong),
        store_details(store)(strong),
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
    *,
    sides: tuple[str, str] | None = None,
    near: int = 3,
    top: int | None = None,
    types: Sequence[str] | None = None,
    years: tuple[int | None, int | None] | None = None,
    min_support: int = 1,
    renderer: str | None = None,
) -> Gallery:
    """Write a folder of pages with an index.

    They are an overview, what is around each of the `near` entities with most papers, a timeline, a
    matrix of methods and benchmarks, and a comparison of two years or venues (`sides`). The filters
    are those of `view` and hold for what is drawn.

    Raises QueryError where there is nothing to draw, and for a side that no paper has.
    """

    def draw(path: Path, focus: str | None) -> Drawn:
        report = view(
            store,
            path,
            focus=focus,
            top=top,
            types=types,
            years=years,
            min_support=min_support,
            renderer=renderer,
        )
        says = f"{report.nodes:,} entities and {report.edges:,} relations"
        return Drawn(says, report.iris)

    first = network_of(store, top=near, types=types, years=years)
    order = sorted(first, key=lambda n: (-int(first.nodes[n]["papers"]), n))
    entities = [(n, str(first.nodes[n]["label"])) for n in order]
    return gallery(store, folder, draw=draw, entities=entities, sides=sides)


def _centre(store: Store, focus: str) -> tuple[str, str]:
    """The IRI of an entity or, failing that, of a paper, and the projection that shows it."""
    try:
        return find_entity(store, focus), "entities"
    except QueryError:
        if not papers_called(store, focus):
            raise
        return find_paper(store, focus), "bipartite"


def _best(network: nx.MultiDiGraph, centre: str | None) -> nx.MultiDiGraph:
    """The entities with most papers among those that have a relation; the others fill up."""
    order = sorted(
        network,
        key=lambda n: (
            n != centre,
            network.degree(n) == 0,
            -int(network.nodes[n].get("papers", 0)),
            -network.degree(n),
            # by IRI all methods would come before all tasks
            hashlib.sha256(n.encode()).digest(),
        ),
    )
    return network.subgraph(order[:DEFAULT_TOP]).copy()


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
