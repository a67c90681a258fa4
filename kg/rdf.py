"""Records → N-Quads lines: one small function a record type.

The lines are canonical N-Quads (RDF 1.1 N-Quads §4), letter for letter what Oxigraph writes back,
so that lines made here can be compared with a dump of the store.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kg import vocab
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME, ROLES, may_play, may_relate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kg.records import Abstract, Entity, Evidence, Extraction, Mention, PaperEntity, Resolution

#: An entity: its type and key.
Node = tuple[str, str]
#: Subject, predicate, object, each already in N-Quads spelling.
_Triple = tuple[str, str, str]

_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_ESCAPES |= {chr(c): f"\\u{c:04X}" for c in (*range(0x20), 0x7F) if chr(c) not in _ESCAPES}
_TO_ESCAPE = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")
_ROLE_RANK = {role.name: rank for rank, role in enumerate(ROLES)}


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a statement node says of its edge."""

    confidence: float
    evidence: Evidence
    subject_mention: Mention | None
    object_mention: Mention


def literal(text: str, *, lang: str = "", datatype: str = "") -> str:
    """`text` as an N-Quads literal; what XML or UTF-8 cannot hold becomes U+FFFD."""
    quoted = '"' + _TO_ESCAPE.sub(lambda m: _ESCAPES[m[0]], vocab.clean(text)) + '"'
    if lang:
        return f"{quoted}@{lang}"
    return f"{quoted}^^{_term(datatype, vocab.BASE)}" if datatype else quoted


def decimal(number: float) -> str:
    """A confidence or score as an `xsd:decimal` of at most four places, held in [0, 1]."""
    held = 0.0 if math.isnan(number) else min(1.0, max(0.0, number))
    return literal(f"{held:.4f}".rstrip("0").rstrip("."), datatype="xsd:decimal")


def integer(number: int) -> str:
    """A whole number as an `xsd:integer`."""
    return literal(str(number), datatype="xsd:integer")


def paper_quads(
    key: str,
    extraction: Extraction,
    links: Mapping[str, Node],
    *,
    base: str = vocab.BASE,
    types: Mapping[Node, tuple[str, ...]] | None = None,
) -> list[str]:
    """The graph of one paper as sorted, distinct N-Quads lines without a line end.

    `links` gives the entity of each local id; mentions and edges of an id that is absent are left
    out. `types` lists all types of an entity that has several. Each edge has one statement, the
    most confident; an edge that breaks the schema is never written.
    """
    paper = vocab.paper_iri(key, base)
    triples = set(_about(paper, extraction.abstract, base))
    linked = [(entity, links[entity.id]) for entity in extraction.entities if entity.id in links]
    for entity, node in linked:
        for mention in entity.mentions:
            triples.update(_mention(paper, mention, vocab.entity_iri(*node, base), base))
    claims = _role_claims(paper, linked, types or {}, base)
    claims |= _relation_claims(extraction, links, types or {}, base)
    run = _ref(vocab.run_iri(extraction.model, base))
    for number, (edge, claim) in enumerate(sorted(claims.items(), key=lambda item: item[0]), 1):
        triples.add(edge)
        triples.update(_statement(number, edge, claim, paper, base))
        triples.add(
            (_ref(vocab.statement_iri(paper, number)), _term("prov:wasGeneratedBy", base), run)
        )
    graph = _ref(paper)
    return sorted(f"{s} {p} {o} {graph} ." for s, p, o in triples)


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
    triples: set[_Triple] = set()
    for entity in resolution.entities:
        triples.update(_entity(entity, base))
    if fold:
        triples.update(_replacements(resolution.entities, fold, base))
    triples.update(_description(sorted(set(models)), base))
    graph = _ref(vocab.entities_graph(base))
    return sorted(f"{s} {p} {o} {graph} ." for s, p, o in triples)


def count_statements(quads: Iterable[str]) -> int:
    """The number of statements, one an edge, among a paper's quads."""
    predicate = _term("rdf:subject", vocab.BASE)
    return sum(quad.split(" ", 2)[1] == predicate for quad in quads)


def _about(paper: str, abstract: Abstract, base: str) -> Iterator[_Triple]:
    """Title, abstract, year, venue, authors and identifiers of a paper."""
    subject = _ref(paper)
    said = [
        ("rdf:type", _term("kg:Paper", base)),
        ("rdf:type", _term("fabio:ResearchPaper", base)),
        ("dcterms:abstract", literal(abstract.abstract)),
        *(("dcterms:creator", literal(author)) for author in abstract.authors),
        *(("schema:keywords", literal(keyword)) for keyword in abstract.keywords),
        *(("dcterms:identifier", literal(name)) for name in _identifiers(abstract)),
        *(("schema:sameAs", _ref(page)) for page in map(vocab.page, abstract.identifiers) if page),
    ]
    if abstract.title:
        said.append(("dcterms:title", literal(abstract.title, lang="en")))
    if abstract.year is not None and 0 < abstract.year < 10_000:
        said.append(("dcterms:issued", literal(f"{abstract.year:04d}", datatype="xsd:gYear")))
    if abstract.venue:
        said.append(("kg:venue", literal(abstract.venue)))
    if abstract.authors:
        # the literals of dcterms:creator have no order
        said.append(("kg:authors", literal("; ".join(abstract.authors))))
    if abstract.url:
        said.append(("schema:url", literal(abstract.url, datatype="xsd:anyURI")))
    for curie, value in said:
        yield subject, _term(curie, base), value
    # so that an address minted before a better identifier was known still leads here
    for key in vocab.other_keys(abstract):
        yield _ref(vocab.paper_iri(key, base)), _term("dcterms:isReplacedBy", base), subject


def _identifiers(abstract: Abstract) -> set[str]:
    """All identifiers, with the source's own id unless one of them says the same."""
    values = {identifier.partition(":")[2] for identifier in abstract.identifiers}
    own = {abstract.id} - values - {""}
    return own.union(abstract.identifiers)


def _mention(paper: str, mention: Mention, entity: str, base: str) -> Iterator[_Triple]:
    """A span of text and the entity that it refers to."""
    subject = _ref(vocab.mention_iri(paper, mention.start, mention.end))
    yield subject, _term("rdf:type", base), _term("kg:Mention", base)
    yield subject, _term("kg:refersTo", base), _ref(entity)
    yield subject, _term("nif:anchorOf", base), literal(mention.text)
    yield subject, _term("nif:beginIndex", base), integer(mention.start)
    yield subject, _term("nif:endIndex", base), integer(mention.end)


def _role_claims(
    paper: str,
    linked: list[tuple[PaperEntity, Node]],
    types: Mapping[Node, tuple[str, ...]],
    base: str,
) -> dict[_Triple, _Claim]:
    """One edge a paper and entity: of several roles the first of the guidelines' order holds."""
    best: dict[Node, tuple[tuple[int, float, int], str, _Claim]] = {}
    for entity, node in linked:
        # a role its settled type cannot play (evaluatesOn a Method) still says that it was used
        fits = any(may_play(entity.role, kind) for kind in types.get(node, node[:1]))
        role = entity.role if fits else "uses"
        rank = (_ROLE_RANK[role], -entity.role_confidence, entity.evidence.start)
        if node not in best or rank < best[node][0]:
            claim = _Claim(entity.role_confidence, entity.evidence, None, _nearest(entity))
            best[node] = rank, role, claim
    return {
        (
            _ref(paper),
            _term(ROLE_BY_NAME[role].curie, base),
            _ref(vocab.entity_iri(*node, base)),
        ): claim
        for node, (_, role, claim) in best.items()
    }


def _nearest(entity: PaperEntity) -> Mention:
    """The entity's first mention within its evidence, else its first."""
    inside = (m for m in entity.mentions if entity.evidence.start <= m.start < entity.evidence.end)
    return next(inside, entity.mentions[0])


def _relation_claims(
    extraction: Extraction,
    links: Mapping[str, Node],
    types: Mapping[Node, tuple[str, ...]],
    base: str,
) -> dict[_Triple, _Claim]:
    """Edges between entities; those that merging made a loop or ill-typed are left out."""
    entities = {entity.id: entity for entity in extraction.entities}
    best: dict[_Triple, tuple[tuple[float, int, int], _Claim]] = {}
    for relation in extraction.relations:
        head, tail = links.get(relation.head), links.get(relation.tail)
        if head is None or tail is None or head == tail:
            continue
        pairs = ((h, t) for h in types.get(head, head[:1]) for t in types.get(tail, tail[:1]))
        if not any(may_relate(h, relation.type, t) for h, t in pairs):
            continue
        subject_mention = entities[relation.head].mentions[relation.head_mention]
        object_mention = entities[relation.tail].mentions[relation.tail_mention]
        claim = _Claim(relation.confidence, relation.evidence, subject_mention, object_mention)
        rank = (-relation.confidence, relation.evidence.start, subject_mention.start)
        edge = (
            _ref(vocab.entity_iri(*head, base)),
            _term(RELATION_BY_NAME[relation.type].curie, base),
            _ref(vocab.entity_iri(*tail, base)),
        )
        if edge not in best or rank < best[edge][0]:
            best[edge] = rank, claim
    return {edge: claim for edge, (_, claim) in best.items()}


def _statement(
    number: int, edge: _Triple, claim: _Claim, paper: str, base: str
) -> Iterator[_Triple]:
    """The node that carries an edge's confidence, evidence and mentions."""
    subject = _ref(vocab.statement_iri(paper, number))

    def say(curie: str, value: str) -> _Triple:
        return subject, _term(curie, base), value

    yield say("rdf:type", _term("kg:Statement", base))
    yield say("rdf:subject", edge[0])
    yield say("rdf:predicate", edge[1])
    yield say("rdf:object", edge[2])
    yield say("kg:confidence", decimal(claim.confidence))
    yield say("kg:evidence", literal(claim.evidence.sentence))
    yield say("kg:evidenceBegin", integer(claim.evidence.start))
    yield say("kg:evidenceEnd", integer(claim.evidence.end))
    if claim.subject_mention:
        mention = claim.subject_mention
        yield say("kg:subjectMention", _ref(vocab.mention_iri(paper, mention.start, mention.end)))
    mention = claim.object_mention
    yield say("kg:objectMention", _ref(vocab.mention_iri(paper, mention.start, mention.end)))
    yield say("prov:wasDerivedFrom", _ref(paper))


def _entity(entity: Entity, base: str) -> Iterator[_Triple]:
    """Types, names, candidates and merges of one entity."""
    address = vocab.entity_iri(entity.type, entity.key, base)
    subject = _ref(address)
    yield subject, _term("rdf:type", base), _term("skos:Concept", base)
    for kind in entity.types:
        yield subject, _term("rdf:type", base), _term(f"kg:{kind}", base)
    label = literal(entity.label, lang="en")
    yield subject, _term("skos:prefLabel", base), label
    for name in entity.alternatives:
        # SKOS S13: a label is preferred or alternative, not both
        if (alternative := literal(name, lang="en")) != label:
            yield subject, _term("skos:altLabel", base), alternative
    for candidate in entity.candidates:
        kind, _, key = candidate.partition("/")
        yield subject, _term("kg:candidate", base), _ref(vocab.entity_iri(kind, key, base))
    for merge in entity.merges:
        digest = hashlib.sha256(f"{merge.name}\0{merge.rule}".encode("utf-8", "surrogatepass"))
        node = _ref(f"{address}#merge-{digest.hexdigest()[:12]}")
        yield node, _term("rdf:type", base), _term("kg:Merge", base)
        yield node, _term("kg:mergedInto", base), subject
        yield node, _term("kg:mergedName", base), literal(merge.name, lang="en")
        yield node, _term("kg:rule", base), literal(merge.rule)
        yield node, _term("kg:score", base), decimal(merge.score)


def _replacements(
    entities: Iterable[Entity], fold: Callable[[str], str], base: str
) -> Iterator[_Triple]:
    """`dcterms:isReplacedBy` from each IRI that an alternative name would have minted."""
    entities = list(entities)
    taken = {vocab.entity_iri(entity.type, entity.key, base) for entity in entities}
    for entity in entities:
        current = vocab.entity_iri(entity.type, entity.key, base)
        keys = {entity.key} | {fold(name) for name in entity.alternatives}
        for kind in entity.types:
            for retired in {vocab.entity_iri(kind, key, base) for key in keys} - taken:
                yield _ref(retired), _term("dcterms:isReplacedBy", base), _ref(current)


def _description(models: Iterable[str], base: str) -> Iterator[_Triple]:
    """The whole graph as a `void:Dataset`, and the runs that made it, without a clock."""
    whole = _ref(vocab.description_iri(base))
    yield whole, _term("rdf:type", base), _term("void:Dataset", base)
    yield (
        whole,
        _term("dcterms:title", base),
        literal("Knowledge graph of research abstracts", lang="en"),
    )
    yield whole, _term("void:uriSpace", base), literal(base + "id/")
    yield whole, _term("void:vocabulary", base), _ref(base + "ontology")
    for prefix in ("dcterms", "fabio", "nif", "prov", "schema", "skos"):
        yield whole, _term("void:vocabulary", base), _ref(vocab.VOCABULARIES[prefix])
    for model in models:
        run, extractor = _ref(vocab.run_iri(model, base)), _ref(vocab.extractor_iri(model, base))
        yield whole, _term("prov:wasGeneratedBy", base), run
        yield run, _term("rdf:type", base), _term("prov:Activity", base)
        yield run, _term("prov:wasAssociatedWith", base), extractor
        yield extractor, _term("rdf:type", base), _term("prov:SoftwareAgent", base)
        yield extractor, _term("rdfs:label", base), literal(model)


def _ref(address: str) -> str:
    """An IRI in angle brackets; `kg.vocab` has escaped it."""
    return f"<{address}>"


@lru_cache(maxsize=1024)
def _term(curie: str, base: str) -> str:
    """A term of a vocabulary in N-Quads spelling."""
    return _ref(vocab.iri(curie, base))
