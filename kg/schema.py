"""The closed sets of the graph, one table each: types, roles, relations, who may relate to whom.

The sets and their order are those of the annotation guidelines; a new case is a new row.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type of entity: its class name in the ontology, slug in IRIs, plural, colour, meaning.

    Colours are Okabe and Ito's set, safe for colour-blind readers.
    """

    name: str
    slug: str
    plural: str
    colour: str
    comment: str


@dataclass(frozen=True, slots=True)
class Role:
    """A role, the edge from a paper to an entity; `curie` is its property in RDF."""

    name: str
    curie: str
    label: str
    types: tuple[str, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class RelationType:
    """A relation between entities; `pairs` are the allowed (head type, tail type)."""

    name: str
    curie: str
    label: str
    pairs: frozenset[tuple[str, str]]
    comment: str


ENTITY_TYPES: tuple[EntityType, ...] = (
    EntityType("Method", "method", "methods", "#0072B2",
               "An algorithm, model, architecture, system, loss, procedure or proof technique."),
    EntityType("Task", "task", "tasks", "#D55E00",
               "A problem, problem setting, capability or application that work is done on."),
    EntityType("Dataset", "dataset", "datasets", "#009E73",
               "A particular collection of data."),
    EntityType("Benchmark", "benchmark", "benchmarks", "#CC79A7",
               "An evaluation suite, test set, challenge or leaderboard made to compare systems."),
    EntityType("Metric", "metric", "metrics", "#E69F00",
               "A measure that is reported, bounded or optimised."),
)  # fmt: skip

PAPER_COLOUR = "#595959"

_ANY = tuple(t.name for t in ENTITY_TYPES)

#: In the guidelines' order of precedence: if several fit, the first holds.
ROLES: tuple[Role, ...] = (
    Role("proposes", "kg:proposes", "proposes", _ANY, "introduces or contributes it"),
    Role("evaluatesOn", "kg:evaluatesOn", "evaluates on", ("Benchmark", "Dataset"),
         "runs its evaluation on it"),
    Role("comparesWith", "kg:comparesWith", "compares with", _ANY,
         "compares with it, beats it, or sets itself against it"),
    Role("uses", "kg:uses", "uses", _ANY,
         "builds with it, trains on it, or applies it as a part of its own work"),
    Role("studies", "kg:studies", "studies", _ANY, "analyses an existing thing as its subject"),
    Role("addresses", "kg:addresses", "addresses", _ANY, "works on it or demonstrates it"),
    Role("measures", "kg:measures", "measures", _ANY, "reports, bounds or optimises it"),
    Role("mentions", "kg:mentions", "mentions", _ANY, "names it as background only"),
)  # fmt: skip


def _pairs(heads: str, tails: str) -> frozenset[tuple[str, str]]:
    return frozenset((h, t) for h in heads.split("/") for t in tails.split("/"))


RELATIONS: tuple[RelationType, ...] = (
    RelationType("usedFor", "kg:usedFor", "used for", _pairs("Method", "Task"),
                 "is applied to or solves"),
    RelationType("partOf", "kg:partOf", "part of",
                 _pairs("Method", "Method")
                 | _pairs("Benchmark/Dataset", "Benchmark/Dataset/Method"),
                 "is a component of"),
    RelationType("basedOn", "kg:basedOn", "based on",
                 _pairs("Method", "Method")
                 | _pairs("Benchmark/Dataset", "Benchmark/Dataset/Method"),
                 "builds on, extends, is derived from, is made with"),
    RelationType("subclassOf", "skos:broader", "kind of", frozenset((t, t) for t in _ANY),
                 "is a kind of, is a subtask of"),
    RelationType("trainedOn", "kg:trainedOn", "trained on", _pairs("Method", "Dataset"),
                 "is trained or fine-tuned on"),
    RelationType("evaluatedOn", "kg:evaluatedOn", "evaluated on",
                 _pairs("Method", "Benchmark/Dataset"), "is evaluated on"),
    RelationType("benchmarkFor", "kg:benchmarkFor", "benchmark for",
                 _pairs("Benchmark/Dataset", "Task"), "measures or provides data for"),
    RelationType("outperforms", "kg:outperforms", "outperforms", _pairs("Method", "Method"),
                 "is reported better than"),
    RelationType("comparedWith", "kg:comparedWith", "compared with", _pairs("Method", "Method"),
                 "is compared with, no winner stated"),
    RelationType("measuredBy", "kg:measuredBy", "measured by",
                 _pairs("Method/Task/Benchmark", "Metric"),
                 "is measured, bounded or reported by"),
)  # fmt: skip

TYPE_BY_NAME = {t.name: t for t in ENTITY_TYPES}
ROLE_BY_NAME = {r.name: r for r in ROLES}
RELATION_BY_NAME = {r.name: r for r in RELATIONS}


def may_relate(head: str, relation: str, tail: str) -> bool:
    """Whether the guidelines allow `relation` from an entity of type `head` to one of `tail`."""
    return (head, tail) in RELATION_BY_NAME[relation].pairs


def may_play(role: str, entity_type: str) -> bool:
    """Whether a paper may have `role` towards an entity of `entity_type`."""
    return entity_type in ROLE_BY_NAME[role].types
