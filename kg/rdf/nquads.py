"""N-Quads spelling of terms: the one place where text is escaped for RDF.

The lines are canonical N-Quads (RDF 1.1 N-Quads §4), letter for letter what Oxigraph writes back,
so that lines made here can be compared with a dump of the store.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kg import vocab

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Subject, predicate, object, each already in N-Quads spelling.
Triple = tuple[str, str, str]

_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_ESCAPES |= {chr(c): f"\\u{c:04X}" for c in (*range(0x20), 0x7F) if chr(c) not in _ESCAPES}
_TO_ESCAPE = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")
# RFC 3987: neither delimiters nor what is outside ucschar; a "%" has to begin an escape
_NOT_IN_IRI = re.compile(
    r'[\x00-\x20<>"{}|^`\\\[\]\x7f-\x9f\ud800-\uf8ff\ufdd0-\ufdef\ufff0-\uffff\U000e0000-\U0010ffff'
    + "".join(
        chr(plane + end) for plane in range(0x10000, 0xE0000, 0x10000) for end in (0xFFFE, 0xFFFF)
    )
    + r"]|%(?![0-9A-Fa-f]{2})"
)
#: IRIs in which nothing has to be sought.
_PLAIN_IRI = re.compile("[!#$&-;=?-Z_a-z~]*")


@lru_cache(maxsize=4096)  # one sentence is the evidence of several edges
def literal(text: str, *, lang: str = "", datatype: str = "") -> str:
    """`text` as an N-Quads literal; what XML or UTF-8 cannot hold becomes U+FFFD."""
    quoted = '"' + _TO_ESCAPE.sub(lambda m: _ESCAPES[m[0]], vocab.clean(text)) + '"'
    if lang:
        return f"{quoted}@{lang}"
    return f"{quoted}^^{term(datatype, vocab.BASE)}" if datatype else quoted


def decimal(number: float) -> str:
    """A confidence or score as an `xsd:decimal` of at most four places, held in [0, 1]."""
    held = 0.0 if math.isnan(number) else min(1.0, max(0.0, number))
    return f'"{f"{held:.4f}".rstrip("0").rstrip(".")}"^^{term("xsd:decimal", vocab.BASE)}'


def integer(number: int) -> str:
    """A whole number as an `xsd:integer`."""
    return f'"{number}"^^{term("xsd:integer", vocab.BASE)}'


def ref(address: str) -> str:
    """An IRI in angle brackets; what no IRI may hold is percent-encoded (RFC 3987)."""
    if not _PLAIN_IRI.fullmatch(address) and _NOT_IN_IRI.search(address):
        address = _NOT_IN_IRI.sub(_percent, vocab.clean(address))
    return f"<{address}>"


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


@lru_cache(maxsize=1024)
def term(curie: str, base: str) -> str:
    """A term of a vocabulary, such as "kg:uses"."""
    return ref(vocab.iri(curie, base))


def lines(triples: Iterable[Triple], graph: str) -> list[str]:
    """The triples in the graph of that name, as sorted, distinct N-Quads lines without an end."""
    end = f" {ref(graph)} ."
    return sorted({f"{s} {p} {o}{end}" for s, p, o in triples})
