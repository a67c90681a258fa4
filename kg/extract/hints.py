r"""What the text itself says of its names: defined abbreviations, undefined macros.

Two things are known before any score. A phrase whose words begin with the letters of the short form
that stands in brackets behind it is that form's name, whole: "Evolution Strategy for Metacognitive
Alignment (ESMA)". And a LaTeX macro that no package defines, standing as a word, is the name that
its authors gave to something: "we introduce \projectname".
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from pylatexenc import latex2text, latexwalker

from kg.extract.layout import NONE, WIDEST
from kg.extract.sentences import sentence_at

if TYPE_CHECKING:
    from kg.extract.layout import Words

#: Words that a short form may leave out.
_SMALL = {
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "over",
    "the", "through", "to", "under", "using", "via", "with", "without",
}  # fmt: skip
_SHORT = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9-]{1,11})\s*\)")
_MACRO = re.compile(r"(?<![\\\w])\\([A-Za-z]{3,})(?![A-Za-z{])")
_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
#: Macros of packages that pylatexenc's tables leave out.
_LATER = {"xspace", "textmu", "bfseries", "itshape", "scshape", "ttfamily", "quad", "qquad"}
_BEFORE = re.compile(
    r"\b(?:we|this (?:paper|work|article|study)|the authors?)\b[^.;]{0,40}?"
    r"\b(?:propos|introduc|present|develop|devis)\w*\s+"
    r"(?:(?!(?:and|based|by|for|from|how|in|of|on|that|to|using|via|with)\b)[\w-]+\s+){0,4}$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:\([^)]{1,20}\)\s*)?(?:is|are|was|were)\s+(?:\w+ly\s+)?"
    r"(?:proposed|introduced|presented|developed)\b"
)
#: Log-odds that the role "proposes" gains where the text announces it.
ANNOUNCED_GAIN = 1.0
#: Log-odds that an undefined macro gains: it stands for a name that its authors wrote once.
MACRO_GAIN = 5.0


def definitions(text: str, words: Words) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Long and short forms as word spans `(first, last)` where the letters fit exactly."""
    starts = {int(s): i for i, s in enumerate(words.start)}
    ends = {int(e): i for i, e in enumerate(words.end)}
    found = []
    for hit in _SHORT.finditer(text):
        first, last = starts.get(hit.start(1)), ends.get(hit.end(1))
        bracket = starts.get(hit.start())
        letters = re.sub(r"(?<=[A-Z])s$", "", hit[1]).replace("-", "")
        if first is None or last is None or not bracket or sum(map(str.isupper, letters)) < 2:
            continue
        long = _long_form(text, words, bracket - 1, letters.casefold())
        if long is not None:
            found.append((long, (first, last)))
    return found


def _long_form(text: str, words: Words, last: int, letters: str) -> tuple[int, int] | None:
    """The words up to `last` whose initials are `letters`, small words aside."""
    at, left = last, list(letters)
    while at >= 0 and left and last - at < WIDEST:
        word = text[words.start[at] : words.end[at]].casefold()
        if word[0] == left[-1]:
            left.pop()
            if not left:
                return at, last
        elif word not in _SMALL and word not in "-–/":
            return None
        at -= 1
    return None


def macros(text: str, words: Words) -> list[tuple[int, int]]:
    """Word spans of undefined macros outside of formulas."""
    formulas = [m.span() for m in _MATH.finditer(text)]
    starts = {int(s): i for i, s in enumerate(words.start)}
    ends = {int(e): i for i, e in enumerate(words.end)}
    found = []
    for hit in _MACRO.finditer(text):
        inside = any(a <= hit.start() < b for a, b in formulas)
        first, last = starts.get(hit.start()), ends.get(hit.end())
        if not _known(hit[1]) and not inside and first is not None and last is not None:
            found.append((first, last))
    return found


def announced(text: str, bounds: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether the sentence of `text[start:end]` says that the authors propose it.

    "We introduce a fast X", with nothing but modifiers in between, or "X (Y) is proposed".
    """
    low, high = bounds[sentence_at(bounds, start)]
    return bool(_BEFORE.search(text[low:start]) or _AFTER.match(text[end:high]))


@cache
def _known(macro: str) -> bool:
    """Whether LaTeX or a usual package defines `macro`, by pylatexenc's tables."""
    tables = (latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db())
    return macro in _LATER or any(
        getattr(table.get_macro_spec(macro), "macroname", "") == macro for table in tables
    )


def informed(text: str, words: Words, chance: np.ndarray) -> np.ndarray:
    """The band of log-probabilities `(words, WIDEST, types + 1)` with the hints applied."""
    out = chance.copy()
    for (i, j), (k, m) in definitions(text, words):
        if m - k < WIDEST and np.exp(chance[k, m - k, NONE]) < 0.5:
            out[i, j - i] = np.logaddexp(chance[i, j - i], chance[k, m - k]) - np.log(2.0)
            out[i, j - i, NONE] = min(chance[i, j - i, NONE], chance[k, m - k, NONE])
            out[i, j - i] -= np.logaddexp.reduce(out[i, j - i])
    for i, j in macros(text, words):
        if j - i < WIDEST:
            out[i, j - i, NONE] -= MACRO_GAIN
            out[i, j - i] -= np.logaddexp.reduce(out[i, j - i])
    return out
