"""Which format a client is answered in: its `Accept` header against what is offered.

RFC 9110 §12.5.1: the most specific range that fits a media type gives its quality.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Offer:
    """A format: its name, what it is sent as, and other media types that ask for it."""

    name: str
    media_type: str
    others: tuple[str, ...] = ()


#: Answers to SELECT and ASK, the usual one first.
ROWS = (
    Offer("json", "application/sparql-results+json", ("application/json",)),
    Offer("xml", "application/sparql-results+xml", ("application/xml", "text/xml")),
    Offer("csv", "text/csv"),
    Offer("tsv", "text/tab-separated-values"),
)
#: Answers to CONSTRUCT and DESCRIBE, and descriptions of things.
TRIPLES = (
    Offer("ttl", "text/turtle", ("application/x-turtle",)),
    Offer("nt", "application/n-triples"),
    Offer("jsonld", "application/ld+json", ("application/json",)),
    Offer("rdfxml", "application/rdf+xml", ("application/xml", "text/xml")),
)
HTML = Offer("html", "text/html", ("application/xhtml+xml",))


def choose(accept: str | None, offers: Sequence[Offer]) -> Offer | None:
    """The offer that `accept` likes best, the first of several; None where it takes none.

    A missing or empty header takes anything.
    """
    ranges = _ranges(accept or "*/*")
    best, best_quality = None, 0.0
    for offer in offers:
        # another name of a format asks for it too, but for none that bears it first
        names = [(offer.media_type, 1.0), *((name, 0.999) for name in offer.others)]
        quality = max(_quality(name, ranges) * share for name, share in names)
        if quality > best_quality:
            best, best_quality = offer, quality
    return best


def _ranges(accept: str) -> list[tuple[str, float]]:
    found = []
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = min(max(float(parameter[2:]), 0.0), 1.0)
                except ValueError:
                    quality = 0.0
        if "/" in name:
            found.append((name, quality))
    return found or [("*/*", 1.0)]


def _quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    kind = media_type.partition("/")[0]
    for name in (media_type, f"{kind}/*", "*/*"):
        fitting = [quality for given, quality in ranges if given == name]
        if fitting:
            return max(fitting)
    return 0.0
