"""What every format has in common: a record's text made safe, measured, and kept or skipped.

Title and abstract are kept as given, LaTeX and all, with these exceptions: white space around them
goes; a title is one line; characters that no RDF, XML or HTML file may hold (control characters,
lone surrogates, U+FFFE and U+FFFF) are replaced one for one; the JATS and HTML tags that Crossref,
OpenAlex and PubMed leave in abstracts are taken out. Formats that wrap lines (plain text, BibTeX,
RIS, nbib, arXiv) undo that with `unwrapped`.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

from kg.records import Abstract, Skipped

#: Longest text of one paper, title and abstract together; what is longer is no abstract.
TEXT_LIMIT = 20_000
#: Longest venue, URL, id, name or keyword.
FIELD_LIMIT = 1_000

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")
_MISSING = {
    "", "-", "n/a", "na", "nan", "none", "null", "no abstract", "no abstract available",
    "no abstract available.", "[no abstract available]", "abstract not available",
}  # fmt: skip

_BLOCK = "p|div|br|sec|title|list|list-item|ul|ol|li|h[1-6]|abstract"
_INLINE = "i|b|em|strong|sub|sup|u|italic|bold|sc|span|monospace|underline|ext-link|xref"
_HEADING = re.compile(r"<(?:jats:)?title>\s*(?:abstract|summary)[.:]?\s*</(?:jats:)?title>", re.I)
_BLOCK_TAG = re.compile(rf"</?(?:jats:)?(?:{_BLOCK})(?:\s[^<>]*)?/?>", re.I)
_INLINE_TAG = re.compile(rf"</?(?:jats:)?(?:{_INLINE})(?:\s[^<>]*)?/?>|</?jats:[^<>]*>", re.I)
#: Text counts as marked up only by JATS or by a tag that is opened and closed: "<b" in a formula or
#: a lone "<p>" in a text about tokens is neither.
_MARKED_UP = re.compile(
    rf"<jats:|<({_BLOCK}|{_INLINE})(?:\s[^<>]*)?>[^<]*(?:<[^<]*){{0,200}}?</\1>", re.I
)


def unwrapped(text: str) -> str:
    """The text with every run of white space as one space: line breaks that only wrap go."""
    return " ".join(text.split())


def safe(text: str) -> str:
    """The text without characters that graph files cannot hold; its length stays the same."""
    return _NO_CHARACTER.sub("\ufffd", _CONTROL.sub(" ", text))


def without_tags(text: str) -> str:
    """The text without JATS and HTML tags, if it is marked up; formulas with "<" are not."""
    if "<" not in text or not _MARKED_UP.search(text):
        return text
    text = _BLOCK_TAG.sub(" ", _HEADING.sub(" ", text))
    return unwrapped(html.unescape(_INLINE_TAG.sub("", text)))


def checked(found: Abstract, *, venue: str = "", year: int | None = None) -> Abstract | Skipped:
    """The record made safe, with `venue` and `year` where it has none; Skipped if it is unusable.

    Unusable are a record without an abstract, one whose title and abstract are longer than
    `TEXT_LIMIT` characters, and one with another field longer than `FIELD_LIMIT`.
    """
    if len(found.title) + len(found.abstract) > 4 * TEXT_LIMIT:  # before any work on it
        return Skipped(found.source, _too_long(len(found.title) + len(found.abstract)))
    title = unwrapped(safe(without_tags(found.title)))
    abstract = safe(without_tags(found.abstract)).strip()
    named = f" for {title or found.id!s:.60}" if title or found.id else ""
    if abstract.casefold() in _MISSING:
        return Skipped(found.source, f"no abstract{named}")
    if len(title) + len(abstract) > TEXT_LIMIT:
        return Skipped(found.source, _too_long(len(title) + len(abstract)) + named)
    fields = {
        "id": found.id, "venue": found.venue, "URL": found.url,
        "longest author": max(found.authors, key=len, default=""),
        "longest keyword": max(found.keywords, key=len, default=""),
    }  # fmt: skip
    for name, value in fields.items():
        if len(value) > FIELD_LIMIT:
            reason = f"its {name} has {len(value):,} characters; the limit is {FIELD_LIMIT:,}"
            return Skipped(found.source, reason)
    return replace(
        found,
        id=unwrapped(safe(found.id)),
        title="" if title.casefold() in _MISSING else title,
        abstract=abstract,
        authors=tuple(map(safe, found.authors)),
        venue=unwrapped(safe(found.venue)) or venue,
        year=year if found.year is None else found.year,
        url=unwrapped(safe(found.url)),
        keywords=tuple(dict.fromkeys(unwrapped(safe(word)) for word in found.keywords)),
    )


def _too_long(length: int) -> str:
    return f"title and abstract have {length:,} characters; the limit is {TEXT_LIMIT:,}"
