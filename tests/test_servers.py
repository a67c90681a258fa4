"""Real servers hold what was pushed and answer as the folder does: Oxigraph, and Virtuoso."""

from __future__ import annotations

import io
import re

import asking
import building
import pytest
import servers
from building import extraction, sample
from test_queries import ANSWERS, QUERIES

from kg.build import build_graph
from kg.errors import LimitError, QueryError, StoreError
from kg.graph import Graph
from kg.push import push
from kg.push.remote import Remote
from kg.query import run, saved_queries
from kg.query.names import find_entity, find_paper
from kg.show import show
from kg.stats import stats
from kg.store import GraphStore, RemoteStore

#: Each saved query with the parameters of its tests, and with none where it needs none.
ASKED = [
    *((name, parameters) for name, parameters, *_ in ANSWERS),
    *(
        (name, {})
        for name, saved in saved_queries(QUERIES).items()
        if not any(parameter.default is None for parameter in saved.parameters)
    ),
]
STARTED = [
    "oxigraph",
    pytest.param(
        "virtuoso",
        marks=[
            pytest.mark.servers,
            pytest.mark.skipif(
                not servers.virtuoso_program(),
                reason="needs Virtuoso: apt-get install virtuoso-opensource-7-bin",
            ),
        ],
    ),
]


@pytest.fixture(scope="module", params=STARTED)
def server(request, tmp_path_factory):
    """A running server."""
    if request.param == "oxigraph":
        with servers.oxigraph() as server:
            yield server
    else:
        with servers.virtuoso(tmp_path_factory.mktemp("virtuoso") / "data") as server:
            yield server


@pytest.fixture(autouse=True)
def user(server, monkeypatch):
    """The server's user, by the environment."""
    name, _, password = server.user.partition(":")
    if name:
        monkeypatch.setenv("KG_USER", name)
        monkeypatch.setenv("KG_PASSWORD", password)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("servers") / "graph", asking.papers()) as store:
        yield store


@pytest.fixture
def remote(local, server):
    push(local, server.store)
    with RemoteStore.open(server.query) as store:
        yield store


def test_it_holds_every_triple_as_it_was(local, remote):
    ours, theirs = io.BytesIO(), io.BytesIO()
    local.dump(ours)
    remote.dump(theirs)
    assert theirs.getvalue() == ours.getvalue()


def test_what_is_missing_is_counted_and_sent_again(local, server, remote):
    queries = server.query
    assert push(local, server.store, verify=queries).verified
    gone = local.graph_names()[3]
    with Remote(server.store, timeout=60) as other:
        other.delete(gone)
    with pytest.raises(StoreError, match=re.escape(gone)):
        push(local, server.store, verify=queries)
    report = push(local, server.store, verify=queries)
    assert (report.sent, report.verified) == (1, True)


def test_the_library_has_the_answers_of_the_folder(local, remote):
    # one test, as each of 90 would open the store anew
    differing = []
    for name, parameters in ASKED:
        ours = run(local, name, parameters=parameters, folder=QUERIES)
        try:
            theirs = run(remote, name, parameters=parameters, folder=QUERIES)
        except QueryError as error:  # all that a server cannot answer, not the first
            differing.append((name, parameters, str(error)[:200], ours.rows))
            continue
        if (theirs.columns, theirs.rows, theirs.iris) != (ours.columns, ours.rows, ours.iris):
            differing.append((name, parameters, theirs.rows, ours.rows))
    assert differing == []


def test_names_are_understood(local, remote):
    gate = find_entity(local, "gaternn")
    for name in ("gaternn", "GateRNN (Method)", gate, f"<{gate}>"):
        assert find_entity(remote, name) == gate
    for name in ("$\\mu$Gate", "LN", "gate"):
        assert asked(remote, name) == asked(local, name)
    for paper in ("dusk", "A check of lanterns", "arxiv:2301.00001"):
        assert find_paper(remote, paper) == find_paper(local, paper)


def asked(store, name):
    try:
        return find_entity(store, name)
    except QueryError as error:  # ambiguous, or not there: the words count too
        return str(error)


def test_cards_counts_and_networks_are_the_same(local, remote):
    for name in ("LanternNet", "machine translation", "A check of lanterns"):
        assert show(remote, name) == show(local, name)
    ours, theirs = stats(local), stats(remote)
    assert (theirs.papers, theirs.types, theirs.roles, theirs.relations, theirs.top) == (
        ours.papers, ours.types, ours.roles, ours.relations, ours.top
    )  # fmt: skip
    for projection in ("entities", "cooccurrence", "papers", "bipartite"):
        there = Graph(remote).network(projection=projection)
        here = Graph(local).network(projection=projection)
        assert sorted(there.nodes(data="label")) == sorted(here.nodes(data="label"))
        assert sorted(there.edges(keys=True)) == sorted(here.edges(keys=True))


# the last one: what it leaves is not what the others expect
def test_papers_are_replaced(tmp_path, server, remote):
    folder = tmp_path / "graph"
    built(folder, sample())
    with GraphStore.open(folder) as store:
        push(store, server.store)
    words = '[BeaconNet|e1] has other words now: “Ω → é”, 中文, \\\\ and "quotes".'
    changed = extraction(
        "[BeaconNet|e1] for long documents", words, "e1 Method proposes",
        id="beacon", identifiers=("doi:10.5555/beacon.1",),
    )  # fmt: skip
    built(folder, [changed])
    with GraphStore.open(folder) as store:
        report = push(store, server.store)
        assert 0 < report.sent < 7
        sink = io.BytesIO()
        remote.dump(sink)
        names = {f" <{name}> .".encode() for name in store.graph_names()}
        there = [
            line for line in sink.getvalue().split(b"\n") if line[line.rfind(b" <") :] in names
        ]
        assert sorted(there) == sorted(
            line[:-1] + f"<{name}> .".encode()
            for name, content in store.graphs()
            for line in content.split(b"\n")
            if line
        )


def built(folder, papers):
    build_graph(
        [one.abstract for one in papers], folder,
        extract=building.extractor(papers), model="test/1",
    )  # fmt: skip


@pytest.mark.servers
@pytest.mark.skipif(not servers.virtuoso_program(), reason="needs Virtuoso")
def test_an_answer_that_virtuoso_cut_off_is_none(tmp_path, local, monkeypatch):
    monkeypatch.setenv("KG_USER", "dba")
    monkeypatch.setenv("KG_PASSWORD", "dba")
    with servers.virtuoso(tmp_path / "data", sparql="ResultSetMaxRows = 20") as server:
        push(local, server.store, again=True)
        with RemoteStore.open(server.query) as remote:
            assert len(remote.select("SELECT ?p { ?p a kg:Paper }").rows) == 14
            with pytest.raises(LimitError, match="ResultSetMaxRows"):
                remote.select("SELECT ?s ?o { ?s kg:refersTo ?o }")
