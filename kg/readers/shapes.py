"""JSON objects of the public scholarly services, turned into plain named fields.

A service is a row in `SHAPES`: how its objects are told from others, and what each field becomes.
Sources: OpenReview API 1 and 2 notes, OpenAlex works, Semantic Scholar's Graph API, bulk data and
S2ORC, arXiv's metadata snapshot, Crossref works; objects of other make pass as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.readers.fields import text_in, value_in
from kg.readers.people import year_of
from kg.readers.record import FIELD_LIMIT, unwrapped

if TYPE_CHECKING:
    from collections.abc import Callable

#: Where a record may stand inside another: HuggingFace's daily papers, S2ORC, Elasticsearch,
#: Crossref, Semantic Scholar's citations, JSON:API.
_WRAPPERS = ("paper", "metadata", "_source", "message", "citingPaper", "citedPaper", "attributes",
             "record", "work", "note")  # fmt: skip
_VENUE_WITH_YEAR = re.compile(
    r"(?!submitted)(\S.{0,200}?)\s+((?:19|20)\d\d)"
    r"(?:\s+(?:conference|poster|oral|spotlight|talk|regular)){0,3}(?:\s+notable.*)?", re.I,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """One service's make of record: `fits` tells it, `fields` gives its plain named fields."""

    name: str
    fits: Callable[[dict[str, object]], bool]
    fields: Callable[[dict[str, object]], dict[str, object]]


def _inside(record: dict[str, object], *path: str) -> object:
    """The value under nested names, None where there is none."""
    value: object = record
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _openreview(record: dict[str, object]) -> dict[str, object]:
    content = record["content"]
    values = {k: value_in(v) for k, v in content.items()} if isinstance(content, dict) else {}
    venue, year = unwrapped(text_in(values.get("venue"))), None
    if len(venue) < FIELD_LIMIT and (dated := _VENUE_WITH_YEAR.fullmatch(venue)):
        venue, year = dated[1], int(dated[2])
    dates = (record.get(name) for name in ("pdate", "odate", "tcdate", "cdate"))
    forum = text_in(record.get("forum") or record.get("id"))
    return {
        "id": text_in(record.get("id")),
        "openreview": forum,
        "url": f"https://openreview.net/forum?id={forum}" if forum else "",
        "venue": venue,
        "year": year or year_of(venue) or next(filter(None, map(year_of, dates)), None),
        **{k: values.get(k) for k in ("title", "abstract", "authors", "keywords", "doi")},
    }


def _openalex(record: dict[str, object]) -> dict[str, object]:
    inverted = record.get("abstract_inverted_index")
    places = (
        (place, word)
        for word, each in (inverted.items() if isinstance(inverted, dict) else ())
        for place in (each if isinstance(each, list) else ())
        if isinstance(place, int)
    )
    location = _inside(record, "primary_location") or record.get("host_venue")
    location = location if isinstance(location, dict) else {}
    source = location.get("source") or location
    return {
        **record,
        "abstract": " ".join(word for _, word in sorted(places)) or record.get("abstract"),
        "authors": record.get("authorships"),
        "venue": text_in(source),
        "year": record.get("publication_year"),
        "doi": record.get("doi") or _inside(record, "ids", "doi"),
        "pmid": text_in(_inside(record, "ids", "pmid")).rpartition("/")[2],
        "url": location.get("landing_page_url") or record.get("doi") or record.get("id"),
    }


def _semantic_scholar(record: dict[str, object]) -> dict[str, object]:
    outer = record.get("externalIds") or record.get("externalids")
    outer = outer or _inside(record, "openaccessinfo", "externalids")
    ids = {k.lower(): v for k, v in outer.items()} if isinstance(outer, dict) else {}
    return {
        **record,
        "venue": text_in(record.get("venue")) or text_in(record.get("journal"))
        or text_in(record.get("publicationVenue")),
        "doi": ids.get("doi") or record.get("doi"),
        "arxiv": ids.get("arxiv") or record.get("arxiv_id"),
        "acl": ids.get("acl") or record.get("acl_id"),
        "pmid": ids.get("pubmed") or record.get("pmid"),
        "keywords": record.get("keywords") or _fields_of_study(record),
    }  # fmt: skip


def _fields_of_study(record: dict[str, object]) -> object:
    listed = record.get("s2FieldsOfStudy") or record.get("s2fieldsofstudy")
    if isinstance(listed, list):
        names = [_inside(each, "category") for each in listed if isinstance(each, dict)]
        return list(dict.fromkeys(name for name in names if isinstance(name, str)))
    return record.get("fieldsOfStudy")


def _arxiv(record: dict[str, object]) -> dict[str, object]:
    number = text_in(record.get("id"))
    versions = record.get("versions")
    first = versions[0] if isinstance(versions, list) and versions else None
    created = _inside(first, "created") if isinstance(first, dict) else None
    categories = record.get("categories")
    return {
        **record,
        "arxiv": number,
        "abstract": unwrapped(text_in(record.get("abstract"))),
        "authors": record.get("authors_parsed") or unwrapped(text_in(record.get("authors"))),
        "year": year_of(created) or year_of(record.get("update_date")),
        "url": f"https://arxiv.org/abs/{number}" if number else "",
        "keywords": categories.split() if isinstance(categories, str) else categories,
    }


SHAPES: tuple[Shape, ...] = (
    Shape("OpenReview", lambda r: isinstance(r.get("content"), dict), _openreview),
    Shape("OpenAlex", lambda r: "abstract_inverted_index" in r or "authorships" in r, _openalex),
    Shape("arXiv", lambda r: "authors_parsed" in r or {"categories", "versions"} <= r.keys(),
          _arxiv),
    Shape("Semantic Scholar", lambda r: not r.keys().isdisjoint(
        ("externalIds", "externalids", "openaccessinfo", "paperAbstract", "arxiv_id", "acl_id")),
          _semantic_scholar),
)  # fmt: skip


def plain_fields(record: dict[str, object]) -> dict[str, object]:
    """The record's fields by their plain names, whichever service it is from."""
    for name in _WRAPPERS:
        inner = record.get(name)
        if isinstance(inner, dict) and not record.get("abstract"):
            record = {**record, **inner}
    for shape in SHAPES:
        if shape.fits(record):
            return shape.fields(record)
    return record
