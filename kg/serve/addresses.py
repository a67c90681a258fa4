"""IRIs of the graph as addresses on this server, and back.

`<base>id/method/bert` is answered at `/id/method/bert`, wherever the server runs. Characters beyond
ASCII stand as they are in an IRI and percent-encoded in an address (RFC 3987 §3.1, §3.2).
"""

from __future__ import annotations

import re
from urllib.parse import quote

_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def address(iri: str, base: str) -> str | None:
    """Where the thing called `iri` has its page here; None for what is not ours."""
    if not iri.startswith(f"{base}id/"):
        return None
    return "/" + quote(iri.removeprefix(base).partition("#")[0], safe="/%:;=@!$&'()*+,~")


def thing(raw_path: str, base: str) -> str:
    """The IRI behind the path of a request, as it was sent."""
    return base + _ENCODED.sub(_decoded, raw_path.removeprefix("/"))


def _decoded(run: re.Match[str]) -> str:
    """Decoded what never needs encoding, all else encoded in capitals: as IRIs are minted.

    A hyphen that is encoded is one within a word, others part words (`kg.vocab.entity_iri`).
    """
    octets = bytes.fromhex(run[0].replace("%", ""))
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return run[0].upper()
    return "".join(
        c
        if (c.isalnum() and c.isprintable()) or c in "._:"
        else "".join(f"%{octet:02X}" for octet in c.encode())
        for c in text
    )
