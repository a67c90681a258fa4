"""The options that choose a part of the graph, for the commands that draw it or take it away."""

import re
from typing import Annotated

import typer

from kg.errors import InputError
from kg.part import Part, choose
from kg.schema import RELATIONS, ROLES, TYPE_BY_NAME

FocusOption = Annotated[
    str | None, typer.Option("--focus", metavar="NAME", help="Only what is near this entity.")
]
HopsOption = Annotated[int, typer.Option("--hops", min=1, help="How far from --focus.")]
TopOption = Annotated[
    int | None, typer.Option("--top", min=1, help="Only the N nodes with most papers.")
]
TypesOption = Annotated[
    str | None, typer.Option("--types", help="Only these types, e.g. Method,Benchmark.")
]
YearsOption = Annotated[
    str | None, typer.Option("--years", metavar="A-B", help="Only papers of these years.")
]
SupportOption = Annotated[
    int, typer.Option("--min-support", min=1, help="Only edges that N papers state.")
]
RelationOption = Annotated[
    str | None,
    typer.Option("--relation", help="Only edges of these kinds, e.g. outperforms,basedOn."),
]
RoleOption = Annotated[
    str | None,
    typer.Option("--role", help="Only what papers have in these roles, e.g. proposes,uses."),
]
SureOption = Annotated[
    float,
    typer.Option("--min-confidence", min=0, max=1, help="Only what is at least as sure as this."),
]
VenuesOption = Annotated[
    list[str] | None,
    typer.Option("--venue", help="Only papers of this venue; may be given several times."),
]


def parse_part(
    *,
    focus: str | None,
    hops: int,
    top: int | None,
    types: str | None,
    role: str | None,
    relation: str | None,
    years: str | None,
    venue: list[str] | None,
    min_support: int,
    min_confidence: float,
) -> Part:
    """Read the options as typed. Raises InputError or QueryError for a value that is unknown."""
    return choose(
        focus=focus,
        hops=hops,
        top=top,
        types=parse_types(types),
        roles=parse_roles(role),
        relations=parse_relations(relation),
        years=parse_years(years),
        venues=venue,
        min_support=min_support,
        min_confidence=min_confidence,
    )


def parse_types(text: str | None) -> tuple[str, ...] | None:
    """Read "method,Benchmark" as names of entity types. Raises InputError for one unknown."""
    return None if text is None else _known(text, "entity type", {n: n for n in TYPE_BY_NAME})


def parse_roles(text: str | None) -> tuple[str, ...] | None:
    """Read "proposes,evaluates on" as names of roles. Raises InputError for one unknown."""
    labels = {role.label: role.name for role in ROLES}
    return None if text is None else _known(text, "role", labels)


def parse_relations(text: str | None) -> tuple[str, ...] | None:
    """Read "basedOn,kind of" as names of relations. Raises InputError for one unknown."""
    labels = {relation.label: relation.name for relation in RELATIONS}
    return None if text is None else _known(text, "relation", labels)


def _known(text: str, what: str, labels: dict[str, str]) -> tuple[str, ...]:
    """Names or labels with commas between them, in any case."""
    known = {spelt.casefold(): name for label, name in labels.items() for spelt in (label, name)}
    found = []
    for part in text.split(","):
        if part.strip().casefold() not in known:
            plural = f"{what.removeprefix('entity ')}s"
            names = ", ".join(labels.values())
            raise InputError(f"no {what} {part.strip()!r}; the {plural} are {names}")
        found.append(known[part.strip().casefold()])
    return tuple(found)


def parse_years(text: str | None) -> tuple[int | None, int | None] | None:
    """Read "2019-2023", "2019-", "-2023" or "2021" as first and last year, None for no bound.

    Raises InputError for anything else.
    """
    if text is None:
        return None
    plain = text.replace(" ", "").replace("–", "-")
    match = re.fullmatch(r"(\d{4})?-(\d{4})?|\d{4}", plain)
    if not match or plain == "-":
        raise InputError(f"cannot read the years {text!r}; write them as 2019-2023, 2019- or 2021")
    ends = match.groups() if "-" in plain else (plain, plain)
    first, last = (int(end) if end else None for end in ends)
    if first is not None and last is not None and first > last:
        raise InputError(f"the years {text!r} end before they begin; write the earlier one first")
    return first, last
