"""The records that pass between the stages: frozen, slotted, each with its reason.

Character offsets always point into `Abstract.document`, the text exactly as given.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Abstract:
    """One paper as a reader found it.

    `id` is the source's own id ("" where it has none). `identifiers` are prefixed, lower-case
    ("doi:10.1/x", "arxiv:2401.00001", "openreview:AbC" keeps its case after the colon). `source`
    says where it stands ("papers.jsonl:17").
    """

    id: str
    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    venue: str = ""
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    url: str = ""
    keywords: tuple[str, ...] = ()
    source: str = ""

    @property
    def document(self) -> str:
        """The text that offsets point into: title, a line feed, abstract; or the abstract alone."""
        return f"{self.title}\n{self.abstract}" if self.title else self.abstract


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was left out: where it stands and why, in one line."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Mention:
    """One textual occurrence of an entity: `document[start:end] == text`."""

    start: int
    end: int
    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the document, verbatim: `document[start:end] == sentence`."""

    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True)
class PaperEntity:
    """One entity as one paper names it; `names` are its mention strings, the fullest first.

    `role` is the edge from the paper, with its own confidence and evidence; `confidence` is that of
    the entity and its type. `id` ("e1") is local to the paper.
    """

    id: str
    type: str
    role: str
    names: tuple[str, ...]
    mentions: tuple[Mention, ...]
    confidence: float
    role_confidence: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge between two entities of one paper, with the sentence that says so.

    `head_mention` and `tail_mention` index into the entities' `mentions`: the two that stand
    nearest to each other in the evidence.
    """

    head: str
    type: str
    tail: str
    confidence: float
    evidence: Evidence
    head_mention: int
    tail_mention: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one paper says. `model` names the extractor and its version."""

    abstract: Abstract
    entities: tuple[PaperEntity, ...]
    relations: tuple[Relation, ...]
    model: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Why one name stands for an entity: the rule that joined it and that rule's score."""

    name: str
    into: str
    rule: str
    score: float


@dataclass(frozen=True, slots=True)
class Entity:
    """One node of the graph. `key` is its folded canonical name, unique within its type.

    `types` holds one type, or Dataset and Benchmark together, the first being the one that mints
    the IRI. `candidates` are keys ("type/key") of entities that an ambiguous short form may mean.
    """

    type: str
    key: str
    label: str
    alternatives: tuple[str, ...]
    types: tuple[str, ...]
    merges: tuple[Merge, ...] = ()
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """Entities of the whole graph, and for each paper (by key) its local ids' entities.

    `links[paper key][local id]` is the entity ("type", "key"); a local id that is absent was
    dropped (`dropped` says why). `notes` are the lines of a curation file that do not apply.
    """

    entities: tuple[Entity, ...]
    links: dict[str, dict[str, tuple[str, str]]]
    dropped: tuple[Skipped, ...] = field(default=())
    notes: tuple[Skipped, ...] = field(default=())
