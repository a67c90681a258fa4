"""Choose the decoding figures and calibrate confidences on development records."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.annotation import as_record
from kg.evaluate import align, count, paper_of, spans, text_of
from kg.extract import read_abstract
from kg.schema import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kg.extract.model import Config, Encoded, OnnxModel

log = logging.getLogger(__name__)
Record = dict[str, Any]

#: The figures that are tried, one after the other, each with the others held.
GRID: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("span_bias", (-0.4, 0.0, 0.4, 0.8, 1.2)),
    ("none_bias", (-0.8, -0.4, 0.0, 0.4, 0.8)),
    ("type_weight", (0.25, 0.5, 0.75)),
    ("same_threshold", (0.3, 0.4, 0.5, 0.6, 0.7)),
)
#: Biases that are tried on the two rare types together.
RARE = (0.0, 0.35, 0.7, 1.0, 1.4)
THRESHOLDS = tuple(round(0.1 + 0.05 * i, 2) for i in range(13))
KINDS = ("mention", "entity", "role", "relation")


class Remembering:
    """A model that reads each text once, whatever its figures; for trying figures."""

    def __init__(self, model: OnnxModel, config: Config) -> None:
        self._model, self.config = model, config
        self._read: dict[str, Encoded] = {}
        self.context, self.names, self.relate = model.context, model.names, model.relate

    def encode(self, text: str) -> Encoded:
        """Read the text, or remember it."""
        if text not in self._read:
            self._read[text] = self._model.encode(text)
        return self._read[text]


def predicted(gold: Mapping[str, Record], model: Remembering) -> dict[str, Record]:
    """What the model says of the gold records' texts with its present figures."""
    out = {}
    for key, r in gold.items():
        out[key] = as_record(read_abstract(paper_of(r), model, "tuning"))
    return out


def f1(gold: Mapping[str, Record], found: Mapping[str, Record], names: Sequence[str]
       ) -> dict[str, float]:  # fmt: skip
    """The F1 of each figure in `names`."""
    rows = [count(text_of(r), r, found[key]) for key, r in gold.items()]
    out = {}
    for name in names:
        kept = [r[name] for r in rows if name in r]
        hit, both = sum(c.hit for c in kept), sum(c.want + c.got for c in kept)
        out[name] = 2 * hit / both if both else 0.0
    return out


def choose_figures(gold: Mapping[str, Record], model: OnnxModel) -> Config:
    """The model's config with the figures that score best on `gold`, confidences calibrated."""
    trial = Remembering(model, model.config)

    def value(names: Sequence[str]) -> float:
        return sum(f1(gold, predicted(gold, trial), names).values())

    for name, values in GRID:
        trial.config = _best(trial, name, values, lambda: value(("mention", "entity", "role")))
    tried = []
    for bias in RARE:
        rare = trial.config.type_bias | dict.fromkeys(("Dataset", "Benchmark"), bias)
        trial.config = replace(trial.config, type_bias=rare)
        tried.append((value(("mention", "entity", "role")) - 0.0005 * bias, rare))
    trial.config = replace(trial.config, type_bias=max(tried, key=lambda p: p[0])[1])
    flat = {r.name: 0.0 for r in RELATIONS}
    scored: list[tuple[float, float]] = []
    for level in THRESHOLDS:
        trial.config = replace(trial.config, relation_threshold={**flat, **_level(level)})
        scored.append((value(("relation",)), level))
    best = max(scored, key=lambda p: (p[0], -abs(p[1] - 0.35)))[1]
    trial.config = replace(trial.config, relation_threshold=_level(best))
    for kind in RELATIONS:
        trial.config = _best_threshold(trial, kind.name, best, lambda: value(("relation",)))
    found = judged(gold, predicted(gold, trial))
    return replace(trial.config, calibration={k: knots(found[k]) for k in KINDS})


def _level(value: float) -> dict[str, float]:
    return {r.name: value for r in RELATIONS}


def _best(
    trial: Remembering, name: str, values: Sequence[float], value: Callable[[], float]
) -> Config:
    start = trial.config
    tried = []
    for v in values:
        trial.config = replace(start, **{name: v})  # type: ignore[arg-type]
        # a hair's preference for the middle: the development records are few
        tried.append((value() - 0.0005 * abs(v - values[len(values) // 2]), v))
    log.info("%s: %s", name, " ".join(f"{v:g}={s:.4f}" for s, v in tried))
    return replace(start, **{name: max(tried)[1]})  # type: ignore[arg-type]


def _best_threshold(
    trial: Remembering, kind: str, level: float, value: Callable[[], float]
) -> Config:
    start = trial.config
    tried = []
    for v in sorted({max(0.05, level - 0.15), level, min(0.95, level + 0.15)}):
        trial.config = replace(start, relation_threshold={**start.relation_threshold, kind: v})
        tried.append((value() - 0.004 * abs(v - level), v))
    chosen = max(tried)[1]
    return replace(start, relation_threshold={**start.relation_threshold, kind: chosen})


def judged(
    gold: Mapping[str, Record], found: Mapping[str, Record]
) -> dict[str, list[tuple[float, bool]]]:
    """Each confidence with whether the thing was right, by kind of thing."""
    out: dict[str, list[tuple[float, bool]]] = {k: [] for k in KINDS}
    for key, g in gold.items():
        p, text = found[key], text_of(g)
        right = spans(text, g)
        same = align(g["entities"], p["entities"])
        by_id = {e["id"]: e for e in g["entities"]}
        for e in p["entities"]:
            mine = spans(text, {"entities": [e]})
            out["mention"] += [(e["mention_confidence"], s in right) for s in sorted(mine)]
            out["entity"].append((e["confidence"], e["id"] in same))
            agrees = e["id"] in same and by_id[same[e["id"]]].get("role") == e["role"]
            out["role"].append((e["role_confidence"], agrees))
        pairs = {tuple(r) for r in g["relations"]}
        for (h, r, t), evidence in zip(p["relations"], p["evidence"], strict=True):
            hit = (same.get(h), r, same.get(t)) in pairs
            out["relation"].append((evidence["confidence"], hit))
    return out


def knots(pairs: Sequence[tuple[float, bool]], *, bins: int = 10) -> list[list[float]]:
    """A rising line from score to share right: binned, then pooled (Ayer et al. 1955)."""
    if len(pairs) < bins:
        return [[0.0, 0.0], [1.0, 1.0]]
    ordered = np.array(sorted(pairs), dtype=float)
    parts = [(p[:, 0].mean(), p[:, 1].mean(), len(p)) for p in np.array_split(ordered, bins)]
    pools: list[list[float]] = []
    for x, y, n in parts:
        pools.append([float(x), float(y), float(n)])
        while len(pools) > 1 and pools[-2][1] >= pools[-1][1]:
            (a, b, m), (c, d, k) = pools[-2:]
            pools[-2:] = [[(a * m + c * k) / (m + k), (b * m + d * k) / (m + k), m + k]]
    line = [[round(x, 4), round(y, 4)] for x, y, _ in pools]
    return [[0.0, line[0][1] * 0.5], *line, [1.0, min(1.0, line[-1][1] + 0.01)]]


def calibration_error(pairs: Sequence[tuple[float, bool]], *, bins: int = 10) -> float:
    """Expected calibration error over equally wide bins (Guo et al. 2017)."""
    if not pairs:
        return 0.0
    table = np.array(pairs, dtype=float)
    place = np.minimum((table[:, 0] * bins).astype(int), bins - 1)
    gaps = [
        abs(table[place == b, 0].mean() - table[place == b, 1].mean()) * (place == b).sum()
        for b in range(bins)
        if (place == b).any()
    ]
    return float(sum(gaps) / len(table))


def crossed_error(gold: Mapping[str, Record], found: Mapping[str, Record]) -> dict[str, float]:
    """Calibrate on one half of the documents, measure on the other, both ways."""
    keys = sorted(gold)
    halves = [keys[::2], keys[1::2]]
    errors = {}
    both = [judged({k: gold[k] for k in half}, found) for half in halves]
    for kind in KINDS:
        pairs = []
        for mine, other in ((0, 1), (1, 0)):
            line = np.array(knots(both[other][kind]))
            pairs += [
                (float(np.interp(score, line[:, 0], line[:, 1])), right)
                for score, right in both[mine][kind]
            ]
        errors[kind] = calibration_error(pairs)
    return errors
