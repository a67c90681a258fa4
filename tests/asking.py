"""A graph to ask: the papers of `building.sample` and eight more, all answers known by hand."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import building
from building import extraction

from kg.rdf import entity_quads, paper_quads
from kg.records import Merge
from kg.store import GraphStore
from kg.vocab import paper_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kg.records import Extraction, Resolution


def papers() -> list[Extraction]:
    """Fourteen papers of 2022 to 2026, each with a purpose said before it."""
    return [
        *building.sample(),
        # contradicts "lantern"; shares an author with it, so both are one team
        extraction(
            "Gates are enough",
            "[GateRNN|e1] outperforms [LanternNet|e2] on [WebTalk|e3] once it is tuned. "
            "The task is [machine translation|e4].",
            "e1 Method studies, e2 Method comparesWith, e3 Benchmark evaluatesOn, "
            "e4 Task addresses",
            "e1 outperforms e2, e1 usedFor e4",
            id="gates", authors=("ada minor",), venue="ICML", year=2025,
        ),
        # a third step of lineage, and another benchmark for the same task
        extraction(
            "[DuskNet|e1]: dim but quick",
            "[DuskNet|e1] extends [BeaconNet|e2] and is evaluated on [PageQuiz|e3]. "
            "It is made for [machine translation|e4], scored by [BLEU|e5].",
            "e1 Method proposes, e2 Method uses, e3 Benchmark evaluatesOn, e4 Task addresses, "
            "e5 Metric measures",
            "e1 basedOn e2, e1 evaluatedOn e3, e1 usedFor e4",
            id="dusk", authors=("Fay Lund",), venue="NeurIPS", year=2026,
        ),
        # WebTalk fades while PageQuiz rises
        extraction(
            "[DuskNet|e1] at scale",
            "We run [DuskNet|e1] on [PageQuiz|e2] for [machine translation|e3] "
            "beside a [Transformer|e4].",
            "e1 Method studies, e2 Benchmark evaluatesOn, e3 Task addresses, e4 Method uses",
            "e1 evaluatedOn e2, e4 evaluatedOn e2, e1 usedFor e3",
            id="scale", authors=("Gus Ivory", "Hal Jett"), venue="NeurIPS", year=2026,
        ),
        # a short form with two readings: here LN is LanternNet …
        extraction(
            "Summaries by lantern light",
            "[LanternNet|e1] ([LN|e1]) serves [summarisation|e2] well.",
            "e1 Method uses, e2 Task addresses",
            "e1 usedFor e2",
            id="light", authors=("Ida Kerr",), venue="ACL", year=2025,
        ),
        # … and here layer normalisation
        extraction(
            "Where to normalise",
            "[Layer normalisation|e1] ([LN|e1]) steadies [GateRNN|e2]. "
            "[Layer normalisation|e1] is a kind of [normalisation|e3], used for "
            "[question answering|e4]; [normalisation|e3] is a kind of [rescaling|e5].",
            "e1 Method studies, e2 Method uses, e3 Method mentions, e4 Task addresses, "
            "e5 Method mentions",
            "e1 subclassOf e3, e3 subclassOf e5, e1 partOf e2, e1 usedFor e4",
            id="where", authors=("Ida Kerr", "Jo Lark"), venue="ACL", year=2026,
        ),
        # question answering as a method: one name, two things
        extraction(
            "Asking as training",
            "[Question answering|e1] as a pretext helps [GateRNN|e2] at [summarisation|e3].",
            "e1 Method proposes, e2 Method uses, e3 Task addresses",
            "e2 usedFor e3",
            id="asking", authors=("Ken Moss",), venue="ACL", year=2024,
        ),
        # no year, no venue, no authors: nothing may break on it
        extraction(
            "",
            "[GateRNN|e1] is older than all of these, and serves [machine translation|e2].",
            "e1 Method studies, e2 Task addresses",
            "e1 usedFor e2",
            id="undated",
        ),
        # a second team repeats what "lantern" claims
        extraction(
            "A check of lanterns",
            "We find that [LanternNet|e1] outperforms [GateRNN|e2] in our hands too.",
            "e1 Method studies, e2 Method comparesWith",
            "e1 outperforms e2",
            id="check", authors=("Lea Nunn",), venue="ICML", year=2024,
        ),
    ]  # fmt: skip


def _with_merges(resolution: Resolution) -> Resolution:
    """Each alternative name with a reason, as a real resolution has."""
    return replace(
        resolution,
        entities=tuple(
            replace(e, merges=tuple(Merge(n, e.label, "spelling", 0.9) for n in e.alternatives))
            for e in resolution.entities
        ),
    )


@contextmanager
def graph(folder: Path, found: Sequence[Extraction]) -> Iterator[GraphStore]:
    """A graph of `found`, names resolved as `building.plain_resolve` does, open for asking."""
    by_key = {paper_key(one.abstract): one for one in found}
    resolution = _with_merges(building.plain_resolve(by_key))
    with GraphStore.open(folder, create=True) as store:
        lines = {
            key: paper_quads(key, one, resolution.links.get(key, {}), base=store.base)
            for key, one in by_key.items()
        }
        store.apply(
            papers=lines, entities=entity_quads(resolution, base=store.base), model="test/1"
        )
    with GraphStore.open(folder) as store:
        yield store
