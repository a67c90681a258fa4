"""Predicted records against gold records: the scores of the annotation guidelines, by any cut.

All figures are micro averages over the documents, as the guidelines' own scorer counts them:

mention   a span (start, end) of "title, line feed, abstract" with its type; every whole-word
          occurrence of a mention string counts, the longest string first, none inside another
overlap   the same, found if a span of the same type overlaps it (each used once)
entity    an entity of the same type that shares a mention string (case, hyphen, plural folded)
anytype   the same, whatever the type
role      a matched entity whose role agrees too
relation  head, relation and tail agree, head and tail being matched entities
pair      the same without the relation's name or direction
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.errors import InputError
from kg.records import Abstract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Record = dict[str, Any]
FIGURES = ("mention", "overlap", "entity", "anytype", "role", "relation", "pair")
CUTS = ("type", "role", "relation", "venue")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 with the F1's 95 % interval by bootstrap over documents."""

    name: str
    precision: float
    recall: float
    f1: float
    low: float
    high: float
    gold: int


@dataclass(frozen=True, slots=True)
class Report:
    """The scores with the records that they were counted on."""

    scores: tuple[Score, ...]
    texts: Mapping[str, Record]
    gold: Mapping[str, Record]
    predicted: Mapping[str, Record]


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one document and figure: found and right, in the gold, found."""

    hit: int
    want: int
    got: int


def read_records(path: Path, *, annotated: bool = True) -> dict[str, Record]:
    """The records of a JSONL file by id, the last of each; as `list_records` reads them."""
    return {record["id"]: record for record in list_records(path, annotated=annotated)}


def list_records(path: Path, *, annotated: bool = True) -> list[Record]:
    """The records of a JSONL file; `annotated` ones have entities and relations.

    Raises:
        InputError: the file is missing, or a line is no record of the format.

    """
    try:
        # not splitlines: a text may hold U+2028 and its like as they are
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{str(path)!r} is not UTF-8: {error.reason}") from error
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}:{number}: not JSON ({error.msg})") from error
            fault = _fault(record, annotated=annotated)
            if fault:
                raise InputError(
                    f"{path}:{number}: {fault}; a record is one JSON object a line with id, "
                    "entities (id, type, role, mentions) and relations (head, name, tail)"
                )
            records.append(record)
    return records


def _fault(record: object, *, annotated: bool) -> str:
    """What keeps `record` from being one, "" where nothing does."""
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        return "no object with a string as id"
    if not annotated:
        return ""
    entities, relations = record.get("entities"), record.get("relations")
    if not isinstance(entities, list) or not isinstance(relations, list):
        return "no list of entities or of relations"
    for e in entities:
        named = isinstance(e, dict) and all(isinstance(e.get(k), str) for k in ("id", "type"))
        mentions = e.get("mentions") if named else None
        if not isinstance(mentions, list) or not all(isinstance(m, str) and m for m in mentions):
            return f"an entity without id, type or mentions: {e!r:.80}"
    known = {e["id"] for e in entities}
    for r in relations:
        named = isinstance(r, list) and len(r) == 3 and all(isinstance(part, str) for part in r)
        if not named or not {r[0], r[2]} <= known:
            return f"a relation that is no [head, name, tail] of its entities: {r!r:.80}"
    return ""


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


def score(
    texts: Mapping[str, Record], gold: Mapping[str, Record], predicted: Mapping[str, Record], *,
    by: str | None = None, draws: int = 1000,
) -> list[Score]:  # fmt: skip
    """The scores of `predicted`; every gold id counts, one missing in `predicted` found nothing.

    `by` adds rows for each type, role, relation or venue.

    Raises:
        InputError: `by` is none of these, or a gold record has no text.

    """
    if by is not None and by not in CUTS:
        raise InputError(f"cannot cut the scores by {by!r}: give one of {', '.join(CUTS)}")
    rows = []
    for key, record in gold.items():
        text = texts.get(key)
        if not text or "abstract" not in text:
            raise InputError(f"no text for the gold record {key!r}: give --texts FILE")
        empty: Record = {"entities": [], "relations": []}
        rows.append(count(text_of(text), record, predicted.get(key) or empty))
    names: list[str] = list(FIGURES)
    if by in ("type", "role", "relation"):
        names += sorted({n for r in rows for n in r if f"/{by}/" in n})
    out = [_summed(name, rows, draws) for name in names]
    if by == "venue":
        venues = [venue_of(texts[key]) for key in gold]
        for venue in sorted(set(venues)):
            part = [r for r, v in zip(rows, venues, strict=True) if v == venue]
            out += [
                _summed(n, part, draws, label=f"{n}/venue/{venue}")
                for n in ("mention", "entity", "role", "relation")
            ]
    return out


def venue_of(record: Record) -> str:
    """The record's venue, else the letters that its id begins with."""
    start = re.match(r"[A-Za-z]+|\d?[A-Za-z]+", str(record["id"]))
    return str(record.get("venue") or (start.group().upper() if start else "?"))


def _summed(
    name: str, rows: list[dict[str, Counts]], draws: int, *, label: str | None = None
) -> Score:
    none = Counts(0, 0, 0)
    table = np.array(
        [[c.hit, c.want, c.got] for c in (r.get(name, none) for r in rows)], dtype=np.int64
    ).reshape(-1, 3)
    hit, want, got = (int(n) for n in table.sum(axis=0))
    rng = np.random.default_rng(0)
    picks = rng.integers(0, len(table), (draws, len(table)))
    sums = table[picks].sum(axis=1)
    boot = 2 * sums[:, 0] / np.maximum(1, sums[:, 1] + sums[:, 2])
    low, high = np.quantile(boot, [0.025, 0.975])
    return Score(
        label or name,
        hit / got if got else 0.0,
        hit / want if want else 0.0,
        2 * hit / (want + got) if hit else 0.0,
        float(low),
        float(high),
        want,
    )


def paper_of(record: Record) -> Abstract:
    """The paper that a record annotates."""
    title, abstract = str(record.get("title") or ""), str(record["abstract"])
    return Abstract(id=str(record["id"]), title=title, abstract=abstract)


def predict(records: Iterable[Record], *, model: Path | None = None) -> dict[str, Record]:
    """What a model says of the records' texts, in the records' format."""
    from kg.annotation import as_record  # noqa: PLC0415
    from kg.extract import extract  # noqa: PLC0415

    return {e.abstract.id: as_record(e) for e in extract(map(paper_of, records), model=model)}


def evaluate(
    gold: Path, predicted: Path | None = None, *, texts: Path | None = None,
    model: Path | None = None, by: str | None = None,
) -> Report:  # fmt: skip
    """Score the records of `predicted`, or of a model where none are given, against `gold`.

    Raises:
        InputError: a file cannot be read or does not fit the others.

    """
    wanted = read_records(gold)
    if not wanted:
        raise InputError(f"{str(gold)!r} holds no records")
    held = read_records(texts, annotated=False) if texts else wanted
    if predicted is not None:
        given = read_records(predicted)
        if not given.keys() & wanted.keys():
            raise InputError(f"no record of {str(predicted)!r} has an id of {str(gold)!r}")
        return Report(tuple(score(held, wanted, given, by=by)), held, wanted, given)
    missing = [k for k in wanted if "abstract" not in held.get(k, {})]
    if missing:
        raise InputError(f"no text for the gold record {missing[0]!r}: give --texts FILE")
    found = predict((held[k] for k in wanted), model=model)
    return Report(tuple(score(held, wanted, found, by=by)), held, wanted, found)
