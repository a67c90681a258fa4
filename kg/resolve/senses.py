"""What a short form means, paper by paper: by the paper's own words, else by the whole graph.

In this order: the paper defines it; nearly all papers that define it agree; the field's well-known
short forms; the initials of the only long form that fits; the company it keeps in this paper. Else
the short form stays an entity of its own and lists what it may mean.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from kg.resolve.clusters import Clusters, Edge
from kg.resolve.lexicon import abbreviations
from kg.resolve.readings import CHANCE, Readings
from kg.resolve.rules import SCORES
from kg.resolve.same import conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.resolve.occurrences import KeyRecord, Occurrence

#: The reading that so many of the defining papers share stands for the undefined uses too.
DOMINANT = 0.8
#: A well-known reading counts as so many defining papers.
KNOWN_WEIGHT = 2
#: Two long forms that so many papers each use are two things, however alike they look.
WIDE = 5


@dataclass(slots=True)
class Senses:
    """Readings of short forms. `chosen[paper, local]` is (root of the long form, rule)."""

    chosen: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    candidates: dict[str, tuple[str, ...]] = field(default_factory=dict)


def same_abbreviation(
    occurrences: Iterable[Occurrence], records: Mapping[str, KeyRecord], clusters: Clusters
) -> list[Edge]:
    """Edges between long forms that papers abbreviate alike and whose words are nearly the same."""
    longs: dict[str, set[str]] = defaultdict(set)
    for o in occurrences:
        for short, long in o.meanings.items():
            longs[short].add(clusters.root(long))
    rule = "same abbreviation"
    return [
        Edge(SCORES[rule], rule, a, b)
        for roots in longs.values()
        for a, b in combinations(sorted(roots), 2)
        if records[a].type == records[b].type
        and min(records[a].papers, records[b].papers) < WIDE
        and _akin(a, b, records)
    ]


def _akin(a: str, b: str, records: Mapping[str, KeyRecord]) -> bool:
    """Whether two long forms have the same words up to their endings ("square", "squared")."""
    x, y = records[a].form, records[b].form
    if len(x.words) != len(y.words) or conflict(x, y):
        return False
    return all(p == q or _one_stem(p, q) for p, q in zip(x.words, y.words, strict=True))


def _one_stem(a: str, b: str) -> bool:
    """Whether two words differ by an ending only ("adapter", "adaptation")."""
    stem = next(
        (i for i, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), min(len(a), len(b))
    )
    return stem >= 5 and max(len(a), len(b)) - stem <= 5


def read(
    occurrences: list[Occurrence], records: Mapping[str, KeyRecord], clusters: Clusters
) -> Senses:
    """The reading of every occurrence that only a short form names."""
    reader = Readings(occurrences, records, clusters)
    senses = Senses()
    graph_reading: dict[tuple[str, str], tuple[str, str, list[str]]] = {}
    for o in occurrences:
        short = clusters.root(o.target)
        if short not in reader.short:
            continue
        defined = reader.defined.get((o.paper, short))
        if defined and not reader.barred(short, defined):
            senses.chosen[o.paper, o.local] = defined, "abbreviation defined"
            continue
        if (short, o.short) not in graph_reading:
            graph_reading[short, o.short] = _graph_reading(reader, short, o.short)
        reading, rule, candidates = graph_reading[short, o.short]
        if reading and not reader.suits(o, short, reading):
            continue
        # what a paper proposes under a name of its own is not what others call by it
        if reading and (o.role != "proposes" or rule == "known abbreviation"):
            senses.chosen[o.paper, o.local] = reading, rule
            continue
        if reading:
            continue
        if candidates:
            senses.candidates.setdefault(short, tuple(candidates))
        fitting = [r for r in candidates if reader.suits(o, short, r)]
        if len(candidates) > 1 and fitting:
            best = reader.profile.best(o.paper, fitting, short)
            if best:
                senses.chosen[o.paper, o.local] = best, "abbreviation by context"
    return senses


def _graph_reading(reader: Readings, short: str, spelling: str) -> tuple[str, str, list[str]]:
    """(reading, rule, candidates): what a short form means where its paper does not say.

    Papers that spell it the same way are asked first.
    """
    told = reader.spelt.get((short, spelling)) or reader.votes[short]
    votes = Counter(
        {r: n for r, n in told.items() if reader.agree(short, r) and not reader.barred(short, r)}
    )
    known, only = reader.known(short)
    known = [r for r in known if not reader.barred(short, r)]
    for root in known:
        votes[root] += KNOWN_WEIGHT if only else 1
    if votes:
        best = min(votes, key=lambda r: (-votes[r], -reader.papers[r], r))
        clear = votes[best] >= DOMINANT * votes.total()
        seeded = best in known
        # one well-known reading of several is not dominant for being the only one in the graph
        if seeded and not only and not reader.votes[short][best]:
            clear = False
        alone = reader.votes[short][best] == 1 and not seeded
        if alone and not reader.backed(short, best):
            clear = False
        if clear:
            rule = "dominant abbreviation" if reader.votes[short][best] else "known abbreviation"
            return best, rule, []
        return "", "", sorted(votes, key=lambda r: (-votes[r], r))
    fitting = [r for r in reader.fitting(short) if not reader.barred(short, r)]
    texts = reader.shorts(short)
    likely = all(len(re.sub(r"\W", "", t)) > 2 and reader.chance(t) <= CHANCE for t in texts)
    if len(fitting) == 1 and likely and not any(abbreviations().get(t) for t in texts):
        return fitting[0], "initials", []
    return "", "", fitting if likely else []
