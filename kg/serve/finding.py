"""What a search finds: entities and papers whose names hold what was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.query import (
    Candidate,
    candidates,
    display_names,
    entities_called,
    find_entity,
    papers_called,
)
from kg.query.literals import literal

if TYPE_CHECKING:
    from kg.store import Store

_MOST = 60


@dataclass(frozen=True, slots=True)
class Found:
    """Entities, those meant by the very name first, then by papers; papers as (IRI, title).

    `note` says what is near where nothing was found.
    """

    entities: tuple[Candidate, ...]
    papers: tuple[tuple[str, str], ...]
    note: str = ""


def find(store: Store, text: str) -> Found:
    """The entities and papers that `text` may mean, in any case.

    A name needs to hold it, or to be the same when folded ("llms").
    """
    wanted = literal(text.strip())
    exact = entities_called(store, text)
    holding = _column(
        store,
        "SELECT DISTINCT ?e { ?e skos:prefLabel|skos:altLabel ?name"
        f" FILTER(CONTAINS(LCASE(STR(?name)), LCASE({wanted}))) }} LIMIT 1000",
    )
    entities = candidates(store, exact) if exact else []
    others = [iri for iri in holding if iri not in exact]
    entities += candidates(store, others) if others else []
    titled = papers_called(store, text)
    titled += _column(
        store,
        "SELECT DISTINCT ?p { ?p a kg:Paper ; dcterms:title ?name"
        f" FILTER(CONTAINS(LCASE(STR(?name)), LCASE({wanted}))) }} LIMIT {_MOST}",
    )
    names = display_names(store, titled)
    papers = sorted(names.items(), key=lambda paper: (paper[1].casefold(), paper[0]))
    note = ""
    if not entities and not papers:
        try:
            find_entity(store, text)
        except QueryError as error:
            note = str(error)
    return Found(tuple(entities[:_MOST]), tuple(papers[:_MOST]), note)


def _column(store: Store, sparql: str) -> list[str]:
    return [row[0].value for row in store.select(sparql).rows if row[0]]
