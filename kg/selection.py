"""The answer to a query in, a network of the things in it out, to be drawn or taken away.

SELECT: the things of one row belong together; the first is tied to each of the others, and the edge
is called after the other's column. CONSTRUCT and DESCRIBE: each triple between two things is an
edge.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import networkx as nx
import rdflib

from kg import vocab
from kg.errors import QueryError
from kg.query import answer, candidates, display_names, prepare
from kg.schema import RELATIONS, ROLES
from kg.style import kind_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kg.query import Question, Table
    from kg.store import Store

#: Columns that hold a count of papers, and so the weight of the row's edges.
_COUNTS = ("papers", "support", "count", "weight")
_CHUNK = 500


def query_network(
    store: Store, query: str, *, parameters: Mapping[str, str] | None = None
) -> nx.MultiDiGraph:
    """The network behind the answer to `query`: a saved query's name, a `.rq` file or SPARQL text.

    Attributes are those of `kg.network`, as far as the answer tells. Raises QueryError for an ASK,
    for an answer without rows, and for one that holds plain values only.
    """
    question = prepare(store, query, parameters=parameters)
    if question.form == "ASK":
        raise QueryError(
            "an ASK answers yes or no; only SELECT, CONSTRUCT or DESCRIBE give a network"
        )
    network = nx.MultiDiGraph()
    if question.form == "SELECT":
        table = answer(store, question)
        if not table.rows:
            raise QueryError(
                f"the query has no answer: {table.note}"
                if table.note
                else "the query has no answer"
            )
        _from_table(network, table)
    else:
        _from_triples(network, store, question)
    if not network:
        raise QueryError(
            "the answer holds no things, only values: let the query also give the ?entity or ?paper"
        )
    _describe(network, store)
    return network


def _from_table(network: nx.MultiDiGraph, table: Table) -> None:
    """Rows in order; a pair that returns in a later row keeps its largest weight."""
    counts = [i for i, column in enumerate(table.columns) if column.lower() in _COUNTS]
    for row, iris in zip(table.rows, table.iris, strict=True):
        things = [(c, i) for c, i in zip(table.columns, iris, strict=True) if i and _is_thing(i)]
        weight = next((v for i in counts if isinstance(v := row[i], int | float) and v > 0), 1)
        network.add_nodes_from(i for _, i in things)
        for column, other in things[1:]:
            _tie(network, things[0][1], other, column, weight)


def _is_thing(iri: str) -> bool:
    """Whether `iri` names a thing rather than a term of a vocabulary (a class or property)."""
    terms = (*vocab.VOCABULARIES.values(),)
    return not iri.startswith(terms) and "/ontology#" not in iri


def _from_triples(network: nx.MultiDiGraph, store: Store, question: Question) -> None:
    known = {vocab.iri(r.curie, store.base): r.name for r in RELATIONS}
    known |= {vocab.iri(r.curie, store.base): r.name for r in ROLES}
    sink = io.BytesIO()
    store.construct(question.text, sink, format="nt")
    triples = rdflib.Graph().parse(data=sink.getvalue(), format="nt")
    for s, p, o in sorted(triples):
        if not isinstance(s, rdflib.URIRef):
            continue
        if isinstance(o, rdflib.URIRef) and _is_thing(str(o)):
            kind = known.get(str(p)) or str(p).rstrip("/").rpartition("#")[2].rpartition("/")[2]
            _tie(network, str(s), str(o), kind, 1)
        elif _is_thing(str(s)):
            network.add_node(str(s))


def _tie(network: nx.MultiDiGraph, head: str, tail: str, kind: str, weight: float) -> None:
    if head == tail:
        return
    if network.has_edge(head, tail, kind):
        weight = max(weight, network.edges[head, tail, kind]["weight"])
    network.add_edge(
        head,
        tail,
        key=kind,
        kind=kind,
        label=kind_label(kind),
        weight=float(weight),
        papers=int(weight),
    )


def _describe(network: nx.MultiDiGraph, store: Store) -> None:
    """Labels, types and papers of the nodes, from the store."""
    nodes = sorted(network)
    names = display_names(store, nodes)
    papers = f"{store.prefixes['kgr']}paper/"
    for batch in _batches([n for n in nodes if not n.startswith(papers)]):
        for found in candidates(store, batch):
            types = found.types or ("Thing",)
            network.nodes[found.iri].update(
                type=types[0], types="|".join(types), papers=max(found.papers, 1)
            )
    for node in nodes:
        network.nodes[node]["label"] = names[node]
        if node.startswith(papers):
            network.nodes[node].update(type="Paper", types="Paper", papers=1)


def _batches(nodes: Sequence[str]) -> list[Sequence[str]]:
    return [nodes[i : i + _CHUNK] for i in range(0, len(nodes), _CHUNK)]
