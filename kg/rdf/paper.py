"""One paper's graph: what it is, what it mentions, and the edges it states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kg import vocab
from kg.rdf.nquads import Triple, decimal, literal, ref, term
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
    address = vocab.paper_iri(key, base)
    paper, terms = ref(address), _terms(base, extraction.model)
    lines = [f"{s} {p} {o} {paper} ." for s, p, o in _about(address, extraction.abstract, base)]
    linked = [(entity, links[entity.id]) for entity in extraction.entities if entity.id in links]
    for entity, node in linked:
        subject = _node(node, base)
        for mention in entity.mentions:
            lines += _mention(paper, mention, subject, terms)
    claims = _role_claims(paper, linked, types or {}, base)
    claims |= _relation_claims(extraction, links, types or {}, base)
    for number, (edge, claim) in enumerate(sorted(claims.items(), key=lambda item: item[0]), 1):
        lines.append(f"{edge[0]} {edge[1]} {edge[2]} {paper} .")
        lines += _statement(number, edge, claim, paper, terms)
    return sorted(set(lines))


class _Terms(NamedTuple):
    """The terms of mentions and statements in N-Quads spelling: a graph holds millions of them."""

    is_mention: str
    refers_to: str
    anchor_of: str
    begin_index: str
    end_index: str
    is_statement: str
    subject: str
    predicate: str
    object: str
    confidence: str
    evidence: str
    evidence_begin: str
    evidence_end: str
    subject_mention: str
    object_mention: str
    derived_from: str
    integer: str
    is_made_by: str


@lru_cache(maxsize=16)
def _terms(base: str, model: str) -> _Terms:
    is_a, made_by = term("rdf:type", base), term("prov:wasGeneratedBy", base)
    curies = (
        "kg:refersTo nif:anchorOf nif:beginIndex nif:endIndex",
        "rdf:subject rdf:predicate rdf:object kg:confidence kg:evidence kg:evidenceBegin"
        " kg:evidenceEnd kg:subjectMention kg:objectMention prov:wasDerivedFrom xsd:integer",
    )
    of_mention, of_statement = ([term(c, base) for c in text.split()] for text in curies)
    return _Terms._make(
        [
            f"{is_a} {term('kg:Mention', base)}",
            *of_mention,
            f"{is_a} {term('kg:Statement', base)}",
            *of_statement,
            f"{made_by} {ref(vocab.run_iri(model, base))}",
        ]
    )


@lru_cache(maxsize=1 << 16)  # as `entity_iri`
def _node(node: Node, base: str) -> str:
    return ref(vocab.entity_iri(*node, base))


def _span(paper: str, mention: Mention) -> str:
    """The mention of the paper, both as references."""
    return f"{vocab.mention_iri(paper[:-1], mention.start, mention.end)}>"


def _mention(paper: str, mention: Mention, entity: str, terms: _Terms) -> tuple[str, ...]:
    """A span of text and the entity that it refers to."""
    subject, end = _span(paper, mention), f" {paper} ."
    return (
        f"{subject} {terms.is_mention}{end}",
        f"{subject} {terms.refers_to} {entity}{end}",
        f"{subject} {terms.anchor_of} {literal(mention.text)}{end}",
        f'{subject} {terms.begin_index} "{mention.start}"^^{terms.integer}{end}',
        f'{subject} {terms.end_index} "{mention.end}"^^{terms.integer}{end}',
    )


def _statement(number: int, edge: Triple, claim: _Claim, paper: str, terms: _Terms) -> list[str]:
    """The node that carries an edge's confidence, evidence and mentions."""
    evidence, mention = claim.evidence, claim.subject_mention
    subject, end = f"{vocab.statement_iri(paper[:-1], number)}>", f" {paper} ."
    lines = [
        f"{subject} {terms.is_statement}{end}",
        f"{subject} {terms.subject} {edge[0]}{end}",
        f"{subject} {terms.predicate} {edge[1]}{end}",
        f"{subject} {terms.object} {edge[2]}{end}",
        f"{subject} {terms.confidence} {decimal(claim.confidence)}{end}",
        f"{subject} {terms.evidence} {literal(evidence.sentence)}{end}",
        f'{subject} {terms.evidence_begin} "{evidence.start}"^^{terms.integer}{end}',
        f'{subject} {terms.evidence_end} "{evidence.end}"^^{terms.integer}{end}',
        f"{subject} {terms.object_mention} {_span(paper, claim.object_mention)}{end}",
        f"{subject} {terms.derived_from} {paper}{end}",
        f"{subject} {terms.is_made_by}{end}",
    ]
    if mention:
        lines.append(f"{subject} {terms.subject_mention} {_span(paper, mention)}{end}")
    return lines


def count_statements(quads: Iterable[str]) -> int:
    """The number of statements, one an edge, among a paper's quads."""
    predicate = term("rdf:subject", vocab.BASE)
    # a look is cheaper than a split, and few lines have it
    return sum(predicate in quad and quad.split(" ", 2)[1] == predicate for quad in quads)


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
        (paper, term(ROLE_BY_NAME[role].curie, base), _node(node, base)): claim
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
        predicate = term(RELATION_BY_NAME[relation.type].curie, base)
        edge = _node(head, base), predicate, _node(tail, base)
        if edge not in best or rank < best[edge][0]:
            best[edge] = rank, claim
    return {edge: claim for edge, (_, claim) in best.items()}
