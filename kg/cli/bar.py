"""The bar on a terminal while papers are read: how many, papers per second, time left."""

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class SpeedColumn(ProgressColumn):
    """Papers per second, over the last half minute or so."""

    def render(self, task: Task) -> Text:
        """Give the figure, or a dash before there is one."""
        speed = task.finished_speed or task.speed
        return Text("– papers/s" if speed is None else f"{speed:.1f} papers/s")


@contextlib.contextmanager
def paper_bar(total: int | None) -> Iterator[Callable[[int], None]]:
    """Show the bar on standard error, and give what moves it forward by a number of papers."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        SpeedColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("papers", total=total)

        def advance(papers: int) -> None:
            bar.advance(task, papers)

        yield advance
