"""`kg evaluate`: predicted records against gold records."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import ModelOption

EXAMPLE = "kg evaluate gold.jsonl predicted.jsonl --texts texts.jsonl"


def evaluate(
    *,
    gold: Annotated[
        Path, typer.Argument(metavar="GOLD", help="Annotated records.", show_default=False)
    ],
    predicted: Annotated[
        Path | None,
        typer.Argument(
            metavar="PREDICTED",
            help="Records of `kg extract`; the model reads the texts if none are given.",
            show_default=False,
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FILE", help="Titles and abstracts, where GOLD has none."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Also the scores of each type, role, relation or venue."),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Score records against gold: precision, recall and F1, micro averages over the papers.

    Mentions by exact span and type, and by overlap; entities by a shared name; their roles;
    relations. The range is the F1's 95 % interval, by bootstrap over the papers.
    """
    from kg.cli.tables import print_table
    from kg.evaluate import evaluate as score

    rows = score(gold, predicted, texts=texts, model=model, by=by)
    print_table(
        ("figure", "precision", "recall", "F1", "95 % interval", "gold"),
        [
            (
                row.name,
                *(f"{figure:.3f}" for figure in (row.precision, row.recall, row.f1)),
                f"{row.low:.3f}–{row.high:.3f}",
                row.gold,
            )
            for row in rows
        ],
    )
