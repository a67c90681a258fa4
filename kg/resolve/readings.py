"""What speaks for a reading of a short form: its definitions, letters, types and company."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kg.resolve.abbreviations import initials
from kg.resolve.forms import form
from kg.resolve.lexicon import abbreviations
from kg.resolve.occurrences import side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.resolve.clusters import Clusters
    from kg.resolve.occurrences import KeyRecord, Occurrence

#: A type that so large a share of a short form's papers give it is no slip: then an entity of that
#: type is not read as something of another kind.
OWN_TYPE = 0.2
#: Initials count as evidence while the graph holds fewer fitting long forms by chance than this.
CHANCE = 0.05
#: Where a paper defines the short form and did not coin it, fewer than this are enough.
LIKELY = 1.0
#: How sure the company of a short form must be.
CONTEXT = 0.9
#: Years by which a paper may come out before the one that proposes what it uses.
AHEAD = 1
_SMOOTHING = 2.0


class Readings:
    """The tables by which short forms are read; built once for a graph."""

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
        #: The same for every spelling of it: "VaR" is not what "VAR" is.
        self.spelt: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        #: For every paper: what it defines its short forms as.
        self.defined: dict[tuple[str, str], str] = {}
        #: For every short form and reading: the entities by which papers define it.
        self.sources: dict[tuple[str, str], list[Occurrence]] = defaultdict(list)
        #: For every short form: the papers that use it and do not define it.
        self.users: dict[str, list[str]] = defaultdict(list)
        for o in occurrences:
            for short, long in o.meanings.items():
                short_root, root = clusters.root(short), clusters.root(long)
                if short_root != root and (o.paper, short_root) not in self.defined:
                    self.defined[o.paper, short_root] = root
                    self.votes[short_root][root] += 1
                    spelling = form(o.names[o.keys.index(short)]).short
                    self.spelt[short_root, spelling][root] += 1
                    self.sources[short_root, root].append(o)
        for o in occurrences:
            if not o.meanings:
                self.users[clusters.root(o.target)].append(o.paper)
        self.by_canon: dict[tuple[str, str], str] = {}
        self.by_initials: dict[str, set[str]] = defaultdict(set)
        self.letters: Counter[str] = Counter()
        self.long_by_length: Counter[int] = Counter()
        for root in sorted(self.members):
            self._index(root)
        self.profile = Profiles(occurrences, clusters)

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

    def suits(self, o: Occurrence, short: str, long: str) -> bool:
        """Whether an entity of this type and year can be what its short form may mean."""
        sources = self.sources.get((short, long), [])
        years = [s.year for s in sources if s.year]
        proposed = any(s.role == "proposes" for s in sources)
        if proposed and years and o.year and o.year + AHEAD < min(years):
            return False  # nobody uses what is yet to be proposed
        if _kind(o.type) == _kind(self.type[long]) or o.type == self.type[short]:
            return True
        types: Counter[str] = Counter()
        for key in self.members[short]:
            types.update(self.records[key].types)
        alike = sum(n for t, n in types.items() if _kind(t) == _kind(o.type))
        return alike < OWN_TYPE * types.total()

    def backed(self, short: str, long: str) -> bool:
        """Whether the only paper that defines a short form so may speak for the others.

        It may for data sets, where the papers that use the short form keep company with the long
        one, and where a long form with these letters is unlikely to be there by chance: unlikelier
        if that paper proposes the thing and so coined its name.
        """
        (source,) = self.sources[short, long]
        if source.side == "data" and side(self.type[short]) == "data":
            return True
        if self.profile.meet(self.users[short], long, short):
            return True
        if len(self.profile.papers[long] - {source.paper}) > 1:
            return True
        odds = max(self.chance(re.sub(r"\W", "", t)) for t in self.shorts(short))
        least = CHANCE if source.role == "proposes" else LIKELY
        return odds <= least and self.type[short] == self.type[long]

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


class Profiles:
    """The company of every cluster: which other clusters stand in its papers."""

    def __init__(self, occurrences: list[Occurrence], clusters: Clusters) -> None:
        self.of_paper: dict[str, set[str]] = defaultdict(set)
        self.papers: dict[str, set[str]] = defaultdict(set)
        for o in occurrences:
            root = clusters.root(o.target)
            self.of_paper[o.paper].add(root)
            self.papers[root].add(o.paper)

    def meet(self, papers: list[str], reading: str, short: str) -> bool:
        """Whether one of `papers` shares an entity with a paper that holds the reading."""
        # by the reading's few papers: an entity may stand in thousands
        own = [(p, self.of_paper[p] - {short, reading}) for p in self.papers[reading]]
        return any(
            held != paper and not company.isdisjoint(self.of_paper[paper])
            for held, company in own
            for paper in papers
        )

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


def _kind(type_: str) -> str:
    """What no short form crosses: data, figures, or the ways and aims of research."""
    return type_ if type_ == "Metric" else side(type_)
