"""What a network is made of, read from the store in a few narrow SELECTs.

Whole scans are put into subselects: Oxigraph joins those by hashing, and everything else row by
row, which is ten times slower here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.schema import ENTITY_TYPES, RELATIONS, ROLES
from kg.vocab import iri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kg.store import Store, Term

_CHUNK = 500
#: Above so many things, one scan of all is faster than asking for each.
_FEW = 2500

#: A statement of a paper: (paper, head, kind, tail); with a role, head is the paper itself.
Fact = tuple[str, str, str, str]
Edge = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Best:
    """The surest statement of an edge."""

    confidence: float
    evidence: str
    paper: str


def paper_years(store: Store) -> dict[str, int | None]:
    """All papers with their years, None where unknown."""
    rows = store.select(
        "SELECT ?paper ?year { ?paper a kg:Paper OPTIONAL { ?paper dcterms:issued ?year } }"
    ).rows
    return {_text(p): int(year.value) if year else None for p, year in rows}


def roles(store: Store) -> list[Fact]:
    """Every edge from a paper to an entity."""
    names = {iri(role.curie, store.base): role.name for role in ROLES}
    rows = store.select(f"SELECT ?paper ?role ?entity {{ {_values('role')} ?paper ?role ?entity }}")
    return [(_text(p), _text(p), names[_text(r)], _text(e)) for p, r, e in rows.rows]


def relations(store: Store) -> list[Fact]:
    """Every edge between entities, once for each graph that states it."""
    names = {iri(kind.curie, store.base): kind.name for kind in RELATIONS}
    rows = store.select(
        "SELECT ?paper ?head ?kind ?tail"
        f" {{ {_values('kind')} GRAPH ?paper {{ ?head ?kind ?tail }} }}"
    ).rows
    return [(_text(p), _text(h), names[_text(k)], _text(t)) for p, h, k, t in rows]


def entity_types(store: Store) -> dict[str, list[str]]:
    """The types of every entity, in the order of the schema."""
    found: dict[str, list[str]] = {}
    for kind in ENTITY_TYPES:
        for row in store.select(f"SELECT DISTINCT ?entity {{ ?entity a kg:{kind.name} }}").rows:
            found.setdefault(_text(row[0]), []).append(kind.name)
    return found


def texts(store: Store, curie: str, things: Collection[str]) -> dict[str, list[str]]:
    """The values of one property of `things`, sorted."""
    found: dict[str, list[str]] = {}
    for values in _batches(things, "thing"):
        rows = store.select(
            f"SELECT DISTINCT ?thing ?text {{ {values} ?thing {curie} ?text }}"
        ).rows
        for thing, text in rows:
            if _text(thing) in things:
                found.setdefault(_text(thing), []).append(_text(text))
    return {thing: sorted(values) for thing, values in found.items()}


def best_statements(
    store: Store, kind: str, things: Collection[str], papers: Collection[str]
) -> dict[Edge, Best]:
    """The surest statement of each edge that ends in one of `things` and stands in `papers`.

    `kind` is "role" or "kind" (a relation). Of equally sure ones the first by paper is taken.
    """
    table = ROLES if kind == "role" else RELATIONS
    names = {iri(row.curie, store.base): row.name for row in table}
    found: dict[Edge, Best] = {}
    for values in _batches(things, "tail"):
        parts = ("rdf:object ?tail", "rdf:subject ?head", f"rdf:predicate ?{kind}",
                 "kg:confidence ?confidence", "kg:evidence ?evidence",
                 "prov:wasDerivedFrom ?paper")  # fmt: skip
        if values:
            pattern = " ".join([values, *(f"?s {part} ." for part in parts)])
        else:
            # the kinds as VALUES only here: beside other VALUES Oxigraph would start with them
            scans = (f"{{ SELECT ?s ?{p.split('?')[1]} {{ ?s {p} }} }}" for p in parts)
            pattern = f"{_values(kind)} {' '.join(scans)}"
        rows = store.select(
            f"SELECT ?head ?{kind} ?tail ?confidence ?evidence ?paper {{ {pattern} }}"
        ).rows
        for head, predicate, tail, confidence, evidence, paper in rows:
            name = names.get(_text(predicate))
            if name is None or _text(paper) not in papers or _text(tail) not in things:
                continue
            edge = (_text(head), name, _text(tail))
            best = Best(float(_text(confidence)), _text(evidence), _text(paper))
            if edge not in found or _rank(best) < _rank(found[edge]):
                found[edge] = best
    return found


def _rank(best: Best) -> tuple[float, str, str]:
    return (-best.confidence, best.paper, best.evidence)


def _values(variable: str) -> str:
    curies = " ".join(row.curie for row in (ROLES if variable == "role" else RELATIONS))
    return f"VALUES ?{variable} {{ {curies} }}"


def _batches(things: Collection[str], variable: str) -> Iterator[str]:
    """VALUES clauses for `things` a few at a time, or one empty clause for a scan of all."""
    if len(things) > _FEW:
        yield ""
        return
    ordered = sorted(things)
    for start in range(0, len(ordered), _CHUNK):
        listed = " ".join(f"<{thing}>" for thing in ordered[start : start + _CHUNK])
        yield f"VALUES ?{variable} {{ {listed} }}"


def _text(term: Term | None) -> str:
    return "" if term is None else term.value
