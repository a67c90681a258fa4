"""Links to the concepts of a vocabulary file."""

import pytest
from test_resolve import paper

from kg.errors import InputError
from kg.rdf import vocabulary_quads
from kg.resolve import Link, read_vocabulary, resolve, vocabulary_links

TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix v: <https://vocabulary.example/> .
v:nn skos:prefLabel "Neural network"@en .
v:gnn skos:prefLabel "graph neural network" ; skos:altLabel "GNN" ; skos:broader v:nn .
v:one skos:prefLabel "calibration" . v:two skos:prefLabel "Calibration" .
v:de skos:prefLabel "Wissensgraph"@de .
"""


def test_an_entity_is_linked_to_the_concept_of_its_name(tmp_path):
    (tmp_path / "v.ttl").write_text(TURTLE, encoding="utf-8")
    concepts = read_vocabulary(tmp_path / "v.ttl")
    resolution = resolve({"p": paper(("Method", "Graph Neural Nets"), ("Metric", "calibration"))})
    key = ("Method", "graph neural net")
    v = "https://vocabulary.example/"
    links = vocabulary_links(resolution, concepts)
    assert links == (Link(*key, "broadMatch", v + "nn"), Link(*key, "exactMatch", v + "gnn"))
    quads = vocabulary_quads(links)
    assert len(quads) == 2
    assert all("core#exactMatch>" in q or "core#broadMatch>" in q for q in quads)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("v.ttl", "this is < no turtle", "not RDF"), ("v.ttl", "", "no skos:prefLabel")],
)
def test_a_file_that_is_no_vocabulary_is_named(tmp_path, name, content, said):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_vocabulary(tmp_path / name)


def test_a_missing_vocabulary_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.ttl"):
        read_vocabulary(tmp_path / "none.ttl")
