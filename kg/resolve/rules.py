"""The rules by which two spellings are one name: every name gives keys, names with one key agree.

No rule compares strings for closeness, so numbers, versions, sizes, prefixes and single letters
always count. A rule's score is how sure it is; the figures are in `SCORES`, with what they cover.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.resolve.forms import Form, form, looks_proper
from kg.resolve.lexicon import AFTER, BEFORE, DIRECTIONS, HEADS, WEAK_HEADS
from kg.text import fold, plain, squash
from kg.words import activity, settled, singular

#: Every reason that a merge can carry, with its score.
SCORES: dict[str, float] = {
    "case": 1.0,
    "Unicode or LaTeX": 0.99,
    "hyphen or space": 0.98,
    "singular or plural": 0.98,
    "spelling": 0.97,
    "function word": 0.96,
    "abbreviation defined": 0.95,
    "known abbreviation": 0.93,
    "abbreviation inside": 0.93,
    "synonym": 0.92,
    "dominant abbreviation": 0.9,
    "nominalisation": 0.9,
    "word order": 0.88,
    "head noun": 0.88,
    "same abbreviation": 0.85,
    "abbreviation by context": 0.8,
    "initials": 0.8,
    "listed together": 0.75,
    "alias": 0.7,
    "curation": 1.0,
}


class Key(NamedTuple):
    """A key of a name under one rule; names that share a `value` are one."""

    value: str
    rule: str


def keys(name: Form, type_: str) -> list[Key]:
    """The keys of a name of the given type, the name's own words first."""
    own = squash(" ".join(name.words))
    if not own:
        return []
    # under its type too, for names that agree with it within their type only
    found = [
        Key(own, name.rule or "spelling"),
        Key(f"{_kind(type_)}|{own}", name.rule or "spelling"),
    ]
    found += _without_head(name, type_)
    found += _activity(name.words, type_)
    found += _of(name.words)
    found += _order(name)
    return found


def _without_head(name: Form, type_: str) -> list[Key]:
    """As "RAG method" → "RAG"; "policy gradient method" → "policy gradient"."""
    rest = name.words[:-1]
    if not name.head or name.head not in HEADS[type_] or len(squash(" ".join(rest))) < 2:
        return []
    before, _, last = name.text.rpartition(" ")
    if settled(fold(last)) != name.head or _DIMENSIONS.fullmatch(before):
        before = ""  # the head is within a short form ("3D LDM"), or the rest is no name ("3D")
    is_data = type_ in ("Dataset", "Benchmark")
    proper = bool(before) and (
        looks_proper(before)
        or ((is_data or name.head == "optimizer") and len(rest) == 1 and before[:1].isupper())
    )
    # the rest may itself be a spelling with a standard form ("LSTM networks")
    value = form(before).canon if proper else squash(" ".join(rest))
    weak = len(rest) > 1 and name.head in WEAK_HEADS.get(type_, ()) and rest[-1] not in AFTER
    # within the type only: a VQA model is not the task VQA, a CLIP score not the model CLIP
    return [Key(f"{_kind(type_)}|{value}", "head noun")] if proper or weak else []


def _kind(type_: str) -> str:
    """The type, data sets and benchmarks being of one kind."""
    return "data" if type_ in ("Dataset", "Benchmark") else type_


def _activity(words: tuple[str, ...], type_: str) -> list[Key]:
    """As "tuning hyperparameters", "tuning of hyperparameters" → "hyperparameter tuning"."""
    if len(words) < 2 or type_ == "Metric":
        return []
    found = []
    if type_ == "Task" and words[0].endswith("ing") and not DIRECTIONS & set(words):
        found.append((words[1:], activity(words[0])))
    if len(words) > 2 and words[1] == "of" and not DIRECTIONS & set(words[2:]):
        found.append((words[2:], activity(words[0])))
    if not DIRECTIONS & set(words):
        found.append((words[:-1], activity(words[-1])))
    return [Key(f"{squash(' '.join(o))}|{verb}", "nominalisation") for o, verb in found if verb]


def _of(words: tuple[str, ...]) -> list[Key]:
    """As "rate of convergence" → "convergence rate"."""
    if words.count("of") != 1 or len(DIRECTIONS & set(words)) > 1:
        return []
    at = words.index("of")
    if not 0 < at < len(words) - 1:
        return []
    return [Key(squash(" ".join((*words[at + 1 :], *words[:at]))), "word order")]


def _order(name: Form) -> list[Key]:
    """The words before the last in any order, those that belong together kept together.

    Several things beside each other are not one that is all of them ("convolutional and recurrent
    networks", "recurrent convolutional networks").
    """
    words = name.words
    if len(words) < 3 or DIRECTIONS & set(words) or any(re.search(r"\d", w) for w in words):
        return []
    units: list[str] = []
    joined = False
    for word in (w for w in words[:-1] if w != "and"):
        belongs = word in AFTER or word.endswith("ed")
        if units and (joined or belongs):
            units[-1] += word
        else:
            units.append(word)
        joined = word in BEFORE or word.endswith("ly")
    if len(units) < 2:
        return []
    several = "&" if "and" in words or "/" in name.text else ""
    return [Key(f"{several}{'~'.join(sorted(units))}~{words[-1]}", "word order")]


_APART = re.compile(r"[\W_]+")
_DIMENSIONS = re.compile(r"(?:.* )?\d(?:\.\d)?-?D")


def difference(a: Form, b: Form) -> str:
    """What sets two spellings with one key apart: the name of the rule."""
    x, y = a.text.casefold(), b.text.casefold()
    if x == y:
        return "case"
    x, y = _look(x), _look(y)
    if x == y:
        return "Unicode or LaTeX"
    if _APART.sub("", x) == _APART.sub("", y):
        return "hyphen or space"
    x, y = (_APART.sub("", " ".join(map(singular, _APART.split(s)))) for s in (x, y))
    # "LM" and "LMs": too short for the rules of English
    if x == y or (a.short and a.short.casefold() == b.short.casefold()):
        return "singular or plural"
    return "spelling"


def _look(text: str) -> str:
    return plain(text).text.casefold()
