"""The graph of entities: their names and types, and the description of the whole."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kg import vocab
from kg.rdf.nquads import Triple, decimal, lines, literal, ref, term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kg.records import Entity, Resolution


def entity_quads(
    resolution: Resolution,
    *,
    base: str = vocab.BASE,
    models: Iterable[str] = (),
    fold: Callable[[str], str] | None = None,
) -> list[str]:
    """The graph of entities and the description of the whole, as sorted N-Quads lines.

    `models` are the extractors whose runs the statements name. With `fold` (a name → its key) each
    alternative name also gives `dcterms:isReplacedBy` from the IRI it would have minted, so that an
    IRI retired by a merge still leads to its entity, whatever the history of the graph.
    """
    triples: list[Triple] = []
    for entity in resolution.entities:
        triples.extend(_entity(entity, base))
    if fold:
        triples.extend(_replacements(resolution.entities, fold, base))
    triples.extend(_description(sorted(set(models)), base))
    return lines(triples, vocab.entities_graph(base))


def vocabulary_quads(
    links: Iterable[tuple[str, str, str, str]], *, base: str = vocab.BASE
) -> list[str]:
    """Links of entities to a vocabulary's concepts, in the graph of entities, sorted.

    `links` are (type, key, relation, IRI) as `kg.resolve.vocabulary_links` gives them; the relation
    is one of SKOS's mapping properties (exactMatch, broadMatch), which unlike skos:broader lead out
    of the graph and need no statement.
    """
    triples = {
        (ref(vocab.entity_iri(kind, key, base)), term(f"skos:{relation}", base), ref(iri))
        for kind, key, relation, iri in links
    }
    return lines(triples, vocab.entities_graph(base))


def _entity(entity: Entity, base: str) -> Iterator[Triple]:
    """Types, names, candidates and merges of one entity."""
    address = vocab.entity_iri(entity.type, entity.key, base)
    subject = ref(address)
    yield subject, term("rdf:type", base), term("skos:Concept", base)
    for kind in entity.types:
        yield subject, term("rdf:type", base), term(f"kg:{kind}", base)
    label = literal(entity.label, lang="en")
    yield subject, term("skos:prefLabel", base), label
    for name in entity.alternatives:
        # SKOS S13: a label is preferred or alternative, not both
        if (alternative := literal(name, lang="en")) != label:
            yield subject, term("skos:altLabel", base), alternative
    for candidate in entity.candidates:
        kind, _, key = candidate.partition("/")
        yield subject, term("kg:candidate", base), ref(vocab.entity_iri(kind, key, base))
    for merge in entity.merges:
        digest = hashlib.sha256(f"{merge.name}\0{merge.rule}".encode("utf-8", "surrogatepass"))
        node = ref(f"{address}#merge-{digest.hexdigest()[:12]}")
        yield node, term("rdf:type", base), term("kg:Merge", base)
        yield node, term("kg:mergedInto", base), subject
        yield node, term("kg:mergedName", base), literal(merge.name, lang="en")
        yield node, term("kg:rule", base), literal(merge.rule)
        yield node, term("kg:score", base), decimal(merge.score)


def _replacements(
    entities: Iterable[Entity], fold: Callable[[str], str], base: str
) -> Iterator[Triple]:
    """`dcterms:isReplacedBy` from each IRI that an alternative name would have minted."""
    entities = list(entities)
    taken = {vocab.entity_iri(entity.type, entity.key, base) for entity in entities}
    for entity in entities:
        current = vocab.entity_iri(entity.type, entity.key, base)
        keys = {entity.key} | {fold(name) for name in entity.alternatives}
        for kind in entity.types:
            for retired in {vocab.entity_iri(kind, key, base) for key in keys} - taken:
                yield ref(retired), term("dcterms:isReplacedBy", base), ref(current)


def _description(models: Iterable[str], base: str) -> Iterator[Triple]:
    """The whole graph as a `void:Dataset`, and the runs that made it, without a clock."""
    whole = ref(vocab.description_iri(base))
    yield whole, term("rdf:type", base), term("void:Dataset", base)
    yield (
        whole,
        term("dcterms:title", base),
        literal("Knowledge graph of research abstracts", lang="en"),
    )
    yield whole, term("void:uriSpace", base), literal(base + "id/")
    yield whole, term("void:vocabulary", base), ref(base + "ontology")
    for prefix in ("dcterms", "fabio", "nif", "prov", "schema", "skos"):
        yield whole, term("void:vocabulary", base), ref(vocab.VOCABULARIES[prefix])
    for model in models:
        run, extractor = ref(vocab.run_iri(model, base)), ref(vocab.extractor_iri(model, base))
        yield whole, term("prov:wasGeneratedBy", base), run
        yield run, term("rdf:type", base), term("prov:Activity", base)
        yield run, term("prov:wasAssociatedWith", base), extractor
        yield extractor, term("rdf:type", base), term("prov:SoftwareAgent", base)
        yield extractor, term("rdfs:label", base), literal(model)
