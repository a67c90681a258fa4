"""A document into sentences: character bounds, for evidence and for distances between mentions.

One small rule set serves training and reading alike, so that both see the same sentences: a line
feed ends a sentence (the title stands on a line of its own), and so does a full stop, question or
exclamation mark before white space, unless it closes a usual abbreviation or an initial, or the
next word starts in lower case.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_END = re.compile(r"[.!?][\"'”’)\]}]*\s+|\n+")
_KEPT = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|resp|w\.r\.t|approx|[Ff]igs?|[Ss]ecs?|[Ee]qs?|[Nn]o|[Dd]r"
    r"|[Pp]rof|[Rr]efs?|[Cc]h|[Vv]ol|a\.k\.a|i\.i\.d|s\.t|St|Mr|Ms|Mrs)|\b[A-Z])\.$"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Bounds `(start, end)` of the sentences of `text`, in order, without surrounding space."""
    bounds: list[tuple[int, int]] = []
    start = 0
    for hit in _END.finditer(text):
        after = text[hit.end() : hit.end() + 1]
        stop = hit.group().strip() != "" and "\n" not in hit.group()
        if stop and (after.islower() or _KEPT.search(text, start, hit.start() + 1)):
            continue
        end = hit.start() + len(hit.group().rstrip())
        if text[start:end].strip():
            bounds.append((start, end))
        start = hit.end()
    if text[start:].strip():
        bounds.append((start, len(text.rstrip())))
    return [(s + _lead(text[s:e]), e) for s, e in bounds]


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())


def sentence_at(bounds: list[tuple[int, int]], offset: int) -> int:
    """The index in `bounds` of the sentence that holds the character `offset` (0 at the least)."""
    return max(0, bisect_right(bounds, (offset, 1 << 60)) - 1)
