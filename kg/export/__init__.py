"""`export(store, path)`: a graph in, a file for Gephi, a triple store or a program out."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.export.cx2 import write_cx2
from kg.export.cypher import write_cypher
from kg.export.gexf import write_gexf
from kg.export.graphml import write_graphml
from kg.export.measures import measure, merged, weigh
from kg.export.neo4j import write_neo4j
from kg.export.nodelink import write_nodelink
from kg.export.papers import papers_behind, write_bib, write_markdown
from kg.export.tables import write_csv
from kg.layout import layout
from kg.network import network as network_of
from kg.part import ALL, Part
from kg.query import prepare
from kg.selection import query_network

if TYPE_CHECKING:
    import networkx as nx

    from kg.store import Store

RDF_FORMATS = ("ttl", "trig", "nq", "nt", "jsonld")
NETWORK_FORMATS = ("gexf", "graphml", "csv", "json", "cx2", "cypher", "neo4j")
PAPER_FORMATS = ("bib", "md")
_TITLE = "Knowledge graph of research abstracts"


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The files written, and how many nodes and edges, or papers, they hold (None for RDF)."""

    paths: tuple[Path, ...]
    nodes: int | None = None
    edges: int | None = None
    papers: int | None = None


def export(
    store: Store,
    path: str | Path,
    part: Part = ALL,
    *,
    format: str | None = None,  # noqa: A002 - the field's word for it
    projection: str = "entities",
    query: str | None = None,
    weight: str | None = None,
    merge: bool = False,
) -> ExportReport:
    """Write the graph to `path`, in the format of its suffix unless `format` names one.

    RDF formats hold the whole graph, or the triples of a CONSTRUCT or DESCRIBE given as `query`;
    bib and md the papers behind a network, the others the network: `part` in a projection, or the
    answer to `query`. `weight` names the figure of an edge that is to be its weight; with
    `merge` it has one edge at most from a node to another. csv and neo4j make two files,
    `NAME-nodes.csv` and `NAME-edges.csv`. Raises QueryError for an unknown format, for filters that
    the format cannot honour, for a weight that edges have not, and for a network that would be
    empty.
    """
    out = Path(path)
    kind = _format(out, format)
    filtered = part != ALL
    if kind in RDF_FORMATS:
        if filtered or merge or weight or projection != "entities":
            raise QueryError(
                f"a {kind} file holds the whole graph: take a part with a CONSTRUCT query, "
                f"or write {', '.join((*NETWORK_FORMATS, *PAPER_FORMATS))}"
            )
        return _write_rdf(store, out, kind, query)
    if query is not None:
        if filtered or projection != "entities":
            raise QueryError("a query chooses by itself: leave out the filters and the projection")
        network = query_network(store, query)
    else:
        network = network_of(store, part, projection=projection)
    if not network:
        raise QueryError("there is nothing to write: no node passes the filters; loosen them")
    if kind in PAPER_FORMATS:
        papers = papers_behind(store, network, part)
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("w", encoding="utf-8", newline="") as sink:
            if kind == "bib":
                write_bib(papers, sink)
            else:
                write_markdown(papers, sink, title=part.focus or _TITLE)
        return ExportReport((out,), papers=len(papers))
    if weight is not None:
        weigh(network, weight)
    return write_network(merged(network) if merge else network, out, format=kind)


def write_network(network: nx.MultiDiGraph, path: Path, *, format: str) -> ExportReport:  # noqa: A002
    """Write `network` in one of `NETWORK_FORMATS`, with the places that a page gives it.

    Its nodes get what `measure` tells of them.
    """
    places = layout(network)
    measure(network, places)
    names = [path]
    if format in ("csv", "neo4j"):
        names = [path.with_name(f"{path.stem}-{part}.csv") for part in ("nodes", "edges")]
    path.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        sinks = [stack.enter_context(n.open("w", encoding="utf-8", newline="")) for n in names]
        if format == "gexf":
            write_gexf(network, places, sinks[0], title=_TITLE)
        elif format == "graphml":
            write_graphml(network, places, sinks[0])
        elif format == "csv":
            write_csv(network, places, *sinks)
        elif format == "neo4j":
            write_neo4j(network, *sinks)
        elif format == "cx2":
            write_cx2(network, places, sinks[0], title=_TITLE)
        elif format == "json":
            write_nodelink(network, places, sinks[0])
        else:
            write_cypher(network, sinks[0])
    return ExportReport(tuple(names), network.number_of_nodes(), network.number_of_edges())


def _format(path: Path, named: str | None) -> str:
    known = (*NETWORK_FORMATS, *PAPER_FORMATS, *RDF_FORMATS)
    kind = (named or path.suffix).lower().removeprefix(".")
    if kind not in known:
        raise QueryError(
            f"{named or path.name!r} tells no format to write: use one of {', '.join(known)}"
        )
    return kind


def _write_rdf(store: Store, path: Path, kind: str, query: str | None) -> ExportReport:
    if query is not None:
        question = prepare(store, query)
        if question.form not in ("CONSTRUCT", "DESCRIBE"):
            raise QueryError(
                f"a {question.form} gives no triples for {path.name!r}: use a CONSTRUCT query, "
                "or kg query to write its rows"
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as sink:
        if query is None:
            store.dump(sink, format=kind)
        else:
            store.construct(question.text, sink, format=kind)
    return ExportReport((path,))
