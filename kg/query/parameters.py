"""Parameters: what a person types in, a SPARQL text with those values in its VALUES clauses out.

A value never reaches the query as it was typed: names become the IRIs of things that the graph
holds, members of closed sets become their terms, figures are read and written anew, and any other
text becomes an escaped literal (SPARQL 1.1, section 19.7 and, for code points, 19.2).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.query.literals import literal
from kg.query.names import find_entity, find_paper
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.query.library import Parameter, SavedQuery
    from kg.store import Store

#: Members of the closed sets: name, term, and how a person may spell it.
_CLOSED = {
    "type": [(t.name, f"kg:{t.name}", (t.name, t.plural)) for t in ENTITY_TYPES],
    "role": [(r.name, r.curie, (r.name, r.label)) for r in ROLES],
    "relation": [(r.name, r.curie, (r.name, r.label)) for r in RELATIONS],
}
_LIMIT = re.compile(r"\bLIMIT\s+\d+", re.IGNORECASE)


def bind(store: Store, query: SavedQuery, values: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The text of `query` with `values` in place, and the terms that went in (by parameter).

    Raises QueryError for a parameter that the query lacks, one left open, or a value of the wrong
    type; the message names them.
    """
    known = {parameter.name: parameter for parameter in query.parameters}
    for name in values:
        if name not in known:
            has = f"it takes {', '.join(known)}" if known else "it takes none"
            raise QueryError(f"query {_called(query)} has no parameter {name!r}; {has}")
    text, terms = query.text, {}
    for parameter in query.parameters:
        value = values.get(parameter.name, parameter.default)
        if value is None:
            raise QueryError(
                f"query {_called(query)} needs a value for {parameter.name!r}"
                f" ({parameter.type}: {parameter.help})"
            )
        term = _term(store, parameter, value)
        text, count = _put(text, parameter, term)
        if count == 0:
            raise QueryError(f"query {_called(query)} has no VALUES ?{parameter.name} {{ … }}")
        terms[parameter.name] = term
    return text, terms


def _put(text: str, parameter: Parameter, term: str) -> tuple[str, int]:
    if parameter.name == "limit":
        return _LIMIT.subn(f"LIMIT {term}", text)
    clause = re.compile(rf"\bVALUES\s+\?{parameter.name}\s*\{{[^{{}}]*\}}")
    return clause.subn(lambda _: f"VALUES ?{parameter.name} {{ {term} }}", text)


def _term(store: Store, parameter: Parameter, value: str) -> str:
    given, value, kind = value, value.strip(), parameter.type
    unbound = parameter.default == "" and value.casefold() in ("", "any")
    if kind in _CLOSED:
        return _members(parameter, "" if unbound else value)
    if unbound:
        return "UNDEF"
    if kind == "text":
        return literal(given)
    if kind in ("integer", "number", "year"):
        return _figure(parameter, value)
    if kind == "paper":
        return f"<{find_paper(store, value)}>"
    types = () if kind == "entity" else tuple(kind.split("|"))
    return f"<{find_entity(store, value, types=types)}>"


def _figure(parameter: Parameter, value: str) -> str:
    wanted = {"integer": "a whole number", "number": "a number", "year": "a year such as 2025"}
    try:
        if parameter.type == "number":
            number = Decimal(value)
            if not number.is_finite():
                raise ValueError(value)
            return f"{number:f}" if "." in f"{number:f}" else f"{number:f}.0"
        figure = int(value)
        if parameter.type == "year":
            if not 1000 <= figure <= 9999:
                raise ValueError(value)
            return f'"{figure}"^^xsd:gYear'
        if figure < 0 or figure > 10**9:
            raise ValueError(value)
    except (ValueError, InvalidOperation):
        raise QueryError(
            f"parameter {parameter.name!r} must be {wanted[parameter.type]}, not {value!r}"
        ) from None
    return str(figure)


def _members(parameter: Parameter, value: str) -> str:
    """The terms of a closed set that `value` names, parted by commas; of all where it is empty."""
    rows = _CLOSED[parameter.type]
    spellings = {spelling.casefold(): curie for _, curie, spelt in rows for spelling in spelt}
    if not value:
        return " ".join(curie for _, curie, _ in rows)
    found = []
    for name in value.split(","):
        curie = spellings.get(name.strip().casefold())
        if curie is None:
            near = get_close_matches(name.strip().casefold(), spellings, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            known = ", ".join(name for name, _, _ in rows)
            raise QueryError(
                f"parameter {parameter.name!r} must be one of {known}, not {name.strip()!r}{hint}"
            )
        found.append(curie)
    return " ".join(sorted(set(found), key=found.index))


def _called(query: SavedQuery) -> str:
    return repr(query.name) if query.name else "given as text"
