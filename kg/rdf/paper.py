"""One paper's graph: what it is, what it mentions, and the edges it states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg import vocab
from kg.rdf.nquads import Triple, decimal, integer, lines, literal, ref, term
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME, ROLES, may_play, may_relate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.records import Abstract, Evidence, Extraction, Mention, PaperEntity

#: An entity: its type and key.
Node = tuple[str, str]

_ROLE_RANK = {role.name: rank for rank, role in enumerate(ROLES)}


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a statement node says of its edge."""

    confidence: float
    evidence: Evidence
    subject_mention: Mention | None
    object_mention: Mention


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
    triples = list(_about(paper, extraction.abstract, base))
    linked = [(entity, links[entity.id]) for entity in extraction.entities if entity.id in links]
    for entity, node in linked:
        for mention in entity.mentions:
            triples.extend(_mention(paper, mention, vocab.entity_iri(*node, base), base))
    claims = _role_claims(paper, linked, types or {}, base)
    claims |= _relation_claims(extraction, links, types or {}, base)
    run = ref(vocab.run_iri(extraction.model, base))
    for number, (edge, claim) in enumerate(sorted(claims.items(), key=lambda item: item[0]), 1):
        triples.append(edge)
        triples.extend(_statement(number, edge, claim, paper, base))
        triples.append(
            (ref(vocab.statement_iri(paper, number)), term("prov:wasGeneratedBy", base), run)
        )
    return lines(triples, paper)


def count_statements(quads: Iterable[str]) -> int:
    """The number of statements, one an edge, among a paper's quads."""
    predicate = term("rdf:subject", vocab.BASE)
    return sum(quad.split(" ", 2)[1] == predicate for quad in quads)


def _about(paper: str, abstract: Abstract, base: str) -> Iterator[Triple]:
    """Title, abstract, year, venue, authors and identifiers of a paper."""
    subject = ref(paper)
    said = [
        ("rdf:type", term("kg:Paper", base)),
        ("rdf:type", term("fabio:ResearchPaper", base)),
        ("dcterms:abstract", literal(abstract.abstract)),
        *(("dcterms:creator", literal(author)) for author in abstract.authors),
        *(("schema:keywords", literal(keyword)) for keyword in abstract.keywords),
        *(("dcterms:identifier", literal(name)) for name in _identifiers(abstract)),
        *(("schema:sameAs", ref(page)) for page in map(vocab.page, abstract.identifiers) if page),
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
        yield subject, term(curie, base), value
    # so that an address minted before a better identifier was known still leads here
    for key in vocab.other_keys(abstract):
        yield ref(vocab.paper_iri(key, base)), term("dcterms:isReplacedBy", base), subject


def _identifiers(abstract: Abstract) -> set[str]:
    """All identifiers, with the source's own id unless one of them says the same."""
    values = {identifier.partition(":")[2] for identifier in abstract.identifiers}
    own = {abstract.id} - values - {""}
    return own.union(abstract.identifiers)


def _mention(paper: str, mention: Mention, entity: str, base: str) -> Iterator[Triple]:
    """A span of text and the entity that it refers to."""
    subject = ref(vocab.mention_iri(paper, mention.start, mention.end))
    yield subject, term("rdf:type", base), term("kg:Mention", base)
    yield subject, term("kg:refersTo", base), ref(entity)
    yield subject, term("nif:anchorOf", base), literal(mention.text)
    yield subject, term("nif:beginIndex", base), integer(mention.start)
    yield subject, term("nif:endIndex", base), integer(mention.end)


def _role_claims(
    paper: str,
    linked: list[tuple[PaperEntity, Node]],
    types: Mapping[Node, tuple[str, ...]],
    base: str,
) -> dict[Triple, _Claim]:
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
            ref(paper),
            term(ROLE_BY_NAME[role].curie, base),
            ref(vocab.entity_iri(*node, base)),
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
) -> dict[Triple, _Claim]:
    """Edges between entities; those that merging made a loop or ill-typed are left out."""
    entities = {entity.id: entity for entity in extraction.entities}
    best: dict[Triple, tuple[tuple[float, int, int], _Claim]] = {}
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
            ref(vocab.entity_iri(*head, base)),
            term(RELATION_BY_NAME[relation.type].curie, base),
            ref(vocab.entity_iri(*tail, base)),
        )
        if edge not in best or rank < best[edge][0]:
            best[edge] = rank, claim
    return {edge: claim for edge, (_, claim) in best.items()}


def _statement(number: int, edge: Triple, claim: _Claim, paper: str, base: str) -> Iterator[Triple]:
    """The node that carries an edge's confidence, evidence and mentions."""
    subject = ref(vocab.statement_iri(paper, number))

    def say(curie: str, value: str) -> Triple:
        return subject, term(curie, base), value

    yield say("rdf:type", term("kg:Statement", base))
    yield say("rdf:subject", edge[0])
    yield say("rdf:predicate", edge[1])
    yield say("rdf:object", edge[2])
    yield say("kg:confidence", decimal(claim.confidence))
    yield say("kg:evidence", literal(claim.evidence.sentence))
    yield say("kg:evidenceBegin", integer(claim.evidence.start))
    yield say("kg:evidenceEnd", integer(claim.evidence.end))
    if claim.subject_mention:
        mention = claim.subject_mention
        yield say("kg:subjectMention", ref(vocab.mention_iri(paper, mention.start, mention.end)))
    mention = claim.object_mention
    yield say("kg:objectMention", ref(vocab.mention_iri(paper, mention.start, mention.end)))
    yield say("prov:wasDerivedFrom", ref(paper))
