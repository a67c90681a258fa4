"""Links out: concepts of a vocabulary file (SKOS or OWL, with labels) that an entity's names mean.

Nothing is fetched; the file is whatever the user has: CSO, a thesaurus of one's own.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kg.errors import InputError
from kg.resolve.forms import form
from kg.text import squash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib import Graph

    from kg.records import Entity, Resolution

#: A short form alone is too little to know a concept by ("CE"), unless it is as long as this.
LONG_ENOUGH = 4
_NO_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\\\]")


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of a vocabulary: its IRI, its labels (preferred first), its broader concepts."""

    iri: str
    labels: tuple[str, ...]
    broader: tuple[str, ...] = ()


class Link(NamedTuple):
    """An entity ("type", "key") and a concept; `relation` is SKOS's exactMatch or broadMatch."""

    type: str
    key: str
    relation: str
    iri: str


def read_vocabulary(*paths: str | Path) -> tuple[Concept, ...]:
    """The concepts of RDF files in any syntax that rdflib reads, in the order of their IRIs.

    What several files say of one concept is taken together.

    Labels: skos:prefLabel, skos:altLabel, rdfs:label, in English or without a language. Broader:
    skos:broader, skos:narrower turned round, rdfs:subClassOf, and CSO's superTopicOf turned round.

    Raises:
        InputError: a file is missing, not RDF, or holds no label.

    """
    from rdflib import RDFS, SKOS, URIRef  # noqa: PLC0415 (slow to import)

    labels: dict[str, list[tuple[int, str]]] = defaultdict(list)
    broader: dict[str, set[str]] = defaultdict(set)
    cso = URIRef("http://cso.kmi.open.ac.uk/schema/cso#superTopicOf")
    for path in map(Path, paths):
        graph = _parse(path)
        found = _labels(graph)
        if not found:
            raise InputError(f"vocabulary {str(path)!r} holds no skos:prefLabel and no rdfs:label")
        for iri, texts in found.items():
            labels[iri] += texts
        for predicate, upward in (
            (SKOS.broader, True), (RDFS.subClassOf, True), (SKOS.narrower, False), (cso, False),
        ):  # fmt: skip
            for subject, other in graph.subject_objects(predicate):
                if isinstance(subject, URIRef) and isinstance(other, URIRef):
                    child, parent = (subject, other) if upward else (other, subject)
                    broader[str(child)].add(str(parent))
    return tuple(
        Concept(iri, tuple(dict.fromkeys(t for _, t in sorted(labels[iri]))),
                tuple(sorted(broader[iri] & labels.keys())))
        for iri in sorted(labels)
    )  # fmt: skip


def _parse(path: Path) -> Graph:
    from rdflib import Graph  # noqa: PLC0415
    from rdflib.util import guess_format  # noqa: PLC0415

    graph = Graph()
    syntax = guess_format(path.name) or "turtle"
    try:
        if syntax == "json-ld":
            _refuse_remote_context(path)
        graph.parse(path, format=syntax)
    except OSError as error:
        raise InputError(f"vocabulary {str(path)!r} cannot be read: {error}") from error
    except InputError:
        raise
    except Exception as error:  # rdflib's parsers share no class of errors
        first = str(error).strip().splitlines()[:1]
        raise InputError(
            f"vocabulary {str(path)!r} is not RDF ({' '.join(first) or type(error).__name__});"
            " name it .ttl, .rdf, .nt, .jsonld or .owl by its syntax"
        ) from error
    return graph


def _refuse_remote_context(path: Path) -> None:
    """Raise InputError for JSON-LD that needs another document: the parser would fetch it."""
    todo = [json.loads(path.read_bytes())]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            contexts = node.get("@context", [])
            contexts = contexts if isinstance(contexts, list) else [contexts]
            named = [c for c in (*contexts, node.get("@import")) if isinstance(c, str)]
            if named:
                raise InputError(
                    f"vocabulary {str(path)!r} refers to the context {named[0]!r}, and nothing is "
                    "fetched: write that context into the file, or give the vocabulary as Turtle"
                )
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _labels(graph: Graph) -> dict[str, list[tuple[int, str]]]:
    """The English labels of each concept, with the rank of what says so."""
    from rdflib import RDFS, SKOS, Literal, URIRef  # noqa: PLC0415

    labels: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for rank, predicate in enumerate((SKOS.prefLabel, RDFS.label, SKOS.altLabel)):
        for subject, label in graph.subject_objects(predicate):
            if not isinstance(subject, URIRef) or not isinstance(label, Literal):
                continue
            if _NO_IRI.search(subject):
                continue
            if (label.language or "en").startswith("en") and str(label).strip():
                labels[str(subject)].append((rank, str(label)))
    return labels


def vocabulary_links(resolution: Resolution, concepts: Iterable[Concept]) -> tuple[Link, ...]:
    """The concepts that the entities mean (exactMatch) and the ones above those (broadMatch).

    A name and a label agree under the rules that join names without regard to context: looks,
    plural, spelling, articles, synonyms. A label that several concepts have links to none of them.
    """
    by_name: dict[str, set[str]] = defaultdict(set)
    concept_of = {concept.iri: concept for concept in concepts}
    for concept in concept_of.values():
        for label in concept.labels:
            by_name[_canon(label)].add(concept.iri)
    found: set[Link] = set()
    for entity in resolution.entities:
        for iri in _meant(entity, by_name):
            found.add(Link(entity.type, entity.key, "exactMatch", iri))
            for parent in concept_of[iri].broader:
                found.add(Link(entity.type, entity.key, "broadMatch", parent))
    return tuple(sorted(found, key=lambda x: (x.type, x.key, x.relation, x.iri)))


def _meant(entity: Entity, by_name: dict[str, set[str]]) -> set[str]:
    """The one concept of the entity's label, else the one that its other names agree on."""
    first = by_name.get(_canon(entity.label), set())
    if len(first) == 1:
        return first
    others: set[str] = set()
    for name in entity.alternatives:
        if not form(name).short or len(form(name).short) >= LONG_ENOUGH:
            found = by_name.get(_canon(name), set())
            others |= found if len(found) == 1 else set()
    return others if len(others) == 1 else set()


def _canon(name: str) -> str:
    return squash(" ".join(form(name).words)) or name
