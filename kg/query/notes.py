"""Why an answer may be empty: what the graph holds of what was asked for."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kg.query.names import candidates
from kg.vocab import TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.store import Store

_OWN_TERM = re.compile(r"(?<![\w:])kg:([A-Za-z]\w*)")
_COMMENT = re.compile(r"(?m)(?:^|\s)#[^\n]*")


def why_empty(store: Store, text: str, terms: Mapping[str, str]) -> str:
    """One line on why the query `text`, with its parameters' `terms`, may have found nothing."""
    held = _held(store)
    if held == "no papers":
        return "the graph holds no papers yet: `kg build` puts some in"
    parts = [*_unknown_terms(text), *_entities(store, terms), *_figures(terms)]
    if any(term.startswith('"') and "gYear" not in term for term in terms.values()):
        parts.append(_venues(store))
    parts.append(f"the graph holds {held}")
    return "; ".join(part for part in parts if part)


def _held(store: Store) -> str:
    # Apart, as one paper without a year would leave MIN and MAX without a value
    counted = store.select("SELECT (COUNT(DISTINCT ?paper) AS ?papers) { ?paper a kg:Paper }").rows
    years = store.select(
        "SELECT (MIN(?y) AS ?first) (MAX(?y) AS ?last) { ?paper a kg:Paper ; dcterms:issued ?y }"
    ).rows
    papers, (first, last) = counted[0][0], years[0]
    count = int(papers.value) if papers else 0
    if not count:
        return "no papers"
    span = ""
    if first and last:
        span = f" of {first.value}" + (f" to {last.value}" if first != last else "")
    return f"{count} paper{'' if count == 1 else 's'}{span}"


def _unknown_terms(text: str) -> list[str]:
    """Terms of the `kg:` vocabulary that do not exist, the commonest slip in SPARQL by hand."""
    known = set(TERMS)
    said = []
    for term in sorted(set(_OWN_TERM.findall(_COMMENT.sub(" ", text))) - known):
        near = get_close_matches(term, known, n=1)
        said.append(f"there is no kg:{term}" + (f" (kg:{near[0]}?)" if near else ""))
    return said


def _entities(store: Store, terms: Mapping[str, str]) -> list[str]:
    iris = sorted({term[1:-1] for term in terms.values() if term.startswith("<")})
    entities = [c for c in candidates(store, iris) if c.types] if iris else []
    return [
        f"{c.label!r} ({' and '.join(c.types)}) stands in {c.papers}"
        f" paper{'' if c.papers == 1 else 's'}, none of which says this of it"
        for c in entities
    ]


def _figures(terms: Mapping[str, str]) -> list[str]:
    asked = [
        f"{name}={term.split('^^')[0].strip(chr(34))}"
        for name, term in sorted(terms.items())
        if name != "limit" and (term[:1].isdigit() or "gYear" in term)
    ]
    return [f"asked with {', '.join(asked)}"] if asked else []


def _venues(store: Store) -> str:
    rows = store.select(
        "SELECT ?venue (COUNT(DISTINCT ?paper) AS ?papers) { ?paper kg:venue ?venue }"
        " GROUP BY ?venue ORDER BY DESC(?papers) ?venue LIMIT 8"
    ).rows
    names = [venue.value for venue, _ in rows if venue]
    return f"its venues are {', '.join(names)}" if names else "no paper of the graph has a venue"
