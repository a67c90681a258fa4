"""`kg push` against the server of Oxigraph, and against ones that refuse or lack things."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import building
import httpx
import pytest
import servers

from kg.build import build_graph
from kg.errors import InputError, StoreError
from kg.push import push
from kg.store import GraphStore


def build(folder, papers):
    build_graph(
        [found.abstract for found in papers],
        folder,
        extract=building.extractor(papers),
        model="test/1",
    )
    return folder


@pytest.fixture
def graph(tmp_path):
    return build(tmp_path / "graph", building.sample())


@pytest.fixture
def endpoint():
    with servers.oxigraph() as server:
        yield server.store


def lines_at(endpoint) -> list[str]:
    """All that the remote store holds, as sorted N-Quads."""
    found = httpx.get(endpoint, headers={"accept": "application/n-quads"}, trust_env=False)
    return sorted(line for line in found.raise_for_status().text.split("\n") if line)


def lines_in(folder) -> list[str]:
    with GraphStore.open(folder) as store:
        return sorted(
            line[:-1] + f"<{name}> ."
            for name, content in store.graphs()
            for line in content.decode().split("\n")
            if line
        )


def pushed(folder, endpoint, **options):
    with GraphStore.open(folder) as store:
        return push(store, endpoint, **options)


def put_elsewhere(endpoint):
    """A graph of somebody else in the same store."""
    httpx.put(
        endpoint, params={"graph": "http://else.example/g"}, content="<a:a> <a:b> <a:c> .",
        headers={"content-type": "application/n-triples"}, trust_env=False,
    ).raise_for_status()  # fmt: skip


def test_the_remote_store_holds_what_the_graph_does(graph, endpoint):
    first = pushed(graph, endpoint)
    assert lines_at(endpoint) == lines_in(graph)
    assert (first.sent, first.removed, first.unchanged) == (7, 0, 0)
    again = pushed(graph, endpoint)
    assert (again.sent, again.removed, again.unchanged) == (0, 0, 7)


def test_what_changed_is_replaced_and_what_went_is_removed(graph, endpoint, run_kg):
    put_elsewhere(endpoint)
    pushed(graph, endpoint)
    assert run_kg("remove", "sgd", "--graph", graph).code == 0
    build(graph, [*building.sample()[:3], building.extraction(
        "A late one", "[GateRNN|e1] serves [question answering|e2].",
        "e1 Method uses, e2 Task addresses", "e1 usedFor e2", id="late", year=2026,
    )])  # fmt: skip
    report = pushed(graph, endpoint)
    assert report.removed == 1
    assert 1 < report.sent < 7
    elsewhere = "<a:a> <a:b> <a:c> <http://else.example/g> ."
    assert lines_at(endpoint) == sorted([*lines_in(graph), elsewhere])


@pytest.mark.parametrize("batch", [3000, 20_000, 10**9])
@pytest.mark.parametrize("requests", [2, 3, 5, 9])
def test_a_push_that_is_broken_off_goes_on(graph, endpoint, monkeypatch, batch, requests):
    monkeypatch.setattr("kg.push.PIECE", batch)
    monkeypatch.setattr("kg.push.remote.PIECE", batch)
    with monkeypatch.context() as broken:
        send, count = httpx.Client.send, iter(range(requests))

        def dies(self, *arguments, **options):
            if next(count, None) is None:
                raise KeyboardInterrupt
            return send(self, *arguments, **options)

        broken.setattr(httpx.Client, "send", dies)
        # some of these counts are past the end: then there is nothing to go on with
        with suppress(KeyboardInterrupt):
            pushed(graph, endpoint)
    report = pushed(graph, endpoint)
    assert lines_at(endpoint) == lines_in(graph)
    assert report.sent + report.unchanged == 7


def test_a_paper_that_changed_between_a_crash_and_the_next_push(graph, endpoint, monkeypatch):
    # the batch arrives, but the push dies before it can write so down
    with monkeypatch.context() as broken:
        broken.setattr("kg.push.ledger.Ledger.note", lambda *_: (_ for _ in ()).throw(MemoryError))
        with pytest.raises(MemoryError):
            pushed(graph, endpoint)
    assert lines_at(endpoint) == lines_in(graph)
    build(graph, [building.extraction(
        "[BeaconNet|e1] for long documents", "[BeaconNet|e1] is now another text.",
        "e1 Method proposes", id="beacon", identifiers=("doi:10.5555/beacon.1",),
    )])  # fmt: skip
    pushed(graph, endpoint)
    assert lines_at(endpoint) == lines_in(graph)


def test_a_store_that_was_emptied_is_filled_again(graph, endpoint):
    pushed(graph, endpoint)
    for graph_name in {re.search(r"<([^>]*)> \.$", line)[1] for line in lines_at(endpoint)}:
        httpx.delete(endpoint, params={"graph": graph_name}, trust_env=False).raise_for_status()
    assert lines_at(endpoint) == []
    assert pushed(graph, endpoint).sent == 7
    assert lines_at(endpoint) == lines_in(graph)


def test_a_store_that_another_filled_gets_replacements(graph, endpoint, tmp_path):
    other = build(tmp_path / "other", building.sample()[:2])
    pushed(other, endpoint)
    name = lines_in(graph)[-1].rpartition(" <")[2].removesuffix("> .")
    httpx.post(
        endpoint, params={"graph": name}, content="<a:stale> <a:b> <a:c> .",
        headers={"content-type": "application/n-triples"}, trust_env=False,
    ).raise_for_status()  # fmt: skip
    pushed(graph, endpoint)
    assert lines_at(endpoint) == lines_in(graph)
    assert pushed(graph, endpoint, again=True).sent == 7
    assert lines_at(endpoint) == lines_in(graph)


class Fake:
    """A server that answers each request by `answer(method, path, headers) -> status`."""

    def __init__(self, answer) -> None:
        fake = self
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.graphs: dict[str, bytes] = {}

        class Handler(BaseHTTPRequestHandler):
            def serve(self):
                size = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(size)
                headers = {name.lower(): value for name, value in self.headers.items()}
                fake.requests.append((self.command, self.path, headers))
                status = answer(self.command, self.path, headers)
                if status == 204 and self.command == "PUT":
                    fake.graphs[httpx.URL(self.path).params["graph"]] = body
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        for method in ("GET", "HEAD", "PUT", "POST", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.serve)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}/data?x=1"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def plain_store(method, path, headers):
    """A store of nothing but what the protocol asks for: one graph a request."""
    if method in ("HEAD", "GET"):
        return 404
    return 204 if "graph=" in path else 400


def test_a_store_without_batches_gets_graph_by_graph(graph):
    with Fake(plain_store) as fake:
        assert pushed(graph, fake.endpoint).sent == 7
    with GraphStore.open(graph) as store:
        assert fake.graphs == dict(store.graphs())
    assert all("x=1" in path for _, path, _ in fake.requests)


def test_a_store_that_takes_batches_but_puts_them_elsewhere_gets_graph_by_graph(graph):
    def mixing(method, path, headers):
        return 204 if method == "POST" else plain_store(method, path, headers)

    with Fake(mixing) as fake:
        pushed(graph, fake.endpoint)
    with GraphStore.open(graph) as store:
        assert fake.graphs == dict(store.graphs())


def test_a_busy_store_is_asked_again(graph, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    turns = iter(range(1000))

    def busy(method, path, headers):
        return 503 if next(turns) % 3 == 0 else plain_store(method, path, headers)

    with Fake(busy) as fake:
        assert pushed(graph, fake.endpoint).sent == 7
        assert len(fake.graphs) == 7


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "netrc"), (403, "KG_PUSH_USER"), (500, "500"), (302, "302"), (507, "507")],
)
def test_a_refusal_is_one_line(graph, run_kg, status, says):
    with Fake(lambda method, *_: 404 if method == "HEAD" else status) as fake:
        ended = run_kg("push", fake.endpoint, "--graph", graph)
    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert says in ended.err


@pytest.mark.parametrize(
    "address",
    ["nowhere", "ftp://x.example/", "http://", "http://user:secret@x.example/store", "http://[::/"],
)
def test_what_is_no_address(graph, address):
    with pytest.raises(InputError) as raised:
        pushed(graph, address)
    assert "secret" not in str(raised.value)


def test_a_store_that_is_not_there(graph, run_kg, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        ended = run_kg("push", f"http://127.0.0.1:{closed.getsockname()[1]}/", "--graph", graph)
    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert "cannot reach" in ended.err


def test_credentials_come_from_the_environment_or_netrc(graph, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ada password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with Fake(plain_store) as fake:
        pushed(graph, fake.endpoint)
    assert {h.get("authorization") for *_, h in fake.requests} == {"Basic YWRhOnNlY3JldA=="}
    monkeypatch.setenv("KG_PUSH_USER", "bo")
    monkeypatch.setenv("KG_PUSH_PASSWORD", "x")
    with Fake(plain_store) as fake:
        pushed(graph, fake.endpoint)
    assert {h.get("authorization") for *_, h in fake.requests} == {"Basic Ym86eA=="}


def test_two_pushes_to_one_store_at_once(graph):
    from kg.push.ledger import Ledger

    with (
        Fake(plain_store) as fake,
        Ledger(graph, fake.endpoint),
        pytest.raises(StoreError, match="another push"),
    ):
        pushed(graph, fake.endpoint)
