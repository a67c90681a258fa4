"""A document to what it says: the model's scores decoded into entities, roles and relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kg.extract.decode import choose, clusters, log_softmax
from kg.extract.hints import ANNOUNCED_GAIN, announced
from kg.extract.layout import (
    MAY_RELATE,
    NONE,
    RELATION_MASK,
    ROLE_MASK,
    TYPES,
    Names,
    Words,
    entity_likeness,
    group_names,
    likeness_of,
    name_features,
    pair_features,
    pool_of,
    tags_of,
)  # fmt: skip
from kg.extract.names import LIKENESS
from kg.extract.sentences import sentence_at, sentences
from kg.schema import ROLES

if TYPE_CHECKING:
    from kg.extract.model import Encoded, NameModel

#: Pairs that are asked for at once: bounds memory on very long texts.
PAIRS_AT_ONCE = 2048
#: Entities farther apart than this many sentences are not asked about once a text is long.
FAR_SENTENCES, MANY_PAIRS = 6, 4000

_DEFINED, _INITIALS = LIKENESS.index("defined"), LIKENESS.index("initials")
_PROPOSES = next(i for i, r in enumerate(ROLES) if r.name == "proposes")


@dataclass(frozen=True, slots=True)
class Reading:
    """The entities of one document before they become records.

    `bounds` are its sentences, `names` the kept groups of spellings, `owner` each group's entity,
    `types` `(entities, types + 1)`, `roles` and `relations` log-probabilities of the entities and
    of `pairs`; `kinds` is each entity's best type.
    """

    text: str
    bounds: list[tuple[int, int]]
    words: Words
    names: Names
    owner: np.ndarray
    types: np.ndarray
    kinds: np.ndarray
    pairs: np.ndarray
    roles: np.ndarray
    relations: np.ndarray


def read(text: str, title_end: int, model: NameModel) -> Reading | None:
    """Read one document; `title_end` is where its title ends (0 without one). None: no entity."""
    encoded = model.encode(text)
    words, config = encoded.words, model.config
    chosen = choose(text, words, encoded.scores, bias=config.span_bias, title_end=title_end)
    if not chosen:
        return None
    heat = config.temperature["mention"]
    bias = np.array([*(config.type_bias[t] for t in TYPES), 0.0])
    first = {c.text: log_softmax(c.scores / heat + bias) for c in chosen}
    names = group_names(text, words, {s: int(v[:NONE].argmax()) for s, v in first.items()})
    if not len(names.group):
        return None
    x = model.context(encoded, tags_of(names, words, len(encoded.states)))
    found = _join(names, first, x, encoded, model)
    if found is None:
        return None
    names, owner, types, vectors, alike = found
    kinds = types[:, :NONE].argmax(axis=1)
    bounds = sentences(text)
    pairs = _pairs(names, owner, kinds, words, bounds)
    likeness = entity_likeness(alike, owner, len(kinds))
    feed = {
        "x": x,
        "vectors": vectors,
        "pool": pool_of(owner[names.group], len(kinds)),
        "features": name_features(names, words, owner[names.group], len(kinds), title_end),
        "kinds": kinds,
    }
    parts = []
    for at in range(0, max(1, len(pairs)), PAIRS_AT_ONCE):
        some = pairs[at : at + PAIRS_AT_ONCE]
        where = pair_features(names, words, owner[names.group], some, bounds)
        asked = feed | {"pairs": some, "pair_features": where}
        parts.append(model.relate(asked | {"likeness": likeness[some[:, 0], some[:, 1]]}))
    said = np.zeros(len(kinds), dtype=bool)
    roles = np.where(ROLE_MASK[kinds], parts[0][0], -1e4)
    for (i, j), group in zip(names.spans, names.group, strict=True):
        if announced(text, bounds, int(words.start[i]), int(words.end[j])):
            said[owner[group]] = True
    roles[said, _PROPOSES] += ANNOUNCED_GAIN
    relations = np.concatenate([p[1] for p in parts])
    allowed = RELATION_MASK[kinds[pairs[:, 0]], kinds[pairs[:, 1]]]
    return Reading(
        text, bounds, words, names, owner, types, kinds, pairs,
        log_softmax(roles / config.temperature["role"]),
        log_softmax(np.where(allowed, relations, -1e4) / config.temperature["relation"]),
    )  # fmt: skip


def _join(
    names: Names, first: dict[str, np.ndarray], x: np.ndarray, encoded: Encoded, model: NameModel
) -> tuple[Names, np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Groups kept, each one's entity, entities' type log-probabilities, vectors, likeness."""
    words, config = encoded.words, model.config
    groups = len(names.strings)
    likeness = likeness_of(encoded.text, names, words)
    vectors, types, same = model.names(
        {
            "x": x,
            "first": words.first[names.spans[:, 0]],
            "last": words.last[names.spans[:, 1]],
            "pool": pool_of(names.group, groups),
            "likeness": likeness,
        }
    )
    own = np.array([np.mean([first[s] for s in g if s in first], axis=0) for g in names.strings])
    second = log_softmax(types / config.temperature["type"])
    weight = config.type_weight
    both = log_softmax((1 - weight) * own + weight * second)
    kept = np.flatnonzero(
        np.logaddexp.reduce(both[:, :NONE], axis=1) - both[:, NONE] > -config.none_bias
    )
    if not len(kept):
        return None
    links = 1 / (1 + np.exp(-same[np.ix_(kept, kept)] / config.temperature["same"]))
    alike = likeness[np.ix_(kept, kept)]
    links = np.where((alike[..., _DEFINED] > 0) & (alike[..., _INITIALS] > 0), 1.0, links)
    owner = clusters(links, threshold=config.same_threshold)
    joined = np.array(
        [log_softmax(both[kept][owner == e].mean(axis=0)) for e in range(int(owner.max()) + 1)]
    )
    held = np.isin(names.group, kept)
    renumber = {int(g): n for n, g in enumerate(kept)}
    left = Names(
        spans=names.spans[held],
        group=np.array([renumber[int(g)] for g in names.group[held]], dtype=np.int64),
        strings=[names.strings[g] for g in kept],
        types=names.types[kept],
    )
    return left, owner, joined, vectors[held], alike


def _pairs(
    names: Names, owner: np.ndarray, kinds: np.ndarray, words: Words, bounds: list[tuple[int, int]]
) -> np.ndarray:
    grid = MAY_RELATE[kinds[:, None], kinds[None]]
    np.fill_diagonal(grid, val=False)
    if grid.sum() > MANY_PAIRS:
        at = [sentence_at(bounds, int(words.start[i])) for i, _ in names.spans]
        held: list[set[int]] = [set() for _ in kinds]
        for sentence, group in zip(at, names.group, strict=True):
            held[owner[group]].add(sentence)
        for h, t in np.argwhere(grid):
            grid[h, t] = min(abs(a - b) for a in held[h] for b in held[t]) <= FAR_SENTENCES
    return np.argwhere(grid).astype(np.int64).reshape(-1, 2)
