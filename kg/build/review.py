"""What a person may want to decide about the names of a graph that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.build import cache as caches
from kg.build import ledger as ledgers
from kg.build.cache import Cache, text_hash
from kg.build.ledger import Ledger
from kg.build.reading import Papers
from kg.build.settings import remembered
from kg.errors import StoreError
from kg.resolve import resolve as resolve_names
from kg.resolve import suggest
from kg.store import GraphStore

if TYPE_CHECKING:
    from kg.build.rebuild import Resolve


def suggest_curation(
    folder: str | Path, *, limit: int = 200, resolve: Resolve | None = None
) -> str:
    """The text of a curation file with at most `limit` doubtful names of the graph in `folder`.

    Most valuable first, each a line that is accepted by deleting its comment sign; what the graph's
    curation decides is not asked again. Names are resolved anew from what the model has read, which
    takes as long as that part of a build; nothing is written.

    Raises `StoreError` where there is no graph, or what the model read was deleted.
    """
    with GraphStore.open(folder) as store:
        held = store.generation_file(ledgers.NAME)
        kept = Path(folder) / caches.NAME
        if held is None:
            raise StoreError(f"the graph in {str(folder)!r} holds no paper: build it first")
        if not kept.exists():
            raise _unread(folder)
        with Ledger.read(held) as ledger, Cache.open(kept) as cache:
            settings = remembered(ledger)
            papers = Papers(
                ledger,
                cache,
                model=store.description.model,
                members=ledger.members(),
                min_confidence=settings.min_confidence,
            )
            if any((text_hash(papers.abstract(p)), papers.model) not in cache for p in papers):
                raise _unread(folder)
            resolution = (resolve or resolve_names)(papers, curation=settings.curation)
    return suggest(resolution, curation=settings.curation, limit=limit)


def _unread(folder: str | Path) -> StoreError:
    return StoreError(
        f"what the model read for the graph in {str(folder)!r} is no longer in {caches.NAME!r}: "
        "run `kg build` on any input first, it reads the papers again"
    )
