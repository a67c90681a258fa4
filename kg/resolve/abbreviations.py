"""Short and long forms: whether one can stand for the other, and where a text says so.

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in
biomedical text" (PSB 2003); initials are the stricter test for forms that no paper defines.
"""

from __future__ import annotations

import re

from kg.resolve.lexicon import HEADS
from kg.words import singular, word_set

_WORD = re.compile(r"[^\W_]+")
_SMALL = word_set("of the and for in on with to a an from by via")
#: Letters from which a short form may pass over a word.
_PASSES = 4
#: Nouns that say what kind of thing a long form is.
_KINDS = frozenset().union(*HEADS.values()) | word_set("network net system module layer loss")
_STOP = re.compile(r"[.;:!?]\s|\n")


def defines(short: str, long: str) -> bool:
    """Whether `long` can be what the short form `short` means.

    >>> defines("NeRF", "neural radiance field"), defines("GAN", "graph network")
    (True, False)
    """
    return _long_start(short, long) == 0


def long_form_before(short: str, text: str) -> str:
    """The long form of `short` that ends `text` (which stands before its bracket), or ""."""
    clause = _STOP.split(text[-200:])[-1].rstrip()
    words = list(re.finditer(r"\S+", clause))
    if not words:
        return ""
    most = min(len(short) + 5, len(short) * 2)
    for count in range(2, min(most, len(words)) + 1):
        # initials first: letters alone would read "policy optimization" into PPO
        if short.casefold() in initials(clause[words[-count].start() :]):
            return clause[words[-count].start() :]
    clause = clause[words[-min(most, len(words))].start() :]
    start = _long_start(short, clause)
    long = clause[start:] if start >= 0 else ""
    return long if len(_WORD.findall(long)) > 1 else ""


def _long_start(short: str, text: str) -> int:
    """Where the long form begins in `text` when its end is the long form's end; -1 if nowhere.

    Letters are sought from the end; the first must start a word.
    """
    letters = [c for c in short.casefold() if c.isalnum()]
    low = text.casefold()
    if (
        len(letters) < 2
        or len(low) != len(text)
        or len(text) <= len(short)
        or short.casefold() in _WORD.findall(low)  # "LeafNet" in "LeafNet-2-large"
    ):
        return -1
    at = len(low)
    for i in range(len(letters) - 1, -1, -1):
        at = low.rfind(letters[i], 0, at)
        while i == 0 and at > 0 and low[at - 1].isalnum():
            at = low.rfind(letters[i], 0, at)
        if at < 0:
            return -1
    return at if _accounts(letters, low[at:]) else -1


def _accounts(letters: list[str], long: str) -> bool:
    """Whether the short form takes up the long one: its words begin with letters of it.

    Letters in order alone would let "MAP" mean "multi-armed bandit approach with priors". One word
    may be passed over by a short form of four letters or more; what is joined by a hyphen counts as
    one, and a last word that only names the kind of thing need not count ("graph attention network"
    is GAT). A word that was cut off is no short form of several ("REINFORCE" in "reinforcement
    learning"), and one word alone must be worth it ("ResNet" is no "ResNext").
    """
    words = [w for w in _WORD.findall(long) if w not in _SMALL]
    units = [parts for u in long.split() if (parts := [w for w in _WORD.findall(u) if w in words])]
    hits = [any(w[0] in letters for w in parts) for parts in units]
    if len(units) > 1 and not hits[-1]:
        if singular(units[-1][-1]) in _KINDS and len(letters) <= len(words):
            words, units, hits = words[: -len(units[-1])], units[:-1], hits[:-1]
        elif " " in long[long.rfind(letters[-1]) :].strip():
            return False  # the last word has no part in it
    begun = sum(hits)
    if begun < 2 <= len(units) and any(w.startswith("".join(letters)) for w in words):
        return False
    if len(words) == 1 and len(words[0]) < 2 * len(letters):
        return False
    passed_over = len(letters) >= _PASSES
    return bool(words) and begun >= len(units) - passed_over and len(words) <= len(letters) + 1


def initials(text: str) -> set[str]:
    """The short forms that a long form's initials give, case-folded: with and without small words.

    >>> sorted(initials("mixture of experts"))
    ['me', 'moe']
    """
    words = [w.casefold() for w in _WORD.findall(text)]
    if len(words) < 2:
        return set()
    # "3D Gaussian splatting" is 3DGS: a word with a digit counts whole
    whole = [w[0] if w.isalpha() or not any(map(str.isdigit, w)) else w for w in words]
    content = [p for w, p in zip(words, whole, strict=True) if w not in _SMALL]
    return {"".join(whole), "".join(content)}
