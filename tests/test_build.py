from __future__ import annotations

import io
import logging
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest
from building import extraction, extractor, plain_resolve, sample
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.build import build_graph, remove_papers
from kg.build.cache import Cache
from kg.errors import InputError, StoreError
from kg.records import Abstract, Skipped
from kg.resolve import Curation, Decision
from kg.store import GraphStore

ONE = "SELECT * { ?p a kg:Paper }"


def nquads(folder):
    with GraphStore.open(folder) as store:
        sink = io.BytesIO()
        store.dump(sink)
        return sink.getvalue()


def build(folder, found, **options):
    """A build of extractions whose texts the stand-in extractor knows."""
    options = {"extract": extractor(found), "model": "test/1", "resolve": plain_resolve} | options
    return build_graph([one.abstract for one in found], folder, **options)


def remove(names, folder, **options):
    return remove_papers(names, folder, resolve=plain_resolve, **options)


def counting(found, read):
    """The stand-in extractor; notes in `read` what it was asked to read."""

    def extract(abstracts):
        def noted():
            for abstract in abstracts:
                read[abstract.document] += 1
                yield abstract

        yield from extractor(found)(noted())

    return extract


def test_a_build_and_what_it_reports(tmp_path):
    report = build(tmp_path / "g", sample())
    assert (report.new, report.unchanged, report.replaced, report.removed) == (6, 0, 0, 0)
    with GraphStore.open(tmp_path / "g") as store:
        assert len(store.select(ONE).rows) == 6
        assert len(store.select("SELECT * { ?e skos:prefLabel ?l }").rows) == report.entities
        assert len(store.select("SELECT * { ?s a kg:Statement }").rows) == report.edges
        assert store.description.model == "test/1"


def test_the_seconds_of_the_stages_add_up_and_the_model_has_its_own(tmp_path):
    def slowly(abstracts):
        for one in extractor(sample())(abstracts):
            time.sleep(0.1)
            yield one

    report = build(tmp_path / "g", sample(), extract=slowly)
    spent = report.stages
    parts = [spent.reading, spent.extraction, spent.resolving, spent.writing]
    assert sum(parts) == pytest.approx(report.seconds)
    assert min(parts) > 0
    assert spent.extraction >= 0.6
    again = build(tmp_path / "g", sample(), extract=slowly)
    assert again.stages.extraction < 0.6


def test_the_same_again_changes_nothing_and_reads_nothing(tmp_path):
    read = Counter()
    build(tmp_path / "g", sample(), extract=counting(sample(), read))
    before = nquads(tmp_path / "g")
    generation = (tmp_path / "g" / "kg.json").read_bytes()
    report = build(tmp_path / "g", sample(), extract=counting(sample(), read))
    assert (report.new, report.unchanged, report.replaced) == (0, 6, 0)
    assert nquads(tmp_path / "g") == before
    assert (tmp_path / "g" / "kg.json").read_bytes() == generation
    assert set(read.values()) == {1}


def test_only_what_differs_is_written(tmp_path, monkeypatch):
    written = []
    apply = GraphStore.apply

    def noting(self, *, papers=(), **options):
        pairs = list(papers)
        written.append([key for key, _ in pairs])
        apply(self, papers=pairs, **options)

    monkeypatch.setattr(GraphStore, "apply", noting)
    build(tmp_path / "g", sample()[:5])
    build(tmp_path / "g", sample()[5:])
    assert len(written[0]) == 5
    assert len(written[1]) == 1


def test_skipped_records_are_named_and_do_not_stop_a_build(tmp_path):
    found = sample()
    gap = Skipped("papers.jsonl:3", "no abstract")
    empty = Abstract("x", "A title", " \n", source="papers.jsonl:9")
    report = build_graph(
        [gap, found[0].abstract, empty, found[1].abstract], tmp_path / "g",
        extract=extractor(found), model="test/1", resolve=plain_resolve,
    )  # fmt: skip
    assert report.new == 2
    assert report.skipped == (gap, Skipped("papers.jsonl:9", "no abstract"))


def test_a_changed_paper_is_replaced(tmp_path):
    old = sample()[1]
    new = extraction(
        "[BeaconNet|e1] for long documents", "[BeaconNet|e1] now reads [maps|e2].",
        "e1 Method proposes, e2 Task addresses", "e1 usedFor e2", id="beacon", year=2024,
        identifiers=("doi:10.5555/beacon.1",),
    )  # fmt: skip
    build(tmp_path / "g", sample())
    report = build(tmp_path / "g", [new])
    assert (report.new, report.unchanged, report.replaced, report.removed) == (0, 0, 1, 0)
    build(tmp_path / "fresh", [new if one == old else one for one in sample()])
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")


@pytest.mark.parametrize(
    "name",
    [
        "https://kg.example/id/paper/doi:10.5555%2Fbeacon.1",
        "doi:10.5555/beacon.1",
        "DOI:10.5555/BEACON.1",
        "https://doi.org/10.5555/beacon.1",
        "beacon",
    ],
)
def test_remove_by_any_name(tmp_path, name):
    build(tmp_path / "g", sample())
    report = remove([name], tmp_path / "g")
    assert (report.removed, report.new) == (1, 0)
    build(tmp_path / "fresh", [one for one in sample() if one.abstract.id != "beacon"])
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")
    with GraphStore.open(tmp_path / "g") as store:
        assert not store.ask("ASK { dataset:paperpile-9 ?p ?o }")
        assert not store.ask('ASK { ?e skos:prefLabel "PaperPile-9"@en }')


def test_remove_of_a_name_that_none_or_several_bear_touches_nothing(tmp_path):
    twice = [
        sample()[0],
        replace(sample()[1], abstract=replace(sample()[1].abstract, id="lantern")),
    ]
    build(tmp_path / "g", twice)
    before = nquads(tmp_path / "g")
    with pytest.raises(InputError, match="no paper is called 'nobody'"):
        remove(["doi:10.5555/beacon.1", "nobody"], tmp_path / "g")
    with pytest.raises(InputError, match=r"several papers.*arxiv:2301.*beacon"):
        remove(["lantern"], tmp_path / "g")
    assert nquads(tmp_path / "g") == before


def test_remove_where_there_is_no_graph(tmp_path):
    with pytest.raises(StoreError, match="no graph in"):
        remove(["x"], tmp_path / "g")


def test_all_papers_can_go(tmp_path):
    build(tmp_path / "g", sample())
    remove([one.abstract.id for one in sample()], tmp_path / "g")
    with GraphStore.open(tmp_path / "g") as store:
        assert not store.ask("ASK { ?s ?p ?o }")
    build(tmp_path / "g", sample())
    build(tmp_path / "fresh", sample())
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")


def test_two_sources_make_one_paper_with_both_identifiers(tmp_path):
    first = sample()[0]
    shouted = replace(
        first.abstract, id="S2-77", title=first.abstract.title.upper(),
        abstract=first.abstract.abstract.replace(" ", "  "), identifiers=("doi:10.5555/lantern",),
    )  # fmt: skip
    second = replace(first, abstract=shouted, entities=(), relations=())
    for order in ([first, second], [second, first]):
        build(tmp_path / order[0].abstract.id, order)
    assert nquads(tmp_path / "lantern") == nquads(tmp_path / "S2-77")
    build(tmp_path / "later", [first])
    report = build(tmp_path / "later", [second])
    assert nquads(tmp_path / "later") == nquads(tmp_path / "lantern")
    assert report.new + report.replaced == 1
    with GraphStore.open(tmp_path / "later") as store:
        rows = store.select("SELECT ?p ?i { ?p a kg:Paper ; dcterms:identifier ?i }").rows
        assert {row[0].value for row in rows} == {
            "https://kg.example/id/paper/doi:10.5555%2Flantern"
        }
        assert {row[1].value for row in rows} == {
            "arxiv:2301.00001", "doi:10.5555/lantern", "lantern", "S2-77",
        }  # fmt: skip
        assert store.ask("ASK { paper:arxiv:2301.00001 dcterms:isReplacedBy ?p . ?p a kg:Paper }")


def test_another_model_reads_everything_again_and_says_so(tmp_path, caplog):
    read = Counter()
    build(tmp_path / "g", sample())
    newer = [replace(one, model="test/2") for one in sample()]
    with caplog.at_level(logging.WARNING):
        build(tmp_path / "g", newer[:1], model="test/2", extract=counting(newer, read))
    assert "the model changed from test/1 to test/2: all 6 papers are read again" in caplog.text
    assert sum(read.values()) == 6
    build(tmp_path / "fresh", newer, model="test/2")
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")


def test_the_cache_can_be_deleted(tmp_path):
    read = Counter()
    build(tmp_path / "g", sample())
    before = nquads(tmp_path / "g")
    for path in (tmp_path / "g").glob("extractions.sqlite*"):
        path.unlink()
    build(tmp_path / "g", sample()[:1], extract=counting(sample(), read))
    assert sum(read.values()) == 6
    assert nquads(tmp_path / "g") == before


@pytest.mark.parametrize("damage", [b"", b"no database at all, whatever its name says" * 100])
def test_a_broken_cache_is_made_anew(tmp_path, damage, caplog):
    build(tmp_path / "g", sample())
    before = nquads(tmp_path / "g")
    (tmp_path / "g" / "extractions.sqlite").write_bytes(damage)
    build(tmp_path / "g", sample())
    assert nquads(tmp_path / "g") == before
    assert ("made anew" in caplog.text) == bool(damage)


@pytest.mark.parametrize(
    "code",
    [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_CANTOPEN,
     sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY],
)  # fmt: skip
def test_a_disk_that_fails_costs_no_cache(tmp_path, monkeypatch, code):
    build(tmp_path / "g", sample())
    kept = (tmp_path / "g" / "extractions.sqlite").read_bytes()

    def fails(*_args, **_more):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr("kg.build.cache.sqlite3.connect", fails)
    with (
        pytest.raises(StoreError, match="run the same command again"),
        Cache.open(tmp_path / "g" / "extractions.sqlite"),
    ):
        pass
    assert (tmp_path / "g" / "extractions.sqlite").read_bytes() == kept


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8])
def test_damage_within_the_cache_is_said_of_the_cache(tmp_path, at):
    path = tmp_path / "extractions.sqlite"
    with Cache.open(path):
        pass
    with closing(sqlite3.connect(path)) as db, db:
        rows = [(f"{i:064}", "m", b"x" * 500) for i in range(400)]
        db.executemany("INSERT INTO extraction VALUES (?, ?, ?)", rows)
    whole = path.read_bytes()
    start = int(len(whole) * at) // 4096 * 4096
    path.write_bytes(whole[:start] + b"\xa5" * 20_000 + whole[start + 20_000 :])
    with (
        pytest.raises(StoreError, match=r"extractions\.sqlite' is damaged .*delete that file"),
        Cache.open(path) as cache,
    ):
        assert all((f"{i:064}", "m") in cache for i in range(400))


def test_a_damaged_extraction_is_named(tmp_path):
    build(tmp_path / "g", sample())
    before = nquads(tmp_path / "g")
    with closing(sqlite3.connect(tmp_path / "g" / "extractions.sqlite")) as db, db:
        db.execute("UPDATE extraction SET body = substr(body, 3)")
    with pytest.raises(StoreError, match=r"damaged in 'extractions.sqlite'.*delete that file"):
        build(tmp_path / "g", sample())
    assert nquads(tmp_path / "g") == before


def test_a_full_disk_costs_no_ledger(tmp_path, monkeypatch):
    build(tmp_path / "g", sample())
    before = nquads(tmp_path / "g")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kg.build.ledger.shutil.copyfile", full)
    with pytest.raises(StoreError, match=r"No space left.*run the same command again"):
        build(tmp_path / "g", sample())
    assert nquads(tmp_path / "g") == before


def test_a_broken_ledger_is_an_error_and_the_graph_stays(tmp_path):
    build(tmp_path / "g", sample())
    before = nquads(tmp_path / "g")
    (tmp_path / "g" / "generations" / "1" / "papers.sqlite").write_bytes(b"nonsense" * 1000)
    with pytest.raises(StoreError, match="damaged"):
        build(tmp_path / "g", sample())
    assert nquads(tmp_path / "g") == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_extraction_goes_on_where_it_was(tmp_path, error):
    read = Counter()
    found = sample()

    def breaks(abstracts):
        for number, one in enumerate(counting(found, read)(abstracts)):
            if number == 4:
                raise error
            yield one

    with pytest.raises(error):
        build(tmp_path / "g", found, extract=breaks)
    with GraphStore.open(tmp_path / "g") as store:
        assert store.select(ONE).rows == []
    build(tmp_path / "g", found, extract=counting(found, read))
    assert sum(read.values()) == 7  # the one that was being read is read again
    build(tmp_path / "fresh", found)
    assert nquads(tmp_path / "g") == nquads(tmp_path / "fresh")


def test_a_failing_resolution_leaves_the_graph(tmp_path):
    build(tmp_path / "g", sample()[:3])
    before = nquads(tmp_path / "g")

    def fails(papers, *, curation):
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        build(tmp_path / "g", sample(), resolve=fails)
    assert nquads(tmp_path / "g") == before
    names = {path.name for path in (tmp_path / "g").iterdir()}
    assert names == {"kg.json", "generations", "extractions.sqlite", "lock"}


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("kg.build.cache.Cache.put", full)
    with pytest.raises(StoreError, match=r"disk is full.*run the same command again"):
        build(tmp_path / "g", sample())


def test_curation_is_handed_to_resolve(tmp_path):
    seen = []

    def notes(papers, *, curation):
        seen.append(curation)
        return plain_resolve(papers)

    curation = Curation((Decision("drop", ("GateRNN",), "", "", "entry 1"),))
    build(tmp_path / "g", sample(), resolve=notes, curation=curation)
    assert seen == [curation]


def test_progress_counts_the_records(tmp_path):
    steps = []
    build(tmp_path / "g", sample()[:2], progress=steps.append)
    build(tmp_path / "g", sample(), progress=steps.append)
    assert sum(steps) == 2 + 6


def test_hostile_text_comes_through(tmp_path):
    text = "a\x00b \ud800 \u202egpj.exe </script> \"q\" \\u0041 'x' {?s ?p ?o}"
    hostile = Abstract("../../etc/passwd", "<>\"{}|^`\\", text, ("\x07",), "\x1b[31m", 2020,
                       ("doi:10.1/../../x y<z>",), "javascript:alert(1)")  # fmt: skip
    bare = replace(extraction("", "x [y|e1]", "e1 Method uses"), entities=(), relations=())

    def reads(abstracts):
        return (replace(bare, abstract=abstract) for abstract in abstracts)

    build_graph([hostile], tmp_path / "g", extract=reads, model="m <>", resolve=plain_resolve)
    with GraphStore.open(tmp_path / "g") as store:
        ((stored,),) = store.select("SELECT ?t { ?p dcterms:abstract ?t }").rows
        assert stored.value == text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
        ((paper,),) = store.select(ONE).rows
        assert paper.value.startswith("https://kg.example/id/paper/doi:10.1%2F")
    assert {path.name for path in tmp_path.iterdir()} == {"g"}


POOL = [*sample(), *(
    extraction(title, text, "e1 Method proposes, e2 Task addresses", "e1 usedFor e2",
               id=name, identifiers=identifiers)
    for title, text, name, identifiers in [
        ("One paper", "[Foo|e1] does [bar|e2].", "1", ("doi:10.1/1",)),
        ("One paper", "[Foo|e1] does [baz|e2] now.", "1", ("doi:10.1/1",)),
        ("ONE PAPER", "[Foo|e1]  does [bar|e2].", "1b", ("arxiv:2401.00001",)),
        ("Two of them", "[FOO|e1] does [bar|e2] in a second paper.", "2", ()),
        ("Two of them", "[FOO|e1] does [bar|e2] in a second paper, revised.", "2", ()),
    ]
)]  # fmt: skip
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sets(st.integers(0, len(POOL) - 1), min_size=1, max_size=4)),
        st.tuples(st.just("remove"), st.integers(0, len(POOL) - 1)),
    ),
    max_size=6,
)


@settings(max_examples=12, deadline=None)
@given(STEPS, st.randoms())
def test_any_history_gives_the_graph_of_a_build_from_scratch(tmp_path_factory, steps, random):
    from kg.build.identity import cleaned, handle

    folder = tmp_path_factory.mktemp("history")
    held = {}  # record → its extraction, in the version given last
    with_papers = False
    for step, what in steps:
        if step == "add":
            chosen = [POOL[number] for number in sorted(what)]
            random.shuffle(chosen)
            build(folder / "g", chosen, extract=extractor(POOL))
            held |= {handle(cleaned(one.abstract)).record: one for one in chosen}
            with_papers = True
        elif with_papers:
            name = POOL[what].abstract.id
            try:
                remove([name], folder / "g", extract=extractor(POOL))
            except InputError:
                continue
            rest = build_rest(folder / "g")
            held = {record: one for record, one in held.items() if record in rest}
    final = list(held.values())
    random.shuffle(final)
    build(folder / "fresh", final, extract=extractor(POOL))
    if with_papers:
        assert nquads(folder / "g") == nquads(folder / "fresh")


def build_rest(folder):
    """The records that the graph's ledger still has."""
    with GraphStore.open(folder) as store:
        path = store.generation_file("papers.sqlite")
        with sqlite3.connect(path) as ledger:
            rows = ledger.execute("SELECT record FROM record").fetchall()
        ledger.close()
    return {record for (record,) in rows}
