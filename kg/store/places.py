"""Where a graph is: in a folder, or at the address of an endpoint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.store.graphstore import GraphStore

if TYPE_CHECKING:
    from pathlib import Path

    from kg.store.remote import RemoteStore

_ADDRESS = re.compile(r"https?:/", re.IGNORECASE)


def is_address(place: str | Path) -> bool:
    """Whether `place` is an address of the web, even one that a path has taken a slash from."""
    return bool(_ADDRESS.match(str(place)))


def open_store(place: str | Path) -> GraphStore | RemoteStore:
    """The graph in the folder `place`, or at the endpoint with that address, for asking.

    Raises `StoreError` where there is none, and `InputError` for what is no address.
    """
    if isinstance(place, str) and is_address(place):
        from kg.store.remote import RemoteStore  # noqa: PLC0415 - a folder needs no web client

        return RemoteStore.open(place)
    return GraphStore.open(place)
