"""`RemoteStore`: a graph at an endpoint, against Oxigraph's server and ones that misbehave."""

from __future__ import annotations

import io
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import asking
import pytest
import servers

from kg.errors import InputError, LimitError, QueryError, RefusedError, StoreError
from kg.push import push
from kg.store import RemoteStore, open_store

JSON = "application/sparql-results+json"


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("remote") / "graph", asking.papers()) as store:
        yield store


@pytest.fixture(scope="module")
def server(local):
    with servers.oxigraph() as server:
        push(local, server.store)
        yield server


@pytest.fixture
def remote(server):
    with open_store(server.query) as store:
        yield store


def test_it_knows_the_graph(local, remote):
    assert isinstance(remote, RemoteStore)
    assert (remote.base, remote.prefixes) == (local.base, local.prefixes)
    assert remote.folder is None


def test_rows_are_those_of_the_folder(local, remote):
    query = "SELECT ?paper ?year ?title { ?paper a kg:Paper ; dcterms:title ?title OPTIONAL { ?paper dcterms:issued ?year } } ORDER BY ?paper"  # noqa: E501
    assert remote.select(query) == local.select(query)
    assert remote.select(query, limit=2).rows == local.select(query).rows[:2]
    assert remote.ask("ASK { ?p kg:proposes ?m }") is True
    assert remote.ask("ASK { ?p kg:proposes kg:Paper }") is False


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "xml"])
@pytest.mark.parametrize(
    "query", ["SELECT ?m (1.50 AS ?n) ?no { ?p kg:proposes ?m } ORDER BY ?m", "ASK { ?s ?p ?o }"]
)
def test_results_have_the_same_bytes(local, remote, query, kind):
    ours, theirs = io.BytesIO(), io.BytesIO()
    local.write_rows(query, ours, format=kind)
    remote.write_rows(query, theirs, format=kind)
    assert theirs.getvalue() == ours.getvalue()


@pytest.mark.parametrize("kind", ["ttl", "nt", "jsonld", "rdfxml"])
def test_triples_have_the_same_bytes(local, remote, kind):
    ours, theirs = io.BytesIO(), io.BytesIO()
    query = "CONSTRUCT { ?p kg:proposes ?m ; dcterms:title ?t } WHERE { ?p kg:proposes ?m ; dcterms:title ?t }"  # noqa: E501
    assert remote.construct(query, theirs, format=kind) == local.construct(query, ours, format=kind)
    assert theirs.getvalue() == ours.getvalue()


@pytest.mark.parametrize("kind", ["nq", "ttl"])
def test_the_whole_graph_comes_back(local, server, kind):
    ours, theirs = io.BytesIO(), io.BytesIO()
    local.dump(ours, format=kind)
    with RemoteStore.open(server.query) as remote:
        remote.dump(theirs, format=kind)
    assert theirs.getvalue() == ours.getvalue()


def test_from_goes_before_the_union(local, remote):
    paper = local.select("SELECT ?p { ?p kg:proposes ?m } ORDER BY ?p").rows[0][0].value
    query = f"SELECT ?m FROM <{paper}> {{ ?p kg:proposes ?m }} ORDER BY ?m"  # noqa: S608
    assert remote.select(query) == local.select(query)
    assert len(remote.select(query).rows) < len(
        remote.select("SELECT ?m { ?p kg:proposes ?m }").rows
    )


def test_a_prefix_of_the_query_goes_before_ours(remote):
    query = "PREFIX kg: <http://else.example/> SELECT (STR(kg:x) AS ?x) {}"
    assert remote.select(query).rows[0][0].value == "http://else.example/x"


@pytest.mark.parametrize(
    ("query", "error", "says"),
    [
        ("SELECT ?s { ?s ?p", QueryError, "line 1"),
        ("SELECT * { ?s nope:x ?o }", QueryError, "prefix"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", RefusedError, "INSERT"),
        ("SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }", RefusedError, "SERVICE"),
        ("ASK { ?s ?p ?o }", QueryError, "SELECT is needed"),
        ("SELECT ('\ud800' AS ?x) {}", QueryError, "no character"),
    ],
)
def test_what_is_no_question_is_not_sent(query, error, says):
    with at(graph_answers) as fake, RemoteStore.open(fake.address) as remote:
        before = len(fake.asked)
        with pytest.raises(error, match=says):
            remote.select(query)
        assert len(fake.asked) == before


def test_commands_read_a_remote_graph(local, server, run_kg, tmp_path):
    folder = str(local.folder)
    for arguments in (
        ["query", "top-methods", "--format", "csv"],
        ["query", "ASK { ?p a kg:Paper }"],
        ["query", "CONSTRUCT { ?m a kg:Method } WHERE { ?m a kg:Method }"],
        ["show", "lanternnet"],
        ["export", "-", "--format", "gexf"],
        ["export", "-", "--format", "nq"],
    ):
        here = run_kg(*arguments, "--graph", folder)
        there = run_kg(*arguments, "--graph", server.query)
        assert (there.code, there.out) == (here.code, here.out) == (0, here.out)
    page = tmp_path / "page.html"
    assert run_kg("view", "-o", page, "--graph", server.query).code == 0
    assert "LanternNet" in page.read_text()
    counted = run_kg("stats", "--graph", server.query).out
    assert counted.splitlines()[0].split() == ["papers", "14"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "x.jsonl"], ["remove", "x"], ["curate", "suggest"], ["push", "http://x.example/"],
        ["serve"], ["validate"],
    ],
)  # fmt: skip
def test_commands_that_need_a_folder_refuse_an_address(run_kg, monkeypatch, arguments):
    for environment in ({}, {"KG_GRAPH": "http://localhost:7878/query"}):
        monkeypatch.delenv("KG_GRAPH", raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        named = [] if environment else ["--graph", "https://store.example/sparql"]
        ended = run_kg(*arguments, *named)
        assert ended.code == 1
        assert ended.err.count("\n") == 1
        assert "kg push" in ended.err


class Fake:
    """A server that answers each form by `answer(form, headers) -> (status, headers, body)`."""

    def __init__(self, answer, context=None) -> None:
        fake = self
        self.asked: list[tuple[dict[str, list[str]], dict[str, str]]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                form = parse_qs(body.decode(), keep_blank_values=True)
                headers = {name.lower(): value for name, value in self.headers.items()}
                fake.asked.append((form, headers))
                status, given, content = answer(form, headers)
                self.send_response(status)
                for name, value in given.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        scheme = "http"
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            scheme = "https"
        self.address = f"{scheme}://127.0.0.1:{self.server.server_port}/sparql"


@contextmanager
def at(answer, context=None):
    fake = Fake(answer, context)
    threading.Thread(target=fake.server.serve_forever, daemon=True).start()
    try:
        yield fake
    finally:
        fake.server.shutdown()
        fake.server.server_close()


def rows(*values, name="type"):
    """An answer of IRIs in one column."""
    bindings = [{name: {"type": "uri", "value": value}} for value in values]
    found = {"head": {"vars": [name]}, "results": {"bindings": bindings}}
    return 200, {"content-type": JSON}, json.dumps(found).encode()


def graph_answers(form, headers):
    return rows("https://else.example/kg/ontology#Paper")


def test_another_base_is_found_out():
    with at(graph_answers) as fake, RemoteStore.open(fake.address) as remote:
        assert remote.base == "https://else.example/kg/"
        assert remote.prefixes["kgr"] == "https://else.example/kg/id/"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((401, {}, b""), "KG_USER"),
        ((403, {}, b""), "netrc"),
        ((404, {"content-type": "text/html"}, b"<html>"), "404"),
        ((302, {"location": "https://new.example/q"}, b""), "https://new.example/q"),
        ((200, {"content-type": "text/html; charset=utf-8"}, b"<html>"), "text/html"),
        ((200, {}, b""), "nothing"),
        ((400, {"content-type": "text/plain"}, b"what\nis this"), "what is this"),
        ((500, {"content-type": "text/plain"}, b"broken"), "broken"),
        ((200, {"content-type": JSON}, b'{"head":{"vars":["type"]},"results":{"bind'), "cut off"),
        ((200, {"content-type": JSON}, b""), "cut off"),
        ((200, {"content-type": JSON}, b'{"head":{},"boolean":true}'), "without rows"),
        (rows(), "kg push"),
        (rows("http://a.example/ontology#Paper", "http://b.example/ontology#Paper"), "b.example"),
    ],
)
def test_what_is_no_graph_is_told_in_one_line(run_kg, answer, says):
    with at(lambda *_: answer) as fake:
        ended = run_kg("stats", "--graph", fake.address)
    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert says in ended.err


def test_nobody_listens(run_kg, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        ended = run_kg("stats", "--graph", f"http://127.0.0.1:{closed.getsockname()[1]}/")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "cannot reach" in ended.err


@pytest.mark.parametrize(
    "address", ["http://", "http://user:secret@x.example/sparql", "http://[::/", "https:/x"]
)
def test_what_is_no_address(run_kg, address):
    ended = run_kg("stats", "--graph", address)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "secret" not in ended.err
    with pytest.raises(InputError):
        open_store(address)


def test_a_default_graph_without_the_named_ones():
    def separate(form, headers):
        return (
            rows()
            if "?paper a fabio:ResearchPaper ." in form["query"][0]
            else graph_answers(form, headers)
        )

    with at(separate) as fake, pytest.raises(StoreError, match="unionDefaultGraph"):
        RemoteStore.open(fake.address)
    assert {"union-default-graph" in form for form, _ in fake.asked} == {True, False}


def test_a_store_that_does_not_know_the_word_for_the_union():
    def strict(form, headers):
        if len(form) > 1:
            return 400, {"content-type": "text/plain"}, b"unknown parameter"
        return rows()

    with at(strict) as fake, pytest.raises(StoreError, match="kg push"):
        RemoteStore.open(fake.address)


def answering(later):
    """A server that is opened as a graph and then answers `later`."""
    turns = iter([rows("https://else.example/kg/ontology#Paper")])
    return lambda *_: next(turns, later)


@pytest.mark.parametrize(
    ("later", "error", "says"),
    [
        (
            (200, {"content-type": JSON, "x-sparql-maxrows": "3"}, rows("a:a")[2]),
            LimitError,
            "3 rows",
        ),
        ((200, {"content-type": JSON, "x-sql-state": "S1TAT"}, rows("a:a")[2]), LimitError, "part"),
        ((400, {"content-type": "text/plain"}, b"too complex"), QueryError, "too complex"),
        ((200, {"content-type": JSON}, rows("a:a")[2][:-9]), StoreError, "cut off"),
    ],
)
def test_an_answer_that_is_not_whole_is_none(later, error, says):
    with (
        at(answering(later)) as fake,
        RemoteStore.open(fake.address) as remote,
        pytest.raises(error, match=says),
    ):
        remote.select("SELECT ?type { ?s a ?type }")


def test_answers_are_bounded_in_size_and_time(monkeypatch):
    large = rows(*(f"http://x.example/{n}" for n in range(3000)))

    turns = iter([graph_answers(None, None)])

    def slow(*_):
        if (first := next(turns, None)) is None:
            time.sleep(1.5)
        return first or large

    with at(answering(large)) as fake, RemoteStore.open(fake.address) as remote:
        assert len(remote.select("SELECT ?type { ?s a ?type }").rows) == 3000
        assert len(remote.select("SELECT ?type { ?s a ?type }", limit=5).rows) == 5
        monkeypatch.setattr("kg.store.body.MOST", 20_000)
        with pytest.raises(LimitError, match="larger"):
            remote.select("SELECT ?type { ?s a ?type }")
    with at(slow) as fake, RemoteStore.open(fake.address) as remote:
        began = time.monotonic()
        with pytest.raises(LimitError, match=r"0\.3 s"):
            remote.select("SELECT ?type { ?s a ?type }", timeout=0.3)
        assert time.monotonic() - began < 1.4


def test_a_busy_store_is_asked_again(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    turns = iter([(503, {}, b""), (429, {}, b""), graph_answers(None, None)])
    with at(lambda *_: next(turns)) as fake, RemoteStore.open(fake.address) as remote:
        assert remote.base == "https://else.example/kg/"


def test_virtuoso_says_yes_by_a_figure():
    def figure(value):
        found = {"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": [
            {"__ASK_RETVAL": {"type": "typed-literal", "value": value,
             "datatype": "http://www.w3.org/2001/XMLSchema#integer"}}]}}  # fmt: skip
        return 200, {"content-type": JSON}, json.dumps(found).encode()

    for value, yes in (("1", True), ("0", False)):
        with at(answering(figure(value))) as fake, RemoteStore.open(fake.address) as remote:
            assert remote.ask("ASK { ?s ?p ?o }") is yes


def test_credentials(tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ada password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with at(graph_answers) as fake, RemoteStore.open(fake.address):
        assert fake.asked[-1][1]["authorization"] == "Basic YWRhOnNlY3JldA=="
    monkeypatch.setenv("KG_USER", "bo")
    monkeypatch.setenv("KG_PASSWORD", "x")
    with at(graph_answers) as fake, RemoteStore.open(fake.address):
        assert fake.asked[-1][1]["authorization"] == "Basic Ym86eA=="


@pytest.mark.parametrize("told", ["always", "to those who offer nothing"])
def test_digest_where_the_store_asks_for_it(monkeypatch, told):
    monkeypatch.setenv("KG_USER", "bo")
    monkeypatch.setenv("KG_PASSWORD", "x")
    challenge = {"www-authenticate": 'Digest realm="r", nonce="n", qop="auth", algorithm="MD5"'}

    def digest(form, headers):
        given = headers.get("authorization", "")
        if given.startswith("Digest"):
            return graph_answers(form, headers)
        return 401, challenge if told == "always" or not given else {}, b""

    with at(digest) as fake, RemoteStore.open(fake.address) as remote:
        before = len(fake.asked)
        remote.select("SELECT ?type { ?s a ?type }")
        assert len(fake.asked) == before + 1
    assert 'username="bo"' in fake.asked[-1][1]["authorization"]


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")
def test_a_certificate_that_nobody_vouches_for(tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-keyout", tmp_path / "key", "-out", tmp_path / "cert"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    with at(graph_answers, context) as fake, pytest.raises(StoreError, match="certificate"):
        RemoteStore.open(fake.address)
    assert fake.asked == []
