"""What each part of the recipe is worth, and what more records would bring: small runs, one table.

`python -m kg.train.ablations DATA.jsonl -o FOLDER [--encoder FILE] [NAME …]` trains the named
variants (all of `VARIANTS` without names) one after the other. Each learns from a share of the
records and is scored on `HELD` other records of the same file that no variant learns from, so that
the development records are left for the figures that are reported. A variant that is done is not
run again, a stopped one goes on from its last epoch; `FOLDER/ablations.md` is the table so far.
"""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from kg.evaluate import list_records, predict, score
from kg.extract.model import OnnxModel
from kg.train.config import default_config, write_config
from kg.train.data import hold_out, load_examples
from kg.train.encoder import package_folder, tokenizer_of
from kg.train.export import export
from kg.train.loop import train
from kg.train.network import Network
from kg.train.recipe import begin
from kg.train.sessions import sessions_of
from kg.train.tune import Remembering, predicted
from kg.train.variants import VARIANTS, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.train.data import Example

log = logging.getLogger(__name__)
#: Records that every variant is scored on.
HELD = 300
FIGURES = ("mention", "entity", "role", "relation")


def run(
    variant: Variant, records: Sequence[dict[str, Any]], folder: Path, *, encoder: Path | None
) -> dict[str, Any]:
    """Train and score one variant; its row of the table, also kept in `folder/NAME.json`."""
    kept = folder / f"{variant.name}.json"
    if kept.exists():
        row: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return row
    learn, held = hold_out(records, HELD)
    learn = learn[: max(1, round(len(learn) * variant.share))]
    texts = _taught(learn, records, folder) if variant.taught else []
    network = _network(variant, encoder)
    tokenizer = tokenizer_of(package_folder())
    titled, bare = (load_examples(texts + learn, tokenizer, titles=t) for t in (True, False))
    if not variant.features:
        titled, bare = [_blind(e) for e in titled], [_blind(e) for e in bare]
    train(titled, bare, network, folder / variant.name, variant.settings, early=len(texts))
    network.eval()
    if not variant.features:
        _forget_features(network)
    gold = {str(r["id"]): r for r in held}
    found = _read(network, variant, gold, folder / variant.name / "model")
    scores = {s.name: s for s in score(gold, gold, found)}
    row = {"name": variant.name, "what": variant.what, "records": len(learn), "held": len(gold)}
    row |= {f: asdict(scores[f]) for f in FIGURES}
    kept.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    (folder / variant.name / "last.pt").unlink()
    return row


def _read(
    network: Network, variant: Variant, gold: dict[str, dict[str, Any]], model: Path
) -> dict[str, dict[str, Any]]:
    """What the network says of the texts of `gold`, its decoding figures as they are at first."""
    model.mkdir(parents=True, exist_ok=True)
    write_config(default_config(variant.name), model)
    if variant.graphs:
        export(network, model)
        return predict(gold.values(), model=model)
    read = OnnxModel(model, sessions=sessions_of(network))
    return predicted(gold, Remembering(read, read.config))


def _taught(
    learn: Sequence[dict[str, Any]], records: Sequence[dict[str, Any]], folder: Path
) -> list[dict[str, Any]]:
    """As many records again, with what `base` reads in their texts in place of their labels."""
    run(VARIANTS[0], records, folder, encoder=None)
    others, _ = hold_out(records, HELD)
    texts = others[len(learn) : 2 * len(learn)]
    found = predict(texts, model=folder / VARIANTS[0].name / "model")
    return [r | {k: found[str(r["id"])][k] for k in ("entities", "relations")} for r in texts]


def _network(variant: Variant, encoder: Path | None) -> Network:
    torch.manual_seed(variant.settings.seed)
    network = Network()
    begin(network, encoder if variant.pretrained else None)
    if variant.change is not None:
        variant.change(network)
    return network


def _blind(example: Example) -> Example:
    """The example as an uncased reader sees it."""
    p = example.pieces
    none = np.zeros_like(p.case)
    return replace(example, pieces=replace(p, case=none, shape=none, glue=none))


def _forget_features(network: Network) -> None:
    """Let every feature look as the only one that was seen in training."""
    with torch.no_grad():
        for table in (network.encoder.case, network.encoder.shape, network.encoder.glue):
            table.weight[:] = table.weight[0]


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as a Markdown table of F1s in hundredths; the base with its 95 % intervals."""
    lines = [f"| variant | records | {' | '.join(FIGURES)} |", "|---|---:|" + "---:|" * 4]
    base = next((r for r in rows if r["name"] == "base"), None)
    for r in rows:
        cells = []
        for f in FIGURES:
            cell = f"{100 * r[f]['f1']:.1f}"
            if r is base:
                cell += f" ({100 * r[f]['low']:.1f} to {100 * r[f]['high']:.1f})"
            elif base is not None:
                cell += f" ({100 * (r[f]['f1'] - base[f]['f1']):+.1f})"
            cells.append(cell)
        lines.append(f"| {r['what']} | {r['records']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the variants that are named and not done, then write the table of all that are."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    known = {v.name: v for v in VARIANTS}
    parser = argparse.ArgumentParser(prog="python -m kg.train.ablations", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", choices=[*known, []], metavar="NAME")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, help="pre-trained weights for `pretrained`")
    # names may stand on either side of the options
    asked = parser.parse_intermixed_args()
    chosen = [known[n] for n in asked.names or known]
    if asked.encoder is None:
        if any(v.pretrained for v in chosen) and asked.names:
            parser.error("the variant 'pretrained' needs --encoder: see kg.train.pretrain")
        chosen = [v for v in chosen if not v.pretrained]
    asked.out.mkdir(parents=True, exist_ok=True)
    records = list_records(asked.data)
    for variant in chosen:
        log.info("%s: %s", variant.name, variant.what)
        run(variant, records, asked.out, encoder=asked.encoder)
    done = [v for v in VARIANTS if (asked.out / f"{v.name}.json").exists()]
    rows = [run(v, records, asked.out, encoder=asked.encoder) for v in done]
    (asked.out / "ablations.md").write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
