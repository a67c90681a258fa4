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
from kg.query import find_entity
from kg.selection import query_network
from kg.view.details import store_details
from kg.view.page import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from kg.store import GraphStore

#: What the vis-network renderer draws well, and what a reader can take in.
DEFAULT_TOP = 300
_CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class ViewReport:
    """What was written: nodes and edges on the page, and edges left out to keep it readable."""

    path: Path
    nodes: int
    edges: int
    hidden_edges: int


def view(
    store: GraphStore,
    path: str | Path,
    *,
    focus: str | None = None,
    hops: int = 1,
    top: int | None = None,
    types: Sequence[str] | None = None,
    years: tuple[int | None, int | None] | None = None,
    query: str | None = None,
    title: str | None = None,
) -> ViewReport:
    """Draw the graph, or the part of it that the options name, into the HTML file `path`.

    `focus` is a name or IRI, drawn with what lies within `hops` edges; `top` the number of entities
    with most papers (300 unless said); `query` a saved query, a file or SPARQL text whose answer is
    drawn instead. Raises `QueryError` for an unknown name, a wrong query, or nothing to draw.
    """
    centre = find_entity(store, focus) if focus is not None else None
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
            top=_CANDIDATES * DEFAULT_TOP if top is None else top,
            types=types,
            years=years,
            focus=centre,
            hops=hops,
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
    )
    out = Path(path)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8", newline="\n")
    return ViewReport(out, strong.number_of_nodes(), strong.number_of_edges(), left_out)


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
