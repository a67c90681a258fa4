"""What is no query of the form that is wanted, told before it goes to another server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.errors import QueryError
from kg.store.sparql import check_query, syntax_error

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "rows": (ox.QuerySolutions, "a SELECT is needed here"),
    "ask": (ox.QueryBoolean, "an ASK is needed here"),
    "results": ((ox.QuerySolutions, ox.QueryBoolean), "a SELECT or ASK is needed here"),
    "triples": (ox.QueryTriples, "a CONSTRUCT or DESCRIBE is needed here"),
}


def check_form(sparql: str, wanted: str, prefixes: Mapping[str, str]) -> bool:
    """Whether a query says by FROM which graphs it asks.

    Raises `QueryError`, with line, column and a mark, for what is no query of SPARQL 1.1, is
    refused (`check_query`), or gives something else than `wanted`: "rows", "ask", "results" (one of
    these) or "triples".
    """
    chosen = check_query(sparql)
    try:
        found = ox.Store().query(sparql, prefixes=dict(prefixes))  # of nothing: its form counts
    except SyntaxError as error:
        raise syntax_error(sparql, error) from None
    except (ValueError, RuntimeError, OSError) as error:
        raise QueryError(f"the query cannot be answered: {error}") from error
    kinds, needed = _FORMS[wanted]
    if not isinstance(found, kinds):
        raise QueryError(needed)
    return chosen
