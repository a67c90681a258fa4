"""The scores of many documents: micro averages of their counts, by any cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kg.errors import InputError
from kg.evaluate.counting import Counts, count, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.evaluate.records import Record

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
