from __future__ import annotations

import re
from dataclasses import replace

import pyoxigraph as ox
import pytest
from building import extraction, plain_fold, plain_resolve, sample
from hypothesis import given
from hypothesis import strategies as st

from kg import rdf, vocab
from kg.records import Abstract, Entity, Extraction, Merge, Resolution

KG = vocab.BASE + "ontology#"
ID = vocab.BASE + "id/"


def graph_of(found: Extraction, **options: object) -> ox.Store:
    key = vocab.paper_key(found.abstract)
    links = plain_resolve({key: found}).links.get(key, {})
    return loaded(rdf.paper_quads(key, found, options.pop("links", links), **options))


def loaded(lines: list[str]) -> ox.Store:
    store = ox.Store()
    store.load("\n".join(lines).encode(), ox.RdfFormat.N_QUADS)
    return store


def asked(store: ox.Store, columns: str, where: str) -> list[tuple[str, ...]]:
    answer = store.query(
        f"SELECT {columns} {{ {where} }}",
        prefixes=vocab.prefixes(),
        use_default_graph_as_union=True,
    )
    return sorted(tuple(value.value for value in row) for row in answer)


def true(store: ox.Store, pattern: str) -> bool:
    return bool(
        store.query(
            f"ASK {{ {pattern} }}", prefixes=vocab.prefixes(), use_default_graph_as_union=True
        )
    )


def test_lines_are_what_oxigraph_writes_back():
    papers = {vocab.paper_key(found.abstract): found for found in sample()}
    resolution = plain_resolve(papers)
    lines = rdf.entity_quads(resolution, models=["test/1"], fold=plain_fold)
    for key, found in papers.items():
        lines += rdf.paper_quads(key, found, resolution.links[key])
    dumped = loaded(lines).dump(format=ox.RdfFormat.N_QUADS).decode()
    assert sorted(dumped.rstrip("\n").split("\n")) == sorted(lines)


ANY = st.text(st.characters(exclude_categories=[]))  # lone surrogates and controls too


@given(ANY, ANY, ANY, ANY)
def test_any_text_makes_lines_that_oxigraph_reads_as_they_are(title, text, name, identifier):
    paper = Abstract(
        name, title, text, (name, text), name, 2020, (f"doi:{identifier}", identifier), text
    )
    key = vocab.paper_key(paper)
    lines = rdf.paper_quads(key, Extraction(paper, (), (), name), {})
    assert all("\n" not in line and "\r" not in line for line in lines)
    store = loaded(lines)
    dumped = store.dump(format=ox.RdfFormat.N_QUADS).decode()
    assert sorted(dumped.rstrip("\n").split("\n")) == lines
    read = {
        q.object.value
        for q in store.quads_for_pattern(None, ox.NamedNode(vocab.iri("dcterms:abstract")), None)
    }
    assert read == {vocab.clean(text)}


@given(ANY, ANY)
def test_any_entity_makes_lines_that_oxigraph_reads_as_they_are(key, name):
    entity = Entity("Task", key, name, (key, name + "x"), ("Task",), (Merge(name, key, key, 0.5),))
    lines = rdf.entity_quads(Resolution((entity,), {}), models=[name], fold=lambda given: given)
    dumped = loaded(lines).dump(format=ox.RdfFormat.N_QUADS).decode()
    assert sorted(dumped.rstrip("\n").split("\n")) == lines


@given(st.floats())
def test_decimal_is_canonical_and_between_0_and_1(number):
    value = rdf.decimal(number)
    dumped = loaded([f"<a:a> <a:b> {value} <a:g> ."]).dump(format=ox.RdfFormat.N_QUADS).decode()
    assert f" {value} " in dumped
    found = re.match(r'"([0-9.]+)"', value)
    assert found
    assert 0 <= float(found[1]) <= 1


def test_a_paper_says_what_the_model_shows():
    found = sample()[0]
    store = graph_of(found)
    paper = "paper:arxiv:2301.00001"
    assert true(store, f"{paper} a kg:Paper, fabio:ResearchPaper")
    assert true(store, f'{paper} dcterms:issued "2023"^^xsd:gYear ; kg:venue "NeurIPS"')
    assert true(store, f'{paper} dcterms:title "{found.abstract.title}"@en')
    assert true(store, f'{paper} dcterms:creator "Ada Minor", "Bo Quill"')
    assert true(store, f'{paper} kg:authors "Ada Minor; Bo Quill"')
    assert true(store, f'{paper} dcterms:identifier "arxiv:2301.00001", "lantern"')
    assert true(store, f"{paper} schema:sameAs <https://arxiv.org/abs/2301.00001>")
    assert true(store, f"{paper} kg:proposes method:lanternnet ; kg:evaluatesOn benchmark:webtalk")
    assert true(store, "method:lanternnet kg:outperforms method:gaternn")
    assert {str(graph) for graph in store.named_graphs()} == {f"<{ID}paper/arxiv:2301.00001>"}


def test_each_edge_has_one_statement_with_its_sentence():
    found = sample()[0]
    store = graph_of(found)
    edges = asked(
        store,
        "?s ?p ?o",
        "?s ?p ?o FILTER(STRSTARTS(STR(?p), STR(kg:)) && ISIRI(?o)) "
        "FILTER NOT EXISTS { ?s a kg:Statement } FILTER NOT EXISTS { ?s a kg:Mention }",
    )
    stated = asked(store, "?s ?p ?o", "[] rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o")
    assert edges == stated
    assert len(edges) == 6 + 5
    document = found.abstract.document
    for evidence, begin, end in asked(
        store, "?x ?y ?z", "[] kg:evidence ?x ; kg:evidenceBegin ?y ; kg:evidenceEnd ?z"
    ):
        assert document[int(begin) : int(end)] == evidence
    ((sentence,),) = asked(store, "?x", "[] rdf:predicate kg:outperforms ; kg:evidence ?x")
    assert sentence.startswith("LanternNet outperforms GateRNN")


def test_roles_have_an_object_mention_only_and_relations_both():
    store = graph_of(sample()[0])
    assert not true(store, "?s rdf:subject ?p ; kg:subjectMention ?m . ?p a kg:Paper")
    assert len(asked(store, "?s ?m", "?s kg:objectMention ?m")) == 11
    assert len(asked(store, "?s ?m", "?s kg:subjectMention ?m")) == 5
    for mention, begin, end in asked(store, "?m ?y ?z", "?m nif:beginIndex ?y ; nif:endIndex ?z"):
        assert mention.endswith(f"#char={begin},{end}")


def test_two_local_entities_that_become_one_keep_the_first_role_and_one_edge():
    found = extraction(
        "",
        "We propose [Foo|e1], a fast [foo|e2]. It beats [Bar|e3]; [foos|e2] beat [bars|e3] too.",
        "e1 Method proposes, e2 Method mentions, e3 Method comparesWith",
        "e1 outperforms e3, e2 outperforms e3, e1 basedOn e2",
    )
    links = {"e1": ("Method", "foo"), "e2": ("Method", "foo"), "e3": ("Method", "bar")}
    store = graph_of(found, links=links)
    assert asked(store, "?r", "?p a kg:Paper ; ?r method:foo") == [(KG + "proposes",)]
    assert len(asked(store, "?s", "?s rdf:predicate kg:outperforms")) == 1
    assert not true(store, "?a kg:basedOn ?b")


def test_what_breaks_the_schema_is_never_written():
    found = extraction(
        "",
        "We evaluate [Foo|e1] on [Maze|e2], trained on [Maze|e2].",
        "e1 Method studies, e2 Benchmark evaluatesOn",
        "e1 evaluatedOn e2, e1 trainedOn e2",
    )
    retyped = {"e1": ("Method", "foo"), "e2": ("Method", "maze")}
    store = graph_of(found, links=retyped)
    assert not true(store, "?a kg:evaluatedOn|kg:trainedOn ?b")
    assert true(store, "?p kg:uses method:maze")
    both = {"e1": ("Method", "foo"), "e2": ("Benchmark", "maze")}
    types = {("Benchmark", "maze"): ("Benchmark", "Dataset")}
    store = graph_of(found, links=both, types=types)
    assert true(store, "method:foo kg:evaluatedOn benchmark:maze ; kg:trainedOn benchmark:maze")
    assert true(store, "?p kg:evaluatesOn benchmark:maze")


def test_a_dropped_entity_leaves_no_trace():
    found = sample()[0]
    store = graph_of(found, links={"e1": ("Method", "lanternnet")})
    assert set(asked(store, "?o", "[] kg:refersTo ?o")) == {(ID + "method/lanternnet",)}
    assert asked(store, "?o", "[] rdf:object ?o") == [(ID + "method/lanternnet",)]


def test_a_paper_with_a_lasting_id_answers_to_its_other_addresses():
    found = sample()[0]
    abstract = replace(found.abstract, identifiers=("arxiv:2301.00001", "doi:10.1/x"))
    store = graph_of(replace(found, abstract=abstract))
    old = asked(store, "?x", "?x dcterms:isReplacedBy <https://kg.example/id/paper/doi:10.1%2Fx>")
    assert (ID + "paper/arxiv:2301.00001",) in old
    bare = replace(abstract, identifiers=())
    assert (ID + "paper/" + vocab.paper_key(bare),) in old


def test_entities_have_names_types_and_candidates():
    entities = (
        Entity("Benchmark", "maze", "Maze", ("MAZE", "Maze"), ("Benchmark", "Dataset")),
        Entity("Method", "lda", "LDA", (), ("Method",), (), ("Method/latent dirichlet model",)),
        Entity(
            "Method", "mixture of expert", "Mixture of Experts", ("MoE",), ("Method",),
            (Merge("MoE", "mixture of expert", "abbreviation", 0.97),),
        ),
    )  # fmt: skip
    store = loaded(rdf.entity_quads(Resolution(entities, {}), models=["m/1"], fold=str.casefold))
    assert true(
        store,
        'benchmark:maze a kg:Benchmark, kg:Dataset, skos:Concept ; skos:altLabel "MAZE"@en',
    )
    assert not true(store, 'benchmark:maze skos:altLabel "Maze"@en')
    assert true(store, "method:lda kg:candidate method:latent-dirichlet-model")
    assert true(
        store,
        '?m a kg:Merge ; kg:mergedInto method:mixture-of-expert ; kg:mergedName "MoE"@en ; '
        'kg:rule "abbreviation" ; kg:score 0.97',
    )
    assert true(store, "method:moe dcterms:isReplacedBy method:mixture-of-expert")
    assert true(store, "dataset:maze dcterms:isReplacedBy benchmark:maze")
    assert not true(store, "method:lda dcterms:isReplacedBy ?x")


def test_the_whole_is_described_without_a_clock():
    store = loaded(rdf.entity_quads(Resolution((), {}), models=["m/1"]))
    assert true(
        store,
        "?g a void:Dataset ; prov:wasGeneratedBy ?run . ?run prov:wasAssociatedWith ?x . "
        '?x a prov:SoftwareAgent ; rdfs:label "m/1"',
    )
    assert not any("dateTime" in str(quad) for quad in store)


@pytest.mark.parametrize("base", ["https://x.org/", "https://x.org/deep/er/"])
def test_every_address_of_ours_starts_with_the_base(base):
    found = sample()[1]
    key = vocab.paper_key(found.abstract)
    links = plain_resolve({key: found}).links[key]
    lines = rdf.paper_quads(key, found, links, base=base)
    assert not any("kg.example" in line for line in lines)
    assert any(f"<{base}ontology#proposes>" in line for line in lines)


def test_count_statements_is_not_fooled_by_text():
    text = "x <http://www.w3.org/1999/02/22-rdf-syntax-ns#subject> y"
    found = Extraction(Abstract("", "", text), (), (), "m")
    assert rdf.count_statements(rdf.paper_quads("k", found, {})) == 0
    found = sample()[0]
    links = plain_resolve({"k": found}).links["k"]
    assert rdf.count_statements(rdf.paper_quads("k", found, links)) == 11


@given(ANY)
def test_any_address_is_made_an_iri(address):
    line = f"<a:a> <a:b> {rdf.ref('https://x.org/' + address)} <a:g> .\n"
    (quad,) = ox.parse(line.encode(), ox.RdfFormat.N_QUADS)
    assert isinstance(quad.object, ox.NamedNode)
