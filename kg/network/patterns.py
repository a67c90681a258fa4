"""A part of a graph in, the SPARQL of what its papers say out.

Oxigraph joins subselects by hashing, and everything else row by row, which is ten times slower for
scans; and to give out an IRI takes it longer than to find it. So every scan stands in a subselect
of its own, and what is only counted is counted there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.query.literals import literal
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME, ROLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kg.part import Part
    from kg.schema import RelationType, Role

_CHUNK = 1000
#: Above so many things, one scan of all is faster than asking for each by scans, …
FEW = 2500
#: … and above so many, than looking each up.
MANY = 50_000


def papers(part: Part) -> str:
    """Joins that leave `?paper` to the papers of `part`."""
    first, last = part.years
    parts = []
    if part.years != (None, None):
        # gYear has no order in SPARQL; with four digits, its text has the same
        bounds = [f'STR(?year) >= "{first:04d}"'] if first is not None else []
        bounds += [f'STR(?year) <= "{last:04d}"'] if last is not None else []
        parts.append(
            f"{{ SELECT DISTINCT ?paper {{ ?paper dcterms:issued ?year"
            f" FILTER({' && '.join(bounds)}) }} }}"
        )
    if part.venues:
        names = " ".join(map(literal, part.venues))
        parts.append(
            f"{{ SELECT DISTINCT ?paper {{ VALUES ?venue {{ {names} }} ?paper kg:venue ?venue }} }}"
        )
    return " ".join(parts)


def roles(part: Part) -> str:
    """`?paper ?role ?entity`: what papers have to do with entities."""
    if part.min_confidence > 0:
        return role_statements(part)
    curies = _curies(part.roles or [role.name for role in ROLES], ROLE_BY_NAME)
    return (
        f"{{ SELECT ?paper ?role ?entity {{ VALUES ?role {{ {curies} }} ?paper ?role ?entity }} }} "
        + papers(part)
    )


def relations(part: Part) -> str:
    """`?paper ?head ?kind ?tail`: what papers state of entities."""
    if part.min_confidence > 0:
        return relation_statements(part)
    curies = _curies(part.relations or RELATION_BY_NAME, RELATION_BY_NAME)
    return (
        f"{{ SELECT ?paper ?head ?kind ?tail {{ VALUES ?kind {{ {curies} }}"
        f" GRAPH ?paper {{ ?head ?kind ?tail }} }} }} " + papers(part)
    )


def role_statements(part: Part) -> str:
    """`?s ?paper ?role ?entity ?confidence`: the same with the statement of each."""
    curies = _curies(part.roles or [role.name for role in ROLES], ROLE_BY_NAME)
    return " ".join((
        f"{{ SELECT ?s ?role {{ VALUES ?role {{ {curies} }} ?s rdf:predicate ?role }} }}",
        _scan("rdf:subject ?paper"), _scan("rdf:object ?entity"), _confidence(part), papers(part),
    ))  # fmt: skip


def relation_statements(part: Part) -> str:
    """`?s ?paper ?head ?kind ?tail ?confidence`: the same with the statement of each."""
    curies = _curies(part.relations or RELATION_BY_NAME, RELATION_BY_NAME)
    return " ".join((
        f"{{ SELECT ?s ?kind {{ VALUES ?kind {{ {curies} }} ?s rdf:predicate ?kind }} }}",
        _scan("rdf:subject ?head"), _scan("rdf:object ?tail"), _scan("prov:wasDerivedFrom ?paper"),
        _confidence(part), papers(part),
    ))  # fmt: skip


def batches(
    things: Collection[str] | None, variable: str, *, most: int | None = None
) -> Iterator[str]:
    """VALUES clauses for `things` some at a time; above `most` one empty clause, to scan all."""
    if things is None or len(things) > (FEW if most is None else most):
        yield ""
        return
    ordered = sorted(things)
    for start in range(0, len(ordered), _CHUNK):
        yield values(variable, ordered[start : start + _CHUNK])


def values(variable: str, iris: Collection[str]) -> str:
    """A VALUES clause."""
    return f"VALUES ?{variable} {{ {' '.join(f'<{iri}>' for iri in iris)} }}"


def _scan(pattern: str) -> str:
    return f"{{ SELECT ?s ?{pattern.partition('?')[2]} {{ ?s {pattern} }} }}"


def _confidence(part: Part) -> str:
    least = f" FILTER(?confidence >= {part.min_confidence:f})" if part.min_confidence > 0 else ""
    return f"{{ SELECT ?s ?confidence {{ ?s kg:confidence ?confidence{least} }} }}"


def _curies(names: Collection[str], known: dict[str, Role] | dict[str, RelationType]) -> str:
    return " ".join(known[name].curie for name in names)
