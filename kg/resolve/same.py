"""Edges between keys that the rules hold to be one name: by shared keys, never by all pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from kg.resolve.clusters import Edge
from kg.resolve.forms import Form, form, numbers
from kg.resolve.lexicon import NEGATING
from kg.resolve.occurrences import KeyRecord, Occurrence, side
from kg.resolve.rules import SCORES, keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def same_names(records: Mapping[str, KeyRecord]) -> list[Edge]:
    """One edge for every key that shares a rule's key with a better known one of the same side."""
    buckets: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for key in sorted(records):
        record = records[key]
        if key.startswith("\\"):  # an undefined macro is like nothing else
            continue
        for text in record.spellings:
            for value, rule in keys(form(text), record.type):
                held = buckets[side(record.type), value]
                held[key] = max(held.get(key, rule), rule, key=lambda r: SCORES[r])
    edges = []
    for held in buckets.values():
        if len(held) < 2:
            continue
        hub = min(held, key=lambda k: (-records[k].papers, k))
        for key, rule in held.items():
            if key != hub:
                weaker = min(rule, held[hub], key=lambda r: SCORES[r])
                edges.append(Edge(SCORES[weaker], weaker, *sorted((hub, key))))
    return edges


#: Two names that papers list for one entity are one if at least so many papers do …
LISTED_PAPERS = 3
#: … and they are this share of the papers that hold the rarer name.
LISTED_SHARE = 0.5


def listed_together(
    occurrences: Iterable[Occurrence], records: Mapping[str, KeyRecord]
) -> list[Edge]:
    """Edges between names that several papers give to one entity.

    One paper's list may be the extractor's error or a shortening ("language models" for "large
    language models"), so a name that the other contains is never joined this way.
    """
    together: Counter[tuple[str, str]] = Counter()
    for o in occurrences:
        for pair in combinations(sorted(set(o.keys)), 2):
            if pair[0] not in o.meanings and pair[1] not in o.meanings:
                together[pair] += 1
    edges = []
    for (a, b), count in together.items():
        x, y = records[a], records[b]
        enough = max(LISTED_PAPERS, LISTED_SHARE * min(x.papers, y.papers))
        if count >= enough and not (x.form.short or y.form.short) and not conflict(x.form, y.form):
            edges.append(Edge(SCORES["listed together"], "listed together", a, b))
    return edges


def conflict(a: Form, b: Form) -> bool:
    """Whether the difference of two names carries meaning: a number, a further word, a prefix."""
    return numbers(a.text) != numbers(b.text) or narrows(a, b)


def narrows(a: Form, b: Form) -> bool:
    """Whether one name says more than the other: a further word, or a prefix as in "nonlinear"."""
    x, y = set(a.words), set(b.words)
    if x <= y or y <= x:
        return True
    only, other = sorted(x - y), sorted(y - x)
    if len(only) == len(other) == 1:
        short, long = sorted((only[0], other[0]), key=len)
        return any(long == prefix + short for prefix in NEGATING)
    return False
