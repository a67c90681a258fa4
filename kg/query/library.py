"""The saved queries: folders of `.rq` files in, `SavedQuery` records out.

A saved query is plain SPARQL with a header of comment lines:

    # title: Methods for a task
    # description: Which methods papers apply to a task, and how many
    #   papers say so.
    # parameter: task (Task, default any) the task, as a person would name it
    # parameter: limit (integer, default 25) rows at most
    # teams: teams
    # counts: papers usedFor
    # example: task=object detection

A parameter `task` stands in the query as `VALUES ?task { … }`, wherever it is needed; what is
within the braces is replaced. The parameter `limit` is the figure of every `LIMIT`. A column named
after `teams:` holds papers parted by spaces, and becomes the number of distinct author teams.

After `counts:` stand a column that counts edges and their kinds (`EDGE_KINDS`), for
`kg query --corrected`. "?x" among the kinds is what column or parameter x holds in the row: a role,
a relation, or the type of an entity. Columns that count pairs of edges, or shares, stand nowhere.
`example:` gives a parameter a value to try the query with; `queries/README.md` shows what it finds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kg.errors import InputError, QueryError
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES

#: What a parameter may be, besides the name of an entity type, or several parted by "|".
PARAMETER_TYPES = (
    "entity", "paper", "type", "relation", "role", "integer", "number", "year", "text",
)  # fmt: skip

#: Kinds of edges: a paper names a thing of a type, in a role, or states a relation.
EDGE_KINDS = (
    {t.name: f"kg:{t.name}" for t in ENTITY_TYPES}
    | {role.name: role.curie for role in ROLES}
    | {relation.name: relation.curie for relation in RELATIONS}
)

_HEADER = re.compile(r"^#\s?(title|description|parameter|teams|counts|example):\s*(.*)$")
_PARAMETER = re.compile(r"^(\w+)\s+\(([\w|]+)(?:,\s*default\s+(.*?))?\)\s+(\S.*)$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a saved query.

    `type` is one of `PARAMETER_TYPES` or entity types parted by "|" ("Dataset|Benchmark").
    `default` is None where a value must be given, "" where none means any.
    """

    name: str
    type: str
    default: str | None
    help: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A column that counts edges of the `kinds` named, "?x" being what x holds in each row."""

    column: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """One `.rq` file: `name` is the file's, `group` its folder's ("" at the top).

    `example` are values of parameters (name, value) to try it with.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str
    group: str = ""
    teams: tuple[str, ...] = ()
    counts: tuple[Counted, ...] = ()
    example: tuple[tuple[str, str], ...] = ()


def queries_folder() -> Path:
    """The folder of saved queries: `./queries`, else the package's copy, else the repository's.

    Raises InputError where there is none.
    """
    package = Path(__file__).resolve().parent.parent
    places = (Path("queries"), package / "queries", package.parent / "queries")
    for place in places:
        if place.is_dir() and next(place.rglob("*.rq"), None):
            return place
    tried = ", ".join(str(place) for place in places)
    raise InputError(f"no folder of saved queries found (looked at {tried}); name one")


def saved_queries(folder: Path | None = None) -> dict[str, SavedQuery]:
    """All saved queries below `folder` by name, sorted by group and name.

    Raises InputError where a header is at fault or two files have one name.
    """
    folder = queries_folder() if folder is None else Path(folder)
    if not folder.is_dir():
        raise InputError(f"no folder of saved queries at {str(folder)!r}")
    found: dict[str, SavedQuery] = {}
    for path in sorted(folder.rglob("*.rq")):
        group = path.parent.relative_to(folder).as_posix()
        query = read_query(path, group="" if group == "." else group)
        if query.name in found:
            raise InputError(f"two saved queries are called {query.name!r}: rename {str(path)!r}")
        found[query.name] = query
    return found


def read_query(path: Path, *, group: str = "") -> SavedQuery:
    """The saved query in the file `path`. Raises InputError where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the query file {str(path)!r}: {error}") from error
    return parse_query(text, name=path.stem, group=group)


def parse_query(text: str, *, name: str = "", group: str = "") -> SavedQuery:
    """A saved query from its text; a text without a header is one without parameters.

    Raises InputError where the header is at fault.
    """
    names = ("title", "description", "parameter", "teams", "counts", "example")
    fields: dict[str, list[str]] = {name: [] for name in names}
    field = ""
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        head = _HEADER.match(line)
        if head:
            field = head.group(1)
            fields[field].append(head.group(2).strip())
        elif field and line.startswith("#  ") and line[1:].strip():
            fields[field][-1] += " " + line[1:].strip()
        else:
            field = ""
    return SavedQuery(
        name=name,
        title=" ".join(fields["title"]),
        description=" ".join(fields["description"]),
        parameters=tuple(_parameter(line, name) for line in fields["parameter"]),
        text=text,
        group=group,
        teams=tuple(column for line in fields["teams"] for column in line.split()),
        counts=tuple(_counted(line, name) for line in fields["counts"]),
        example=tuple(_example(line, name) for line in fields["example"]),
    )


def _counted(line: str, query: str) -> Counted:
    column, *kinds = line.split() or [""]
    unknown = [kind for kind in kinds if not kind.startswith("?") and kind not in EDGE_KINDS]
    if not kinds or unknown:
        fault = f"the unknown kind {unknown[0]!r}" if unknown else f"no kind in {line!r}"
        raise InputError(
            f"query {query!r}: its line of counts has {fault};"
            f" write: COLUMN KIND…, each one of {', '.join(EDGE_KINDS)} or ?NAME"
        )
    return Counted(column, tuple(kinds))


def _example(line: str, query: str) -> tuple[str, str]:
    name, sign, value = line.partition("=")
    if not sign:
        raise InputError(f"query {query!r}: cannot read the example {line!r}; write: NAME=VALUE")
    return name.strip(), value.strip()


def _parameter(line: str, query: str) -> Parameter:
    match = _PARAMETER.match(line)
    if not match:
        raise InputError(
            f"query {query!r}: cannot read the parameter line {line!r};"
            " write: NAME (TYPE, default VALUE) what it is"
        )
    name, kind, default, text = match.groups()
    entity_types = {t.name for t in ENTITY_TYPES}
    if kind not in PARAMETER_TYPES and not set(kind.split("|")) <= entity_types:
        raise InputError(
            f"query {query!r}: parameter {name!r} has the unknown type {kind!r};"
            f" known: {', '.join((*PARAMETER_TYPES, *sorted(entity_types)))}"
        )
    return Parameter(name, kind, "" if default == "any" else default, text)


def find_query(name: str, folder: Path | None = None) -> SavedQuery:
    """The saved query called `name`. Raises QueryError that lists the nearest names."""
    queries = saved_queries(folder)
    if name in queries:
        return queries[name]
    from rapidfuzz import process  # noqa: PLC0415 - only a name that is not known needs it

    near = [match[0] for match in process.extract(name, list(queries), limit=3, score_cutoff=50)]
    hint = f"nearest: {', '.join(near)}" if near else "`kg query --list` names them all"
    raise QueryError(f"no saved query is called {name!r}; {hint}")
