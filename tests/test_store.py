from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import chain

import pytest
import rdflib
from building import plain_fold, plain_resolve, sample

from kg import rdf, vocab
from kg.errors import QueryError, StoreError
from kg.store import GraphStore, Term

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def quads():
    papers = {vocab.paper_key(found.abstract): found for found in sample()}
    resolution = plain_resolve(papers)
    lines = {k: rdf.paper_quads(k, found, resolution.links[k]) for k, found in papers.items()}
    return lines, rdf.entity_quads(resolution, models=["test/1"], fold=plain_fold)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store") / "graph"
    papers, entities = quads()
    with GraphStore.open(folder, create=True) as store:
        store.apply(papers=papers, entities=entities, model="test/1")
    return folder


@pytest.fixture(scope="module")
def store(folder):
    with GraphStore.open(folder) as store:
        yield store


def nquads(folder):
    with GraphStore.open(folder) as store:
        sink = io.BytesIO()
        store.dump(sink)
        return sink.getvalue().decode().splitlines()


def test_what_is_applied_is_what_is_there(folder):
    papers, entities = quads()
    assert nquads(folder) == sorted([*chain.from_iterable(papers.values()), *entities])


@pytest.mark.parametrize("timeout", [None, 30])
def test_select_sees_all_graphs_and_knows_the_prefixes(store, timeout):
    rows = store.select(
        "SELECT ?e ?l ?n { paper:arxiv:2301.00001 kg:proposes ?e . ?e skos:prefLabel ?l "
        "OPTIONAL { ?e kg:venue ?n } }",
        timeout=timeout,
    )
    assert rows.columns == ("e", "l", "n")
    assert rows.rows == [
        (
            Term("iri", "https://kg.example/id/method/lanternnet"),
            Term("literal", "LanternNet", str(rdflib.RDF.langString), "en"),
            None,
        )
    ]


@pytest.mark.parametrize("timeout", [None, 30])
def test_limit_ask_and_forms(store, timeout):
    assert len(store.select("SELECT * { ?s ?p ?o }", limit=7, timeout=timeout).rows) == 7
    assert store.ask("ASK { ?p kg:proposes method:lanternnet }", timeout=timeout)
    assert not store.ask("ASK { ?p kg:proposes task:nothing }", timeout=timeout)
    with pytest.raises(QueryError, match="a SELECT is needed"):
        store.select("ASK {}", timeout=timeout)
    with pytest.raises(QueryError, match="an ASK is needed"):
        store.ask("SELECT * {}", timeout=timeout)


@pytest.mark.parametrize("timeout", [None, 30])
def test_construct_is_sorted_and_shortened(store, timeout):
    sink = io.BytesIO()
    query = "CONSTRUCT { ?p kg:proposes ?e } WHERE { ?p kg:proposes ?e }"
    assert store.construct(query, sink, format="turtle", timeout=timeout) == 4
    text = sink.getvalue().decode()
    assert "paper:arxiv:2301.00001 kg:proposes method:lanternnet ." in text
    assert "@prefix void:" not in text
    graph = rdflib.Graph().parse(data=text, format="turtle")
    assert len(graph) == 4
    with pytest.raises(QueryError, match="'doc' is no RDF format"):
        store.construct(query, sink, format="doc")


def test_rows_in_the_formats_of_the_w3c(store):
    query = "SELECT ?l { ?e skos:prefLabel ?l FILTER(STRSTARTS(?l, 'Quiz')) }"
    answers = {}
    for name in ("csv", "tsv", "json", "xml"):
        sink = io.BytesIO()
        store.write_rows(query, sink, format=name)
        answers[name] = sink.getvalue().decode()
    assert answers["csv"].split() == ["l", "QuizBowl", "&", "co"]
    assert '"QuizBowl & co"@en' in answers["tsv"]
    assert json.loads(answers["json"])["results"]["bindings"][0]["l"]["value"] == "QuizBowl & co"
    assert "QuizBowl &amp; co" in answers["xml"]
    with pytest.raises(QueryError, match="no format for rows"):
        store.write_rows(query, io.BytesIO(), format="gif")


@pytest.mark.parametrize("timeout", [None, 30])
def test_syntax_error_shows_line_column_and_place(store, timeout):
    with pytest.raises(QueryError) as caught:
        store.select("SELECT ?x\nWHERE { ?x kg:proposes }", timeout=timeout)
    first, line, mark = str(caught.value).splitlines()
    assert first.startswith("line 2, column 24: ")
    assert line.strip() == "WHERE { ?x kg:proposes }"
    assert mark.index("^") - line.index("W") == 23


def test_a_query_that_takes_too_long_is_stopped_and_the_next_one_is_answered(store):
    start = time.monotonic()
    with pytest.raises(QueryError, match=r"stopped after 0\.5 s"):
        store.select(SLOW, timeout=0.5)
    assert time.monotonic() - start < 10
    assert store.ask("ASK { ?s ?p ?o }", timeout=30)


def test_a_child_that_dies_is_an_error_of_the_query(store):
    assert store.ask("ASK { ?s ?p ?o }", timeout=30)
    child = store._asker._process
    thread = threading.Timer(0.5, lambda: os.kill(child.pid, signal.SIGKILL))
    thread.start()
    with pytest.raises(QueryError, match="process died"):
        store.select(SLOW, timeout=60)
    thread.join()
    assert store.ask("ASK { ?s ?p ?o }", timeout=30)


def test_closing_ends_the_child(folder):
    with GraphStore.open(folder) as store:
        store.ask("ASK {}", timeout=30)
        child = store._asker._process
        assert child.poll() is None
    assert child.poll() is not None


def test_rdflib_is_the_same_store(store):
    dataset = store.rdflib()
    found = dataset.query("SELECT ?e { ?p kg:proposes ?e }")
    assert len(list(found)) == 4
    graphs = {str(g.identifier) for g in dataset.graphs()} - {"urn:x-rdflib:default"}
    assert len(graphs) == 7
    paper = rdflib.URIRef("https://kg.example/id/paper/arxiv:2301.00001")
    assert (paper, vocab.KG.proposes, None) in dataset.graph(paper)
    for write in (
        lambda: dataset.add((paper, vocab.KG.uses, paper)),
        lambda: dataset.graph(paper).remove((None, None, None)),
        lambda: dataset.update("DELETE WHERE { ?s ?p ?o }"),
        lambda: dataset.remove_graph(paper),
    ):
        with pytest.raises(StoreError, match="for reading"):
            write()
    assert dataset.namespace_manager.normalizeUri(vocab.KG.proposes) == "kg:proposes"


def test_union_is_every_triple_once(store):
    triples = store.select("SELECT (COUNT(*) AS ?n) { SELECT DISTINCT * { ?s ?p ?o } }").rows[0][0]
    assert len(list(store.union())) == int(triples.value)


def test_replace_and_remove(tmp_path):
    papers, entities = quads()
    first, second, *others = papers
    with GraphStore.open(tmp_path / "g", create=True) as store:
        store.apply(papers=papers, entities=entities)
        changed = [papers[first][0]]
        store.apply(papers={first: changed}, removed=[second], entities=entities[:10])
        assert store.description.generation == 2
        assert not store.ask(f"ASK {{ GRAPH <{vocab.paper_iri(second)}> {{ ?s ?p ?o }} }}")
    left = sorted([*chain.from_iterable(papers[key] for key in others), *changed, *entities[:10]])
    assert nquads(tmp_path / "g") == left
    assert [path.name for path in (tmp_path / "g" / "generations").iterdir()] == ["2"]


def test_readers_beside_a_writer(tmp_path):
    papers, entities = quads()
    first, *_ = papers
    query = "SELECT * { ?p a kg:Paper }"
    with GraphStore.open(tmp_path / "g", create=True) as writer:
        writer.apply(papers=papers, entities=entities)
        with GraphStore.open(tmp_path / "g") as reader, GraphStore.open(tmp_path / "g") as other:
            writer.apply(removed=[first])
            assert len(reader.select(query).rows) == 6
            assert len(reader.select(query, timeout=30).rows) == 6
            assert other.refresh()
            assert not other.refresh()
            assert len(other.select(query).rows) == 5
            assert len(other.select(query, timeout=30).rows) == 5
            writer.apply(entities=[])
            held = {path.name for path in (tmp_path / "g" / "generations").iterdir()}
            assert held == {"1", "2", "3"}
        writer.apply(entities=entities)
        assert [path.name for path in (tmp_path / "g" / "generations").iterdir()] == ["4"]


def test_a_second_writer_is_told_who_writes(tmp_path):
    with GraphStore.open(tmp_path / "g", create=True):
        script = (
            "import sys; from kg.store import GraphStore; from kg.errors import StoreError\n"
            "try: GraphStore.open(sys.argv[1], write=True)\n"
            "except StoreError as error: print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "g")],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert f"is being written by process {os.getpid()} on " in done.stdout
        assert len(done.stdout.splitlines()) == 1
    with GraphStore.open(tmp_path / "g", write=True):
        pass


def test_open_for_reading_cannot_write(folder):
    with GraphStore.open(folder) as store, pytest.raises(StoreError, match="reading only"):
        store.apply(removed=["x"])


def test_no_graph(tmp_path):
    for write in (False, True):
        with pytest.raises(StoreError, match=r"no graph in .*kg build"):
            GraphStore.open(tmp_path / "nothing", write=write)
    assert not (tmp_path / "nothing").exists()


def test_an_empty_graph_answers(tmp_path):
    with GraphStore.open(tmp_path / "g", create=True) as store:
        assert store.select("SELECT * { ?s ?p ?o }", timeout=5).rows == []
        sink = io.BytesIO()
        store.dump(sink)
        assert sink.getvalue() == b""


def test_the_base_stays(tmp_path):
    with GraphStore.open(tmp_path / "g", create=True, base="https://x.org/g") as store:
        assert store.base == "https://x.org/g/"
    with pytest.raises(StoreError, match=r"has the base 'https://x.org/g/', not 'https://y.org/'"):
        GraphStore.open(tmp_path / "g", write=True, base="https://y.org/")
    with GraphStore.open(tmp_path / "g", write=True) as store:
        assert store.prefixes["kgr"] == "https://x.org/g/id/"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "written by a newer kg"),
        ({"format": 0}, "written by an older kg"),
        ({"generation": "x"}, "damaged"),
        ({"base": 5}, "damaged"),
        ({"generation": 7}, "damaged.*generation 7 is missing"),
    ],
)
def test_another_or_a_broken_description(tmp_path, change, message):
    with GraphStore.open(tmp_path / "g", create=True) as store:
        store.apply(entities=quads()[1])
    path = tmp_path / "g" / "kg.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    for write in (False, True):
        with pytest.raises(StoreError, match=message):
            GraphStore.open(tmp_path / "g", write=write)
    # and nothing was thrown away
    assert (tmp_path / "g" / "generations" / "1").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', "\x00"])
def test_a_description_that_is_none(tmp_path, text):
    (tmp_path / "kg.json").write_text(text)
    with pytest.raises(StoreError, match="damaged"):
        GraphStore.open(tmp_path)


@pytest.mark.parametrize("pattern", ["CURRENT", "MANIFEST-*"])
def test_a_damaged_store_is_said_to_be(tmp_path, pattern):
    with GraphStore.open(tmp_path / "g", create=True) as store:
        store.apply(entities=quads()[1])
    for path in (tmp_path / "g" / "generations" / "1" / "oxigraph").glob(pattern):
        path.write_bytes(b"nonsense")
    with pytest.raises(StoreError, match=r"damaged.*build again"):
        GraphStore.open(tmp_path / "g")


def test_a_write_that_fails_leaves_the_graph(tmp_path):
    papers, entities = quads()

    def full(_):
        raise OSError(28, "No space left on device")

    with GraphStore.open(tmp_path / "g", create=True) as store:
        store.apply(papers=papers, entities=entities)
        with pytest.raises(StoreError, match=r"No space left.*as it was"):
            store.apply(removed=list(papers), attach=full)
        assert store.ask("ASK { ?p a kg:Paper }")
        store.apply(entities=entities)
    assert nquads(tmp_path / "g") == sorted([*chain.from_iterable(papers.values()), *entities])


def test_half_written_generations_are_swept(tmp_path):
    with GraphStore.open(tmp_path / "g", create=True) as store:
        store.apply(entities=quads()[1])
    (tmp_path / "g" / "generations" / "2" / "oxigraph").mkdir(parents=True)
    with GraphStore.open(tmp_path / "g", write=True):
        assert [path.name for path in (tmp_path / "g" / "generations").iterdir()] == ["1"]
