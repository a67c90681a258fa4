"""`build_graph` and `remove_papers`: what may be asked of the write path."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg import vocab
from kg.build import cache as caches
from kg.build import ledger as ledgers
from kg.build.cache import Cache
from kg.build.identity import cleaned, handle
from kg.build.ledger import Ledger
from kg.build.rebuild import Outcome, Resolve, Work, rebuild
from kg.build.settings import settle
from kg.errors import InputError, StoreError
from kg.records import Abstract, Extraction, Skipped
from kg.resolve import resolve as resolve_names
from kg.store import GraphStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kg.build.reading import Extract
    from kg.resolve import Concept, Curation


@dataclass(frozen=True, slots=True)
class Stages:
    """Where the seconds of a write went: the records, the model, the names, the graph."""

    reading: float
    extraction: float
    resolving: float
    writing: float


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a write did: papers by what became of them, and what the graph holds now.

    `unchanged` counts papers of the input that were there as they are; `edges` counts an edge once
    for each paper that states it. `notes` are the lines of the curation that do not apply; `links`
    counts those to the concepts of a vocabulary, None where there is none.
    """

    new: int
    unchanged: int
    replaced: int
    removed: int
    skipped: tuple[Skipped, ...]
    entities: int
    edges: int
    seconds: float
    stages: Stages
    notes: tuple[Skipped, ...] = ()
    links: int | None = None


def build_graph(
    abstracts: Iterable[Abstract | Skipped],
    folder: str | Path,
    *,
    extract: Extract,
    model: str,
    base: str | None = None,
    curation: Curation | None = None,
    vocabulary: Iterable[Concept] | None = None,
    min_confidence: float | None = None,
    resolve: Resolve | None = None,
    progress: Callable[[int], None] | None = None,
) -> BuildReport:
    """Add abstracts to the graph in `folder`, which is made where there is none.

    `extract` gets the texts that `model` has not read yet; `resolve` is `kg.resolve`'s unless
    given; `progress` is called with a number of records as they are done.

    The graph keeps its settings: `curation`, `vocabulary` (concepts that entities are linked to)
    and `min_confidence` (what is less sure is left out) are those of the build before where they
    are None; `Curation(())`, `()` and 0 take them away. Under its settings the graph is that of a
    build from scratch of the same records, in whatever order.

    Raises `StoreError` for a folder that cannot be written, is held by another process, or holds a
    graph of another base, and `InputError` where `min_confidence` is no probability.
    """
    start = time.perf_counter()
    skipped: list[Skipped] = []
    with _opened(Path(folder), base=base, create=True) as work:
        given: set[str] = set()
        for abstract in abstracts:
            if isinstance(abstract, Skipped):
                skipped.append(abstract)
            elif not abstract.abstract.strip():
                skipped.append(Skipped(abstract.source, "no abstract"))
            else:
                record = cleaned(abstract)
                named = handle(record)
                work.ledger.put(named, record)
                given.add(named.record)
        settings = settle(
            work.ledger,
            curation=curation,
            vocabulary=vocabulary,
            min_confidence=min_confidence,
        )
        outcome = rebuild(
            work,
            given,
            extract,
            model,
            resolve=resolve or resolve_names,
            settings=settings,
            progress=progress or _silent,
        )
    return _report(outcome, skipped, start)


def remove_papers(
    names: Sequence[str],
    folder: str | Path,
    *,
    extract: Extract | None = None,
    model: str | None = None,
    curation: Curation | None = None,
    vocabulary: Iterable[Concept] | None = None,
    resolve: Resolve | None = None,
    progress: Callable[[int], None] | None = None,
) -> BuildReport:
    """Take papers out by IRI, identifier ("doi:10.1/x"), web address or their source's own id.

    Entities that nothing refers to any more go too. The model stays that of the graph; it reads
    only where the cache was deleted. Settings are kept as by `build_graph`.

    Raises `InputError`, before anything is touched, for a name that no paper bears or several do.
    """
    start = time.perf_counter()
    with _opened(Path(folder), base=None, create=False) as work:
        members = work.ledger.members()
        for paper in _named(names, work, members):
            for record in members[paper]:
                work.ledger.drop(record)
        settled = model or work.store.description.model
        settings = settle(
            work.ledger, curation=curation, vocabulary=vocabulary, min_confidence=None
        )
        outcome = rebuild(
            work,
            set(),
            extract or _shipped(settled),
            settled,
            resolve=resolve or resolve_names,
            settings=settings,
            progress=progress or _silent,
        )
    return _report(outcome, [], start)


@contextmanager
def _opened(folder: Path, *, base: str | None, create: bool) -> Iterator[Work]:
    with GraphStore.open(folder, write=True, create=create, base=base) as store:
        current = store.generation_file(ledgers.NAME)
        if store.description.generation and current is None:
            raise StoreError(
                f"the graph in {str(folder)!r} has no {ledgers.NAME!r}, the list of its papers: "
                "build into another folder from the inputs"
            )
        with (
            Ledger.copy(current, folder / "papers.work.sqlite") as ledger,
            Cache.open(folder / caches.NAME) as cache,
        ):
            yield Work(store, ledger, cache)


def _named(names: Sequence[str], work: Work, members: dict[str, list[str]]) -> set[str]:
    """The keys of the papers that are called so."""
    bearers: dict[str, set[str]] = {}
    for paper, records in members.items():
        bearers.setdefault(vocab.paper_iri(paper, work.store.base), set()).add(paper)
        bearers.setdefault(paper, set()).add(paper)
        for record in records:
            abstract = work.ledger.record(record)
            for name in (abstract.id, *abstract.identifiers):
                bearers.setdefault(name, set()).add(paper)
    found = set()
    for name in names:
        papers = bearers.get(name) or bearers.get(vocab.normal_identifier(_address(name)), set())
        if not papers:
            raise InputError(
                f"no paper is called {name!r}: give its IRI, its identifier (such as "
                "doi:10.1000/182 or arxiv:2401.00001), or the id that its source gives it"
            )
        if len(papers) > 1:
            addresses = ", ".join(
                vocab.paper_iri(paper, work.store.base) for paper in sorted(papers)
            )
            raise InputError(f"{name!r} is the id of several papers, name one of them: {addresses}")
        found |= papers
    return found


def _address(name: str) -> str:
    """A web address of a paper as an identifier; other names as they are."""
    for kind, address in vocab.RESOLVERS.items():
        if name.startswith(address):
            return f"{kind}:{name.removeprefix(address)}"
    return name


def _shipped(model: str) -> Extract:
    """The shipped extractor, should a text have to be read again by `model`."""

    def extract(abstracts: Iterable[Abstract], /) -> Iterator[Extraction]:
        from kg import extract as extraction  # noqa: PLC0415 - heavy, and seldom needed

        if extraction.model_name() != model:
            raise StoreError(
                f"what {model!r} read is no longer in {caches.NAME!r}, and this kg has the model "
                f"{extraction.model_name()!r}: run `kg build` on any input first, it reads all "
                "papers again"
            )
        yield from extraction.extract(abstracts)

    return extract


def _report(outcome: Outcome, skipped: list[Skipped], start: float) -> BuildReport:
    end = time.perf_counter()
    marks = outcome.marks
    return BuildReport(
        new=outcome.new,
        unchanged=outcome.unchanged,
        replaced=outcome.replaced,
        removed=outcome.removed,
        skipped=tuple(skipped),
        entities=outcome.entities,
        edges=outcome.edges,
        seconds=end - start,
        stages=Stages(
            reading=marks.reading - start,
            extraction=marks.extraction - marks.reading,
            resolving=marks.resolving - marks.extraction,
            writing=end - marks.resolving,
        ),
        notes=outcome.notes,
        links=outcome.links,
    )


def _silent(_: int) -> None:
    """Nobody wants to know."""
