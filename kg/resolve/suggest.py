"""Doubtful merges and near misses as a curation file: every suggestion is one line to uncomment."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import DamerauLevenshtein

from kg.resolve.forms import form
from kg.resolve.same import conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.records import Entity, Resolution
    from kg.resolve.curation import Curation

#: Merges below this score are worth a look.
DOUBTFUL = 0.87
#: A block of names larger than this shares too common a word to compare all its pairs.
LARGEST_BLOCK = 60
_HEAD = """\
# Suggestions, the most valuable first: delete the "# " in front of a line to accept it.
# Value: how many papers the decision touches. Nothing here is applied as it stands.
"""


class Suggestion(NamedTuple):
    """One entry: its value (papers that it touches), table, text, reason, and the names' keys."""

    value: int
    action: str
    entry: str
    reason: str
    names: frozenset[str]


def suggest(resolution: Resolution, *, curation: Curation | None = None, limit: int = 200) -> str:
    """The text of a curation file with at most `limit` suggestions, all commented out.

    Doubtful merges are offered as `split`, pairs that nearly agree as `merge`; short forms that
    stand alone beside what they may mean as `merge` with each candidate. What `curation` already
    decides is not asked again.
    """
    papers = Counter(ident for links in resolution.links.values() for ident in set(links.values()))
    decided = {_keys(*d.names) for d in curation.decisions} if curation else set()
    found: dict[tuple[str, str], Suggestion] = {}
    for suggestion in _all(resolution, papers):
        held = found.get((suggestion.action, suggestion.entry))
        if held is None or suggestion.value > held.value:
            found[suggestion.action, suggestion.entry] = suggestion
    ranked = sorted(
        (s for s in found.values() if s.names not in decided),
        key=lambda s: (-s.value, s.action, s.entry),
    )[:limit]
    parts = [_HEAD]
    for action in ("merge", "split"):
        lines = [f"# {s.entry},  # {s.reason}" for s in ranked if s.action == action]
        parts.append("\n".join([f"{action} = [", *lines, "]\n"]))
    return "\n".join(parts)


def _keys(*names: str) -> frozenset[str]:
    return frozenset(form(name).key for name in names)


def _all(resolution: Resolution, papers: Counter[tuple[str, str]]) -> Iterator[Suggestion]:
    by_ident = {f"{e.type}/{e.key}": e for e in resolution.entities}
    for entity in resolution.entities:
        count = papers[entity.type, entity.key]
        for merge in entity.merges:
            if merge.score < DOUBTFUL:
                entry = f"{{ name = {_text(merge.name)}, from = {_text(merge.into)} }}"
                names = _keys(merge.name, merge.into)
                yield Suggestion(count, "split", entry, f"{merge.rule}, {count} papers", names)
        for ident in entity.candidates:
            yield _merge(entity, by_ident[ident], papers, "an ambiguous short form")
    for reason, block in _blocks(resolution.entities):
        for i, a in enumerate(block):
            for b in block[i + 1 :]:
                if _near(a, b):
                    yield _merge(a, b, papers, reason)


def _merge(a: Entity, b: Entity, papers: Counter[tuple[str, str]], reason: str) -> Suggestion:
    counts = papers[a.type, a.key], papers[b.type, b.key]
    names = ", ".join(_text(e.label) for e in (a, b))
    type_ = f', type = "{a.type}"' if a.type == b.type else ""
    return Suggestion(
        min(counts), "merge", f"{{ names = [{names}]{type_} }}",
        f"{reason}, {counts[0]} and {counts[1]} papers", _keys(a.label, b.label),
    )  # fmt: skip


def _blocks(entities: Iterable[Entity]) -> Iterator[tuple[str, list[Entity]]]:
    """Entities that share their words in some order, or all but one of them."""
    blocks: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in entities:
        words = form(entity.label).words
        blocks["the same words", " ".join(sorted(words))].append(entity)
        if len(words) > 1:
            for i in range(len(words)):
                rest = " ".join((*words[:i], "_", *words[i + 1 :]))
                blocks["one word nearly the same", rest].append(entity)
    for (reason, _), block in sorted(blocks.items()):
        if 1 < len(block) <= LARGEST_BLOCK:
            yield reason, sorted(block, key=lambda e: (e.type, e.key))


def _near(a: Entity, b: Entity) -> bool:
    """Whether two entities nearly agree: their words differ in order or by two letters in one."""
    x, y = form(a.label), form(b.label)
    if a.type != b.type and {a.type, b.type} not in ({"Method", "Task"}, {"Dataset", "Benchmark"}):
        return False
    if sorted(x.words) == sorted(y.words):
        return True
    if conflict(x, y) or len(x.words) != len(y.words):
        return False
    differing = [(p, q) for p, q in zip(x.words, y.words, strict=True) if p != q]
    return len(differing) == 1 and all(
        min(len(p), len(q)) > 4 and DamerauLevenshtein.distance(p, q) <= 2 for p, q in differing
    )


def _text(name: str) -> str:
    """A TOML basic string (its escapes are those of JSON)."""
    clean = name.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
