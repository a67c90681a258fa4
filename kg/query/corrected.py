"""Error bars for counts: how many of the edges counted are likely to be right.

A model folder's `card.json` says for each kind of edge (a type of entity, a role, a relation) how
many of the `found` on annotated records were `right`. Of n further edges of that kind, the number
that is right then follows the beta-binomial distribution with a = right + 1/2 and b = found − right
+ 1/2 (Jeffreys' prior), and the range is from its 2.5 % to its 97.5 % point. It speaks of what was
counted, not of what the model has missed, and takes each edge to be right or wrong by itself.

Which columns of a saved query are such counts stands in its header (`kg.query.library`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import ModelError, QueryError
from kg.query.library import EDGE_KINDS
from kg.query.names import entity_types
from kg.store import Rows, Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kg.query.library import SavedQuery
    from kg.store import Store

_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


@dataclass(frozen=True, slots=True)
class Precision:
    """How many edges of a kind a model found on annotated records, and how many were right."""

    right: int
    found: int

    def of(self, count: int) -> tuple[int, int]:
        """How many of `count` such edges are right, from and to, with 95 % probability."""
        import numpy as np  # noqa: PLC0415 - slow to import, few questions need it

        a, b = self.right + 0.5, self.found - self.right + 0.5
        k = np.arange(count)
        # each probability by the one before it: no gamma function is needed
        steps = np.log((count - k) / (k + 1) * (k + a) / (count - k - 1 + b))
        logs = np.concatenate([[0.0], np.cumsum(steps)])
        shares = np.cumsum(np.exp(logs - logs.max()))
        low, high = np.searchsorted(shares, shares[-1] * np.array([0.025, 0.975]))
        return int(low), int(high)


def read_precisions(store: Store, model: Path | None = None) -> dict[str, Precision]:
    """The measured precision of each kind of edge of the graph, from its model's `card.json`.

    `model` is the model's folder, that of the shipped one where None. Raises ModelError where the
    folder has no such card, or the card is of another model than the one that read the graph.
    """
    from kg.extract.model import SHIPPED  # noqa: PLC0415 - few questions need it

    path = (model or SHIPPED) / "card.json"
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        measured = {
            str(kind): Precision(int(counts["right"]), int(counts["found"]))
            for kind, counts in card["precision"].items()
        }
        name = str(card["model"])
    except OSError as error:
        raise ModelError(
            f"no measured precision at {str(path)!r} ({error.strerror}): give the folder of the "
            f"model {store.model!r}, trained with development records"
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"{str(path)!r} is no card of a model ({error!r}): train again") from error
    if name != store.model:
        raise ModelError(
            f"{str(path)!r} is the card of {name!r}, but {store.model!r} read this "
            "graph: give that model's folder, or build the graph anew"
        )
    return measured


def with_ranges(
    store: Store,
    found: Rows,
    saved: SavedQuery,
    terms: Mapping[str, str],
    measured: Mapping[str, Precision],
) -> Rows:
    """`found` with columns `…_low` and `…_high` after each count that the query's header names.

    Both are unbound where nothing was measured of the kind counted. Raises QueryError for a query
    that names no such column.
    """
    counts = {c.column: c.kinds for c in saved.counts if c.column in found.columns}
    if not counts:
        raise QueryError(
            f"no column of query {saved.name!r} counts edges of one kind, so none can be corrected"
            if saved.name
            else "a query of your own names no column to be corrected; `# counts: COLUMN KIND` does"
        )
    kinds = _Kinds(store, found, terms)
    columns: list[str] = []
    for column in found.columns:
        columns += [column, f"{column}_low", f"{column}_high"] if column in counts else [column]
    rows = []
    for row in found.rows:
        cells: list[Term | None] = []
        for column, term in zip(found.columns, row, strict=True):
            cells.append(term)
            if column in counts:
                held = kinds.of(counts[column], row)
                cells += _range(term, [measured[kind] for kind in held if kind in measured])
        rows.append(tuple(cells))
    return Rows(tuple(columns), rows)


def _range(count: Term | None, measured: Sequence[Precision]) -> tuple[Term | None, Term | None]:
    """Low and high as terms; edges of several kinds are taken together."""
    pooled = Precision(sum(p.right for p in measured), sum(p.found for p in measured))
    if count is None or not count.value.isdigit() or not pooled.found:
        return None, None
    low, high = pooled.of(int(count.value))
    return Term("literal", str(low), _INTEGER), Term("literal", str(high), _INTEGER)


class _Kinds:
    """The kinds of edges that a header's words stand for, in each row."""

    def __init__(self, store: Store, found: Rows, terms: Mapping[str, str]) -> None:
        self._places = {column: place for place, column in enumerate(found.columns)}
        self._terms = terms
        self._names = {}
        for name, curie in EDGE_KINDS.items():
            prefix, _, local = curie.partition(":")
            self._names[store.prefixes[prefix] + local] = name
        things = {t.value for row in found.rows for t in row if t is not None and t.kind == "iri"}
        things |= {term[1:-1] for term in terms.values() if term.startswith("<")}
        self._types = entity_types(store, sorted(things - set(self._names)))

    def of(self, words: Sequence[str], row: Sequence[Term | None]) -> list[str]:
        """The kinds that `words` name; "?x" is what stands in column or parameter x."""
        kinds: list[str] = []
        for word in words:
            if not word.startswith("?"):
                kinds.append(word)
            elif word[1:] in self._places:
                term = row[self._places[word[1:]]]
                kinds += self._kind(term.value) if term else ()
            else:
                kinds += self._kind(self._terms.get(word[1:], "")[1:-1])
        return kinds

    def _kind(self, iri: str) -> tuple[str, ...]:
        return (self._names[iri],) if iri in self._names else self._types.get(iri, ())
