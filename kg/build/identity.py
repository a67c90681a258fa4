"""Which records are the same paper, and what the paper made of them says.

A graph is a function of the set of records it was given, never of their order. A record is told
from others by its source's own id and its lasting identifier; giving it again replaces it. Records
are one paper when they share a DOI, arXiv or OpenReview id, or their text up to case, signs and
white space, or their title and most words of the abstract (a preprint and its proceedings).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from networkx.utils import UnionFind

from kg.vocab import (
    RESOLVERS,
    clean,
    content_hash,
    normal_identifier,
    normal_text,
    strong_identifiers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kg.records import Abstract

#: Two texts under one title are versions of one paper from this share of common words up (Jaccard).
#: Abstracts of different papers in machine learning share about 0.15.
SAME_TEXT = 0.5
_TITLE_WORDS = 3
#: A title over more different texts than this is a heading ("guest editorial"), not a paper's name;
#: comparing all their pairs would take for ever.
_MOST_TEXTS = 50
_PREPRINTS = ("arxiv", "corr", "preprint", "biorxiv", "openreview", "ssrn")


@dataclass(frozen=True, slots=True)
class Handle:
    """What grouping needs to know of a record; `title` is "" where it has none."""

    record: str
    identifiers: tuple[str, ...]
    content: str
    title: str
    abstract: str


def cleaned(abstract: Abstract) -> Abstract:
    """The record with every character that RDF cannot hold replaced, offsets kept."""
    return replace(
        abstract,
        id=clean(abstract.id).strip(),
        title=clean(abstract.title),
        abstract=clean(abstract.abstract),
        authors=tuple(map(clean, abstract.authors)),
        venue=clean(abstract.venue),
        identifiers=tuple(dict.fromkeys(normal_identifier(clean(i)) for i in abstract.identifiers)),
        url=clean(abstract.url),
        keywords=tuple(map(clean, abstract.keywords)),
    )


def handle(abstract: Abstract) -> Handle:
    """The handle of a cleaned record."""
    strong = strong_identifiers(abstract)
    title, content = normal_text(abstract.title), content_hash(abstract)
    anchor = strong[0] if strong else (title if abstract.id and title else content)
    return Handle(
        record=_hash(json.dumps([abstract.id, anchor])),
        identifiers=strong,
        content=content,
        title=title,
        abstract=_hash(normal_text(abstract.abstract)),
    )


def group(handles: Iterable[Handle], words: Callable[[str], frozenset[str]]) -> list[list[str]]:
    """The records of each paper, sorted; `words` gives the words of a record's abstract."""
    union: UnionFind[str] = UnionFind()
    by_title: dict[str, dict[str, str]] = defaultdict(dict)
    titles: dict[str, set[str]] = defaultdict(set)
    untitled: dict[str, list[str]] = defaultdict(list)
    records = []
    for one in handles:
        records.append(one.record)
        union.union(f"record {one.record}", f"text {one.content}")
        for identifier in one.identifiers:
            union.union(f"record {one.record}", f"id {identifier}")
        if one.title:
            titles[one.abstract].add(one.title)
            union.union(f"record {one.record}", f"titled {one.title}\n{one.abstract}")
            if one.title.count(" ") + 1 >= _TITLE_WORDS:
                by_title[one.title].setdefault(one.content, one.record)
        else:
            untitled[one.abstract].append(one.record)
    for abstract, without in untitled.items():
        # a boilerplate abstract under several titles says nothing about the one that has none
        if len(titles[abstract]) == 1:
            title = next(iter(titles[abstract]))
            for record in without:
                union.union(f"record {record}", f"titled {title}\n{abstract}")
    for texts in (t for t in by_title.values() if len(t) <= _MOST_TEXTS):
        for first, second in combinations(sorted(texts.values()), 2):
            if union[f"record {first}"] != union[f"record {second}"] and _alike(
                words(first), words(second)
            ):
                union.union(f"record {first}", f"record {second}")
    papers = defaultdict(list)
    for record in records:
        papers[union[f"record {record}"]].append(record)
    return sorted(sorted(members) for members in papers.values())


def merge(records: Sequence[Abstract]) -> Abstract:
    """One abstract of all records of a paper; their order does not matter.

    The text comes from the record with a title, the most lasting identifier and the longest text;
    venue and year from the first that is no preprint; identifiers and source ids are all kept.
    """
    if len(records) == 1:
        return records[0]
    ranked = sorted(records, key=_rank)
    text = ranked[0]
    published = next((r for r in ranked if r.venue and not _is_preprint(r)), None)
    told = published or next((r for r in ranked if r.venue), text)
    years = [r.year for r in [told, *ranked] if r.year is not None]
    own = [r.id for r in ranked if r.id and r.id != text.id]
    named = dict.fromkeys(i for r in ranked for i in r.identifiers)
    return replace(
        text,
        authors=next((r.authors for r in ranked if r.authors), ()),
        venue=told.venue,
        year=years[0] if years else None,
        identifiers=tuple(dict.fromkeys([*named, *own])),
        url=next((r.url for r in ranked if r.url), ""),
        keywords=tuple(dict.fromkeys(k for r in ranked for k in r.keywords)),
    )


def _rank(abstract: Abstract) -> tuple[object, ...]:
    kinds = list(RESOLVERS)
    strong = strong_identifiers(abstract)
    return (
        not abstract.title,
        kinds.index(strong[0].partition(":")[0]) if strong else len(kinds),
        abstract.title.isupper(),
        -len(normal_text(abstract.abstract)),
        abstract.document,
        abstract.id,
        *(repr(value) for value in (abstract.identifiers, abstract.venue, abstract.year)),
        *(repr(value) for value in (abstract.authors, abstract.url, abstract.keywords)),
    )


def _is_preprint(abstract: Abstract) -> bool:
    return any(word in abstract.venue.casefold() for word in _PREPRINTS)


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= SAME_TEXT * len(first | second)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]
