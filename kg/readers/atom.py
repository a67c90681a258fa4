"""Atom feeds as arXiv's API and its announcements send them, entry by entry.

Parsed by defusedxml: a document type with entities or anything external is refused. Source: arXiv
API User's Manual, section 3.3; RFC 4287.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError  # the error class alone; parsing is defusedxml's

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from kg.errors import InputError
from kg.readers.identifiers import identifiers
from kg.readers.people import turned, year_of
from kg.readers.record import unwrapped
from kg.readers.source import RECORD_LIMIT, Overlong, Text, lines
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_FEED = re.compile(r"<(?:\w{1,40}:)?feed\b([^>]{0,4000})")
_ANNOUNCED = re.compile(r"arXiv:\S{1,40} Announce Type: \S{1,40} Abstract: ", re.I)


def is_atom(head: str) -> bool:
    """Whether it is XML whose first element is an Atom feed."""
    found = _FEED.search(head) if head.lstrip().startswith("<") else None
    return found is not None and "http://www.w3.org/2005/Atom" in found[1]


class _Lines:
    """The text as a file that hands out a line a time: `line` is where the parser stands."""

    def __init__(self, text: Text) -> None:
        self._lines = lines(text)
        self.line = 1
        self.since = 0

    def read(self, _size: int = -1) -> str:
        for number, line in self._lines:
            self.line = number
            whole = line.start if isinstance(line, Overlong) else line
            self.since += len(whole) + 1
            if isinstance(line, Overlong) or self.since > RECORD_LIMIT:
                raise InputError(Overlong(whole).reason)
            return f"{whole}\n"
        return ""


def read_atom(text: Text) -> Iterator[Abstract | Skipped]:
    """Every entry; where the XML breaks, one Skipped for it and all that follows."""
    source = _Lines(text)
    root: Element | None = None
    start = 1
    try:
        for event, element in iterparse(source, events=("start", "end"), forbid_dtd=False):
            if root is None:
                root = element
            if element.tag != f"{_ATOM}entry":
                continue
            if event == "start":
                start = source.line
            else:
                yield _entry(element, text.at(start))
                root.clear()
                source.since = 0
    except ParseError as error:
        yield Skipped(text.at(source.line), f"the XML breaks here, the rest is not read ({error})")
    except DefusedXmlException as error:
        yield Skipped(text.at(source.line), f"refused: the XML declares entities ({error!s:.100})")
    except InputError as error:
        yield Skipped(text.at(source.line), f"{error}; the rest is not read")


def _entry(entry: Element, source: str) -> Abstract:
    def inside(name: str) -> str:
        return unwrapped("".join(element.itertext())
                         if (element := entry.find(name)) is not None else "")  # fmt: skip

    number = inside(f"{_ATOM}id")
    links = [link.get("href", "") for link in entry.findall(f"{_ATOM}link")
             if link.get("rel", "alternate") == "alternate"]  # fmt: skip
    abstract = inside(f"{_ATOM}summary") or inside(f"{_ATOM}content")
    announced = _ANNOUNCED.match(abstract)
    creators = inside("{http://purl.org/dc/elements/1.1/}creator")
    return Abstract(
        id=number,
        title=inside(f"{_ATOM}title"),
        abstract=abstract[announced.end() :] if announced else abstract,
        authors=tuple(
            turned(unwrapped("".join(name.itertext())))
            for name in entry.findall(f"{_ATOM}author/{_ATOM}name")
        ) or tuple(filter(None, creators.split(", "))),
        venue="",
        year=year_of(inside(f"{_ATOM}published")) or year_of(inside(f"{_ATOM}updated")),
        identifiers=identifiers([("", number), ("doi", inside(f"{_ARXIV}doi")),
                                 *(("", link) for link in links)]),
        url=links[0] if links else number if number.startswith("http") else "",
        keywords=tuple(dict.fromkeys(
            term for each in entry.findall(f"{_ATOM}category") if (term := each.get("term")))),
        source=source,
    )  # fmt: skip
