"""Mentions of one thing in many papers become one entity, each merge with its reason and score."""

from kg.resolve.curation import Curation, Decision, read_curation
from kg.resolve.identity import resolve
from kg.resolve.suggest import suggest
from kg.resolve.vocabulary import Concept, Link, read_vocabulary, vocabulary_links

__all__ = [
    "Concept",
    "Curation",
    "Decision",
    "Link",
    "read_curation",
    "read_vocabulary",
    "resolve",
    "suggest",
    "vocabulary_links",
]
