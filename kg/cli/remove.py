"""`kg remove`: papers out of the graph."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.build import note_report
from kg.cli.common import (
    CurationOption,
    GraphOption,
    NoCurationOption,
    NoVocabularyOption,
    VocabularyOption,
    read_concepts,
    read_decisions,
)

EXAMPLE = "kg remove doi:10.1000/182 https://kg.example/id/paper/3f9c2a --graph neurips"


def remove(
    *,
    papers: Annotated[
        list[str], typer.Argument(metavar="PAPER", help="Ids or IRIs.", show_default=False)
    ],
    graph: GraphOption = Path("graph"),
    curation: CurationOption = None,
    no_curation: NoCurationOption = False,
    vocabulary: VocabularyOption = None,
    no_vocabulary: NoVocabularyOption = False,
) -> None:
    """Take papers out of the graph, by id or IRI.

    Entities that nothing refers to any more go too. The curation and vocabulary of the graph hold
    as they do in a build.
    """
    from kg.build import remove_papers

    report = remove_papers(
        papers,
        graph,
        curation=read_decisions(curation, none=no_curation),
        vocabulary=read_concepts(vocabulary, none=no_vocabulary),
    )
    note_report(report)
