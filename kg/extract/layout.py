"""Where the names of a document stand: spans, groups of spellings, and the features of both.

Training and reading build their inputs here alike, so that the heads see at run time what they saw
when they learned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kg.extract.names import fold_name, likeness_table
from kg.extract.sentences import sentence_at
from kg.schema import ENTITY_TYPES, RELATIONS, ROLES, may_play, may_relate

if TYPE_CHECKING:
    from kg.extract.pieces import Pieces

#: Longest span in words (99.8 % of the annotated ones are no longer).
WIDEST = 12
TYPES = tuple(t.name for t in ENTITY_TYPES)
NONE = len(TYPES)
#: Which roles a type may play, `(types, roles)`.
ROLE_MASK = np.array([[may_play(r.name, t) for r in ROLES] for t in TYPES])
#: Which relations a pair of types may have, `(types, types, relations + 1)`; the last is none.
RELATION_MASK = np.array(
    [[[may_relate(h, r.name, t) for r in RELATIONS] + [True] for t in TYPES] for h in TYPES]
)
#: Which pairs of types may relate at all, `(types, types)`.
MAY_RELATE = np.asarray(RELATION_MASK[:, :, :-1].any(axis=-1))
POSITIONS, COUNTS, SENTENCES, DISTANCES = 10, 4, 5, 9


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a document: first and last piece, first and last character of each."""

    first: np.ndarray
    last: np.ndarray
    start: np.ndarray
    end: np.ndarray


@dataclass(frozen=True, slots=True)
class Names:
    """The mentions of a document, grouped by folded spelling.

    `spans` are `(mentions, 2)` words, both ends included; `group` numbers each mention's group;
    `strings` are each group's spellings, longest first; `types` one type number a group.
    """

    spans: np.ndarray
    group: np.ndarray
    strings: list[list[str]]
    types: np.ndarray


def words_of(pieces: Pieces) -> Words:
    """The words that the tokenizer saw (runs of letters and digits, single marks)."""
    kept = np.flatnonzero(pieces.word >= 0)
    if not len(kept):
        none = np.zeros(0, dtype=np.int64)
        return Words(none, none, none, none)
    word = pieces.word[kept]
    begins = np.flatnonzero(np.diff(word, prepend=-1))
    ends = np.append(begins[1:], len(kept)) - 1
    first, last = kept[begins], kept[ends]
    return Words(first, last, pieces.start[first], pieces.end[last])


def occurrences(text: str, strings: list[str]) -> list[tuple[int, int, int]]:
    """Whole-word hits `(start, end, index)` of `strings`, longest first, none inside another."""
    taken = np.zeros(len(text) + 1, dtype=bool)
    found = []
    for i in sorted(range(len(strings)), key=lambda i: (-len(strings[i]), strings[i])):
        string = strings[i]
        left = r"(?<!\w)" if string[:1].isalnum() else ""
        right = r"(?!\w)" if string[-1:].isalnum() else ""
        for hit in re.finditer(left + re.escape(string) + right, text):
            if not taken[hit.start() : hit.end()].any():
                taken[hit.start() : hit.end()] = True
                found.append((hit.start(), hit.end(), i))
    return sorted(found)


def group_names(text: str, words: Words, strings: dict[str, int]) -> Names:
    """Every occurrence of `strings` (name to type number) in `text`, grouped by folded spelling.

    Occurrences that do not begin and end with a word are left out; a group takes the type of its
    longest spelling.
    """
    listed = list(strings)
    starts = {int(s): i for i, s in enumerate(words.start)}
    ends = {int(e): i for i, e in enumerate(words.end)}
    spans, keys, names = [], [], []
    for start, end, which in occurrences(text, listed):
        i, j = starts.get(start), ends.get(end)
        if i is not None and j is not None and j >= i:
            spans.append((i, j))
            keys.append(fold_name(listed[which]))
            names.append(listed[which])
    order = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    held: list[dict[str, None]] = [{} for _ in order]
    for key, name in zip(keys, names, strict=True):
        held[order[key]][name] = None
    grouped = [sorted(h, key=lambda s: (-len(s), s)) for h in held]
    return Names(
        spans=np.array(spans, dtype=np.int64).reshape(-1, 2),
        group=np.array([order[k] for k in keys], dtype=np.int64),
        strings=grouped,
        types=np.array([strings[g[0]] for g in grouped], dtype=np.int64),
    )


def tags_of(names: Names, words: Words, length: int) -> np.ndarray:
    """One tag a piece: 0 outside of mentions, 1 + 2 x type at the first piece, one more after."""
    tags = np.zeros(length, dtype=np.int64)
    for (i, j), group in zip(names.spans, names.group, strict=True):
        first, last = words.first[i], words.last[j]
        tags[first : last + 1] = 2 + 2 * names.types[group]
        tags[first] = 1 + 2 * names.types[group]
    return tags


def pool_of(owner: np.ndarray, owners: int) -> np.ndarray:
    """`(owners, mentions)` of 1 where the mention belongs to the owner."""
    return np.asarray(np.arange(owners)[:, None] == owner[None], dtype=np.float32)


def defined_pairs(text: str, names: Names, words: Words) -> set[tuple[int, int]]:
    """Groups of which one stands in brackets straight after the other: "long form (LF)"."""
    found = set()
    by_start = {int(words.start[i]): n for n, (i, _) in enumerate(names.spans)}
    for n, (_, j) in enumerate(names.spans):
        end = int(words.end[j])
        gap = re.match(r"\s*[\(\[]\s*(?:i\.e\.,?\s*)?", text[end : end + 12])
        other = by_start.get(end + gap.end()) if gap else None
        if other is not None and names.group[n] != names.group[other]:
            found.add((int(names.group[n]), int(names.group[other])))
    return found


def name_features(
    names: Names, words: Words, owner: np.ndarray, owners: int, title_end: int
) -> np.ndarray:
    """`(owners, 3)`: mentions (bucket), whether in the title, where it first stands (tenths)."""
    out = np.zeros((owners, 3), dtype=np.int64)
    length = max(1, int(words.end[-1])) if len(words.end) else 1
    for o in range(owners):
        at = words.start[names.spans[owner == o, 0]]
        out[o, 0] = min(len(at), COUNTS) - 1
        out[o, 1] = int((at < title_end).any())
        body = at[at >= title_end]
        first = (int(body.min()) - title_end) / max(1, length - title_end) if len(body) else 0.0
        out[o, 2] = min(POSITIONS - 1, int(first * POSITIONS))
    return out


def pair_features(
    names: Names, words: Words, owner: np.ndarray, pairs: np.ndarray, bounds: list[tuple[int, int]]
) -> np.ndarray:
    """`(pairs, 4)`: sentences apart, log2 of words apart, which comes first, sentences shared."""
    out = np.zeros((len(pairs), 4), dtype=np.int64)
    at = np.array(
        [sentence_at(bounds, int(words.start[i])) for i, _ in names.spans], dtype=np.int64
    )
    own = {int(o): np.flatnonzero(owner == o) for o in np.unique(pairs)} if len(pairs) else {}
    for n, (h, t) in enumerate(pairs):
        a, b = own[int(h)], own[int(t)]
        apart = np.abs(at[a][:, None] - at[b][None])
        gap = names.spans[b, 0][None] - names.spans[a, 1][:, None]
        back = names.spans[a, 0][:, None] - names.spans[b, 1][None]
        words_apart = np.maximum(gap, back)
        near = np.unravel_index(np.argmin(words_apart), words_apart.shape)
        out[n, 0] = min(SENTENCES - 1, int(apart.min()))
        out[n, 1] = min(DISTANCES - 1, int(np.log2(max(1, int(words_apart[near])))))
        out[n, 2] = int(gap[near] >= back[near])
        out[n, 3] = min(COUNTS - 1, len(set(at[a]) & set(at[b])))
    return out


def likeness_of(text: str, names: Names, words: Words) -> np.ndarray:
    """`(groups, groups, features)` of the groups' names."""
    return likeness_table(names.strings, defined_pairs(text, names, words))


def entity_likeness(likeness: np.ndarray, owner: np.ndarray, size: int) -> np.ndarray:
    """The likeness of groups lifted to the `size` entities that own them: the greatest of any."""
    out = np.zeros((size, size, likeness.shape[-1]), dtype=np.float32)
    rows = [np.flatnonzero(owner == e) for e in range(size)]
    for a in range(size):
        for b in range(size):
            if a != b:
                out[a, b] = likeness[np.ix_(rows[a], rows[b])].max(axis=(0, 1))
    return out
