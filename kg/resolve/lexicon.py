"""Closed word lists of the rules, each with its reason; the two tables of the field beside them.

The lists hold function and class words of the language of papers, never names.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kg.text import fold
from kg.words import word_set

#: Nouns that add nothing to a proper name ("RAG method", "F1 score", "ImageNet dataset"), by type.
HEADS: dict[str, frozenset[str]] = {
    "Method": word_set(
        "model method approach technique algorithm framework architecture strategy procedure"
        " paradigm optimizer"
    ),
    "Task": word_set("problem task"),
    "Dataset": word_set("dataset data corpus collection benchmark"),
    "Benchmark": word_set("benchmark dataset suite challenge leaderboard"),
    "Metric": word_set("score metric measure"),
}
#: Those that add nothing to a common term of two words or more either ("policy gradient method").
WEAK_HEADS: dict[str, frozenset[str]] = {
    "Method": word_set("method approach technique algorithm"),
    "Task": word_set("problem task"),
}
ARTICLES = frozenset({"a", "an", "the"})
#: With one of these the order of words is meaning ("image to text", "offline to online").
DIRECTIONS = word_set(
    "to from by with without via versus vs not no non under over into between against for in on at"
    " as than of 2 through across per within"
)
#: Words that belong to the word before them ("model based", "physics informed"): they move with it.
AFTER = word_set(
    "based free driven aware guided level wise like agnostic specific invariant equivariant"
    " dependent independent conditional optimal efficient shot step order scale rank view"
    " centric oriented preserving stage phase player"
)
#: Prefixes that turn a word into another one; two names that differ by one are never one thing.
NEGATING = (
    "non", "un", "self", "semi", "multi", "anti", "in", "im", "dis", "de", "sub", "super", "meta",
    "hyper", "pseudo", "quasi", "co", "cross", "inter", "intra", "pre", "post", "re", "bi", "mini",
)  # fmt: skip
#: Pairs of words of which a thing can be one: a name with this one and a name with that are of two.
OPPOSITES = tuple(
    (pair.split()[0], pair.split()[1])
    for pair in (
        "single multi", "single few", "one few", "zero few", "local global", "online offline",
        "open closed", "intra inter", "forward backward", "deterministic stochastic",
        "supervised unsupervised", "static dynamic", "sparse dense", "synthetic real",
        "soft hard", "discrete continuous", "linear nonlinear", "parametric nonparametric",
        "centralized decentralized", "homogeneous heterogeneous", "monocular stereo",
        "monolingual multilingual", "unimodal multimodal", "symmetric asymmetric", "high low",
        "long short", "fine coarse", "explicit implicit", "white black", "indoor outdoor",
        "synchronous asynchronous", "upper lower", "convex nonconvex", "labeled unlabeled",
        "conditional unconditional", "bottom top",
    )
)  # fmt: skip
#: Words that belong to the word after them ("self supervised", "non convex", "two stage").
BEFORE = word_set(
    "self semi non un multi few zero one two three four single cross inter intra pre post anti co"
    " sub super quasi pseudo low high strongly weakly first second third zeroth higher lower half"
    " bi tri uni mono omni over under fine coarse long short"
) | frozenset(NEGATING)
#: Nouns that name a kind of thing and no thing: the guidelines' "our method, the framework".
GENERIC_NOUNS = word_set(
    "model method approach technique algorithm framework architecture strategy procedure paradigm"
    " system tool solution pipeline scheme mechanism module component network"
    " task problem challenge setting application scenario domain area field issue question"
    " dataset data corpus benchmark collection example instance"
    " metric measure score performance result quality efficiency effectiveness improvement gain"
    " baseline experiment evaluation study analysis work paper research code theory"
    " training testing validation process technology idea concept"
)
#: Nouns that only say what a collection or a figure is for: "training data", "test set".
GENERIC_USES = word_set("training test testing validation evaluation benchmark experimental")
GENERIC_COLLECTIONS = word_set("data dataset set corpus benchmark example result performance")
#: Adjectives and counts that praise, compare or number; they make no name out of such a noun.
GENERIC_ADJECTIVES = word_set(
    "novel new proposed existing previous recent current modern traditional conventional standard"
    " common popular general generic simple effective efficient strong good better best superior"
    " high low advanced improved sota leading various several many different diverse numerous"
    " extensive other such same certain real_world state_of_the_art downstream challenging"
    " difficult complex practical empirical comprehensive"
    " our your their this that these those its the a an of"
    " one two three four five six seven eight nine ten"
)


class Abbreviation(NamedTuple):
    """A row of `abbreviations.tsv`: a short form that papers use without saying what it means."""

    short: str
    long: str
    type: str


def _rows(name: str) -> list[list[str]]:
    text = files("kg.resolve").joinpath(name).read_text(encoding="utf-8")
    return [row.split("\t") for row in text.splitlines() if row and not row.startswith("#")]


@cache
def abbreviations() -> dict[str, tuple[Abbreviation, ...]]:
    """The well-known short forms (case-folded) with their readings."""
    table: dict[str, list[Abbreviation]] = {}
    for short, long, type_ in _rows("abbreviations.tsv"):
        table.setdefault(short.casefold(), []).append(Abbreviation(short, long, type_))
    return {short: tuple(rows) for short, rows in table.items()}


@cache
def synonyms() -> tuple[dict[str, str], dict[str, str]]:
    """Whole names, and phrases anywhere in a name, with their standard form (folded words)."""
    whole: dict[str, str] = {}
    inside: dict[str, str] = {}
    for variant, standard in _rows("synonyms.tsv"):
        table = whole if variant.startswith("=") else inside
        table[fold(variant.removeprefix("="))] = fold(standard)
    return whole, inside
