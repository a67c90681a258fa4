"""Queries made fit for a server: other words, the same answer."""

from __future__ import annotations

import asking
import pytest
from test_queries import ANSWERS, QUERIES

from kg.query import prepare
from kg.store.dialect import adapted, dialect_of, with_prefixes


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("dialect") / "graph", asking.papers()) as store:
        yield store


def test_a_server_is_known_by_its_name():
    assert dialect_of("Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu") == "virtuoso"
    assert dialect_of("") == dialect_of("oxigraph/0.5") == ""


def test_saved_queries_keep_their_answers(store):
    for name, parameters, *_ in ANSWERS:
        text = prepare(store, name, parameters=parameters, folder=QUERIES).text
        put = adapted(text, "virtuoso")
        assert "UNDEF }" not in put
        assert "MINUS" not in put
        assert store.select(put) == store.select(text)
        assert adapted(text, "") == text


@pytest.mark.parametrize(
    "query",
    [
        # named in the answer, or used where its value cannot stand: it stays a variable
        "SELECT ?year ?p { VALUES ?year { '2024'^^xsd:gYear } ?p dcterms:issued ?year }",
        "SELECT ?p { VALUES ?role { kg:proposes } ?p ?role ?m }",
        # what looks like a clause within a string or a comment
        "SELECT ('VALUES ?x { UNDEF }' AS ?y) { } # VALUES ?y { UNDEF }",
        "SELECT (CONCAT(?w, 'MINUS { SELECT DISTINCT ?p WHERE {') AS ?x) { ?p kg:venue ?w }",
        # two values in two places
        "SELECT ?p { { VALUES ?y { '2023' } ?p dcterms:issued ?i FILTER(STR(?i) = ?y) }"
        " UNION { VALUES ?y { '2024' } ?p dcterms:issued ?i FILTER(STR(?i) = ?y) } }",
        "SELECT ?p { VALUES ?least { 2023 } ?p dcterms:issued ?y"
        " FILTER(xsd:integer(STR(?y)) >= ?least) }",
        "SELECT (COALESCE(SAMPLE(?year), MAX(?any)) AS ?y)"
        " { VALUES ?year { UNDEF } ?p dcterms:issued ?any }",
        "SELECT (COALESCE(SAMPLE(?year), MAX(?any)) AS ?y)"
        " { VALUES ?year { '2024'^^xsd:gYear } ?p dcterms:issued ?any }",
        # one MINUS within another, one that shares no variable and so takes nothing away
        "SELECT ?m { ?m a kg:Method MINUS { SELECT DISTINCT ?m WHERE { ?m kg:usedFor ?t"
        " MINUS { SELECT DISTINCT ?t WHERE { ?b kg:benchmarkFor ?t } } } } }",
        "SELECT ?m { ?m a kg:Method MINUS { SELECT DISTINCT ?t WHERE { ?b kg:benchmarkFor ?t } } }",
        "SELECT ?m { ?m a kg:Method MINUS { ?m kg:usedFor ?t } }",
    ],
)  # fmt: skip
def test_other_queries_keep_their_answers(store, query):
    rows = store.select(query).rows
    assert rows
    assert sorted(store.select(adapted(query, "virtuoso")).rows) == sorted(rows)


def test_prefixes_that_are_used_and_not_declared():
    prefixes = {"kg": "http://kg.example/", "kgr": "http://r.example/", "xsd": "http://x.example/"}
    assert with_prefixes("SELECT * { ?s kg:a kgr:b }", prefixes) == (
        "PREFIX kg: <http://kg.example/> PREFIX kgr: <http://r.example/> SELECT * { ?s kg:a kgr:b }"
    )
    declared = "prefix KG: <http://a.example/>\nSELECT * { ?s KG:a ?o }"
    assert with_prefixes(declared, prefixes) == declared
