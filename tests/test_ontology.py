from __future__ import annotations

import re
from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS

from kg import rdf, schema, vocab
from kg.vocab import KG, TERMS

KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}


@pytest.fixture(scope="module")
def ontology():
    return rdflib.Graph().parse(data=vocab.ontology(), format="turtle")


def terms(graph):
    return {s for s in graph.subjects() if str(s).startswith(str(KG._NS))}


def members(graph, node):
    """The class itself, or the classes of a union."""
    union = graph.value(node, OWL.unionOf)
    return set(rdflib.collection.Collection(graph, union)) if union else {node}


def test_each_term_has_label_comment_domain_and_range(ontology):
    for term in terms(ontology):
        assert len(list(ontology.objects(term, RDFS.label))) == 1, term
        assert len(list(ontology.objects(term, RDFS.comment))) == 1, term
        if (term, RDF.type, OWL.Class) not in ontology:
            assert len(list(ontology.objects(term, RDFS.domain))) == 1, term
            assert len(list(ontology.objects(term, RDFS.range))) == 1, term


def test_the_namespace_and_the_ontology_have_the_same_terms(ontology):
    assert terms(ontology) == {KG[name] for name in TERMS}


def test_each_term_of_the_quads_is_declared_and_the_other_way_round(ontology):
    source = "".join(path.read_text() for path in Path(rdf.__file__).parent.glob("*.py"))
    used = {KG[name] for name in re.findall(r"\bkg:(\w+)", source)}
    used |= {KG[t.name] for t in schema.ENTITY_TYPES}
    for row in (*schema.ROLES, *schema.RELATIONS):
        prefix, _, name = row.curie.partition(":")
        used |= {KG[name]} if prefix == "kg" else set()
    declared = terms(ontology)
    assert used <= declared
    # terms that stand only above others, for those who reason
    assert declared - used == {KG.Entity, KG.about, KG.relatedTo}


def test_whatever_an_axiom_names_is_declared_once_and_of_the_right_kind(ontology):
    kinds = {}
    for kind in KINDS:
        for term in ontology.subjects(RDF.type, kind):
            if isinstance(term, rdflib.URIRef):
                assert term not in kinds, f"{term} is punned"
                kinds[term] = kind
    classes = {t for t, kind in kinds.items() if kind == OWL.Class}
    for head, tail in ontology.subject_objects(RDFS.subClassOf):
        assert {head, tail} <= classes
    for head, tail in ontology.subject_objects(RDFS.subPropertyOf):
        assert kinds[head] == kinds[tail]
    for term, kind in kinds.items():
        for domain in ontology.objects(term, RDFS.domain):
            assert members(ontology, domain) <= classes
        for target in ontology.objects(term, RDFS.range):
            if kind == OWL.ObjectProperty:
                assert members(ontology, target) <= classes
            else:
                assert target in {rdflib.XSD.string, rdflib.XSD.decimal, rdflib.XSD.integer,
                                  RDF.PlainLiteral}  # fmt: skip
    # OWL 2 Structural Specification, 2.4: reserved vocabulary is not declared anew
    assert not [t for t in kinds if str(t).startswith((str(OWL), str(RDF), str(RDFS)))]


def test_each_class_stands_under_a_vocabulary_of_others(ontology):
    for term in ontology.subjects(RDF.type, OWL.Class):
        if term in terms(ontology):
            above = set(ontology.transitive_objects(term, RDFS.subClassOf)) - terms(ontology)
            assert above, term


@pytest.mark.parametrize("row", schema.ROLES, ids=lambda row: row.name)
def test_roles_agree_with_the_schema(ontology, row):
    term = KG[row.curie.removeprefix("kg:")]
    assert ontology.value(term, RDFS.subPropertyOf) == KG.about
    assert ontology.value(term, RDFS.domain) == KG.Paper
    ranges = members(ontology, ontology.value(term, RDFS.range))
    everything = len(row.types) == len(schema.ENTITY_TYPES)
    assert ranges == ({KG.Entity} if everything else {KG[name] for name in row.types})
    assert str(ontology.value(term, RDFS.label)) == row.label


@pytest.mark.parametrize(
    "row", [r for r in schema.RELATIONS if r.curie.startswith("kg:")], ids=lambda row: row.name
)
def test_relations_agree_with_the_schema(ontology, row):
    term = KG[row.curie.removeprefix("kg:")]
    above = set(ontology.transitive_objects(term, RDFS.subPropertyOf))
    assert KG.relatedTo in above
    heads = members(ontology, ontology.value(term, RDFS.domain))
    tails = members(ontology, ontology.value(term, RDFS.range))
    assert heads == {KG[head] for head, _ in row.pairs}
    assert tails == {KG[tail] for _, tail in row.pairs}
    assert str(ontology.value(term, RDFS.label)) == row.label


def test_another_base_moves_all_our_terms():
    graph = rdflib.Graph().parse(data=vocab.ontology("https://x.org/"), format="turtle")
    assert not terms(graph)
    assert rdflib.URIRef("https://x.org/ontology#Paper") in set(graph.subjects())
