"""RIS (parsed by rispy, one reference at a time) and PubMed's .nbib, both lines of tag and value.

Sources: the RIS format as Zotero and EndNote write it; MEDLINE/PubMed Data Element Descriptions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import rispy

from kg.readers.identifiers import identifiers
from kg.readers.people import turned, year_of
from kg.readers.record import unwrapped
from kg.readers.source import Overlong, Text, blocks
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_RIS_START = re.compile(r"TY  ?- ?")
_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])  - ?")
_RIS_LINE_OF_ONE_SPACE = re.compile(r"([A-Z][A-Z0-9]) - ?")
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")


def is_ris(head: str) -> bool:
    """Whether the first line that is not blank opens a reference."""
    return bool(_RIS_START.match(head.lstrip()))


def is_nbib(head: str) -> bool:
    """Whether the first line that is not blank is a PubMed id."""
    return bool(re.match(r"PMID ?- ?\d", head.lstrip()))


def read_ris(text: Text) -> Iterator[Abstract | Skipped]:
    """Every reference from its TY line to the next; a missing ER line does no harm."""
    for number, block in blocks(text, starts=lambda line: bool(_RIS_START.match(line))):
        if isinstance(block, Overlong):
            yield Skipped(text.at(number), block.reason)
        elif _RIS_START.match(block):
            yield _reference(block, text.at(number))
        elif block.strip():
            yield Skipped(text.at(number), "no RIS reference: no TY line before it")


def _reference(block: str, source: str) -> Abstract | Skipped:
    # Some exporters write one space before the dash, or none after it. Values that run on over
    # lines are joined here because rispy takes time with the square of their number.
    tagged = _RIS_LINE if block.startswith("TY  ") else _RIS_LINE_OF_ONE_SPACE
    rows: list[list[str]] = []
    for line in block.split("\n"):
        if tag := tagged.match(line):
            rows.append([f"{tag[1]}  - {line[tag.end() :]}"])
        else:
            rows[-1].append(line.strip())
    try:
        text = "\n".join(map(" ".join, rows))
        found = rispy.loads(f"{text}\nER  - \n", newline="\n")
    except (KeyError, ValueError, TypeError, OSError) as error:
        return Skipped(source, f"broken RIS reference: {error!r:.200}")
    fields: dict[str, object] = dict(found[0]) if found else {}

    def first(*names: str) -> str:
        values = (fields.get(name) for name in names)
        texts = (value[0] if isinstance(value, list) and value else value for value in values)
        return next((unwrapped(each) for each in texts if isinstance(each, str) and each), "")

    def listed(*names: str) -> list[str]:
        values = (fields.get(name) for name in names)
        return next(([str(v) for v in value] for value in values if isinstance(value, list)), [])

    urls = listed("urls")
    return Abstract(
        id=first("id", "accession_number"),
        title=first("title", "primary_title"),
        abstract=first("abstract", "notes_abstract"),
        authors=tuple(dict.fromkeys(map(turned, listed("authors", "first_authors")))),
        venue=first("journal_name", "secondary_title", "alternate_title3", "alternate_title1",
                    "custom3", "publisher"),
        year=year_of(first("year")) or year_of(first("publication_year")) or year_of(first("date")),
        identifiers=identifiers([("doi", first("doi")), *(("", url) for url in urls),
                                 ("", first("id", "accession_number"))]),
        url=urls[0] if urls else "",
        keywords=tuple(dict.fromkeys(listed("keywords"))),
        source=source,
    )  # fmt: skip


def read_nbib(text: Text) -> Iterator[Abstract | Skipped]:
    """Every citation from its PMID line to the next."""
    for number, block in blocks(text, starts=lambda line: line.startswith("PMID")):
        if isinstance(block, Overlong):
            yield Skipped(text.at(number), block.reason)
        elif block.startswith("PMID"):
            yield _citation(block, text.at(number))
        elif block.strip():
            yield Skipped(text.at(number), "no PubMed citation: no PMID line before it")


def _citation(block: str, source: str) -> Abstract:
    fields: dict[str, list[list[str]]] = {}
    value: list[str] = []
    for line in block.split("\n"):
        if found := _NBIB_LINE.match(line):
            value = [found[2]]
            fields.setdefault(found[1], []).append(value)
        else:  # a value runs on in lines that begin with six spaces
            value.append(line)
    values = {tag: [unwrapped(" ".join(rows)) for rows in each] for tag, each in fields.items()}

    def first(*tags: str) -> str:
        return next((values[tag][0] for tag in tags if tag in values), "")

    pmid = first("PMID")
    dois = [each.removesuffix("[doi]") for tag in ("LID", "AID") for each in values.get(tag, [])
            if each.endswith("[doi]")]  # fmt: skip
    return Abstract(
        id=pmid,
        title=first("TI", "BTI"),
        abstract=first("AB", "OAB"),
        authors=tuple(dict.fromkeys(map(turned, values.get("FAU") or values.get("AU") or ()))),
        venue=first("JT", "TA"),
        year=year_of(first("DP")) or year_of(first("EDAT")),
        identifiers=identifiers([*(("doi", doi.strip()) for doi in dois[:1]), ("pmid", pmid)]),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdigit() else "",
        keywords=tuple(dict.fromkeys(values.get("OT") or values.get("MH") or ())),
        source=source,
    )
