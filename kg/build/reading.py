"""The papers of the ledger as the model reads them: which there are, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from kg import vocab
from kg.build.cache import Cache, text_hash
from kg.build.identity import group, merge
from kg.extract import keep_confident
from kg.records import Abstract, Extraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kg.build.ledger import Ledger

#: Papers between two commits of the cache: what a crash can cost.
_COMMIT = 64


class Extract(Protocol):
    """Reads abstracts: one extraction each, in their order."""

    def __call__(self, abstracts: Iterable[Abstract], /) -> Iterator[Extraction]:
        """Read them as they come."""
        ...


class Papers(Mapping[str, Extraction]):
    """The extractions of all papers, each read from disk when asked for: memory stays flat."""

    def __init__(
        self,
        ledger: Ledger,
        cache: Cache,
        *,
        model: str,
        members: dict[str, list[str]],
        min_confidence: float,
    ) -> None:
        """`members` are the records of each paper, in the order of the papers' keys."""
        self.members = members
        self.model = model
        self._ledger = ledger
        self._cache = cache
        self._least = min_confidence

    def __getitem__(self, paper: str) -> Extraction:
        return self.read(paper, self.abstract(paper))

    def read(self, paper: str, abstract: Abstract) -> Extraction:
        """What the paper says, where its `abstract` is at hand."""
        found = self._cache.get(text_hash(abstract), self.model, abstract)
        if found is None:
            raise KeyError(paper)
        return keep_confident(found, self._least)

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def abstract(self, paper: str) -> Abstract:
        """The paper's text and data, merged from its records."""
        return merge([self._ledger.record(record) for record in self.members[paper]])


def members(ledger: Ledger) -> dict[str, list[str]]:
    """Paper key → its records, in the order of the keys."""
    handles = {handle.record: handle for handle in ledger.handles()}

    def words(record: str) -> frozenset[str]:
        return frozenset(vocab.normal_text(ledger.record(record).abstract).split())

    papers = {}
    for records in group(handles.values(), words):
        if len(records) == 1:
            only = handles[records[0]]
            key = vocab.segment(only.identifiers[0]) if only.identifiers else only.content
        else:
            key = vocab.paper_key(merge([ledger.record(record) for record in records]))
        ledger.assign(key, records)
        papers[key] = records
    return dict(sorted(papers.items()))


def read(
    cache: Cache,
    papers: Papers,
    extract: Extract,
    *,
    model: str,
    given: set[str],
    progress: Callable[[int], None],
) -> None:
    """Have the model read the texts that it has not read; keep what it read, batch by batch."""
    pending: dict[str, str] = {}
    for paper in papers:
        text = text_hash(papers.abstract(paper))
        if text not in pending and (text, model) not in cache:
            pending[text] = paper
        else:
            progress(len(given.intersection(papers.members[paper])))
    abstracts = (papers.abstract(paper) for paper in pending.values())
    # nothing to read, nothing to load a model for
    found = extract(abstracts) if pending else iter(())
    for number, (paper, extraction) in enumerate(zip(pending.values(), found, strict=True), 1):
        cache.put(text_hash(extraction.abstract), model, extraction)
        if number % _COMMIT == 0:
            cache.commit()
        progress(len(given.intersection(papers.members[paper])))
    cache.commit()
