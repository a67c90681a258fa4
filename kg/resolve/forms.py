"""A name as the rules see it: its key, its canonical words, and whether it is a short form."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from kg.resolve.lexicon import ARTICLES, HEADS, abbreviations, synonyms
from kg.text import fold, plain, squash
from kg.words import settled

_SHORT = re.compile(r"(?=.{2,12}$)(?:[A-Za-z0-9]+(?:[-/&.+][A-Za-z0-9]+)*)$")
_PLURAL_S = re.compile(r"(?<=[A-Z0-9])s$")
_CAPITALS = re.compile(r"[A-Z]")
_LOWER_RUN = re.compile(r"[a-z]{3}")
_SHORT_WORD = re.compile(r"(?<![\w.])([A-Za-z]*[A-Z][A-Za-z]*[A-Z][A-Za-z]*?)(s?)(?!\w|-?\d)")
_DRESSED = re.compile(r"[^\x00-\x7f]|[\\\\${}~^]")
#: "sim2real", "text2image": a two between words is "to".
_TO = re.compile(r"(?<=[A-Za-z]{3})2(?=[A-Za-z]{3})")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_ALL_HEADS = frozenset().union(*HEADS.values())


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling of a name. `key`: spellings with one key differ in looks only.

    `text` is the spelling without LaTeX, `words` are its folded words, singular throughout and
    without articles, with known short forms written out and variants of a phrase in their standard
    form: `rule` says which of these changed something ("" if nothing did). `short` is the short
    form that the name is ("LLM" of "LLMs"), "" if it is none; `head` is the generic noun it ends
    with, `stem` the short form before that noun ("RAG" of "RAG method").
    """

    text: str
    key: str
    words: tuple[str, ...]
    rule: str
    short: str
    head: str
    stem: str

    @property
    def canon(self) -> str:
        """The canonical words as one key."""
        return squash(" ".join(self.words))


@lru_cache(maxsize=1 << 18)
def form(name: str) -> Form:
    """The form of a name as it stands in a text."""
    text = " ".join((plain(name).text if _DRESSED.search(name) else name).split())
    short = short_form(text)
    folded = fold(text)
    # "GPs" are several GP and no GPS, which folding small letters cannot tell
    key = squash(fold(short) if short else folded)
    if short and short.isupper() and key + "s" == short.casefold():
        key += "s"  # "MAPS" is no plural of "MAP"
    words, rule = _canonical(text, folded, key if short else "")
    head = words[-1] if len(words) > 1 and words[-1] in _ALL_HEADS else ""
    stem = short_form(" ".join(text.split()[:-1])) if head else ""
    return Form(text, key, words, rule, short, head, stem)


def short_form(text: str) -> str:
    """`text` without a plural s if it looks like a short form (two capitals or more), else ""."""
    if " " in text or not _SHORT.match(text):
        return ""
    short = _PLURAL_S.sub("", text)
    capitals = len(_CAPITALS.findall(short))
    if capitals < 2 or _LOWER_RUN.search(short):
        return ""
    return short


def _canonical(text: str, folded: str, short: str) -> tuple[tuple[str, ...], str]:
    """Canonical words of a name, and the rule that changed them (the least certain one).

    `short` is the key of a name that is a short form as a whole, whose last s may be its own.
    """
    rule = ""
    known = text
    if not short and (" " in text or "-" in text):
        known = _SHORT_WORD.sub(_write_out, text)
        if known != text:
            rule = "abbreviation inside"
    if "2" in known:
        known = _TO.sub(" to ", known)
    if known != text:
        folded = fold(known)
    words = [short] if short else [settled(word) for word in folded.split()]
    kept = [w for i, w in enumerate(words) if not _is_article(words, i)]
    if len(kept) < len(words):
        rule = rule or "function word"
    whole, inside = synonyms()
    phrase = " ".join(kept)
    replaced = _replace(phrase, inside)
    replaced = whole.get(replaced, replaced)
    if replaced != phrase:
        rule = "synonym"
    return tuple(replaced.split()), rule


def _is_article(words: list[str], i: int) -> bool:
    """An article before a word; a single letter after it makes "a" a variable ("a b testing")."""
    return words[i] in ARTICLES and i + 1 < len(words) and len(words[i + 1]) > 2


def _write_out(hit: re.Match[str]) -> str:
    rows = abbreviations().get(hit.group(1).casefold(), ())
    if len(rows) != 1 or rows[0].short != hit.group(1) or rows[0].type not in ("Method", "Task"):
        return hit.group()
    return rows[0].long


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    return frozenset(variant.split()[0] for variant in synonyms()[1])


def _replace(phrase: str, table: dict[str, str]) -> str:
    if _first_words().isdisjoint(phrase.split()):
        return phrase
    padded = f" {phrase} "
    for variant, standard in table.items():
        padded = padded.replace(f" {variant} ", f" {standard} ")
    return padded.strip()


def numbers(text: str) -> Counter[str]:
    """The numbers in a name."""
    return Counter(_NUMBER.findall(text))


def looks_proper(text: str) -> bool:
    """Whether the last word is written as a name is: capitals inside, or letters with digits."""
    last = text.rsplit(maxsplit=1)[-1] if text.split() else ""
    return bool(re.search(r"[^\W\d_].*[A-Z]|[A-Za-z].*\d|\d.*[A-Z]", last))
