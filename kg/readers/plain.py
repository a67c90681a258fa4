"""Plain text: abstracts parted by blank lines, with a heading line perhaps, without titles."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from kg.readers.record import TEXT_LIMIT, unwrapped
from kg.readers.source import Overlong, Text, lines
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

#: Longest line that may be a heading, and shortest text that may be an abstract, in characters.
HEADING_LIMIT = 150
SHORTEST = 20
_SENTENCE = re.compile(r"[.!?…](?=[\s\"'”’»)\]}$*]|$)|[。！？]")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]}$*]*$")
#: How much of running text is letters, digits and spaces at least; code and data have less.
_PROSE = 0.7
#: With this share it is running text even without a full stop.
_PLAINLY_PROSE = 0.9
_LONGEST_WORD = 2_000
_MARKUP = re.compile(r"\s*(?:<[!?a-z]|[{\[]\s*[\"{\[]|%PDF-|\\documentclass|\{\\rtf)", re.I)


def is_plain(head: str) -> bool:
    """Whether it is running text: letters and words with one sentence or more, and no markup."""
    if not head.strip() or _MARKUP.match(head):
        return False
    share = sum(char.isalnum() or char.isspace() for char in head) / len(head)
    return (
        share >= _PROSE
        and (share >= _PLAINLY_PROSE or bool(_SENTENCE.search(head)))
        and max(map(len, head.split())) <= _LONGEST_WORD
        and any(not _is_heading(block) for block in head.split("\n\n"))
    )


def _is_heading(block: str) -> bool:
    block = block.strip()
    return len(block) <= HEADING_LIMIT and not (
        len(block) >= SHORTEST and _SENTENCE_END.search(block)
    )


def read_plain(text: Text) -> Iterator[Abstract | Skipped]:
    """Every paragraph as an abstract, its line breaks as spaces; headings are left out.

    A heading is a short paragraph that ends without a full stop. At the beginning it is noted in
    the log, further on it is Skipped: it may have been meant as something else.
    """
    for place, (number, block) in enumerate(_paragraphs(text)):
        if len(block) > TEXT_LIMIT:
            reason = f"a paragraph of more than {TEXT_LIMIT:,} characters"
            yield Skipped(text.at(number), reason)
        elif not _is_heading(block):
            yield Abstract(id="", title="", abstract=block, source=text.at(number))
        elif place == 0:
            _log.info("%s: taken as a heading: %s", text.at(number), block)
        else:
            yield Skipped(text.at(number), f"a heading or fragment, no abstract: {block!r:.80}")


def _paragraphs(text: Text) -> Iterator[tuple[int, str]]:
    """Runs of lines that are not blank, each with the number of its first line.

    An over-long one is cut just past the limit: enough to tell that it is over-long.
    """
    first, held, size = 1, list[str](), 0
    for number, line in lines(text):
        if not (row := line.start if isinstance(line, Overlong) else line).strip():
            if held:
                yield first, unwrapped("\n".join(held))
            held, size = [], 0
            continue
        if not held:
            first = number
        if size <= TEXT_LIMIT:
            # what is over-long is told by its length alone
            held.append(row[: 2 * TEXT_LIMIT] if row is line else "x" * 2 * TEXT_LIMIT)
            size += len(held[-1])
    if held:
        yield first, unwrapped("\n".join(held))
