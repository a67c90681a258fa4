"""Graphs of any size for measurements: invented papers, their entities by a 1/x law.

The facts of a graph are given twice: as extractions, which `kg.rdf` makes RDF of, and as plain rows
for tables, so that an answer can be checked against one that no RDF was needed for.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import building

from kg import vocab
from kg.rdf import entity_quads, paper_quads
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME
from kg.store import GraphStore
from kg.vocab import paper_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.records import Extraction

#: Names of a type: how they begin, how many there are for a thousand papers.
NAMES = {
    "Method": ("Net", 2400),
    "Task": ("Chore", 600),
    "Dataset": ("Pile", 200),
    "Benchmark": ("Quiz", 150),
    "Metric": ("Rate", 60),
}
VENUES = [f"Venue {letter}" for letter in "ABCDEFGHIJKL"]


@dataclass
class Rows:
    """The facts as rows: papers (iri, year, venue), types (entity, type), roles, edges."""

    papers: list[tuple[str, int, str]] = field(default_factory=list)
    types: set[tuple[str, str]] = field(default_factory=set)
    roles: set[tuple[str, str, str]] = field(default_factory=set)
    edges: set[tuple[str, str, str, str]] = field(default_factory=set)


def papers(count: int, *, seed: int = 1) -> Iterator[Extraction]:
    """`count` papers of 2016 to 2025; each names some ten entities and relates most of them."""
    rng = random.Random(seed)  # noqa: S311 - the same graph each time
    sizes = {kind: max(8, n * count // 1000) for kind, (_, n) in NAMES.items()}

    def name(kind: str) -> str:
        return f"{NAMES[kind][0]}{int(sizes[kind] ** rng.random())}"

    for number in range(count):
        own, *methods = dict.fromkeys([f"Own{number}", *(name("Method") for _ in range(4))])
        tasks = list(dict.fromkeys(name("Task") for _ in range(2)))
        quiz, pile, rate = name("Benchmark"), name("Dataset"), name("Metric")
        said = [f"[{own}|m0] is new and serves [{tasks[0]}|t0]."]
        entities = ["m0 Method proposes", "t0 Task addresses"]
        edges = ["m0 usedFor t0", "m0 evaluatedOn b0", "b0 benchmarkFor t0", "b0 measuredBy r0"]
        for i, method in enumerate(methods, 1):
            role, edge = rng.choice(
                [("uses", f"m0 basedOn m{i}"), ("uses", f"m{i} partOf m0"),
                 ("comparesWith", f"m0 outperforms m{i}"), ("studies", f"m{i} usedFor t0"),
                 ("studies", f"m{i} evaluatedOn b0"), ("mentions", f"m{i} comparedWith m0")]
            )  # fmt: skip
            said.append(f"It meets [{method}|m{i}].")
            entities.append(f"m{i} Method {role}")
            edges.append(edge)
        if len(tasks) > 1:
            said.append(f"Then there is [{tasks[1]}|t1].")
            entities.append("t1 Task addresses")
            edges.append("m0 usedFor t1")
        said.append(f"It is run on [{quiz}|b0] after [{pile}|d0] and has its [{rate}|r0].")
        entities += [
            "b0 Benchmark evaluatesOn", f"d0 Dataset {rng.choice(['uses', 'evaluatesOn'])}",
            "r0 Metric measures",
        ]  # fmt: skip
        edges.append("m0 trainedOn d0")
        yield building.extraction(
            f"Paper {number}", " ".join(said), ", ".join(entities), ", ".join(edges),
            id=f"p{number}", venue=rng.choice(VENUES), year=2016 + number * 10 // count,
            authors=(f"A. Author{int(count ** rng.random())}",),
        )  # fmt: skip


def build(folder: Path, count: int) -> Rows:
    """Write the graph of `count` papers into `folder`; its facts."""
    by_key = {paper_key(found.abstract): found for found in papers(count)}
    resolution = building.plain_resolve(by_key)
    rows = Rows()
    with GraphStore.open(folder, create=True) as store:
        for key, found in by_key.items():
            _add(rows, key, found, resolution.links[key], store.base)
        store.apply(
            papers=(
                (key, paper_quads(key, found, resolution.links[key], base=store.base))
                for key, found in by_key.items()
            ),
            entities=entity_quads(resolution, base=store.base),
            model="synthetic/1",
        )
    return rows


def _add(
    rows: Rows, key: str, found: Extraction, links: dict[str, tuple[str, str]], base: str
) -> None:
    paper = vocab.paper_iri(key, base)
    rows.papers.append((paper, found.abstract.year or 0, found.abstract.venue))
    ends = {local: vocab.entity_iri(*node, base) for local, node in links.items()}
    for entity in found.entities:
        rows.types.add((ends[entity.id], vocab.iri(f"kg:{entity.type}", base)))
        rows.roles.add((paper, vocab.iri(ROLE_BY_NAME[entity.role].curie, base), ends[entity.id]))
    for relation in found.relations:
        kind = vocab.iri(RELATION_BY_NAME[relation.type].curie, base)
        rows.edges.add((paper, ends[relation.head], kind, ends[relation.tail]))
