"""Records with named fields (JSON objects, rows of a table) as abstracts, whatever the names are.

Names are compared without case, spaces and punctuation; the first name that has a value wins. A
value may stand alone, in a list (Crossref's titles) or under "value" (OpenReview, API 2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.identifiers import identifiers
from kg.readers.people import people, year_of
from kg.records import Abstract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Our field and the names that sources give it, the best first.
ALIASES: dict[str, tuple[str, ...]] = {
    "title": ("title", "papertitle", "documenttitle", "articletitle", "primarytitle",
              "displayname", "ti", "t1", "name", "headline"),
    "abstract": ("abstract", "abstracts", "abstracttext", "paperabstract", "abstractnote", "ab",
                 "summary", "abs", "text", "description", "content", "body"),
    "authors": ("authors", "author", "authorlist", "authornames", "authorfullnames",
                "authorsfullname", "creators", "creator", "au", "af", "authorship", "authorships"),
    "venue": ("venue", "journal", "booktitle", "conference", "conf", "proceeding", "proceedings",
              "containertitle", "publicationtitle", "sourcetitle", "journaltitle", "journalname",
              "publicationvenue", "venuename", "publicationname", "publication", "so", "jt"),
    "year": ("year", "publicationyear", "pubyear", "py", "date", "publicationdate", "published",
             "publisheddate", "publishedat", "pubdate", "datepublished", "issued", "publishedprint",
             "publishedonline", "created", "submitteddate", "updatedate", "updated"),
    "id": ("id", "paperid", "uid", "key", "identifier", "citekey", "corpusid", "ut", "eid"),
    "url": ("url", "link", "urlabs", "paperurl", "landingpageurl", "s2url", "pdfurl", "href"),
    "keywords": ("keywords", "keyword", "authorkeywords", "tags", "topics", "subjects", "subject",
                 "fieldsofstudy", "categories", "de"),
    "doi": ("doi", "di", "doiurl"),
    "arxiv": ("arxiv", "arxivid", "eprint", "eprintid"),
    "openreview": ("openreview", "openreviewid"),
    "acl": ("acl", "aclid", "anthologyid"),
    "pmid": ("pmid", "pubmed", "pubmedid"),
}  # fmt: skip
KNOWN = frozenset(name for names in ALIASES.values() for name in names)

_IDENTIFIERS = ("doi", "arxiv", "openreview", "acl", "pmid")
_SEPARATORS = re.compile(r"[;|\n]")


def plain_name(name: str) -> str:
    """A field's name as it is compared: lower case, letters and digits only."""
    return re.sub(r"[\W_]+", "", name).lower()


def value_in(value: object) -> object:
    """What stands under "value" in OpenReview's second API, else the thing itself."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


def text_in(value: object) -> str:
    """The text of a field: a string, a number, the first of a list, or an object's name."""
    value = value_in(value)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print whole numbers of more than 4,300 digits
        return str(value) if value.bit_length() < 128 else ""
    if isinstance(value, list) and value:
        return "" if isinstance(value[0], list) else text_in(value[0])
    if isinstance(value, dict):
        return next((v for k in ("display_name", "name", "raw", "text") if
                     isinstance(v := value.get(k), str)), "").strip()  # fmt: skip
    return ""


def words_in(value: object) -> tuple[str, ...]:
    """Keywords from a list of strings or named objects, or from one string parted by ; | or ,."""
    value = value_in(value)
    if isinstance(value, str):
        value = _SEPARATORS.split(value) if _SEPARATORS.search(value) else value.split(",")
    if not isinstance(value, list):
        return ()
    words = (text_in(each) or text_in(each.get("keyword")) if isinstance(each, dict)
             else text_in(each) for each in value)  # fmt: skip
    return tuple(dict.fromkeys(word for word in words if word))


def _first(fields: Mapping[str, object], names: Iterable[str]) -> object:
    return next((v for n in names if (v := fields.get(n)) not in (None, "", [], {})), None)


def _first_text(fields: Mapping[str, object], names: Iterable[str]) -> str:
    return next((text for name in names if (text := text_in(fields.get(name)))), "")


def _year(fields: Mapping[str, object]) -> int | None:
    for name in ALIASES["year"]:
        value = value_in(fields.get(name))
        if isinstance(value, dict):
            value = value.get("date-parts") or value.get("raw")
        if isinstance(value, list) and value and isinstance(value[0], list):
            value = value[0]
        if (year := year_of(value)) is not None:
            return year
    return None


def abstract_from(record: Mapping[str, object], *, source: str) -> Abstract:
    """The record as an Abstract; fields that it lacks stay empty, the abstract too."""
    fields: dict[str, object] = {}
    for name, value in record.items():
        fields.setdefault(plain_name(name), value_in(value))
    found = {name: _first_text(fields, ALIASES[name]) for name in ("id", "url", "venue")}
    named = [(kind, text_in(_first(fields, ALIASES[kind]))) for kind in _IDENTIFIERS]
    guessed = [("", found[name]) for name in ("id", "url", "venue")]
    given = fields.get("identifiers")
    if isinstance(given, list):  # our own records written out again
        guessed += [("", each) for each in given if isinstance(each, str)]
    return Abstract(
        id=found["id"],
        title=_first_text(fields, ALIASES["title"]),
        abstract=_first_text(fields, ALIASES["abstract"]),
        authors=people(_first(fields, ALIASES["authors"])),
        venue=found["venue"],
        year=_year(fields),
        identifiers=identifiers([*named, *guessed]),
        url=found["url"],
        keywords=words_in(_first(fields, ALIASES["keywords"])),
        source=source,
    )
