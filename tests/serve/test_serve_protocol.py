"""SPARQL 1.1 Protocol, seen by HTTP clients of others."""

from __future__ import annotations

import csv
import io
import json
import threading
import time
import warnings

import httpx
import pytest
import rdflib
from conftest import memory, server, serving
from rdflib import Variable
from rdflib.plugins.sparql.results.xmlresults import XMLResultParser
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from kg import vocab

SELECT = "SELECT ?e { ?p kg:proposes ?e } ORDER BY ?e"
CONSTRUCT = "CONSTRUCT { ?p kg:proposes ?e } WHERE { ?p kg:proposes ?e }"
SLOW_PATTERN = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
SLOW = f"SELECT (COUNT(*) AS ?n) {SLOW_PATTERN}"
LANTERN = "https://kg.example/id/paper/arxiv:2301.00001"


def things(response: httpx.Response) -> list[str]:
    return [row["e"]["value"] for row in response.json()["results"]["bindings"]]


def ways(client, query, **fields):
    """The same query by each of the three ways of the protocol."""
    fields = {name: value for name, value in fields.items() if value}
    yield client.get("/sparql", params={"query": query, **fields})
    yield client.post("/sparql", data={"query": query, **fields})
    yield client.post(
        "/sparql",
        params=fields,
        content=query.encode(),
        headers={"content-type": "application/sparql-query; charset=utf-8"},
    )


def test_get_and_both_ways_of_post_give_one_answer(client):
    answers = [response.raise_for_status() for response in ways(client, SELECT)]
    assert len({response.content for response in answers}) == 1
    assert "https://kg.example/id/method/lanternnet" in things(answers[0])
    assert len(things(answers[0])) == 5


def test_a_query_in_any_script_arrives_whole(client):
    text = "é ☃ 漢 𝔘 \\\\ + & = %41"
    for response in ways(client, f'SELECT ("{text}" AS ?e) {{}}'):
        assert things(response.raise_for_status()) == [text.replace("\\\\", "\\")]


def test_the_graphs_of_the_protocol(client):
    for response in ways(client, SELECT, **{"default-graph-uri": LANTERN}):
        assert things(response) == ["https://kg.example/id/method/lanternnet"]
    named = "SELECT ?e { GRAPH ?g { ?p kg:proposes ?e } }"
    for response in ways(client, named, **{"named-graph-uri": LANTERN}):
        assert things(response) == ["https://kg.example/id/method/lanternnet"]
    for response in ways(client, SELECT, **{"named-graph-uri": LANTERN}):
        assert things(response) == []


def read_rows(kind: str, content: bytes) -> list[str]:
    if kind.endswith("json"):
        return [row["e"]["value"] for row in json.loads(content)["results"]["bindings"]]
    if kind.endswith("xml"):
        return [
            str(row[Variable("e")]) for row in XMLResultParser().parse(io.BytesIO(content)).bindings
        ]
    rows = content.decode().splitlines()[1:]
    return [row.strip("<>") for row in rows]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("application/json", "application/sparql-results+json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv"),
        ("text/*;q=0.5", "text/csv"),
        ("text/tab-separated-values", "text/tab-separated-values"),
        ("text/csv;q=0.4, text/tab-separated-values;q=0.8", "text/tab-separated-values"),
        ("text/csv;q=0, */*;q=0.1", "application/sparql-results+json"),
        ("text/html, application/xml;q=0.9, */*;q=0.8", "application/sparql-results+xml"),
        ("TEXT/CSV", "text/csv"),
    ],
)
def test_rows_in_the_format_that_is_asked_for(client, accept, kind):
    wanted = things(client.get("/sparql", params={"query": SELECT}))
    response = client.get("/sparql", params={"query": SELECT}, headers={"accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == kind
    assert "Accept" in response.headers["vary"]
    assert read_rows(kind, response.content) == wanted


@pytest.mark.parametrize(
    ("accept", "kind", "reader"),
    [
        ("*/*", "text/turtle", "turtle"),
        ("text/turtle", "text/turtle", "turtle"),
        ("application/n-triples", "application/n-triples", "nt"),
        ("application/ld+json", "application/ld+json", "json-ld"),
        ("application/rdf+xml", "application/rdf+xml", "xml"),
    ],
)
@pytest.mark.parametrize("query", [CONSTRUCT, f"DESCRIBE <{LANTERN}>"])
def test_triples_in_the_format_that_is_asked_for(client, query, accept, kind, reader):
    response = client.get("/sparql", params={"query": query}, headers={"accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == kind
    # rdflib's own reader of JSON-LD still uses what rdflib deprecates
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "ConjunctiveGraph is deprecated", DeprecationWarning)
        graph = rdflib.Graph().parse(data=response.content, format=reader)
    proposed = set(graph.subject_objects(vocab.KG.proposes))
    lantern = rdflib.URIRef(LANTERN), rdflib.URIRef("https://kg.example/id/method/lanternnet")
    assert lantern in proposed


@pytest.mark.parametrize(
    ("holds", "query"), [(True, "ASK {?p kg:proposes ?e}"), (False, "ASK {1}")]
)
def test_ask_says_yes_or_no(client, holds, query):
    query = query if holds else "ASK { ?p kg:proposes ?p }"
    assert client.get("/sparql", params={"query": query}).json()["boolean"] is holds


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("status", "method", "options", "says"),
    [
        (400, "GET", {"params": {"query": "SELECT * {\n ?s ?p }"}}, "line 2, column"),
        (400, "GET", {"params": [("query", "ASK {}"), ("query", "ASK {}")]}, "one query"),
        (400, "GET", {"params": {"query": ""}}, ""),
        (400, "POST", {"data": {"other": "x"}}, "missing"),
        (400, "POST", {"content": b"query=%FF", "headers": {"content-type": FORM}}, "UTF-8"),
        (400, "POST", {"content": b"\xff", "headers": {"content-type": "application/sparql-query"}},
         "UTF-8"),
        (400, "GET", {"params": {"query": "ASK {}", "default-graph-uri": "no iri"}}, ""),
        (403, "POST", {"data": {"update": "CLEAR ALL"}}, "reads"),
        (403, "POST", {"content": b"CLEAR ALL",
                       "headers": {"content-type": "application/sparql-update"}}, "reads"),
        (403, "GET", {"params": {"query": "INSERT DATA { <a:a> <a:b> 1 }"}}, "line 1"),
        (403, "GET", {"params": {"query": "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }"}},
         "SERVICE"),
        (406, "GET", {"params": {"query": SELECT}, "headers": {"accept": "image/png"}}, "text/csv"),
        (406, "GET", {"params": {"query": SELECT}, "headers": {"accept": "text/turtle"}}, "csv"),
        (406, "GET", {"params": {"query": CONSTRUCT}, "headers": {"accept": "text/csv"}}, "turtle"),
        (405, "PUT", {"params": {"query": SELECT}}, ""),
        (405, "DELETE", {}, ""),
        (413, "POST", {"data": {"query": "#" + "x" * 1_100_000}}, "1,000,000"),
        (415, "POST", {"content": SELECT.encode(), "headers": {"content-type": "text/plain"}},
         "application/sparql-query"),
        (415, "POST", {"content": SELECT.encode()}, "application/sparql-query"),
    ],
)  # fmt: skip
def test_what_is_at_fault_has_its_status_and_says_why(client, status, method, options, says):
    response = client.request(method, "/sparql", **options)
    assert response.status_code == status
    assert says in response.text
    assert "Traceback" not in response.text


def test_nothing_was_written(client):
    assert (
        client.get("/sparql", params={"query": "ASK { <a:a> <a:b> 1 }"}).json()["boolean"] is False
    )


def test_the_service_describes_itself(client, address):
    response = client.get("/sparql", headers={"accept": "text/turtle"})
    graph = rdflib.Graph().parse(data=response.text, format="turtle")
    sd = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
    service = rdflib.URIRef(f"{address}sparql")
    assert (service, rdflib.RDF.type, sd.Service) in graph
    assert (service, sd.supportedLanguage, sd.SPARQL11Query) in graph


def test_a_slow_query_is_stopped_and_does_not_hold_up_others(client):
    slow = []

    def ask_slowly():
        began = time.monotonic()
        response = httpx.get(
            f"{client.base_url}sparql", params={"query": SLOW}, timeout=60, trust_env=False
        )
        slow.append((response, time.monotonic() - began))

    threads = [threading.Thread(target=ask_slowly) for _ in range(3)]
    for thread in threads:
        thread.start()
    fast = []
    while any(thread.is_alive() for thread in threads):
        began = time.monotonic()
        assert client.get("/sparql", params={"query": SELECT}).status_code == 200
        fast.append(time.monotonic() - began)
    for response, seconds in slow:
        assert response.status_code == 503
        assert "5 s" in response.text
        assert 4.5 < seconds < 20
    # the first ones may have to start a process each
    assert sorted(fast)[len(fast) // 2] < 1
    assert len(fast) > 5


def test_a_client_that_goes_away_frees_its_place(served_graph):
    with serving(served_graph, "--timeout", "300", "--jobs", "1") as address:
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{address}sparql", params={"query": SLOW}, timeout=2, trust_env=False)
        answer = httpx.get(
            f"{address}sparql", params={"query": SELECT}, timeout=30, trust_env=False
        )
        assert answer.status_code == 200


def test_a_loopback_server_answers_to_its_own_names_only(client):
    strange = client.get("/", headers={"host": "rebound.example"})
    assert strange.status_code == 400
    assert client.get("/questions", headers={"host": "localhost:1"}).status_code == 200


def test_other_sites_may_not_ask_unless_they_are_let(client, served_graph):
    origin = {"origin": "https://site.example"}
    closed = client.get("/sparql", params={"query": SELECT}, headers=origin)
    assert "access-control-allow-origin" not in closed.headers
    with serving(served_graph, "--cors", "https://site.example") as address:
        ask = {"params": {"query": SELECT}, "trust_env": False}
        opened = httpx.get(f"{address}sparql", headers=origin, **ask)
        assert opened.headers["access-control-allow-origin"] == "https://site.example"
        other = httpx.get(f"{address}sparql", headers={"origin": "https://other.example"}, **ask)
        assert "access-control-allow-origin" not in other.headers


def test_rdflib_is_a_client(address):
    graph = rdflib.Graph(store=SPARQLStore(f"{address}sparql", returnFormat="json"))
    rows = list(graph.query(SELECT, initNs={"kg": vocab.KG._NS}))
    assert rdflib.URIRef("https://kg.example/id/method/lanternnet") in {row.e for row in rows}
    assert graph.query("ASK { ?s ?p ?o }").askAnswer
    # the name that rdflib has for a default graph is no graph of ours
    default = rdflib.graph.DATASET_DEFAULT_GRAPH_ID
    named = rdflib.Graph(store=SPARQLStore(f"{address}sparql"), identifier=default)
    assert len(named.query(SELECT, initNs={"kg": vocab.KG._NS})) == 5
    triples = list(graph.triples((rdflib.URIRef(LANTERN), vocab.KG.proposes, None)))
    assert [str(o) for _, _, o in triples] == ["https://kg.example/id/method/lanternnet"]
    # of RDF it takes but RDF/XML, and that only beside results in XML
    built = (
        rdflib.Graph(store=SPARQLStore(f"{address}sparql"))
        .query(CONSTRUCT, initNs={"kg": vocab.KG._NS})
        .graph
    )
    assert len(built) == 5
    for kind in ("xml", "csv", "tsv"):
        same = SPARQLStore(f"{address}sparql", returnFormat=kind).query(
            f"PREFIX kg: <{vocab.KG._NS}> {SELECT}"
        )
        assert [row[0] for row in same] == [row.e for row in rows], kind


def test_a_graph_that_grows_is_served_as_it_is(tmp_path):
    from conftest import graph_of, hostile_papers

    papers = hostile_papers()
    folder = graph_of(papers[:1], tmp_path / "graph")
    with (
        serving(folder) as address,
        httpx.Client(base_url=address, trust_env=False, timeout=60) as client,
    ):
        assert len(things(client.get("/sparql", params={"query": SELECT}))) == 1
        graph_of(papers, folder)
        assert len(things(client.get("/sparql", params={"query": SELECT}))) == 5
        assert "7 papers" in client.get("/").text


def test_an_address_in_use_and_a_graph_that_is_not_there(run_kg, served_graph, tmp_path, address):
    port = address.rstrip("/").rpartition(":")[2]
    taken = run_kg("serve", "--port", port, "--graph", served_graph)
    assert taken.code == 1
    assert taken.err.count("\n") == 1
    assert port in taken.err
    missing = run_kg("serve", "--port", "0", "--graph", tmp_path / "none")
    assert missing.code == 1
    assert "no graph" in missing.err


@pytest.mark.slow
def test_fifty_clients_for_a_minute_find_no_error_and_leave_no_growth(served_graph):
    with server(served_graph) as (address, process):
        faults, counts, sizes = [], [], []
        began = time.monotonic()

        def ask(number: int) -> None:
            done = 0
            with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
                while time.monotonic() < began + 60:
                    response = client.get("/sparql", params={"query": SELECT})
                    if response.status_code != 200 or len(things(response)) != 5:
                        faults.append((number, response.status_code, response.text[:200]))
                    if done % 20 == 0:
                        page = client.get("/id/method/lanternnet")
                        if page.status_code != 200:
                            faults.append((number, page.status_code, page.text[:200]))
                    done += 1
            counts.append(done)

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(50)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            sizes.append(memory(process))
            threads[0].join(1)
            time.sleep(1)
        for thread in threads:
            thread.join()
    assert faults == []
    assert len(counts) == 50
    assert min(counts) > 5
    # by half time every store and thread is there; what comes later would be a leak
    half, end = max(sizes[: len(sizes) // 2]), max(sizes[-5:])
    assert end < 1.1 * half, sizes


def test_pages_and_rdf_of_things_keep_to_the_time_too(served_graph):
    with serving(served_graph, "--timeout", "0.001") as address:
        for path in ("/", "/search?q=lantern", "/id/method/lanternnet", "/questions/top-methods",
                     "/id/method/lanternnet?format=ttl"):  # fmt: skip
            response = httpx.get(f"{address.rstrip('/')}{path}", timeout=60, trust_env=False)
            assert response.status_code == 503, path
            assert "stopped after 0.001 s" in response.text


@pytest.mark.parametrize("form", ["CONSTRUCT { ?a ?e ?l }", "DESCRIBE ?a"])
def test_rdf_that_takes_too_long_is_stopped(client, form):
    response = client.get("/sparql", params={"query": f"{form} WHERE {SLOW_PATTERN}"})
    assert response.status_code == 503
    assert "5 s" in response.text or "more than" in response.text


def test_csv_is_what_rfc_4180_says(client):
    rows = client.get(
        "/sparql",
        params={"query": 'SELECT ("a,\\"b\\"" AS ?x) (1 AS ?y) {}', "format": "csv"},
    )
    assert list(csv.reader(io.StringIO(rows.text))) == [["x", "y"], ['a,"b"', "1"]]
