"""Identifiers of papers in one spelling: prefix, colon, value; lower case but for OpenReview's.

Sources: DOI Handbook 2.2 (DOIs are case-insensitive), arXiv's identifier scheme (the version is not
part of the paper's identity), ACL Anthology ids, PubMed ids.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(?:v\d+)?", re.I)
_ACL = re.compile(r"[a-z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+", re.I)
_OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{6,20}")
_PMID = re.compile(r"\d{1,9}")
_S2 = re.compile(r"[0-9a-f]{40}|\d{1,12}", re.I)
_OPENALEX = re.compile(r"w\d{2,12}", re.I)

#: How an identifier shows in a URL or with its prefix; each has the value in group 1.
_IN_TEXT = {
    "doi": re.compile(r"(?:doi\.org/|\bdoi:\s*)(10\.\d{4,9}/[^\s\"<>]+)", re.I),
    "arxiv": re.compile(
        r"(?:arxiv\.org/(?:abs|pdf|html)/|\barxiv(?:\.org)?[:.]\s*)"
        r"(\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})", re.I,
    ),
    "openreview": re.compile(r"openreview\.net/(?:forum|pdf)\?id=([A-Za-z0-9_-]{6,20})", re.I),
    "acl": re.compile(
        r"(?:aclanthology\.org/|aclweb\.org/anthology/|\b10\.18653/v1/)"
        r"([a-z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)", re.I,
    ),
    "pmid": re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|\bpmid:\s*)"
                       r"(\d{1,9})", re.I),
    "openalex": re.compile(r"openalex\.org/(w\d{2,12})", re.I),
}  # fmt: skip

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.I)


def _doi(value: str) -> str:
    found = _DOI.search(unquote(value))
    if not found:
        return ""
    doi = found[0].lower().rstrip(".,;:'")
    # a bracket belongs to the DOI only if it was opened there
    return doi[:-1] if doi.endswith(")") and doi.count(")") > doi.count("(") else doi


def _whole(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def value(text: str) -> str:
        found = pattern.fullmatch(text.strip())
        return (found[1] if pattern.groups else found[0]).lower() if found else ""

    return value


def _openreview(value: str) -> str:
    return value.strip() if _OPENREVIEW.fullmatch(value.strip()) else ""


#: A kind of identifier and how its bare value is read; the order is that of the result.
_KINDS = {
    "doi": _doi,
    "arxiv": _whole(_ARXIV),
    "openreview": _openreview,
    "acl": _whole(_ACL),
    "pmid": _whole(_PMID),
    "openalex": _whole(_OPENALEX),
    "s2": _whole(_S2),
}


def identifiers(given: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """The identifiers in `given`, pairs of kind and value; "" as kind means an id, URL or citation.

    A value that is none of its kind gives nothing. arXiv's own DOIs become arXiv ids, the DOIs of
    the ACL give the ACL id too, so that one paper from two sources shares an identifier.
    """
    found: dict[str, str] = {}
    for stated, value in given:
        kind, text = stated, str(value) if isinstance(value, str | int) else ""
        if not text or len(text) > 1_000:
            continue
        for shown, pattern in _IN_TEXT.items():
            if match := pattern.search(unquote(text)):
                found.setdefault(shown, _KINDS[shown](match[1]))
        prefix, _, rest = text.partition(":")
        if not kind and prefix in _KINDS:  # as we write them ourselves
            kind, text = prefix, rest
        for name in [kind] if kind else ["arxiv", "doi"]:
            # a bare id of no stated kind must be the whole of it: "2401.00001", "10.1/x"
            if (kind or name == "arxiv" or text.startswith("10.")) and (read := _KINDS[name](text)):
                found.setdefault(name, read)
    if arxiv := _ARXIV_DOI.fullmatch(found.get("doi", "")):
        del found["doi"]
        if number := _KINDS["arxiv"](arxiv[1]):
            found.setdefault("arxiv", number)
    return tuple(f"{kind}:{found[kind]}" for kind in _KINDS if found.get(kind))
