"""Names to IRIs and back: what a person types, and what a table shows in place of an IRI."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.query.literals import is_iri, literal
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES, TYPE_BY_NAME
from kg.text import fold
from kg.vocab import entity_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.store import Store

_CHUNK = 500
_TITLE_LENGTH = 90
_LEAST_LENGTH = 0.6
_QUALIFIED = re.compile(r"^(.*\S)\s*\((\w+)\)$", re.DOTALL)
ROLE_VALUES = "VALUES ?role { " + " ".join(role.curie for role in ROLES) + " }"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a name may mean: `papers` have an edge to it."""

    iri: str
    label: str
    types: tuple[str, ...]
    papers: int


def find_entity(store: Store, name: str, *, types: Sequence[str] = ()) -> str:
    """The IRI of the entity that a person means by `name`; see `entities_called`.

    Raises QueryError that lists the candidates of an ambiguous name, or the nearest names to an
    unknown one.
    """
    return only_entity(store, name, entities_called(store, name, types=types), types=types)


def only_entity(store: Store, name: str, found: Sequence[str], *, types: Sequence[str] = ()) -> str:
    """The one of `found`, which `entities_called` gave for `name`; errors as in `find_entity`."""
    if len(found) == 1:
        return found[0]
    if found:
        raise QueryError(_ambiguous(store, name.strip(), found))
    raise QueryError(_unknown(store, name.strip(), types))


def entities_called(store: Store, name: str, *, types: Sequence[str] = ()) -> list[str]:
    """The IRIs of the entities that a person may mean by `name`, sorted; of `types`, if given.

    `name` is a name or alternative name, in any case and number ("llms"), the same with its type
    behind it ("BERT (Method)"), or an IRI, even one that a merge retired. A preferred name goes
    before an alternative one, an exact spelling before a folded one.
    """
    name = name.strip()
    if is_iri(bare := _bare(name)):
        rows = store.select(
            f"SELECT DISTINCT ?e {{ <{bare}> dcterms:isReplacedBy? ?e . ?e skos:prefLabel ?label }}"
        ).rows
        if rows:
            return _typed(store, [row[0].value for row in rows if row[0]], types)
    found = _lookup(store, name, types)
    qualified = _QUALIFIED.match(name)
    if not found and qualified and qualified.group(2).capitalize() in TYPE_BY_NAME:
        found = _lookup(store, qualified.group(1), (qualified.group(2).capitalize(),))
    return found


def find_paper(store: Store, name: str) -> str:
    """The IRI of the paper that a person means by `name`; see `papers_called`.

    Raises QueryError that lists the candidates, or the nearest titles.
    """
    found = papers_called(store, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise QueryError(f"{name!r} names several papers; give one by IRI: {', '.join(found)}")
    titles = _texts(store, "SELECT DISTINCT ?title { ?paper a kg:Paper ; dcterms:title ?title }")
    # of titles all words count: one that shares a word or two with half of them is near to none
    near = _nearest(name, titles, in_parts=False)
    hint = f"nearest: {'; '.join(map(repr, near))}" if near else "no title is near it"
    raise QueryError(
        f"no paper is called {name!r}; {hint}; give a title as it stands in the "
        "graph, an identifier or an IRI"
    )


def papers_called(store: Store, name: str) -> list[str]:
    """The IRIs of the papers with this IRI, end of IRI, identifier or title (in any case)."""
    name = name.strip()
    for address in (_bare(name), f"{store.prefixes['kgr']}paper/{name}"):
        if is_iri(address) and store.ask(f"ASK {{ <{address}> a kg:Paper }}"):
            return [address]
    wanted = literal(name)
    rows = store.select(
        # the subquery first, or an engine looks at every paper twice
        "SELECT DISTINCT ?paper { { SELECT ?paper {"
        " VALUES ?way { dcterms:identifier dcterms:title } ?paper ?way ?name"
        f" FILTER(LCASE(STR(?name)) = LCASE({wanted})) }} }} ?paper a kg:Paper }}"
        " ORDER BY ?paper LIMIT 6"
    ).rows
    return [row[0].value for row in rows if row[0]]


def _bare(name: str) -> str:
    return name[1:-1] if name.startswith("<") and name.endswith(">") else name


def display_names(store: Store, iris: Iterable[str]) -> dict[str, str]:
    """What to show for each IRI: preferred name, title, term, or else the IRI made short."""
    wanted = sorted(set(iris))
    papers = f"{store.prefixes['kgr']}paper/"
    terms = _terms(store)
    shown = {iri: terms[iri] for iri in wanted if iri in terms}
    things = [iri for iri in wanted if iri not in shown and is_iri(iri)]
    titled = [iri for iri in things if iri.startswith(papers) and "#" not in iri]
    named = [iri for iri in things if not iri.startswith(papers)]
    for iri, label in _pairs(store, "skos:prefLabel", named):
        shown[iri] = min(label, shown.get(iri, label))
    for iri, title in _pairs(store, "dcterms:title", titled):
        shown[iri] = min(title, shown.get(iri, title))
    # A paper without a title is known by how its abstract begins
    for iri, text in _pairs(store, "dcterms:abstract", [i for i in titled if i not in shown]):
        shown[iri] = text if len(text) <= _TITLE_LENGTH else text[: _TITLE_LENGTH - 1] + "…"
    for iri in wanted:
        shown.setdefault(iri, _short(iri, store.prefixes))
    return {iri: shown[iri] for iri in wanted}


def candidates(store: Store, iris: Sequence[str]) -> list[Candidate]:
    """What is behind `iris`, those with the most papers first."""
    values = " ".join(f"<{iri}>" for iri in iris)
    counts = dict.fromkeys(iris, 0)
    for iri, papers in store.select(
        f"SELECT ?e (COUNT(DISTINCT ?paper) AS ?papers) {{ VALUES ?e {{ {values} }}"
        f" {ROLE_VALUES} ?paper ?role ?e }} GROUP BY ?e"
    ).rows:
        if iri and papers:
            counts[iri.value] = int(papers.value)
    labels, types = display_names(store, iris), entity_types(store, iris)
    found = [Candidate(iri, labels[iri], types.get(iri, ()), counts[iri]) for iri in iris]
    return sorted(found, key=lambda c: (-c.papers, c.label, c.iri))


def entity_types(store: Store, iris: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The entity types of each of `iris`, in the order of the schema."""
    wanted = {store.prefixes["kg"] + t.name: n for n, t in enumerate(ENTITY_TYPES)}
    found: dict[str, set[int]] = {}
    for iri, kind in _pairs(store, "a", iris):
        if kind in wanted:
            found.setdefault(iri, set()).add(wanted[kind])
    return {iri: tuple(ENTITY_TYPES[n].name for n in sorted(ns)) for iri, ns in found.items()}


def _pairs(store: Store, predicate: str, iris: Sequence[str]) -> Iterator[tuple[str, str]]:
    for start in range(0, len(iris), _CHUNK):
        values = " ".join(f"<{iri}>" for iri in iris[start : start + _CHUNK])
        rows = store.select(f"SELECT ?x ?y {{ VALUES ?x {{ {values} }} ?x {predicate} ?y }}").rows
        yield from ((x.value, y.value) for x, y in rows if x and y)


def _lookup(store: Store, name: str, types: Sequence[str]) -> list[str]:
    """The entities called `name`, by the first way of comparing that finds any."""
    quoted = literal(name)
    labels = ("skos:prefLabel", "skos:altLabel")
    patterns = [f"VALUES ?name {{ {quoted}@en {quoted} }} ?e {label} ?name" for label in labels]
    # The IRI that the name would mint leads to its entity, even if merged into another
    minted = " ".join(f"<{iri}>" for iri in _minted(store, name))
    patterns.append(
        f"{{ VALUES ?e {{ {minted} }} }} UNION"
        f" {{ VALUES ?minted {{ {minted} }} ?minted dcterms:isReplacedBy ?e }}"
    )
    patterns += [
        f"?e {label} ?name FILTER(LCASE(STR(?name)) = LCASE({quoted}))" for label in labels
    ]
    for pattern in patterns:
        rows = store.select(f"SELECT DISTINCT ?e {{ {pattern} }}").rows
        found = _typed(store, [row[0].value for row in rows if row[0]], types)
        if found:
            return found
    return []


def _minted(store: Store, name: str) -> list[str]:
    key = fold(name)
    return [entity_iri(kind.name, key, store.base) for kind in ENTITY_TYPES] if key else []


def _typed(store: Store, iris: Sequence[str], types: Sequence[str]) -> list[str]:
    known = entity_types(store, iris)
    return sorted(i for i, has in known.items() if not types or set(has) & set(types))


def _ambiguous(store: Store, name: str, found: Sequence[str]) -> str:
    lines = [
        f"{c.label} ({c.types[0]}), {c.papers} paper{'' if c.papers == 1 else 's'}, {c.iri}"
        for c in candidates(store, found)
    ]
    return f"{name!r} names {len(found)} entities; give its type or IRI: {'; '.join(lines)}"


def _unknown(store: Store, name: str, types: Sequence[str]) -> str:
    # all that has such a name is an entity: types are asked for only where they narrow
    typed = f"?e a ?type VALUES ?type {{ {' '.join('kg:' + t for t in types)} }}" if types else ""
    labels = _texts(
        store,
        "SELECT DISTINCT ?label { VALUES ?way { skos:prefLabel skos:altLabel }"
        f" ?e ?way ?label . {typed} }}",
    )
    near = _nearest(name, labels)
    wanted = " or ".join(types).lower() or "entity"
    hint = f"nearest: {'; '.join(map(repr, near))}" if near else "`kg stats` names the largest"
    if types and (others := _lookup(store, name, ())):
        other = candidates(store, others)[0]
        hint = f"there is {other.label!r}, a {' and '.join(other.types)}; {hint}"
    return f"no {wanted} is called {name!r}; {hint}"


def _texts(store: Store, sparql: str) -> list[str]:
    """The texts of a query's one column, sorted.

    They come as CSV, as terms of so many would take longer to make than to find.
    """
    found = io.BytesIO()
    store.write_rows(sparql, found, format="csv")
    lines = csv.reader(io.StringIO(found.getvalue().decode("utf-8"), newline=""))
    next(lines, None)
    return sorted({line[0] for line in lines if line})


def _nearest(
    name: str,
    choices: Sequence[str],
    *,
    count: int = 5,
    in_parts: bool = True,
) -> list[str]:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only a name that is not known needs it

    scorer = fuzz.WRatio if in_parts else fuzz.token_sort_ratio
    # a much shorter name is a fragment of this one ("CAT" of "catenary"); one of each case will do
    least = _LEAST_LENGTH * len(name)
    different = {c.casefold(): c for c in choices if len(c) >= least}
    matches = process.extract(
        name.casefold(), list(different), scorer=scorer, limit=count, score_cutoff=60
    )
    return [different[match[0]] for match in matches]


def _terms(store: Store) -> dict[str, str]:
    rows = [(role.curie, role.name) for role in ROLES]
    rows += [(relation.curie, relation.name) for relation in RELATIONS]
    rows += [(f"kg:{kind.name}", kind.name) for kind in ENTITY_TYPES]
    found = {}
    for curie, name in rows:
        prefix, _, local = curie.partition(":")
        found[store.prefixes[prefix] + local] = name
    return found


def _short(iri: str, prefixes: dict[str, str]) -> str:
    fits = [(len(base), prefix) for prefix, base in prefixes.items() if iri.startswith(base)]
    if not fits:
        return iri
    length, prefix = max(fits)
    return f"{prefix}:{iri[length:]}"
