"""Curation, vocabulary and least confidence: kept with the graph, and gone without a trace."""

from __future__ import annotations

import io
import logging
from collections import Counter

import pytest
from building import extraction, extractor, sample
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.build import build_graph, remove_papers, suggest_curation
from kg.errors import InputError, StoreError
from kg.resolve import Concept, Curation, read_vocabulary
from kg.resolve.curation import parse_curation
from kg.store import GraphStore
from kg.validate import validate

MERGED = parse_curation('merge = [{ names = ["GateRNN", "LanternNet"] }]')
RENAMED = parse_curation(
    'rename = [{ name = "GateRNN", to = "Gated RNN" }]\ndrop = [{ name = "regret" }]'
)
TREE = (
    Concept("https://v.example/mt", ("Machine Translation",), ("https://v.example/nlp",)),
    Concept("https://v.example/nlp", ("language processing",)),
)
BLEU = (Concept("https://v.example/bleu", ("BLEU score", "BLEU")),)
NOTHING = {"curation": Curation(()), "vocabulary": (), "min_confidence": 0.0}


def nquads(folder):
    with GraphStore.open(folder) as store:
        sink = io.BytesIO()
        store.dump(sink)
        return sink.getvalue()


def build(folder, found, **options):
    return build_graph(
        [one.abstract for one in found], folder, extract=extractor(sample()), model="test/1",
        **options,
    )  # fmt: skip


def fresh(tmp_path, found, **options):
    """The graph of a build from scratch."""
    folder = tmp_path / f"fresh{len(list(tmp_path.iterdir()))}"
    build(folder, found, **options)
    return nquads(folder)


@pytest.mark.parametrize(
    "options",
    [
        {"curation": MERGED},
        {"curation": RENAMED},
        {"vocabulary": TREE},
        {"min_confidence": 0.8},
        {"curation": RENAMED, "vocabulary": (*TREE, *BLEU), "min_confidence": 0.75},
    ],
    ids=["merge", "rename and drop", "vocabulary", "confidence", "all"],
)
def test_settings_hold_until_they_are_taken_away(tmp_path, options):
    plain = fresh(tmp_path, sample())
    made = fresh(tmp_path, sample(), **options)
    assert made != plain
    graph = tmp_path / "g"
    build(graph, sample()[:4], **options)
    build(graph, sample()[4:])
    assert nquads(graph) == made
    remove_papers(["lantern"], graph)
    assert nquads(graph) == fresh(tmp_path, sample()[1:], **options)
    build(graph, sample()[:1], **NOTHING)
    assert nquads(graph) == plain


def test_settings_of_a_graph_that_is_there_are_applied_to_all_of_it(tmp_path):
    build(tmp_path / "g", sample())
    report = build(tmp_path / "g", sample()[:1], curation=MERGED, vocabulary=TREE)
    assert report.unchanged == 1
    assert nquads(tmp_path / "g") == fresh(tmp_path, sample(), curation=MERGED, vocabulary=TREE)
    generation = (tmp_path / "g" / "kg.json").read_bytes()
    build(tmp_path / "g", sample()[:1], curation=MERGED)
    assert (tmp_path / "g" / "kg.json").read_bytes() == generation


def test_what_is_kept_is_said(tmp_path, caplog):
    with caplog.at_level(logging.INFO):
        build(tmp_path / "g", sample()[:2], curation=RENAMED, vocabulary=TREE, min_confidence=0.5)
        assert "still holds" not in caplog.text
        remove_papers(["lantern"], tmp_path / "g")
    assert "curation of an earlier build still holds (2 decisions)" in caplog.text
    assert "vocabulary of an earlier build still holds (2 concepts)" in caplog.text
    assert "less sure than 0.5 is left out as in an earlier build" in caplog.text


def test_a_decision_without_an_object_is_reported_and_kept(tmp_path):
    first = build(tmp_path / "g", sample()[:3], curation=RENAMED)
    assert [note.source for note in first.notes] == ["curation.toml: drop 1"]
    assert "'regret'" in first.notes[0].reason
    assert build(tmp_path / "g", sample()[3:]).notes == ()


def test_links_lead_to_the_concepts_of_names_and_pass_the_shapes(tmp_path):
    report = build(tmp_path / "g", sample(), vocabulary=(*TREE, *BLEU))
    assert report.links == 3
    assert build(tmp_path / "plain", sample()).links is None
    with GraphStore.open(tmp_path / "g") as store:
        rows = store.select(
            "SELECT ?e ?c { ?e skos:exactMatch|skos:broadMatch ?c } ORDER BY ?c"
        ).rows
        assert [(e.value.rpartition("/id/")[2], c.value) for e, c in rows] == [
            ("metric/bleu", "https://v.example/bleu"),
            ("task/machine-translation", "https://v.example/mt"),
            ("task/machine-translation", "https://v.example/nlp"),
        ]
        assert list(validate(store)) == []


def test_what_the_model_read_is_not_read_again_for_another_confidence(tmp_path):
    read = Counter()

    def counting(abstracts):
        for found in extractor(sample())(abstracts):
            read[found.abstract.id] += 1
            yield found

    for least in (0.75, 0.85, 0.95, 0.0):
        build_graph(
            [one.abstract for one in sample()], tmp_path / "g",
            extract=counting, model="test/1", min_confidence=least,
        )  # fmt: skip
    assert set(read.values()) == {1}
    assert nquads(tmp_path / "g") == fresh(tmp_path, sample())


@pytest.mark.parametrize("least", [-0.1, 1.5, float("nan")])
def test_a_confidence_that_is_none_is_refused_and_nothing_is_written(tmp_path, least):
    with pytest.raises(InputError, match="give 0 to 1"):
        build(tmp_path / "g", sample(), min_confidence=least)
    with GraphStore.open(tmp_path / "g") as store:
        assert not store.ask("ASK { ?s ?p ?o }")


def test_several_vocabulary_files_speak_of_one_concept(tmp_path):
    head = (
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix v: <https://v.example/> .\n"
    )
    (tmp_path / "a.ttl").write_text(head + 'v:a skos:prefLabel "Alpha" ; skos:broader v:b .')
    (tmp_path / "b.ttl").write_text(
        head + 'v:b skos:prefLabel "Beta" . v:a skos:altLabel "First" .'
    )
    assert read_vocabulary(tmp_path / "a.ttl", tmp_path / "b.ttl") == (
        Concept("https://v.example/a", ("Alpha", "First"), ("https://v.example/b",)),
        Concept("https://v.example/b", ("Beta",)),
    )


NEAR = [
    extraction(f"Paper {n}", f"We study [{name}|e1].", "e1 Method studies", id=f"n{n}")
    for n, name in enumerate(["spectral clusterng", "spectral clustering", "Spectral clustering"])
]


def near(folder, **options):
    build_graph(
        [one.abstract for one in NEAR], folder, extract=extractor(NEAR), model="test/1", **options
    )


def test_suggestions_come_from_the_graph_and_are_accepted_by_a_build(tmp_path):
    near(tmp_path / "g")
    before = nquads(tmp_path / "g")
    text = suggest_curation(tmp_path / "g")
    assert "clusterng" in text
    assert nquads(tmp_path / "g") == before
    near(tmp_path / "g", curation=parse_curation(text.replace("# { names", "{ names")))
    with GraphStore.open(tmp_path / "g") as store:
        assert len(store.select("SELECT * { ?e a kg:Method }").rows) == 1
    # what is decided is not asked again
    assert "clusterng" not in suggest_curation(tmp_path / "g")
    near(tmp_path / "g", curation=Curation(()))
    assert nquads(tmp_path / "g") == before


def test_suggestions_need_what_the_model_read(tmp_path):
    near(tmp_path / "g")
    for path in (tmp_path / "g").glob("extractions.sqlite*"):
        path.unlink()
    with pytest.raises(StoreError, match="run `kg build`"):
        suggest_curation(tmp_path / "g")
    build(tmp_path / "empty", [])
    with pytest.raises(StoreError, match="holds no paper"):
        suggest_curation(tmp_path / "empty")


CHOICES = {
    "curation": [None, Curation(()), MERGED, RENAMED],
    "vocabulary": [None, (), TREE, BLEU],
    "min_confidence": [None, 0.0, 0.75, 0.85],
}
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove"]),
        st.integers(0, 5),
        st.fixed_dictionaries({name: st.sampled_from(some) for name, some in CHOICES.items()}),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=10, deadline=None)
@given(STEPS)
def test_any_history_of_settings_gives_the_graph_of_a_build_from_scratch(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("settings")
    held, made_by = {}, dict(NOTHING)
    for step, number, options in steps:
        one = sample()[number]
        if step == "add":
            build(folder / "g", [one], **options)
            held[number] = one
        elif number in held:
            del options["min_confidence"]
            remove_papers([one.abstract.id], folder / "g", **options)
            del held[number]
        else:
            continue
        made_by |= {name: value for name, value in options.items() if value is not None}
    build(folder / "fresh", held.values(), **made_by)
    if (folder / "g").exists():
        assert nquads(folder / "g") == nquads(folder / "fresh")
