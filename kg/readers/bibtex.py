"""BibTeX: entries cut apart here, parsed by bibtexparser one at a time, names decoded from LaTeX.

A broken entry costs itself alone. Title and abstract keep their LaTeX; of a title's braces those
that only protect its capitals go, and line breaks become spaces.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import (
    InvalidNameError,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

from kg.readers.identifiers import identifiers
from kg.readers.people import year_of
from kg.readers.record import FIELD_LIMIT, unwrapped
from kg.readers.source import Overlong, Text, blocks
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# what it warns of is told in Skipped; without a handler it would reach the user's terminal
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())

_ENTRY = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
_FIRST = re.compile(r"(?:[^\S\n]*(?:%.*)?\n)*[^\S\n]*@\s*[A-Za-z]+\s*[{(]")
_VENUES = ("booktitle", "journal", "journaltitle", "eventtitle", "venue", "series")
_LATEX = re.compile(r"[\\{}~$]")
#: What a brace belongs to that opens an argument: a command, an accent, another argument.
_COMMAND = re.compile(r"(?:\\[A-Za-z]+\*?\s*|\\[^A-Za-z]|[_^}\]])$")
_TO_TEXT = LatexNodes2Text(math_mode="verbatim", strict_latex_spaces=False)


def is_bibtex(head: str) -> bool:
    """Whether the first thing that is no comment is an entry."""
    return bool(_FIRST.match(head))


def read_bibtex(text: Text) -> Iterator[Abstract | Skipped]:
    """Every entry; `@string` definitions count from where they stand."""
    strings: dict[str, str] = {}
    for number, block in blocks(text, starts=lambda line: bool(_ENTRY.match(line))):
        if isinstance(block, Overlong):
            yield Skipped(text.at(number), block.reason)
            continue
        kind = _ENTRY.match(block)
        if kind is None or kind[1].lower() in ("comment", "preamble"):
            continue
        library = parse_string(block, parse_stack=[])
        for string in library.strings:
            if len(strings) < 10_000:
                strings[string.key.lower()] = _value(string.value, strings)[:FIELD_LIMIT]
        for failed in library.failed_blocks:
            yield Skipped(text.at(number), f"broken BibTeX entry: {_fault(failed.error):.200}")
        for entry in library.entries:
            fields = {f.key.lower(): _value(str(f.value), strings) for f in entry.fields}
            yield _abstract(entry.key, fields, source=text.at(number))


def _fault(error: Exception) -> str:
    """What is wrong, in one line; some of the parser's errors have no text, but an attribute."""
    said = str(error) or str(getattr(error, "abort_reason", ""))
    return " ".join(said.split()) or "it cannot be read"


def _abstract(key: str, fields: Mapping[str, str], *, source: str) -> Abstract:
    venue = next((fields[name] for name in _VENUES if fields.get(name)), "")
    kind = (fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv").lower()
    url = fields.get("url", "").strip()
    given = [("doi", fields.get("doi")), (kind if kind == "arxiv" else "", fields.get("eprint")),
             ("pmid", fields.get("pmid")), ("", url), ("", venue), ("", fields.get("journal")),
             ("", fields.get("note"))]  # fmt: skip
    return Abstract(
        id=key,
        title=unwrapped(unprotected(fields.get("title", ""))),
        abstract=unwrapped(fields.get("abstract", "")),
        authors=_authors(fields.get("author", "")),
        venue=decoded(unwrapped(venue)),
        year=year_of(fields.get("year", "")) or year_of(fields.get("date", "")),
        identifiers=identifiers(given),
        url=url,
        keywords=tuple(
            decoded(unwrapped(word))
            for word in re.split(r"[;,]", fields.get("keywords", ""))
            if word.strip()
        ),
        source=source,
    )


def _closing(text: str, start: int) -> int:
    """The index of the brace that closes the one at `start`; -1 if none does."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "{}" and (at == 0 or text[at - 1] != "\\"):
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return at
    return -1


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field without its quotes or braces, `@string` names and "#" resolved."""
    raw = raw.strip()
    parts: list[str] = []
    at = 0
    while at < len(raw):
        if raw[at] == "{":
            end = _closing(raw, at)
            parts.append(raw[at + 1 : end if end > 0 else len(raw)])
            at = end + 1 if end > 0 else len(raw)
        elif raw[at] == '"':
            end = _quote_end(raw, at)
            parts.append(raw[at + 1 : end])
            at = end + 1
        else:
            word = re.compile(r'[^#{"]+').match(raw, at)
            name = word[0].strip() if word else ""
            parts.append(strings.get(name.lower(), name))
            at = word.end() if word else at + 1
    joined = "".join(parts)
    # some exporters double the braces: {{...}}
    if joined.startswith("{") and _closing(joined, 0) == len(joined) - 1:
        return joined[1:-1]
    return joined


def _quote_end(raw: str, start: int) -> int:
    """The quote that closes the one at `start`: the next one outside braces, else the last."""
    depth = 0
    for at in range(start + 1, len(raw)):
        if raw[at] in "{}" and raw[at - 1] != "\\":
            depth += 1 if raw[at] == "{" else -1
        elif raw[at] == '"' and depth <= 0 and raw[at - 1] != "\\":
            return at
    return len(raw)


def unprotected(title: str) -> str:
    r"""The title without braces that only protect capitals; those of LaTeX commands stay.

    >>> unprotected(r"{BERT}: {P}re-training \emph{deep} $x_{i}$ G{\"o}del")
    'BERT: Pre-training \\emph{deep} $x_{i}$ G{\\"o}del'
    """
    kept: list[str] = []
    groups: list[bool] = []  # whether each open brace is kept
    math = False
    for at, char in enumerate(title):
        before = title[at - 1] if at else ""
        if char == "$" and before != "\\":
            math = not math
        if char == "{" and before != "\\":
            argument = _COMMAND.search("".join(kept[-40:]))
            groups.append(math or title[at + 1 : at + 2] == "\\" or bool(argument))
            if not groups[-1]:
                continue
        elif char == "}" and before != "\\" and groups and not groups.pop():
            continue
        kept.append(char)
    return "".join(kept)


def decoded(text: str) -> str:
    r"""The text with its LaTeX as Unicode (`M{\"u}ller` is Müller); as it is if that fails."""
    if not _LATEX.search(text) or len(text) > FIELD_LIMIT:
        return text
    try:
        return unwrapped(_TO_TEXT.latex_to_text(text))
    except (LatexWalkerError, RecursionError, ValueError, IndexError):
        return text


def _authors(field: str) -> tuple[str, ...]:
    if len(field) > 200 * FIELD_LIMIT:
        return ()
    names: list[str] = []
    for person in split_multiple_persons_names(unwrapped(field)):
        try:
            parts = parse_single_name_into_parts(person)
            words = [*parts.first, *parts.von, *parts.last, *parts.jr]
        except InvalidNameError:  # a comma too many
            words = person.split()
        if words != ["others"]:
            names.append(decoded(" ".join(words)))
    return tuple(dict.fromkeys(name for name in names if name))
