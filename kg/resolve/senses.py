"""What a short form means, paper by paper: by the paper's own words, else by the whole graph.

In this order: the paper defines it; nearly all papers that define it agree; the field's well-known
short forms; the initials of the only long form that fits; the company it keeps in this paper. Else
the short form stays an entity of its own and lists what it may mean.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from kg.resolve.abbreviations import initials
from kg.resolve.clusters import Clusters, Edge
from kg.resolve.forms import form
from kg.resolve.lexicon import abbreviations
from kg.resolve.occurrences import KeyRecord, Occurrence, side
from kg.resolve.rules import SCORES
from kg.resolve.same import conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The reading that so many of the defining papers share stands for the undefined uses too.
DOMINANT = 0.8
#: A well-known reading counts as so many defining papers.
KNOWN_WEIGHT = 2
#: Initials count as evidence while the graph holds fewer fitting long forms by chance than this.
CHANCE = 0.05
#: How sure the company of a short form must be.
CONTEXT = 0.9
#: Two long forms that so many papers each use are two things, however alike they look.
WIDE = 5
_SMOOTHING = 2.0


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


class _Reader:
    """The tables by which `read` decides; built once for a graph."""

    def __init__(
        self,
        occurrences: list[Occurrence],
        records: Mapping[str, KeyRecord],
        clusters: Clusters,
    ) -> None:
        self.records = records
        self.clusters = clusters
        self.members: dict[str, list[str]] = defaultdict(list)
        for key in sorted(records):
            self.members[clusters.root(key)].append(key)
        self.type = {root: self._type(keys) for root, keys in self.members.items()}
        self.papers = {r: sum(records[k].papers for k in ks) for r, ks in self.members.items()}
        self.short = {
            root
            for root, keys in self.members.items()
            if all(records[k].form.short or records[k].form.stem for k in keys)
        }
        #: For every short form: how many papers define it as which long form.
        self.votes: dict[str, Counter[str]] = defaultdict(Counter)
        #: For every paper: what it defines its short forms as.
        self.defined: dict[tuple[str, str], str] = {}
        for o in occurrences:
            for short, long in o.meanings.items():
                short_root, root = clusters.root(short), clusters.root(long)
                if short_root != root and (o.paper, short_root) not in self.defined:
                    self.defined[o.paper, short_root] = root
                    self.votes[short_root][root] += 1
        self.by_canon: dict[tuple[str, str], str] = {}
        self.by_initials: dict[str, set[str]] = defaultdict(set)
        self.letters: Counter[str] = Counter()
        self.long_by_length: Counter[int] = Counter()
        for root in sorted(self.members):
            self._index(root)
        self.profile = _Profiles(occurrences, clusters)

    def _type(self, keys: list[str]) -> str:
        if len(keys) == 1:
            return self.records[keys[0]].type
        types: Counter[str] = Counter()
        for key in keys:
            types.update(self.records[key].types)
        return min(types, key=lambda t: (-types[t], t))

    def _index(self, root: str) -> None:
        for key in self.members[root]:
            record = self.records[key]
            self.by_canon.setdefault((side(record.type), record.form.canon), root)
            if root in self.short:
                continue
            for short in sorted(initials(record.form.text)):
                self.by_initials[short].add(root)
            words = record.form.words
            if len(words) > 1:
                self.long_by_length[len(words)] += 1
                self.letters.update(w[0] for w in words)

    def shorts(self, root: str) -> list[str]:
        """The short forms (case-folded) of a cluster of short forms."""
        forms = (self.records[k].form for k in self.members[root])
        return sorted({(f.short or f.stem).casefold() for f in forms})

    def known(self, root: str) -> tuple[list[str], bool]:
        """Well-known readings that the graph holds, and whether the short form has only one."""
        rows = [r for short in self.shorts(root) for r in abbreviations().get(short, ())]
        typed = [r for r in rows if r.type == self.type[root]]
        # "MAE" the metric and "MAE" the method are told apart by type
        rows = typed or rows
        found = (self.by_canon.get((side(r.type), form(r.long).canon)) for r in rows)
        known = {f for f in found if f and f not in self.short and self._same_side(root, f)}
        return sorted(known), len(rows) == 1

    def _same_side(self, short: str, long: str) -> bool:
        """A well-known reading may bear any type of its side: extractors disagree on those."""
        if not any(self.records[k].form.short for k in self.members[short]):
            return self.agree(short, long)
        return side(self.type[short]) == side(self.type[long])

    def fitting(self, root: str) -> list[str]:
        """Long forms of a fitting type whose initials are the short form."""
        found = {r for short in self.shorts(root) for r in self.by_initials.get(short, ())}
        return sorted(r for r in found if r not in self.short and self.agree(root, r))

    def agree(self, short: str, long: str) -> bool:
        """Whether the types of a short form and of what it may mean go together."""
        x, y = self.type[short], self.type[long]
        if not any(self.records[k].form.short for k in self.members[short]):
            return x == y  # "VQA model" is a model, not the task VQA
        return x == y or {x, y} in ({"Method", "Task"}, {"Dataset", "Benchmark"})

    def chance(self, short: str) -> float:
        """How many long forms of the graph would have these initials if letters fell by chance."""
        total = sum(self.letters.values())
        odds = math.prod(self.letters[c] / total for c in short) if total else 0.0
        return self.long_by_length[len(short)] * odds

    def barred(self, a: str, b: str) -> bool:
        """Whether curation keeps two clusters apart."""
        apart = self.clusters.apart
        return bool(apart) and any(
            self.clusters.root(y) == b for x in self.members[a] for y in apart.get(x, ())
        )


class _Profiles:
    """The company of every cluster: which other clusters stand in its papers."""

    def __init__(self, occurrences: list[Occurrence], clusters: Clusters) -> None:
        self.of_paper: dict[str, set[str]] = defaultdict(set)
        self.papers: dict[str, set[str]] = defaultdict(set)
        for o in occurrences:
            root = clusters.root(o.target)
            self.of_paper[o.paper].add(root)
            self.papers[root].add(o.paper)

    def best(self, paper: str, readings: list[str], short: str) -> str:
        """The reading whose company the paper keeps, by naive Bayes; "" if none is clear."""
        company = sorted(self.of_paper[paper] - {short, *readings})
        total = len(self.of_paper)
        logs: dict[str, float] = {}
        shared = dict.fromkeys(readings, 0)
        for reading in readings:
            own = self.papers[reading] - {paper}
            score = math.log(len(own) + 1)
            for other in company:
                both = len(own & self.papers[other])
                share = len(self.papers[other]) / total
                score += math.log((both / share + _SMOOTHING) / (len(own) + _SMOOTHING))
                shared[reading] += both > 0
            logs[reading] = score
        best = min(logs, key=lambda r: (-logs[r], r))
        odds = sum(math.exp(min(50.0, v - logs[best])) for v in logs.values())
        return best if shared[best] and 1 / odds >= CONTEXT else ""


def read(
    occurrences: list[Occurrence], records: Mapping[str, KeyRecord], clusters: Clusters
) -> Senses:
    """The reading of every occurrence that only a short form names."""
    reader = _Reader(occurrences, records, clusters)
    senses = Senses()
    graph_reading: dict[str, tuple[str, str, list[str]]] = {}
    for o in occurrences:
        short = clusters.root(o.target)
        if short not in reader.short:
            continue
        defined = reader.defined.get((o.paper, short))
        if defined and not reader.barred(short, defined):
            senses.chosen[o.paper, o.local] = defined, "abbreviation defined"
            continue
        if short not in graph_reading:
            graph_reading[short] = _graph_reading(reader, short)
        reading, rule, candidates = graph_reading[short]
        # what a paper proposes under a name of its own is not what others call by it
        if reading and (o.role != "proposes" or rule == "known abbreviation"):
            senses.chosen[o.paper, o.local] = reading, rule
        elif len(candidates) > 1 and (reading := reader.profile.best(o.paper, candidates, short)):
            senses.chosen[o.paper, o.local] = reading, "abbreviation by context"
        elif candidates and not graph_reading[short][0]:
            senses.candidates[short] = tuple(candidates)
    return senses


def _graph_reading(reader: _Reader, short: str) -> tuple[str, str, list[str]]:
    """(reading, rule, candidates): what a short form means where its paper does not say."""
    votes = Counter(
        {
            r: n
            for r, n in reader.votes[short].items()
            if reader.agree(short, r) and not reader.barred(short, r)
        }
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
