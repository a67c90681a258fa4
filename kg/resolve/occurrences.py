"""What the papers bring: every entity with its names, and the keys of those names."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.records import Skipped
from kg.resolve.abbreviations import defines, initials, long_form_before
from kg.resolve.apart import told_apart
from kg.resolve.forms import Form, form
from kg.resolve.generic import WordCount, is_generic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kg.records import Extraction, PaperEntity

#: A name that is data in some papers and an idea in others is two things (COCO the data set, COCO
#: the problem) if the rarer reading has at least so many papers …
HOMONYM_PAPERS = 2
#: … and this share of them; below that it is one paper's slip.
HOMONYM_SHARE = 0.2
_DATA = frozenset({"Dataset", "Benchmark"})
_MACRO = re.compile(r"\\[^\W\d_]+$")


@dataclass(slots=True)
class Occurrence:
    """One entity of one paper.

    `keys` are the keys of `names`; `meanings` maps the key of a short form to that of the long form
    by which this paper defines it.
    """

    paper: str
    local: str
    type: str
    role: str
    weight: float
    names: list[str]
    keys: list[str] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)
    year: int | None = None

    @property
    def short(self) -> str:
        """The spelling of the short form that the entity is called by; "" if it is none."""
        return form(self.names[0]).short

    @property
    def side(self) -> str:
        """Whether the paper takes it for data or for an idea (anything else)."""
        return side(self.type)

    @property
    def target(self) -> str:
        """The key that stands for the entity: its long form, else its fullest name."""
        return self.meanings.get(self.keys[0], self.keys[0])


@dataclass(slots=True)
class KeyRecord:
    """What the graph's papers say about one key: its spellings and types, counted by papers."""

    # no Counter: one of each for every name of the graph is slow to make
    spellings: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    papers: int = 0
    form: Form = field(default_factory=lambda: form(""))
    type: str = ""

    def settle(self) -> None:
        """Choose the form of the most frequent spelling and the type that most papers give."""
        self.form = form(min(self.spellings, key=lambda s: (-self.spellings[s], s)))
        self.type = min(self.types, key=lambda t: (-self.types[t], t))


def side(type_: str) -> str:
    """Return "data" for data sets and benchmarks, else "idea": the two sides never mix."""
    return "data" if type_ in _DATA else "idea"


def collect(
    papers: Mapping[str, Extraction], *, kept: frozenset[str] = frozenset()
) -> tuple[list[Occurrence], list[Skipped]]:
    """The entities of all papers in the order of paper keys, without generic names.

    `kept` are keys of names that the stop rule must leave alone. The second value names every
    entity that is left out, with the reason.
    """
    found: list[Occurrence] = []
    dropped: list[Skipped] = []
    words = WordCount()
    for paper in sorted(papers):
        # one pass: the papers may be read from disk as they are asked for
        extraction = papers[paper]
        document = extraction.abstract.document
        words.add(document, extraction.entities)
        for entity in extraction.entities:
            names = [
                n
                for n in dict.fromkeys(entity.names)
                if (key := form(n).key) and (key in kept or not is_generic(n))
            ]
            if names:
                occurrence = _occurrence(paper, entity, names, document)
                occurrence.year = extraction.abstract.year
                found.append(occurrence)
            else:
                dropped.append(_dropped(paper, entity.id, entity.names))
    stopped = words.rarely_named() - kept
    special = []
    for o in found:
        if not stopped.isdisjoint(o.keys):
            _forget(o, stopped)
        if o.keys:
            special.append(o)
        else:
            dropped.append(_dropped(o.paper, o.local, o.names))
    _split_homonyms(special)
    return special, dropped


def _dropped(paper: str, local: str, names: Sequence[str]) -> Skipped:
    if not any(form(n).key for n in names):
        reason = f"{names[:1]!r} holds no letter or digit: no name to merge by"
    else:
        reason = f"{names[0]!r} is a generic string: `keep` it in the curation file if it is not"
    return Skipped(f"{paper}#{local}", reason)


def _forget(occurrence: Occurrence, stopped: frozenset[str]) -> None:
    """Take stopped names out of an occurrence; the names stay if none is left, for the message."""
    pairs = zip(occurrence.names, occurrence.keys, strict=True)
    left = [(n, k) for n, k in pairs if k not in stopped]
    if left:
        occurrence.names = [n for n, _ in left]
    occurrence.keys = [k for _, k in left]
    occurrence.meanings = {
        s: m for s, m in occurrence.meanings.items() if s not in stopped and m not in stopped
    }


def _occurrence(paper: str, entity: PaperEntity, names: list[str], document: str) -> Occurrence:
    meanings: dict[str, str] = {}
    for name in list(names):
        short = form(name).short
        if not short:
            continue
        longs = [n for n in names if not form(n).short and defines(short, form(n).text)]
        if not longs and name == names[0]:
            longs = [n for n in _meanings_in_text(short, document) if form(n).key]
            names += [n for n in longs if n not in names]
        if longs:
            meanings[name] = longs[0]
    meanings = _plainest(meanings)
    names = _one_thing(names, meanings, document)
    meanings = {short: long for short, long in meanings.items() if {short, long} <= set(names)}
    keys = [_scoped(form(n).key, paper) for n in names]
    by_name = dict(zip(names, keys, strict=True))
    return Occurrence(
        paper=paper,
        local=entity.id,
        type=entity.type,
        role=entity.role,
        weight=entity.confidence,
        names=names,
        keys=keys,
        meanings={by_name[s]: by_name[m] for s, m in meanings.items()},
    )


def _plainest(meanings: dict[str, str]) -> dict[str, str]:
    """The short forms without those whose long form is shortened to its very initials by another.

    Nobody shortens one thing twice: beside RPN for region proposal networks, "ResNet" is the name
    of something else, though its letters stand in the long form too.
    """
    by_initials = {s for s, m in meanings.items() if form(s).short.casefold() in initials(m)}
    taken = {meanings[s] for s in by_initials}
    return {s: m for s, m in meanings.items() if s in by_initials or m not in taken}


def _one_thing(names: list[str], meanings: Mapping[str, str], document: str) -> list[str]:
    """The names without those that the text sets apart from one before them."""
    kept = names[:1]
    for name in names[1:]:
        if not any(
            form(name).key != form(other).key
            and meanings.get(name) != other
            and meanings.get(other) != name
            and told_apart(name, other, document)
            for other in kept
        ):
            kept.append(name)
    return kept


def _meanings_in_text(short: str, document: str) -> list[str]:
    """The long form at "long form (SHORT)" or "SHORT (long form)", as it stands; at most one."""
    at = document.find(short)
    while at >= 0:
        end = at + len(short)
        end += document.startswith("s", end)
        before = document[:at].rstrip(" ")
        if before.endswith("(") and document[end : end + 1] in (")", ",", ";"):
            long = long_form_before(short, before[:-1].rstrip())
            if long:
                return [long]
        bracket = re.compile(r" ?\(([^()\n]{4,120})[);,]").match(document, end)
        if bracket and " " in bracket.group(1) and defines(short, bracket.group(1)):
            return [bracket.group(1)]
        at = document.find(short, end)
    return []


def _scoped(key: str, paper: str) -> str:
    r"""An undefined macro (`\projectname`) names something in its own paper only."""
    return f"{key} {paper}" if _MACRO.match(key) else key


def _split_homonyms(occurrences: list[Occurrence]) -> None:
    """Mark the keys that are data in some papers and ideas in others, where both are real."""
    sides: dict[str, set[str]] = {"data": set(), "idea": set()}
    for occurrence in occurrences:
        sides[occurrence.side].update(occurrence.keys)
    both = sides["data"] & sides["idea"]
    papers: dict[str, dict[str, set[str]]] = {k: {"data": set(), "idea": set()} for k in both}
    for occurrence in occurrences:
        for key in both.intersection(occurrence.keys):
            papers[key][occurrence.side].add(occurrence.paper)
    split = {
        key
        for key, sides in papers.items()
        if min(map(len, sides.values()))
        >= max(HOMONYM_PAPERS, HOMONYM_SHARE * sum(map(len, sides.values())))
    }
    for o in occurrences:
        if split.isdisjoint(o.keys):
            continue
        renamed = {k: f"{k}\t{o.side}" if k in split else k for k in o.keys}
        o.keys = [renamed[k] for k in o.keys]
        o.meanings = {renamed[s]: renamed[m] for s, m in o.meanings.items()}


def table(occurrences: list[Occurrence]) -> dict[str, KeyRecord]:
    """For every key what the papers say about it; a paper counts once for a spelling."""
    records: dict[str, KeyRecord] = defaultdict(KeyRecord)
    spelt: set[tuple[str, str, str]] = set()
    typed: set[tuple[str, str]] = set()
    for o in occurrences:
        for name, key in zip(o.names, o.keys, strict=True):
            record = records[key]
            if (o.paper, name, key) not in spelt:
                spelt.add((o.paper, name, key))
                text = form(name).text
                record.spellings[text] = record.spellings.get(text, 0) + 1
            if (o.paper, key) not in typed:
                typed.add((o.paper, key))
                record.types[o.type] = record.types.get(o.type, 0) + 1
                record.papers += 1
    for record in records.values():
        record.settle()
    return dict(records)
