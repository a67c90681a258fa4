"""Whether a text itself sets two names apart: "A and B", "A rather than B", "As such as B"."""

from __future__ import annotations

import re

#: Between two names: what joins two things, or weighs one against the other.
_BESIDE = re.compile(
    r",?\s+(?:and|as well as|vs\.?|versus|than|over|rather than|instead of)\s+(?:the |an? |our )?"
    r"|\s*/\s*"
)
#: Between a kind and an example of it.
_EXAMPLE = re.compile(r",?\s*\(?(?:such as|e\.g\.,?|including|like|for example,?)\s+")
_BRACKET = re.compile(r"\s*\(\s*")
#: What goes on after the first of several in a bracket.
_MORE = re.compile(r"\s*(?:,|/|&|and\b|or\b)")


def told_apart(a: str, b: str, text: str) -> bool:
    """Whether `text` names `a` and `b` beside each other as two things, or one as an example.

    >>> told_apart("LeafNet-S", "LeafNet-L", "We train LeafNet-S and LeafNet-L.")
    True
    >>> told_apart("leaf network", "LeafNet", "We train a leaf network (LeafNet).")
    False
    """
    return _sets_apart(a, b, text) or _sets_apart(b, a, text)


def _sets_apart(first: str, second: str, text: str) -> bool:
    at = text.find(first)
    while at >= 0:
        end = at + len(first)
        for between in (_BESIDE, _EXAMPLE):
            hit = between.match(text, end)
            if hit and text.startswith(second, hit.end()):
                return True
        bracket = _BRACKET.match(text, end)
        if bracket and text.startswith(second, bracket.end()):
            return bool(_MORE.match(text, bracket.end() + len(second)))
        at = text.find(first, end)
    return False
