"""Any text into a SPARQL string literal that cannot be read as anything else."""

from __future__ import annotations

import re

from kg.errors import QueryError

_ESCAPES = {
    "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f",
}  # fmt: skip
_LIKE_AN_ESCAPE = re.compile(r"\\\\([uU])")
_UNFIT = re.compile(r"[\ud800-\udfff\x00]")
#: Characters that an IRI may not hold (SPARQL 1.1, production IRIREF).
_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\ud800-\udfff]')


def is_iri(text: str) -> bool:
    """Whether `text` can stand in angle brackets as an absolute IRI."""
    return bool(re.match(r"^[A-Za-z][A-Za-z0-9+.-]*:", text)) and not _NOT_IN_IRI.search(text)


def literal(text: str) -> str:
    """`text` as a SPARQL string literal, quotes and all.

    Raises QueryError for NUL and lone surrogates, which no RDF literal can hold.
    """
    if _UNFIT.search(text):
        raise QueryError(f"the value {text!r} holds a character that no text may hold")
    escaped = "".join(_ESCAPES.get(c, c) for c in text)
    # Engines that undo \uXXXX before parsing would read the u of `\\u0022` as the start of one; the
    # long form, as some take up to eight figures after a \u
    escaped = _LIKE_AN_ESCAPE.sub(lambda m: f"\\\\\\U{ord(m[1]):08X}", escaped)
    return f'"{escaped}"'
