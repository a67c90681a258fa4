"""How alike two names of one paper are: the features by which the model joins names to entities."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

#: Features of a pair of names, in order; all are symmetric but the two containments.
LIKENESS = (
    "defined", "initials", "jaccard", "contains", "contained", "same-head", "same-start", "grams",
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=100_000)
def fold_name(name: str) -> str:
    """One key for spellings that differ by case, hyphens, white space or the plural."""
    words = _WORD.findall(name.casefold())
    return " ".join([*words[:-1], _singular(words[-1])]) if words else name.casefold().strip()


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def abbreviates(short: str, long: str) -> bool:
    """Whether `short` can abbreviate `long`: after Schwartz and Hearst (2003).

    Every letter and digit of the short form must be found in the long form in order, the first at
    the start of a word; a lower-case plural s is left aside.
    """
    letters = [c for c in re.sub(r"(?<=[A-Z])s$", "", short) if c.isalnum()]
    if not 2 <= len(letters) <= 10 or len(long) <= len(short) or " " in short.strip():
        return False
    if not any(c.isupper() for c in letters):
        return False
    low = long.casefold()
    at = len(low)
    for i in range(len(letters) - 1, -1, -1):
        letter = letters[i].casefold()
        at = low.rfind(letter, 0, at)
        while i == 0 and at > 0 and low[at - 1].isalnum():
            at = low.rfind(letter, 0, at)
        if at < 0:
            return False
    return True


@lru_cache(maxsize=100_000)
def grams(name: str) -> frozenset[str]:
    """The character trigrams of a folded name, ends marked."""
    padded = f"^{fold_name(name)}$"
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


@lru_cache(maxsize=200_000)
def likeness(a: str, b: str, *, defined: bool) -> tuple[float, ...]:
    """The features `LIKENESS` of the names `a` and `b`.

    `defined` says that one stands in brackets after the other.
    """
    x, y = fold_name(a).split(), fold_name(b).split()
    p, q = set(x), set(y)
    g, h = grams(a), grams(b)
    return (
        float(defined),
        float(abbreviates(a, b) or abbreviates(b, a)),
        len(p & q) / max(1, len(p | q)),
        float(q < p),
        float(p < q),
        float(bool(x and y) and x[-1] == y[-1]),
        float(bool(x and y) and x[0] == y[0]),
        len(g & h) / max(1, min(len(g), len(h))),
    )


def likeness_table(names: list[list[str]], defined: set[tuple[int, int]]) -> np.ndarray:
    """`(groups, groups, features)`: the greatest likeness of any names of the two groups."""
    size = len(names)
    table = np.zeros((size, size, len(LIKENESS)), dtype=np.float32)
    for i in range(size):
        for j in range(i + 1, size):
            pair = (i, j) in defined or (j, i) in defined
            near = [(a, b) for a in names[i][:2] for b in names[j][:2]]
            rows = np.array([likeness(a, b, defined=pair) for a, b in near])
            best = rows.max(axis=0)
            table[i, j] = best
            table[j, i] = best
            table[j, i, 3], table[j, i, 4] = best[4], best[3]
    return table
