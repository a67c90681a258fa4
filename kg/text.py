r"""Text as people read it, with a map back to the text as given; and `fold`, by which names agree.

`plain` undoes LaTeX (`\texttt{OLMo}`, `$\mu$KE`, `Schr\"odinger`) and the looks of Unicode
(ligatures, mathematical letters, full width) and knows for every character where it came from.
A macro that nobody defined (`\projectname`) is a name and stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from kg.words import settled, word_set

#: Macros that only dress their argument.
_DRESS = word_set(
    "textbf textit textrm textsc textsf texttt textmd textup textsl textnormal text emph underline"
    " mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm"
    " operatorname rm bf it sc sf tt em sl cal bfseries itshape mbox hbox fbox textsuperscript"
    " textsubscript ensuremath left right big Big bigl bigr xspace protect displaystyle textstyle"
    " url uline small large normalfont color textcolor overline widehat widetilde hat bar vec tilde"
    " mathop mathrel / ! -"
)
#: Macros whose argument is no part of the text.
_SILENT = word_set("cite citep citet ref eqref label footnote footnotemark thanks")
_SPACES = frozenset(
    [*[",", ";", ":", ">", "~"], " ", "\\", "quad", "qquad", "enspace", "thinspace", "space"]
)
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327",
    "k": "\u0328", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_MACRO = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_LETTER = re.compile(r"\s*\{?\s*(\\[ij](?![A-Za-z])|[^\W\d_])\s*\}?")
_ARGUMENT = re.compile(r"\s*(?:\[[^\]]*\])?\{[^{}]*\}")
#: A formula in one line: no space inside its dollars, no digit after ("$5 to $10" is money).
_FORMULA = re.compile(r"(?<!\\)\$\$?(?=\S)((?:[^$\\\n]|\\.){1,300}?)(?<=\S)\$\$?(?!\d)", re.DOTALL)
_MARKED = re.compile(r"[\\${}~^]")


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain text; its character `i` stands for `source[starts[i]:ends[i]]`, the text as given."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    source: str

    def given(self, start: int, end: int) -> tuple[int, int]:
        r"""Offsets into the text as given for the stretch `text[start:end]`, which is not empty.

        A formula that the stretch opens or closes is taken with its dollar ("$\mu$KE").
        """
        first, last = self.starts[start], self.ends[end - 1]
        if self.source.count("$", first, last) % 2:
            if self.source.startswith("$", last):
                last += 1
            elif first and self.source[first - 1] == "$":
                first -= 1
        return first, last


def plain(text: str) -> Plain:
    """`text` without LaTeX and in Unicode's compatible form (NFKC), with the way back."""
    pieces: list[tuple[str, int, int]] = []
    in_formula = _formula_bounds(text) if "$" in text else {}
    math = False
    at = 0
    while at < len(text):
        if at in in_formula:
            math = in_formula[at]
            at += 2 if text.startswith("$$", at) else 1
        elif text[at] == "\\":
            piece, end = _macro(text, at)
            pieces.append((piece, at, end))
            at = end
        else:
            end = at + 1
            while end < len(text) and unicodedata.combining(text[end]):
                end += 1
            pieces.append((_plain_cluster(text, at, end, math=math), at, end))
            at = end
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, start, end in pieces:
        # an unknown macro stays letter for letter, and so do its offsets
        exact = len(piece) == end - start
        for i, character in enumerate(piece):
            characters.append(character)
            starts.append(start + i if exact else start)
            ends.append(start + i + 1 if exact else end)
    return Plain("".join(characters), tuple(starts), tuple(ends), text)


def _formula_bounds(text: str) -> dict[int, bool]:
    """Where a formula's dollars stand: True where one opens, False where one closes."""
    bounds: dict[int, bool] = {}
    for hit in _FORMULA.finditer(text):
        bounds[hit.start()] = True
        bounds[hit.end(1)] = False
    return bounds


def _plain_cluster(text: str, start: int, end: int, *, math: bool) -> str:
    first = text[start]
    if first in "{}" or (math and first in "^_"):
        return ""
    if first == "~" and start and not text[start - 1].isspace():
        return " "
    if math and first == "'":
        return "′"
    # soft hyphens, zero-width and bidirectional marks are looks, not letters
    cluster = "".join(c for c in text[start:end] if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", cluster)


def _macro(text: str, at: int) -> tuple[str, int]:
    """What the macro at `at` reads as, and where it (with its accent's letter) ends."""
    hit = _MACRO.match(text, at)
    if hit is None:
        return "", at + 1
    name, end = hit.group(1), hit.end()
    if name in _ACCENTS and (letter := _LETTER.match(text, end)):
        base = letter.group(1).lstrip("\\")
        return unicodedata.normalize("NFKC", base + _ACCENTS[name]), letter.end()
    if name in _SILENT:
        argument = _ARGUMENT.match(text, end)
        return "", argument.end() if argument else end
    if name in _SPACES:
        return " ", end
    symbol = "" if name in _DRESS else _symbol(name)
    if symbol or name in _DRESS:
        return symbol, end + _gap(text, end) if name.isalpha() else end
    return text[at:end], end


def _gap(text: str, at: int) -> int:
    """How much white space a macro of letters swallows; a line end is kept."""
    hit = re.compile(r"[ \t]+").match(text, at)
    return hit.end() - at if hit else 0


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str:
    """The character that a macro without arguments stands for; "" if it is none."""
    from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415 (slow, rare)

    spec = get_default_latex_context_db().get_macro_spec(name)
    text = getattr(spec, "simplify_repl", None)
    if not isinstance(text, str) or (len(text) > 1 and ("%" in text or "<" in text)):
        return ""
    return unicodedata.normalize("NFKC", text)


_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu",
    "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_LETTERS = str.maketrans(
    {**_GREEK, "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th",
     "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'", "&": " and ", "×": "x", "⁄": "/",
     "∞": "infinity"}
)  # fmt: skip
_ACCENT_MARKS = re.compile("[\u0300-\u036f]")
_EMPHASIS = re.compile(r"(?<!\w)(\*+|_+)(?=\S)([^*_]+?)(?<=\S)\1(?!\w)")
#: A word of a name: letters and digits, points between digits (3.5), marks that make it another
#: name (A*, C++, OIMNet++, Pass@1, d′); or an undefined macro.
_TOKEN = re.compile(
    r"\\[^\W\d_]+|[^\W_]+(?:(?:(?<=\d)\.(?=\d)|[@'])[^\W_]+)*(?:\++|[#*]|′+)*|[@+#*]+"
)
_PLAIN_WORD = re.compile(r"[a-z]+")
_UNSETTLED = re.compile(r"[\\\\${}~^'*_`&]")


@lru_cache(maxsize=1 << 18)
def fold(name: str) -> str:
    """The key by which names agree: words in lower case, American and singular, joined by spaces.

    Undone: LaTeX, Unicode's looks, accents, Greek letters (spelt out), case, hyphens and other
    punctuation, possessives, plurals (but not after "of": "mixture of experts"). Kept: numbers,
    versions and marks (+ # * @ ′) that make another name. "" where no letter, digit or such mark
    is left. `fold(fold(name)) == fold(name)`.
    """
    folded = _fold(name)
    if name.isascii() and not _UNSETTLED.search(name):
        return folded
    # what one pass brings to light (a letter out of a macro) the next one settles
    for _ in range(4):
        again = _fold(folded)
        if again == folded:
            break
        folded = again
    return folded


def _fold(name: str) -> str:
    text = plain(name).text if _MARKED.search(name) else name
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = unicodedata.normalize("NFKD", text.casefold())
        text = _ACCENT_MARKS.sub("", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
        text = unicodedata.normalize("NFKC", text)
    text = text.casefold().translate(_LETTERS)
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub(r"\2", text)
    words: list[str] = []
    for token in _TOKEN.findall(text):
        word = token.removesuffix("'s").replace("'", "")
        if word and _PLAIN_WORD.fullmatch(word):
            word = settled(word, plural=bool(words) and words[-1] == "of")
        if word:
            words.append(word)
    return " ".join(words)


_SPACE = re.compile(r"(?<!\d) | (?!\d)")


def squash(folded: str) -> str:
    """A folded name without its spaces ("cifar 10" → "cifar10").

    A space between two digits stays, so that "llama 2 7b" and "llama 27b" differ.
    """
    return _SPACE.sub("", folded)


_WEB = re.compile(r"https?://[^\s\x00-\x20<>\"']+", re.IGNORECASE)


def web_address(*urls: str) -> str:
    """The first of `urls` that is http or https, else "": nothing may link to `javascript:`."""
    return next((url for url in urls if _WEB.fullmatch(url)), "")
