"""Records → N-Quads lines: one graph a paper, and the graph of entities."""

from kg.rdf.entities import entity_quads, vocabulary_quads
from kg.rdf.nquads import decimal, integer, literal, ref
from kg.rdf.paper import count_statements, paper_quads

__all__ = [
    "count_statements",
    "decimal",
    "entity_quads",
    "integer",
    "literal",
    "paper_quads",
    "ref",
    "vocabulary_quads",
]
