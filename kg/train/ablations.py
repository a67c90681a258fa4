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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from kg.evaluate import list_records, predict, score
from kg.train.config import default_config, write_config
from kg.train.data import hold_out, load_examples
from kg.train.encoder import package_folder, tokenizer_of
from kg.train.export import export
from kg.train.loop import Settings, train
from kg.train.network import Network
from kg.train.recipe import begin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.train.data import Example

log = logging.getLogger(__name__)
#: Records that every variant is scored on.
HELD = 300
FIGURES = ("mention", "entity", "role", "relation")
#: Passes of every variant: few, since only differences count.
EPOCHS = 5
_BASE = Settings(epochs=EPOCHS)


@dataclass(frozen=True, slots=True)
class Variant:
    """One change to the recipe; `base` is the recipe itself on a quarter of the records."""

    name: str
    what: str
    share: float = 0.25
    settings: Settings = _BASE
    features: bool = True
    layers: int | None = None
    pretrained: bool = False


VARIANTS = (
    Variant("base", "the recipe, published MiniLM weights, a quarter of the records"),
    Variant("pretrained", "continued pre-training by masked words", pretrained=True),
    Variant("half", "half of the records", share=0.5),
    Variant("all", "all records but the held-out ones", share=1.0),
    Variant("seed-2", "another seed", settings=replace(_BASE, seed=2)),
    Variant("seed-3", "a third seed", settings=replace(_BASE, seed=3)),
    Variant("no-features", "without case, shape and gluing of pieces", features=False),
    Variant("titles", "titles never dropped", settings=replace(_BASE, drop_title=0.0)),
    Variant("sure-marks", "marks never drawn", settings=replace(_BASE, doubt=0.0)),
    Variant("no-negatives", "no wrong names among the marks", settings=replace(_BASE, negatives=0)),
    Variant("unrounded", "products never rounded", settings=replace(_BASE, rounded_from=1.0)),
    Variant("layers-4", "four encoder layers", layers=4),
)


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
    network = _network(variant, encoder)
    tokenizer = tokenizer_of(package_folder())
    titled, bare = (load_examples(learn, tokenizer, titles=t) for t in (True, False))
    if not variant.features:
        titled, bare = [_blind(e) for e in titled], [_blind(e) for e in bare]
    train(titled, bare, network, folder / variant.name, variant.settings)
    network.eval()
    if not variant.features:
        _forget_features(network)
    model = folder / variant.name / "model"
    export(network, model)
    write_config(default_config(variant.name), model)
    gold = {str(r["id"]): r for r in held}
    scores = {s.name: s for s in score(gold, gold, predict(gold.values(), model=model))}
    row = {"name": variant.name, "what": variant.what, "records": len(learn), "held": len(gold)}
    row |= {f: asdict(scores[f]) for f in FIGURES}
    kept.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    (folder / variant.name / "last.pt").unlink()
    return row


def _network(variant: Variant, encoder: Path | None) -> Network:
    torch.manual_seed(variant.settings.seed)
    network = Network()
    begin(network, encoder if variant.pretrained else None)
    if variant.layers is not None:
        network.encoder.layers = network.encoder.layers[: variant.layers]
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
