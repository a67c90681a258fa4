"""The counts of one document: what of the gold record is found, and what of the found is right."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.evaluate.records import Record


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one document and figure: found and right, in the gold, found."""

    hit: int
    want: int
    got: int


def fold(text: str) -> str:
    """Mention strings that count as equal have equal folds."""
    text = re.sub(r"[\s\-‐-―_]+", " ", text.casefold()).strip()
    return re.sub(r"(?<=[a-z]{3})s$", "", text)


def spans(text: str, record: Record) -> set[tuple[int, int, str]]:
    """Every whole-word occurrence of the record's mention strings, longest first, not nested."""
    taken = np.zeros(len(text) + 1, dtype=bool)
    found = set()
    strings = {(m, e["type"]) for e in record["entities"] for m in e["mentions"]}
    # the sort is stable on equal lengths only for sorted input: the same result each time
    for string, kind in sorted(sorted(strings), key=lambda p: -len(p[0])):
        left = r"(?<!\w)" if string[:1].isalnum() else ""
        right = r"(?!\w)" if string[-1:].isalnum() else ""
        for hit in re.finditer(left + re.escape(string) + right, text):
            if not taken[hit.start() : hit.end()].any():
                taken[hit.start() : hit.end()] = True
                found.add((hit.start(), hit.end(), kind))
    return found


def overlaps(gold: set[tuple[int, int, str]], predicted: set[tuple[int, int, str]]) -> int:
    """How many gold spans have a predicted one of their type that overlaps, each used once."""
    free, hits = sorted(predicted), 0
    for start, end, kind in sorted(gold):
        match = next((p for p in free if p[2] == kind and p[0] < end and start < p[1]), None)
        if match:
            free.remove(match)
            hits += 1
    return hits


def align(gold: list[Record], predicted: list[Record], *, typed: bool = True) -> dict[str, str]:
    """Predicted entity ids to gold ones, greedily one to one by shared mention strings."""
    folded = {id(e): {fold(m) for m in e["mentions"]} for e in [*gold, *predicted]}
    pairs = []
    for p in predicted:
        for g in gold:
            shared = folded[id(p)] & folded[id(g)]
            if shared and (not typed or p["type"] == g["type"]):
                pairs.append((-len(shared), -max(map(len, shared)), p["id"], g["id"]))
    same: dict[str, str] = {}
    used: set[str] = set()
    for *_, p, g in sorted(pairs):
        if p not in same and g not in used:
            same[p] = g
            used.add(g)
    return same


def count(text: str, gold: Record, predicted: Record) -> dict[str, Counts]:
    """The counts of one document, by figure; cuts are named "figure/cut/value"."""
    out: dict[str, Counts] = {}
    gs, ps = spans(text, gold), spans(text, predicted)
    out["mention"] = Counts(len(gs & ps), len(gs), len(ps))
    out["overlap"] = Counts(overlaps(gs, ps), len(gs), len(ps))
    for kind in {s[2] for s in gs | ps}:
        a, b = {s for s in gs if s[2] == kind}, {s for s in ps if s[2] == kind}
        out[f"mention/type/{kind}"] = Counts(len(a & b), len(a), len(b))
    same = align(gold["entities"], predicted["entities"])
    loose = align(gold["entities"], predicted["entities"], typed=False)
    by_id = {e["id"]: e for e in gold["entities"]}
    want, got = len(gold["entities"]), len(predicted["entities"])
    agree = [e for e in predicted["entities"] if _role_agrees(e, same, by_id)]
    out["entity"] = Counts(len(same), want, got)
    out["anytype"] = Counts(len(loose), want, got)
    out["role"] = Counts(len(agree), want, got)
    matched = [e for e in predicted["entities"] if e["id"] in same]
    out |= _cut("entity/type", "type", matched, gold["entities"], predicted["entities"])
    out |= _cut("role/type", "type", agree, gold["entities"], predicted["entities"])
    out |= _cut("role/role", "role", agree, gold["entities"], predicted["entities"])
    gr = {tuple(r) for r in gold["relations"]}
    pr = {(same.get(h, "?" + h), r, same.get(t, "?" + t)) for h, r, t in predicted["relations"]}
    out["relation"] = Counts(len(gr & pr), len(gr), len(pr))
    for kind in {r[1] for r in gr | pr}:
        a, b = {r for r in gr if r[1] == kind}, {r for r in pr if r[1] == kind}
        out[f"relation/relation/{kind}"] = Counts(len(a & b), len(a), len(b))
    gp, pp = {frozenset((h, t)) for h, _, t in gr}, {frozenset((h, t)) for h, _, t in pr}
    out["pair"] = Counts(len(gp & pp), len(gp), len(pp))
    return out


def _role_agrees(entity: Record, same: Mapping[str, str], by_id: Mapping[str, Record]) -> bool:
    return entity["id"] in same and by_id[same[entity["id"]]].get("role") == entity.get("role")


def _cut(
    name: str, key: str, right: list[Record], gold: list[Record], got: list[Record]
) -> dict[str, Counts]:
    hits, wants, gots = (Counter(e.get(key) for e in part) for part in (right, gold, got))
    return {f"{name}/{v}": Counts(hits[v], wants[v], gots[v]) for v in {**wants, **gots}}


def text_of(record: Record) -> str:
    """The text that spans count in."""
    return f"{record.get('title') or ''}\n{record['abstract']}"
