"""What the commands share: options, reading inputs, writing results, progress, ends of a run."""

import contextlib
import errno
import itertools
import logging
import os
import re
import select
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from typer.core import TyperGroup

from kg.errors import InputError, KgError

if TYPE_CHECKING:
    from kg.records import Abstract, Skipped
    from kg.resolve import Concept, Curation


def parse_folder(place: str | Path) -> Path:
    """Read the folder of a graph. Raises InputError for the address of a remote store."""
    if re.match(r"https?:/", str(place), re.IGNORECASE):
        raise InputError(
            f"{str(place)!r} is a remote store, which is only asked (query, show, stats, view, "
            "export): name the folder of a graph; `kg push` sends it there"
        )
    return Path(place)


GraphOption = Annotated[
    Path,
    typer.Option(
        "--graph",
        metavar="DIR",
        envvar="KG_GRAPH",
        parser=parse_folder,
        help="Folder of the graph.",
    ),
]
StoreOption = Annotated[
    str,
    typer.Option(
        "--graph",
        metavar="DIR_OR_URL",
        envvar="KG_GRAPH",
        help="Folder of the graph, or address of its SPARQL endpoint.",
    ),
]
InputsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="Files or folders of abstracts, in any format that is read; - is standard input.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option("--input-format", help="Format of the inputs, where it should not be guessed."),
]
VenueOption = Annotated[str, typer.Option("--venue", help="Venue of papers that name none.")]
YearOption = Annotated[
    int | None,
    typer.Option("--year", min=1000, max=2999, help="Year of papers that name none."),
]
ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="Model folder, in place of the shipped model."),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Texts read at once; one a core if not given.")
]
ConfidenceOption = Annotated[
    float | None,
    typer.Option("--min-confidence", min=0, max=1, help="Leave out what is less sure than this."),
]
CurationOption = Annotated[
    Path | None,
    typer.Option(
        "--curation",
        metavar="FILE",
        help="Your decisions on names (merge, split, rename …); kept for later builds.",
    ),
]
NoCurationOption = Annotated[
    bool, typer.Option("--no-curation", help="Take away the curation of an earlier build.")
]
VocabularyOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--vocabulary",
        metavar="FILE",
        help="A SKOS or OWL file to whose concepts entities are linked; may be given several "
        "times; kept for later builds.",
    ),
]
NoVocabularyOption = Annotated[
    bool, typer.Option("--no-vocabulary", help="Take away the vocabulary of an earlier build.")
]
SelectionOption = Annotated[
    str | None,
    typer.Option(
        "--query", metavar="QUERY", help="Only what this query names: a name, a file or a text."
    ),
]


class Commands(TyperGroup):
    """The group of commands; turns what went wrong into one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - Typer's own signature
        """Run the command that was asked for."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KgError as error:
            note(f"kg: {error}")
            raise typer.Exit(1) from error
        except BrokenPipeError:
            if not _reader_has_gone():
                raise
            # what is left in the buffer would complain once more when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except OSError as error:
            # a file that the user named; without a name it is the program's own trouble
            if error.filename is None and error.errno != errno.ENOSPC:
                raise
            name = "" if error.filename is None else f"{error.filename!r}: "
            note(f"kg: {name}{error.strerror}")
            raise typer.Exit(1) from error
        return result


def _reader_has_gone() -> bool:
    """Whether it is standard output's pipe that broke, and not one of the program's own."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), select.POLLOUT)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def note(line: str = "") -> None:
    """Say something that is not the result, on standard error."""
    print(line, file=sys.stderr)  # noqa: T201


def say(line: str = "") -> None:
    """Print a line of the result, on standard output."""
    print(line)  # noqa: T201


def show_notes() -> None:
    """Send the library's notes to standard error, one line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("kg")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)


def read_inputs(
    inputs: Sequence[str], *, input_format: str | None, venue: str, year: int | None
) -> "Iterator[Abstract | Skipped]":
    """Give the papers of all inputs in turn.

    One of several that cannot be read is skipped and named, as in a folder.

    Raises InputError at once where one is missing: not after an hour's work on the others; and
    where no paper is found in any of them, before anything is written.
    """
    from kg.readers import read_abstracts
    from kg.records import Skipped

    if inputs.count("-") > 1:
        raise InputError("standard input ('-') can be read once only; name '-' once")
    each = [read_abstracts(name, format=input_format, venue=venue, year=year) for name in inputs]

    def one(name: str, records: "Iterator[Abstract | Skipped]") -> "Iterator[Abstract | Skipped]":
        try:
            yield from records
        except InputError as error:
            if len(inputs) == 1:
                raise
            yield Skipped(name, str(error))

    every = itertools.chain.from_iterable(map(one, inputs, each))
    first: list[Abstract | Skipped] = []
    for record in every:
        first.append(record)
        if not isinstance(record, Skipped):
            return itertools.chain(first, every)
    for left_out in first:
        if isinstance(left_out, Skipped):
            note(f"  {left_out.source}: {left_out.reason}")
    raise InputError(f"no paper could be read from {', '.join(map(repr, inputs))}")


def count_papers(
    inputs: Sequence[str], *, input_format: str | None, venue: str, year: int | None
) -> int | None:
    """Count the papers of all inputs by reading them; None where one can be read once only."""
    if not all(Path(name).is_file() or Path(name).is_dir() for name in inputs):
        return None
    return sum(1 for _ in read_inputs(inputs, input_format=input_format, venue=venue, year=year))


def read_decisions(path: Path | None, *, none: bool) -> "Curation | None":
    """Read a curation file; without one give None, or where there shall be `none` an empty one."""
    from kg.resolve import Curation, read_curation

    if path is None:
        return Curation(()) if none else None
    if none:
        raise typer.BadParameter("give --curation or --no-curation, not both")
    return read_curation(path)


def read_concepts(paths: Sequence[Path] | None, *, none: bool) -> "tuple[Concept, ...] | None":
    """Read vocabulary files; without any give None, or where there shall be `none` no concept."""
    if not paths:
        return () if none else None
    if none:
        raise typer.BadParameter("give --vocabulary or --no-vocabulary, not both")
    from kg.resolve import read_vocabulary

    return read_vocabulary(*paths)


@contextlib.contextmanager
def output(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, or standard output where `path` is "-".

    A file takes the place of an older one only when all is written: what fails or is interrupted
    leaves the older one, which may be the input itself, as it was.

    Raises InputError where the file cannot be opened.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    plain = path.is_file() or not path.exists()  # a pipe or device is written as it is
    part = path.with_name(f".{path.name}.{os.getpid()}.part") if plain else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sink = part.open("wb")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error
    try:
        with sink:
            yield sink
        if plain:
            part.replace(path)
    finally:
        if plain:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def output_path(path: Path, *, suffix: str) -> Iterator[Path]:
    """Give the path of a file to write; for "-" one that is copied to standard output after."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="kg-") as folder:
        written = Path(folder) / f"output{suffix}"
        yield written
        with written.open("rb") as source:
            shutil.copyfileobj(source, sys.stdout.buffer)
        sys.stdout.buffer.flush()


@contextlib.contextmanager
def progress(
    count: Callable[[], int | None],
) -> Iterator[Callable[[int], None] | None]:
    """Give what counts papers forward on a bar: papers per second, time left.

    Only on a terminal; elsewhere None is given, and `count`, which tells how many papers there are
    in all, is not asked.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from kg.cli.bar import paper_bar

    with paper_bar(count()) as advance:
        yield advance
