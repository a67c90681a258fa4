"""What a graph is made by besides its papers, kept with the graph.

Curation, vocabulary and least confidence are given once and hold for every later build and removal
until others are given: a graph stays a function of its records and these settings.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.resolve import Concept, Curation, Decision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.build.ledger import Ledger

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """Decisions on names, concepts to link to, and the confidence below which nothing is kept."""

    curation: Curation = field(default_factory=lambda: Curation(()))
    vocabulary: tuple[Concept, ...] = ()
    min_confidence: float = 0.0


def remembered(ledger: Ledger) -> Settings:
    """The settings that the graph was made by last."""
    decisions, concepts, least = (
        json.loads(ledger.fact(name) or "null") for name in ("curation", "vocabulary", "least")
    )
    return Settings(
        Curation(
            tuple(Decision(**row | {"names": tuple(row["names"])}) for row in decisions or ())
        ),
        tuple(Concept(iri, tuple(labels), tuple(up)) for iri, labels, up in concepts or ()),
        least or 0.0,
    )


def settle(
    ledger: Ledger,
    *,
    curation: Curation | None,
    vocabulary: Iterable[Concept] | None,
    min_confidence: float | None,
) -> Settings:
    """The settings of this write: those given, for None the remembered ones; noted for later ones.

    Raises `InputError` where `min_confidence` is no probability.
    """
    if min_confidence is not None and not 0.0 <= min_confidence <= 1.0:
        raise InputError(f"min_confidence {min_confidence!r} is no probability: give 0 to 1")
    before = remembered(ledger)
    _say_what_is_kept(before, curation, vocabulary, min_confidence)
    now = Settings(
        before.curation if curation is None else curation,
        before.vocabulary if vocabulary is None else tuple(vocabulary),
        before.min_confidence if min_confidence is None else min_confidence,
    )
    decisions = [asdict(decision) for decision in now.curation.decisions]
    concepts = [[c.iri, c.labels, c.broader] for c in now.vocabulary]
    for name, value in (
        ("curation", decisions), ("vocabulary", concepts), ("least", now.min_confidence),
    ):  # fmt: skip
        ledger.set_fact(name, json.dumps(value) if value else "")
    return now


def _say_what_is_kept(
    before: Settings,
    curation: Curation | None,
    vocabulary: Iterable[Concept] | None,
    min_confidence: float | None,
) -> None:
    if curation is None and before.curation.decisions:
        logger.info(
            "the curation of an earlier build still holds (%d decisions): --curation gives "
            "another, --no-curation takes it away",
            len(before.curation.decisions),
        )
    if vocabulary is None and before.vocabulary:
        logger.info(
            "the vocabulary of an earlier build still holds (%d concepts): --vocabulary gives "
            "another, --no-vocabulary takes it away",
            len(before.vocabulary),
        )
    if min_confidence is None and before.min_confidence:
        logger.info(
            "what is less sure than %g is left out as in an earlier build: --min-confidence gives "
            "another limit, 0 none",
            before.min_confidence,
        )
