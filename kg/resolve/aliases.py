"""Whether two names that one paper lists for one entity can be names of one thing.

Only the extractor says so, and it takes a thing's part, its rival or its purpose for the thing now
and then. Without any sign that they agree, the second name is not worth having.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.resolve.forms import numbers
from kg.resolve.lexicon import GENERIC_NOUNS, OPPOSITES
from kg.resolve.same import narrows
from kg.text import fold
from kg.words import activity, settled

if TYPE_CHECKING:
    from kg.resolve.forms import Form

#: Letters by which two words are taken for forms of one ("rendering", "rendered").
_STEM = 5
#: The share of the longer name's words, generic nouns aside, that the other one has to have.
_SHARED = 2 / 3
_LINKS = {"of", "and", "for", "in", "on"}
_CAPITALS = re.compile(r"[A-Za-z]*[A-Z]{2}[A-Za-z]*")
_COINED = re.compile(r"\w*[a-z0-9][A-Z]\w*|[A-Z]{2,}\w*|[A-Za-z]+\d\w*|[A-Z][a-z]+$")


def may_be_alias(a: Form, b: Form) -> bool:
    """Whether nothing speaks against two names, and something speaks for them.

    Against: other numbers, a word more, one word in place of another ("unary", "pairwise network"),
    opposites ("multi-task", "single-task"), another activity ("detecting", "generating errors"),
    another coined word, a short form in one that cannot stand for what the other has there. For:
    one of them is coined where the other is not, or they share most of their words.
    """
    if set(a.words) - _LINKS == set(b.words) - _LINKS:
        return not _turned(a, b)
    x, y = numbers(a.text), numbers(b.text)
    if (x and y and x != y) or (a.key != b.key and (narrows(a, b) or _contains(a, b))):
        return False
    if _contrast(a, b) or _other_activity(a, b) or _two_coinages(a, b):
        return False
    if _opposed(a, b) or _one_letter_more(a, b):
        return False
    if _stands_for_nothing(a, b) or _other_coinage(a, b):
        return False
    return bool(_coined_words(a) ^ _coined_words(b)) or _share_most(a, b)


def _turned(a: Form, b: Form) -> bool:
    """Whether one leads where the other comes from ("depth to normal", "normal to depth")."""
    ways = {
        (x, y) for x, to, y in zip(a.words, a.words[1:], a.words[2:], strict=False) if to == "to"
    }
    back = {
        (y, x) for x, to, y in zip(b.words, b.words[1:], b.words[2:], strict=False) if to == "to"
    }
    return not ways.isdisjoint(back)


def _contrast(a: Form, b: Form) -> bool:
    """Whether the names are one but for a word that is another one ("two-frame", "three-frame")."""
    if len(a.words) != len(b.words) or len(a.words) < 2:
        return False
    differing = [(p, q) for p, q in zip(a.words, b.words, strict=True) if p[:_STEM] != q[:_STEM]]
    return len(differing) == 1 and not (_is_coined(a) ^ _is_coined(b))


def _other_activity(a: Form, b: Form) -> bool:
    x, y = ({v for w in form.words if (v := activity(w))} for form in (a, b))
    return bool(x and y) and x.isdisjoint(y)


def _is_coined(name: Form) -> bool:
    """Whether a name is more than words of the language: "BumbleBee", "S4B", "DA-Rainbow"."""
    words = name.text.split()
    return bool(name.short) or any(
        any(map(_COINED.fullmatch, w.split("-"))) and (len(words) == 1 or not w.istitle())
        for w in words
    )


def _coined_words(name: Form) -> set[str]:
    """The words that make a name coined, in small letters; all of a short form.

    A short form that everyone knows is none of them: `words` have it written out.
    """
    if name.short:
        return {name.text.casefold()}
    if not _is_coined(name):
        return set()
    return {
        w.casefold()
        for w in name.text.split()
        if any(map(_COINED.fullmatch, w.split("-"))) and not _written_out(w, name.words)
    }


def _written_out(word: str, words: tuple[str, ...]) -> bool:
    return bool(words) and word.removesuffix("s").isupper() and settled(fold(word)) not in words


def _other_coinage(a: Form, b: Form) -> bool:
    """Whether each has a short form of its own that the other's letters cannot give."""
    x, y = ({p.casefold() for p in _parts(f) if _CAPITALS.fullmatch(p)} for f in (a, b))
    if not x or not y or x & y:
        return False
    return not (_spelt_by(x, b) or _spelt_by(y, a))


def _parts(name: Form) -> list[str]:
    return [part for word in name.text.split() for part in word.split("-")]


def _spelt_by(coined: set[str], name: Form) -> bool:
    """Whether the letters of a coined word stand in this order in `name`."""
    text = [c for c in name.text.casefold() if c.isalpha()]
    return any(
        all(c in letters for c in word if c.isalpha())
        for word, letters in ((word, iter(text)) for word in coined)
    )


def _opposed(a: Form, b: Form) -> bool:
    x, y = set(a.words), set(b.words)
    only, other = x - y, y - x
    return any({p, q} <= only | other and (p in only) != (q in only) for p, q in OPPOSITES)


def _one_letter_more(a: Form, b: Form) -> bool:
    """Whether a letter marks one of two plain names ("t-exponential family", "ε-optimal")."""
    if _is_coined(a) or _is_coined(b):
        return False
    return any(len(w) == 1 for w in set(a.words) ^ set(b.words))


def _stands_for_nothing(a: Form, b: Form) -> bool:
    """Whether a short form among plain words has no letter to begin what the other name has there.

    "multi-channel ASR" may be "multi-channel speech recognition", "low-light LF" is no "low-light
    enhancement". A name that is coined whole may be coined of anything.
    """
    for one, other in ((a, b), (b, a)):
        only, rest = set(one.words) - set(other.words), set(other.words) - set(one.words)
        short = [p for p in _parts(one) if p.isupper() and p.isalpha() and p.casefold() in only]
        if " " in one.text and short and rest and not _is_coined(other):
            letters = {c for w in short for c in w.casefold()}
            if letters.isdisjoint(w[0] for w in rest):
                return True
    return False


def _contains(a: Form, b: Form) -> bool:
    """Whether one name, as it is spelt, is the other with something added ("CLIP", "CLIP loss")."""
    x, y = ({settled(w) for w in fold(form.text).split()} for form in (a, b))
    return x < y or y < x


def _two_coinages(a: Form, b: Form) -> bool:
    """Whether each is one coined word of its own ("LeafSGD", "LeafADAM")."""
    return all(" " not in form.text and _is_coined(form) for form in (a, b))


def _share_most(a: Form, b: Form) -> bool:
    x, y = ({w[:_STEM] for w in form.words if w not in GENERIC_NOUNS | _LINKS} for form in (a, b))
    return bool(x and y) and len(x & y) >= _SHARED * max(len(x), len(y))
