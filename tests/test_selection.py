from __future__ import annotations

import pytest

from kg.errors import QueryError
from kg.selection import query_network
from kg.store import GraphStore


@pytest.fixture(scope="module")
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


def named(network) -> set[tuple[str, str, str]]:
    label = dict(network.nodes(data="label"))
    return {(label[u], k, label[v]) for u, v, k in network.edges(keys=True)}


def test_a_select_ties_the_first_thing_of_a_row_to_the_others(store):
    network = query_network(
        store,
        "SELECT ?paper ?method ?task { ?paper kg:proposes ?method . ?method kg:usedFor ?task }",
    )
    assert all(network.nodes[u]["type"] == "Paper" for u, _ in network.edges())
    assert {(k, network.nodes[v]["type"]) for _, v, k in network.edges(keys=True)} == {
        ("method", "Method"), ("task", "Task"),
    }  # fmt: skip


def test_a_column_of_counts_is_the_weight(store):
    network = query_network(
        store,
        """SELECT ?a ?b (COUNT(DISTINCT ?p) AS ?papers) {
             GRAPH ?p { ?p kg:studies|kg:addresses ?a, ?b } FILTER(STR(?a) < STR(?b))
           } GROUP BY ?a ?b""",
    )
    assert max(d for *_, d in network.edges(data="weight")) >= 1
    assert all(d["papers"] == d["weight"] for *_, d in network.edges(data=True))


def test_a_select_of_single_things_gives_nodes_with_their_names_types_and_papers(store):
    network = query_network(store, "SELECT ?b { ?b a kg:Benchmark }")
    assert network.number_of_edges() == 0
    assert "WebTalk" in {d["label"] for _, d in network.nodes(data=True)}
    assert {d["type"] for _, d in network.nodes(data=True)} == {"Benchmark"}
    assert max(d["papers"] for _, d in network.nodes(data=True)) == 3


def test_a_construct_keeps_kinds_of_the_schema_and_names_others_by_their_term(store):
    network = query_network(
        store,
        """CONSTRUCT { ?a skos:broader ?b . ?p <https://example.org/terms/wrote> ?a }
           WHERE { ?a skos:broader ?b . ?p ?role ?a . ?p a kg:Paper }""",
    )
    kinds = {k for *_, k in network.edges(keys=True)}
    assert kinds == {"subclassOf", "wrote"}
    assert ("online learning", "subclassOf", "sequential prediction") in named(network)


def test_classes_and_literals_are_no_nodes(store):
    network = query_network(
        store, "CONSTRUCT { ?a a ?t ; skos:prefLabel ?l } WHERE { ?a a ?t ; skos:prefLabel ?l }"
    )
    assert not [n for n in network if "ontology#" in n or "skos" in n]
    assert len(network) > 5


def test_a_saved_query_by_name(store):
    assert len(query_network(store, "top-methods")) > 3


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("ASK { ?s ?p ?o }", "ASK"),
        ("SELECT ?t { ?p dcterms:title ?t }", "holds no things"),
        ("SELECT ?s { ?s a kg:Nothing }", "no answer"),
        ("SELECT ?s { ?s a kg:Method", "line"),
        ("no-such-query", "no-such-query"),
    ],
)
def test_what_gives_no_network_is_said(store, query, words):
    with pytest.raises(QueryError, match=words):
        query_network(store, query)
