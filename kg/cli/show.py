"""`kg show`: one entity or paper in the terminal."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.common import StoreOption, say
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME

if TYPE_CHECKING:
    from kg.show import Card, Edge, Sentence

EXAMPLE = 'kg show "large language models"'


def show(
    *,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name, id or IRI.", show_default=False)
    ],
    graph: StoreOption = "graph",
) -> None:
    """Show one entity or paper: names, counts by year, strongest edges, the sentences behind them.

    NAME is what a person would type, an alternative name, or an IRI.
    """
    from kg.graph import open_graph

    with open_graph(graph) as opened:
        card = opened.show(name)
    print_card(card)


def print_card(card: "Card") -> None:
    """Print what is known of an entity or paper."""
    from kg.cli.tables import print_line

    is_paper = card.types == ("Paper",)
    print_line(card.name, style="bold")
    print_line(f"{' and '.join(card.types)}, {card.iri}")
    if card.aliases:
        print_line(f"also called: {', '.join(card.aliases)}")
    if card.may_mean:
        print_line(f"may mean: {', '.join(card.may_mean)}")
    for field, value in card.details:
        print_line(f"{field}: {value}")
    if not is_paper:
        print_line(f"papers: {card.papers:,} by {card.teams:,} author teams")
        print_line(f"by year: {_counts((str(year), n) for year, n in card.years) or 'unknown'}")
        print_line(f"by role: {_counts((_label(role), n) for role, n in card.roles)}")
    for (kind, outgoing), edges in groupby(card.edges, lambda edge: (edge.kind, edge.outgoing)):
        say()
        print_line(f"{_label(kind)}:" if outgoing else f"{_label(kind)} it:", style="bold")
        for edge in edges:
            _print_edge(edge, counted=not is_paper)
    if card.sentences:
        say()
        print_line("what it states:" if is_paper else "what papers say:", style="bold")
    names = {edge.iri: edge.name for edge in card.edges}
    for sentence in card.sentences:
        what = _label(sentence.kind)
        if is_paper:
            # every entity of a paper has an edge from it, and so a name here
            what = f"{names[sentence.subject]} {what} {names[sentence.object]}"
        print_line(what, indent=2)
        _print_sentence(sentence, title=not is_paper, indent=4)


def _print_edge(edge: "Edge", *, counted: bool) -> None:
    from kg.cli.tables import print_line

    papers = f", {edge.papers:,} {'paper' if edge.papers == 1 else 'papers'}" if counted else ""
    print_line(f"{edge.name} ({' and '.join(edge.types)}{papers})", indent=2)
    if edge.sentence:
        _print_sentence(edge.sentence, title=counted, indent=4)


def _print_sentence(sentence: "Sentence", *, title: bool, indent: int) -> None:
    from kg.cli.tables import print_line

    year = f", {sentence.year}" if sentence.year else ""
    source = f" – {sentence.title}{year}" if title else ""
    print_line(sentence.text + source, indent=indent, style="dim", marks=sentence.marks)


def _counts(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in pairs)


def _label(kind: str) -> str:
    return (ROLE_BY_NAME.get(kind) or RELATION_BY_NAME[kind]).label
