"""`kg build`: abstracts in, a graph on disk."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.common import (
    ConfidenceOption,
    CurationOption,
    FormatOption,
    GraphOption,
    InputsArgument,
    JobsOption,
    ModelOption,
    NoCurationOption,
    NoVocabularyOption,
    VenueOption,
    VocabularyOption,
    YearOption,
    count_papers,
    note,
    progress,
    read_concepts,
    read_decisions,
    read_inputs,
)

if TYPE_CHECKING:
    from kg.build import BuildReport

EXAMPLE = "kg build papers.jsonl more-papers.bib --venue NeurIPS --year 2026 --graph neurips"


def build(
    *,
    inputs: InputsArgument,
    graph: GraphOption = Path("graph"),
    venue: VenueOption = "",
    year: YearOption = None,
    input_format: FormatOption = None,
    jobs: JobsOption = None,
    model: ModelOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base", metavar="IRI", help="Base of the graph's IRIs, set when it is made."
        ),
    ] = None,
    curation: CurationOption = None,
    no_curation: NoCurationOption = False,
    vocabulary: VocabularyOption = None,
    no_vocabulary: NoVocabularyOption = False,
    min_confidence: ConfidenceOption = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Read on the Dask cluster with this scheduler, e.g. tcp://10.0.0.1:8786 "
            "(extra `cluster`).",
        ),
    ] = None,
) -> None:
    """Read abstracts, extract what they say, and write it to the graph.

    Adds to a graph that exists. A paper that is there already with the same text costs nothing;
    one whose text has changed is replaced. Curation, vocabulary and --min-confidence are kept with
    the graph: they hold for all its papers, and for later builds until others are given.
    """
    from kg import extract as extraction
    from kg.build import build_graph, cluster_extract

    if cluster and jobs:
        raise typer.BadParameter("give --jobs or --cluster, not both")
    read = (
        partial(cluster_extract, address=cluster, model=model)
        if cluster
        else partial(extraction.extract, model=model, jobs=jobs)
    )
    decisions = read_decisions(curation, none=no_curation)
    concepts = read_concepts(vocabulary, none=no_vocabulary)
    abstracts = read_inputs(inputs, input_format=input_format, venue=venue, year=year)
    count = partial(count_papers, inputs, input_format=input_format, venue=venue, year=year)

    with progress(count) as advance:
        report = build_graph(
            abstracts,
            graph,
            extract=read,
            model=extraction.model_name(model),
            base=base,
            curation=decisions,
            vocabulary=concepts,
            min_confidence=min_confidence,
            progress=advance,
        )
    note_report(report)


def note_report(report: "BuildReport") -> None:
    """Say what a run has done to the graph, each skipped record and idle decision by name."""
    rows = (
        ("papers new", f"{report.new:,}"),
        ("papers unchanged", f"{report.unchanged:,}"),
        ("papers replaced", f"{report.replaced:,}"),
        ("papers removed", f"{report.removed:,}"),
        ("papers skipped", f"{len(report.skipped):,}"),
        ("entities", f"{report.entities:,}"),
        ("edges", f"{report.edges:,}"),
        *((("links out", f"{report.links:,}"),) if report.links is not None else ()),
        ("seconds", f"{report.seconds:,.1f}"),
    )
    for name, figure in rows:
        note(f"{name:<17} {figure:>9}{_profile(report) if name == 'seconds' else ''}")
        if name == "papers skipped":
            for skipped in report.skipped:
                note(f"  {skipped.source}: {skipped.reason}")
    for idle in report.notes:
        note(f"{idle.source}: {idle.reason}")


def _profile(report: "BuildReport") -> str:
    """Name the stages of a run by their seconds, with the share that the model has of them."""
    spent = report.stages
    share = spent.extraction / report.seconds if report.seconds else 0.0
    return (
        f"  (reading {spent.reading:,.1f}, extraction {spent.extraction:,.1f} = {share:.0%}, "
        f"resolving {spent.resolving:,.1f}, writing {spent.writing:,.1f})"
    )
