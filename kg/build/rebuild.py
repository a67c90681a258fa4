"""From the ledger's records to the graph: group, read, resolve, write what differs."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from dataclasses import dataclass, fields
from functools import cache as once
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kg import rdf, schema, vocab
from kg.build.ledger import Ledger, Row
from kg.build.memory import uncollected
from kg.build.reading import Papers, members, read
from kg.records import Abstract, Extraction, Resolution, Skipped
from kg.resolve import vocabulary_links
from kg.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kg.build.cache import Cache
    from kg.build.reading import Extract
    from kg.build.settings import Settings
    from kg.resolve import Curation
    from kg.resolve.vocabulary import Link
    from kg.store import GraphStore

logger = logging.getLogger(__name__)

#: Lines that are hashed at once.
_BLOCK = 1024
_FIELDS = tuple(field.name for field in fields(Abstract))


class Resolve(Protocol):
    """Makes entities of all papers' extractions, whatever their order."""

    def __call__(
        self, papers: Mapping[str, Extraction], /, *, curation: Curation | None = None
    ) -> Resolution:
        """Decide who is who."""
        ...


@dataclass(frozen=True, slots=True)
class Work:
    """All that a write holds open."""

    store: GraphStore
    ledger: Ledger
    cache: Cache


@dataclass(frozen=True, slots=True)
class Marks:
    """When stages of a write ended, as `time.perf_counter` tells it."""

    reading: float
    extraction: float
    resolving: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of papers, and what the graph holds now.

    `notes` are the decisions that do not apply; `links` are those out to the vocabulary, if any.
    """

    new: int
    unchanged: int
    replaced: int
    removed: int
    entities: int
    edges: int
    notes: tuple[Skipped, ...]
    links: int | None
    marks: Marks


def rebuild(
    work: Work,
    given: set[str],
    extract: Extract,
    model: str,
    *,
    resolve: Resolve,
    settings: Settings,
    progress: Callable[[int], None],
) -> Outcome:
    """Bring the graph to what the ledger's records say; `given` are the records of this input."""
    papers = Papers(
        work.ledger,
        work.cache,
        model=model,
        members=members(work.ledger),
        min_confidence=settings.min_confidence,
    )
    before = work.ledger.rows()
    if before and papers and model != work.store.description.model:
        logger.warning(
            "the model changed from %s to %s: all %d papers are read again",
            work.store.description.model,
            model,
            len(papers),
        )
    reading = time.perf_counter()
    read(work.cache, papers, extract, model=model, given=given, progress=progress)
    extraction = time.perf_counter()
    with uncollected():
        resolution = resolve(papers, curation=settings.curation)
        links = vocabulary_links(resolution, settings.vocabulary)
        marks = Marks(reading, extraction, time.perf_counter())
        rows = _write(work, papers, before, resolution, links, settings=settings)
    return _outcome(
        papers,
        given,
        before,
        rows,
        resolution,
        links=len(links) if settings.vocabulary else None,
        marks=marks,
    )


def _write(
    work: Work,
    papers: Papers,
    before: Mapping[str, Row],
    resolution: Resolution,
    links: Sequence[Link],
    *,
    settings: Settings,
) -> dict[str, Row]:
    """Write what differs from the graph `before`; returns the papers' new rows."""
    model = papers.model
    gone = sorted(before.keys() - papers.keys())
    for paper in gone:
        work.ledger.drop_row(paper)
    entities = []
    if papers:
        base = work.store.base
        quads = rdf.entity_quads(resolution, base=base, models=[model], fold=fold)
        entities = sorted([*quads, *rdf.vocabulary_quads(links, base=base)])
    digest = _digest(entities)
    same_entities = digest == work.ledger.fact("entities")
    if papers or before:
        work.ledger.set_fact("entities", digest)

    rows = {paper: row for paper, row in before.items() if paper in papers}
    maker = [_code(), work.store.base, model, repr(settings.min_confidence)]
    changed = _changed(work, papers, resolution, rows, maker)
    first = next(changed, None)
    if first or work.ledger.changed:
        work.store.apply(
            papers=chain([first] if first else [], changed),
            removed=gone,
            entities=None if same_entities else entities,
            model=model,
            attach=work.ledger.move,
        )
    return rows


def _changed(
    work: Work, papers: Papers, resolution: Resolution, rows: dict[str, Row], maker: list[str]
) -> Iterator[tuple[str, list[str]]]:
    """The papers whose quads differ from the graph's, with their quads; notes the new digests.

    `maker` is what makes quads of a paper besides its text and its entities.
    """
    types = {(e.type, e.key): e.types for e in resolution.entities if len(e.types) > 1}
    base = work.store.base
    for paper in papers:
        abstract = papers.abstract(paper)
        links = resolution.links.get(paper, {})
        settled = [(local, node, types.get(node)) for local, node in sorted(links.items())]
        about = _digest([json.dumps([getattr(abstract, field) for field in _FIELDS])])
        made_of = _digest([*maker, about, json.dumps(settled)])
        old = rows.get(paper)
        if old and old.input == made_of:
            continue
        read = papers.read(paper, abstract)
        quads = rdf.paper_quads(paper, read, links, base=base, types=types)
        digest = _digest(quads)
        rows[paper] = Row(about, made_of, digest, rdf.count_statements(quads))
        work.ledger.set_row(paper, rows[paper])
        if old is None or old.quads != digest:
            yield paper, quads


def _outcome(
    papers: Papers,
    given: set[str],
    before: dict[str, Row],
    rows: dict[str, Row],
    resolution: Resolution,
    *,
    links: int | None,
    marks: Marks,
) -> Outcome:
    touched = [paper for paper in papers if not given.isdisjoint(papers.members[paper])]
    there = [paper for paper in touched if paper in before]
    replaced = sum(before[paper].about != rows[paper].about for paper in there)
    return Outcome(
        new=len(touched) - len(there),
        unchanged=len(there) - replaced,
        replaced=replaced,
        removed=len(before.keys() - papers.keys()),
        entities=len(resolution.entities),
        edges=sum(row.statements for row in rows.values()),
        notes=resolution.notes,
        links=links,
        marks=marks,
    )


def _digest(lines: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(lines), _BLOCK):
        digest.update(("\n".join(lines[start : start + _BLOCK]) + "\n").encode())
    return digest.hexdigest()


@once
def _code() -> str:
    """A digest of the code that makes quads: another version may make others of the same input."""
    quads = sorted(Path(rdf.__file__).parent.glob("*.py"))
    files = [*quads, Path(vocab.__file__), Path(schema.__file__)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
