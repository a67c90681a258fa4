"""The curation file: a person's decisions in plain TOML, replayed on every build.

    merge  = [{ names = ["splats", "Gaussian splatting"] }]
    split  = [{ name = "LDA", from = "latent Dirichlet allocation" }]
    rename = [{ name = "vision transformer", to = "ViT" }]
    retype = [{ name = "federated learning", to = "Task" }]
    drop   = [{ name = "baseline results" }]
    keep   = [{ name = "efficiency" }, { names = ["Mistral", "Mixtral"] }]

Every entry may add `type = "Method"` where a name stands for entities of several types. `keep` with
`name` takes a name out of the stop rule, with `names` it says that these are different things.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.records import Skipped
from kg.resolve.forms import form
from kg.schema import TYPE_BY_NAME

if TYPE_CHECKING:
    from kg.records import Resolution

_FIELDS = {
    "merge": ({"names"}, {"type"}),
    "split": ({"name", "from"}, {"type"}),
    "rename": ({"name", "to"}, {"type"}),
    "retype": ({"name", "to"}, {"type"}),
    "drop": ({"name"}, {"type"}),
    "keep": (set(), {"name", "names", "type"}),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the file. `names` are the names it speaks of, `to` the new label or type."""

    action: str
    names: tuple[str, ...]
    to: str
    type: str
    source: str


@dataclass(frozen=True, slots=True)
class Curation:
    """The decisions of one file, in its order."""

    decisions: tuple[Decision, ...]

    def of(self, action: str) -> tuple[Decision, ...]:
        """The decisions of one kind."""
        return tuple(d for d in self.decisions if d.action == action)


def read_curation(path: str | Path) -> Curation:
    """Read a curation file.

    Raises:
        InputError: the file is missing, not TOML, or an entry is not of the form above.

    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"curation file {str(path)!r} cannot be read: {error}") from error
    return parse_curation(text, name=path.name)


def parse_curation(text: str, *, name: str = "curation.toml") -> Curation:
    """The decisions in the text of a curation file; `name` stands in messages.

    Raises:
        InputError: as `read_curation`.

    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not TOML: {error}") from error
    decisions = []
    for action, entries in content.items():
        if action not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise InputError(f"{name}: unknown table {action!r}; there are {known}")
        if not isinstance(entries, list):
            raise InputError(f"{name}: {action!r} must be a list of entries: {action} = [{{…}}]")
        for number, entry in enumerate(entries, start=1):
            decisions.append(_decision(action, entry, f"{name}: {action} {number}"))
    return Curation(tuple(decisions))


def _decision(action: str, entry: object, source: str) -> Decision:
    if not isinstance(entry, dict):
        raise InputError(f"{source} is {entry!r}, not a table: write {{ name = … }}")
    needed, allowed = _FIELDS[action]
    for key in sorted(needed - set(entry)):
        raise InputError(f"{source} lacks {key!r}: {entry!r}")
    for key in sorted(set(entry) - needed - allowed):
        raise InputError(f"{source} has an unknown field {key!r}: remove it")
    if action == "keep" and ("name" in entry) == ("names" in entry):
        raise InputError(f"{source} needs either 'name' or 'names': {entry!r}")
    names = entry["names"] if "names" in entry else [entry["name"]]
    if not isinstance(names, list) or not all(isinstance(n, str) and n.strip() for n in names):
        raise InputError(f"{source}: names must be non-empty strings, not {names!r}")
    if "names" in entry and len(names) < 2:
        raise InputError(f"{source} needs two names or more, not {names!r}")
    extra = {k: entry[k] for k in ("to", "from", "type") if k in entry}
    for key, value in extra.items():
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{source}: {key!r} must be a non-empty string, not {value!r}")
    types = [extra[k] for k in ("type",) if k in extra] + (
        [extra["to"]] if action == "retype" else []
    )
    for type_ in types:
        if type_ not in TYPE_BY_NAME:
            raise InputError(f"{source}: no type {type_!r}; there are {', '.join(TYPE_BY_NAME)}")
    if "from" in extra:
        names = [*names, extra["from"]]
    return Decision(action, tuple(names), extra.get("to", ""), extra.get("type", ""), source)


class _Names:
    """The entities of a resolution by the names that people write."""

    def __init__(self, resolution: Resolution) -> None:
        self.by_form: dict[str, set[tuple[str, str]]] = {}
        self.by_text: dict[str, set[tuple[str, str]]] = {}
        self.entities = {(e.type, e.key): e for e in resolution.entities}
        for ident, entity in self.entities.items():
            for name in (entity.label, *entity.alternatives):
                self.by_text.setdefault(name, set()).add(ident)
                self.by_form.setdefault(form(name).key, set()).add(ident)

    def of(self, name: str, type_: str) -> set[tuple[str, str]]:
        """The entities ("type", "key") of a name, of one type where it is given."""
        found = self.by_text.get(name) or self.by_form.get(form(name).key, set())
        return {i for i in found if not type_ or type_ in self.entities[i].types}


def check(curation: Curation, before: Resolution, after: Resolution) -> tuple[Skipped, ...]:
    """The decisions that do not apply to a graph, each with what is the matter.

    `before` is the graph without the file, `after` the one with it.
    """
    old, new = _Names(before), _Names(after)
    notes = []
    for decision in curation.decisions:
        reason = _idle(decision, old, new)
        if reason:
            notes.append(Skipped(decision.source, f"no longer applies: {reason}"))
    return tuple(notes)


def _idle(decision: Decision, old: _Names, new: _Names) -> str:
    """Why a decision changes nothing; "" if it does its work."""
    names, action = decision.names, decision.action
    was = [old.of(n, decision.type) for n in names]
    missing = [repr(n) for n, found in zip(names, was, strict=True) if not found]
    if action == "keep" and len(names) == 1:
        if was[0]:
            return f"{names[0]!r} is not stopped without it"
        missing = missing if not new.of(names[0], decision.type) else []
    reason = ""
    if missing:
        kind = f"{decision.type} " if decision.type else ""
        reason = f"no {kind}entity of the graph is named {' or '.join(missing)}"
    elif action == "merge":
        reason = _idle_merge(was, [new.of(n, decision.type) for n in names])
    elif action == "split" and not set.intersection(*was):
        reason = "these names are different entities without it"
    elif action in ("rename", "retype", "drop"):
        reason = _idle_change(decision, was[0], old)
    return reason


def _idle_merge(was: list[set[tuple[str, str]]], now: list[set[tuple[str, str]]]) -> str:
    if len(set.union(*was)) == 1:
        return "these names are one entity without it"
    if not set.intersection(*now):
        return "another line of the file keeps them apart"
    return ""


def _idle_change(decision: Decision, found: set[tuple[str, str]], old: _Names) -> str:
    name, to = decision.names[0], decision.to
    if len(found) > 1:
        kinds = ", ".join(sorted(f"{t} {old.entities[t, k].label!r}" for t, k in found))
        return f"{name!r} names {len(found)} entities ({kinds}); add type = … to choose one"
    if decision.action == "rename" and all(old.entities[i].label == to for i in found):
        return f"the label is {to!r} without it"
    if decision.action == "retype" and all(i[0] == to for i in found):
        return f"the type is {to} without it"
    return ""
