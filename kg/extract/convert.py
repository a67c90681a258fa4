"""What was read of a document to the records of its paper, each with confidence and evidence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kg.extract.layout import NONE, TYPES
from kg.extract.sentences import sentence_at
from kg.records import Abstract, Evidence, Extraction, Mention, PaperEntity, Relation
from kg.schema import RELATIONS, ROLES

#: Words that show a role; the first row is what authors write of their own contribution.
CUES = {
    role: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for role, words in {
        "proposes": r"propos|introduc|present|develop|design|devis|contribut|novel\b|release"
        r"|we (?:\w+ )?(?:build|construct|create|give|derive|describe|establish|offer|provide)",
        "evaluatesOn": r"evaluat|experiment|test|benchmark|result|demonstrat|achiev|outperform",
        "comparesWith": r"outperform|compar|baseline|than\b|over\b|surpass|versus|unlike|contrast",
        "uses": r"us(?:e|es|ed|ing)\b|based on|train|leverag|employ|appl|adopt|combin|via\b|with\b",
        "studies": r"stud|analy|investigat|examin|understand|explor|show|evaluat|characteri",
        "addresses": r"address|solv|tackl|problem|task|for\b|stud|consider|in\b",
        "measures": r"improv|achiev|reduc|bound|report|measur|optimal|rate|higher|lower|percent",
        "mentions": r"",
    }.items()
}

if TYPE_CHECKING:
    from kg.extract.model import Config
    from kg.extract.read import Reading

#: Of these two ways round only the surer one can hold.
_ONE_WAY = {
    "partOf", "basedOn", "subclassOf", "outperforms", "comparedWith",
}  # fmt: skip


def to_extraction(
    abstract: Abstract, reading: Reading | None, config: Config, version: str
) -> Extraction:
    """The records of one paper; entities in the order of the text."""
    if reading is None:
        return Extraction(abstract, (), (), version)
    text, names = reading.text, reading.names
    order = sorted(
        range(len(reading.kinds)),
        key=lambda e: tuple(names.spans[reading.owner[names.group] == e].min(axis=0)),
    )
    number = {e: n for n, e in enumerate(order)}
    entities = tuple(_entity(f"e{number[e] + 1}", e, reading, config) for e in order)
    relations = []
    for head, tail, kind, chance in _chosen(reading, config.relation_threshold):
        a, b = entities[number[head]], entities[number[tail]]
        i, j = nearest(a.mentions, b.mentions, reading.bounds)
        evidence = between(text, reading.bounds, a.mentions[i], b.mentions[j])
        sure = config.confidence("relation", chance)
        relations.append(Relation(a.id, kind, b.id, sure, evidence, i, j))
    relations.sort(key=lambda r: (int(r.head[1:]), int(r.tail[1:]), r.type))
    return Extraction(abstract, entities, tuple(relations), version)


def _entity(name: str, entity: int, reading: Reading, config: Config) -> PaperEntity:
    names = reading.names
    mine = reading.owner[names.group] == entity
    typed = float(np.exp(reading.types[entity][:NONE]).max())
    sure = config.confidence("mention", typed)
    chance = np.exp(reading.roles[entity])
    role = int(chance.argmax())
    text, words = reading.text, reading.words
    spans = sorted((int(words.start[i]), int(words.end[j])) for i, j in names.spans[mine])
    mentions = tuple(Mention(s, e, text[s:e], sure) for s, e in spans)
    strings = {m.text for m in mentions}
    ordered = tuple(sorted(strings, key=lambda s: (-len(s), s)))
    evidence = role_evidence(text, reading.bounds, mentions, ROLES[role].name)
    kind = TYPES[int(reading.kinds[entity])]
    return PaperEntity(
        name, kind, ROLES[role].name, ordered, mentions, config.confidence("entity", typed),
        config.confidence("role", typed * float(chance[role])), evidence,
    )  # fmt: skip


def role_evidence(
    text: str, bounds: list[tuple[int, int]], mentions: tuple[Mention, ...], role: str
) -> Evidence:
    """The first sentence with a mention in which the paper's own words show the role.

    Without such a sentence it is the first that is not the title's line, else the first.
    """
    places = list(dict.fromkeys(sentence_at(bounds, m.start) for m in mentions))
    telling = [p for p in places if CUES[role].search(text[slice(*bounds[p])])]
    body = [p for p in places if bounds[p][1] >= len(text) or text[bounds[p][1]] != "\n"]
    start, end = bounds[(telling or body or places)[0]]
    return Evidence(start, end, text[start:end])


def _chosen(reading: Reading, thresholds: dict[str, float]) -> list[tuple[int, int, str, float]]:
    chance = np.exp(reading.relations[:, :-1])
    found: dict[tuple[int, int], tuple[str, float]] = {}
    for n, (h, t) in enumerate(reading.pairs):
        best = int(chance[n].argmax())
        name = RELATIONS[best].name
        if chance[n, best] >= thresholds[name]:
            found[int(h), int(t)] = (name, float(chance[n, best]))
    out = []
    for (h, t), (name, p) in found.items():
        back = found.get((t, h))
        if back and back[0] == name and name in _ONE_WAY and (back[1], (t, h)) > (p, (h, t)):
            continue
        out.append((h, t, name, p))
    return out


def nearest(
    a: tuple[Mention, ...], b: tuple[Mention, ...], bounds: list[tuple[int, int]]
) -> tuple[int, int]:
    """The mentions of two entities that stand nearest: fewest sentences, then characters apart."""
    one, other = ([sentence_at(bounds, m.start) for m in mentions] for mentions in (a, b))
    return min(
        ((i, j) for i in range(len(a)) for j in range(len(b))),
        key=lambda p: (abs(one[p[0]] - other[p[1]]), abs(a[p[0]].start - b[p[1]].start), p),
    )


def between(text: str, bounds: list[tuple[int, int]], a: Mention, b: Mention) -> Evidence:
    """The sentence that holds both mentions, or the stretch of sentences from one to the other."""
    first, last = sorted((sentence_at(bounds, a.start), sentence_at(bounds, b.start)))
    start = min(bounds[first][0], a.start, b.start)
    end = max(bounds[last][1], a.end, b.end)
    return Evidence(start, end, text[start:end])
