"""`kg evaluate`: predicted records against gold records."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.common import ModelOption, note, say

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
            help="Records of `kg extract`; those of the shipped model if not given.",
            show_default=False,
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FILE", help="Titles and abstracts, where GOLD has none."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="CUT", help="Rows by type, role, relation or venue too."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option("--errors", metavar="FILE", help="Write a page of misses and false hits."),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Score records against gold: precision, recall and F1, micro averages over the papers.

    Mentions by exact span and type, by overlap; entities by a shared name; roles; relations. The
    interval is the F1's 95 % by bootstrap over the papers.
    """
    from kg.evaluate import evaluate as run

    report = run(gold, predicted, texts=texts, model=model, by=by)
    width = max(len(s.name) for s in report.scores)
    for s in report.scores:
        say(
            f"{s.name:{width}}  P {s.precision:.3f}  R {s.recall:.3f}  F1 {s.f1:.3f} "
            f"({s.low:.3f} to {s.high:.3f}), {s.gold} gold"
        )
    if errors is not None:
        from kg.errorpage import write_errors

        write_errors(report, errors)
        note(f"wrote {errors}")
