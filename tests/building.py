"""Small data for tests, written by us: extractions from marked-up text, and stand-ins for stages.

`[surface|e1]` marks a mention of the entity with the local id e1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.records import (
    Abstract,
    Entity,
    Evidence,
    Extraction,
    Mention,
    PaperEntity,
    Relation,
    Resolution,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_MARK = re.compile(r"\[([^|\]]+)\|(\w+)\]")
_SENTENCE = re.compile(r"[^.\n]+(?:\.(?=\s|$)|\.(?!\s)[^.\n]*)*")


def extraction(
    title: str,
    abstract: str,
    entities: str,
    relations: str = "",
    *,
    id: str = "",  # noqa: A002
    authors: tuple[str, ...] = (),
    venue: str = "",
    year: int | None = None,
    identifiers: tuple[str, ...] = (),
    model: str = "test/1",
) -> Extraction:
    """`entities` reads "e1 Method proposes, e2 Task addresses", `relations` "e1 usedFor e2, …"."""
    marked = f"{title}\n{abstract}" if title else abstract
    mentions: dict[str, list[Mention]] = {}
    document = ""
    end = 0
    for mark in _MARK.finditer(marked):
        document += marked[end : mark.start()]
        start = len(document)
        document += mark[1]
        mentions.setdefault(mark[2], []).append(Mention(start, len(document), mark[1], 0.9))
        end = mark.end()
    document += marked[end:]
    head, _, rest = document.partition("\n") if title else ("", "", document)
    paper = Abstract(id, head, rest, authors, venue, year, identifiers, source="building.py")
    assert paper.document == document

    found: dict[str, PaperEntity] = {}
    for row in filter(None, (part.split() for part in entities.split(","))):
        local, kind, role = row
        spans = tuple(mentions.get(local, ()))
        assert spans, f"{local} has no mention"
        names = tuple(sorted({m.text for m in spans}, key=lambda name: (-len(name), name)))
        found[local] = PaperEntity(
            local, kind, role, names, spans, 0.9, 0.8, _sentence(document, spans[0].start)
        )
    edges = []
    for row in filter(None, (part.split() for part in relations.split(","))):
        first, kind, second = row
        i, j = _nearest(found[first].mentions, found[second].mentions)
        ends = found[first].mentions[i].start, found[second].mentions[j].start
        begin, stop = _sentence(document, min(ends)).start, _sentence(document, max(ends)).end
        evidence = Evidence(begin, stop, document[begin:stop])
        edges.append(Relation(first, kind, second, 0.7, evidence, i, j))
    return Extraction(paper, tuple(found.values()), tuple(edges), model)


def _sentence(document: str, position: int) -> Evidence:
    for found in _SENTENCE.finditer(document):
        if found.start() <= position < found.end():
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            return Evidence(start, found.end(), document[start : found.end()])
    raise AssertionError(f"no sentence at {position}")


def _nearest(first: tuple[Mention, ...], second: tuple[Mention, ...]) -> tuple[int, int]:
    pairs = ((i, j) for i in range(len(first)) for j in range(len(second)))
    return min(pairs, key=lambda p: abs(first[p[0]].start - second[p[1]].start))


def sample() -> list[Extraction]:
    """Six papers of an invented line of work: 2 share a benchmark, several build on each other."""
    return [
        extraction(
            "[LanternNet|e1]: folding attention for cheap translation",
            "We introduce [LanternNet|e1], a [Transformer|e2] that folds its attention maps. "
            "[LanternNet|e1] outperforms [GateRNN|e3] on [WebTalk|e4] for "
            "[machine translation|e5]. Quality is reported as [BLEU|e6].",
            "e1 Method proposes, e2 Method uses, e3 Method comparesWith, e4 Benchmark evaluatesOn, "
            "e5 Task addresses, e6 Metric measures",
            "e1 basedOn e2, e1 outperforms e3, e1 evaluatedOn e4, e1 usedFor e5, e4 measuredBy e6",
            id="lantern", authors=("Ada Minor", "Bo Quill"), venue="NeurIPS", year=2023,
            identifiers=("arxiv:2301.00001",),
        ),
        extraction(
            "[BeaconNet|e1] for long documents",
            "[BeaconNet|e1] extends [LanternNet|e2] with a sparse index. "
            "It is trained on [PaperPile-9|e3] and beats [LanternNet|e2] at [summarisation|e4]. "
            "We report [ROUGE|e5].",
            "e1 Method proposes, e2 Method comparesWith, e3 Dataset uses, e4 Task addresses, "
            "e5 Metric measures",
            "e1 basedOn e2, e1 trainedOn e3, e1 outperforms e2, e1 usedFor e4",
            id="beacon", authors=("Bo Quill",), venue="ICML", year=2024,
            identifiers=("doi:10.5555/beacon.1",),
        ),
        extraction(
            "[WebTalk|e1], a benchmark of spoken pages",
            "[WebTalk|e1] measures [machine translation|e2] of web pages read aloud. "
            "We study [Transformers|e3] and [GateRNN|e4] on it with [BLEU|e5].",
            "e1 Benchmark proposes, e2 Task addresses, e3 Method studies, e4 Method studies, "
            "e5 Metric measures",
            "e1 benchmarkFor e2, e3 evaluatedOn e1, e4 evaluatedOn e1, e1 measuredBy e5",
            id="webtalk", authors=("Cy Orr", "Ada Minor"), venue="ACL", year=2022,
        ),
        extraction(
            "",
            "[Stochastic gradient descent|e1] ([SGD|e1]) is analysed under heavy tails. "
            "We bound its [regret|e2] in [online learning|e3], "
            "a kind of [sequential prediction|e4].",
            "e1 Method studies, e2 Metric measures, e3 Task addresses, e4 Task mentions",
            "e1 usedFor e3, e3 subclassOf e4, e1 measuredBy e2",
            id="sgd", year=2023,
        ),
        extraction(
            "Reading with $\\mu$Gate",
            "We propose [$\\mu$Gate|e1], a part of [GateRNN|e2] with \"quoted\" units. "
            "[$\\mu$Gate|e1] helps [question answering|e3] on [QuizBowl & co|e4].",
            "e1 Method proposes, e2 Method uses, e3 Task addresses, e4 Benchmark evaluatesOn",
            "e1 partOf e2, e1 usedFor e3, e1 evaluatedOn e4",
            id="mugate", authors=("Dé Ünal",), venue="NeurIPS", year=2024,
            identifiers=("openreview:AbCdE",),
        ),
        extraction(
            "A second look at [BeaconNet|e1]",
            "We compare [BeaconNet|e1] with [GateRNN|e2] on [WebTalk|e3]. "
            "Neither wins in [machine translation|e4].",
            "e1 Method studies, e2 Method studies, e3 Benchmark evaluatesOn, e4 Task addresses",
            "e1 comparedWith e2, e1 evaluatedOn e3, e2 evaluatedOn e3",
            id="second", authors=("Eve Park",), venue="ICML", year=2025,
        ),
    ]  # fmt: skip


def plain_resolve(
    papers: Mapping[str, Extraction],
    *,
    curation: object = None,
) -> Resolution:
    """A stand-in for `kg.resolve`: one entity a type and lower-cased first name."""
    names: dict[tuple[str, str], set[str]] = {}
    links: dict[str, dict[str, tuple[str, str]]] = {}
    for paper, found in papers.items():
        for entity in found.entities:
            node = entity.type, plain_fold(entity.names[0])
            names.setdefault(node, set()).update(entity.names)
            links.setdefault(paper, {})[entity.id] = node
    entities = []
    for (kind, key), spelt in sorted(names.items()):
        label, *others = sorted(spelt, key=lambda name: (-len(name), name))
        entities.append(Entity(kind, key, label, tuple(others), (kind,)))
    return Resolution(tuple(entities), links)


def plain_fold(name: str) -> str:
    """The key of `plain_resolve`."""
    key = " ".join(name.casefold().replace("-", " ").split())
    return key.removesuffix("s") if len(key) > 5 else key


def extractor(known: Iterable[Extraction]) -> Callable[[Iterable[Abstract]], Iterator[Extraction]]:
    """A stand-in for `kg.extract` that knows the given papers, by their text."""
    by_text = {found.abstract.document: found for found in known}

    def extract(abstracts: Iterable[Abstract]) -> Iterator[Extraction]:
        for abstract in abstracts:
            found = by_text[abstract.document]
            yield Extraction(abstract, found.entities, found.relations, found.model)

    return extract
