"""What the heads should say of a document: gold names with wrong ones mixed in, as tensors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from kg.extract.layout import (
    MAY_RELATE,
    NONE,
    WIDEST,
    Names,
    entity_likeness,
    group_names,
    likeness_of,
    name_features,
    pair_features,
    pool_of,
    tags_of,
)  # fmt: skip
from kg.schema import RELATIONS
from kg.train.network import EntityInput, NameInput

if TYPE_CHECKING:
    from kg.train.data import Example


@dataclass(frozen=True, slots=True)
class Targets:
    """One document's inputs to the heads with what they should say."""

    names: Names
    tags: np.ndarray
    name_input: NameInput
    types: Tensor
    same: Tensor
    entity_input: EntityInput | None
    roles: Tensor
    relations: Tensor


def believed_types(names: Names, chance: Tensor, doubt: float, rng: np.random.Generator
                   ) -> np.ndarray:  # fmt: skip
    """The type that each group's mark shows: the span scores' own, as at run time, not the gold.

    `chance` are the log-probabilities `(types + 1, words, words)`. Marks of gold types would teach
    the heads behind them to repeat what they are told. In the share `doubt` of groups the type is
    drawn, so that the marks go wrong on training records as often as on others.
    """
    out = names.types.copy()
    for group in range(len(names.strings)):
        spans = names.spans[names.group == group]
        spans = spans[spans[:, 1] - spans[:, 0] < WIDEST]
        if not len(spans):
            continue
        total = chance[:NONE, spans[:, 0], spans[:, 1]].sum(1).numpy()
        if rng.random() < doubt:
            total = total / len(spans) / 1.5 + rng.gumbel(size=NONE)
        out[group] = total.argmax()
    return out


def targets(
    example: Example, wrong: list[tuple[str, int]], chance: Tensor, doubt: float,
    rng: np.random.Generator,
) -> Targets:  # fmt: skip
    """The targets of `example` with the `wrong` names (spelling, type number) mixed in."""
    strings = {s: t for s, (t, _) in example.strings.items()}
    false = {s: t for s, t in wrong if s not in strings}
    names = group_names(example.text, example.words, strings | false)
    owner = [
        next((example.strings[s][1] for s in g if s in example.strings), -1) for g in names.strings
    ]
    gold = np.array(owner, dtype=np.int64)
    size = len(owner)
    types = torch.from_numpy(np.where(gold >= 0, names.types, NONE))
    same = torch.from_numpy((gold[:, None] == gold[None]) & (gold >= 0)[:, None]).float()
    likeness = likeness_of(example.text, names, example.words)
    first = torch.from_numpy(example.words.first[names.spans[:, 0]])
    last = torch.from_numpy(example.words.last[names.spans[:, 1]])
    name_input = NameInput(
        first, last, torch.from_numpy(pool_of(names.group, size)), torch.from_numpy(likeness)
    )
    present = sorted(set(owner) - {-1})
    where = {e: n for n, e in enumerate(present)}
    group_owner = np.array([where.get(o, -1) for o in owner], dtype=np.int64)
    mention_owner = group_owner[names.group]
    lead = [owner.index(e) for e in present]
    kinds = names.types[lead] if lead else np.zeros(0, dtype=np.int64)
    pairs = np.array(
        [
            (h, t)
            for h in range(len(present))
            for t in range(len(present))
            if h != t and MAY_RELATE[kinds[h], kinds[t]]
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    entity_input = None
    if present:
        features = name_features(
            names, example.words, mention_owner, len(present), example.title_end
        )
        entity_input = EntityInput(
            pool=torch.from_numpy(pool_of(mention_owner, len(present))),
            features=torch.from_numpy(features),
            types=torch.from_numpy(kinds),
            pairs=torch.from_numpy(pairs),
            pair_features=torch.from_numpy(
                pair_features(names, example.words, mention_owner, pairs, example.bounds)
            ),
            likeness=torch.from_numpy(entity_likeness(likeness, group_owner, len(present)))[
                pairs[:, 0], pairs[:, 1]
            ],
        )
    relations = [example.relations.get((present[h], present[t]), len(RELATIONS)) for h, t in pairs]
    return Targets(
        names=names,
        tags=tags_of(
            replace(names, types=believed_types(names, chance, doubt, rng)),
            example.words,
            len(example.pieces.ids),
        ),
        name_input=name_input,
        types=types,
        same=same,
        entity_input=entity_input,
        roles=torch.tensor([example.roles[e] for e in present], dtype=torch.long),
        relations=torch.tensor(relations, dtype=torch.long),
    )


def padded(rows: list[np.ndarray], *, fill: int = 0) -> Tensor:
    """Rows of unlike length as one tensor."""
    out = torch.full((len(rows), max(map(len, rows))), fill, dtype=torch.long)
    for i, row in enumerate(rows):
        out[i, : len(row)] = torch.from_numpy(row)
    return out


def span_targets(batch: list[Example], words: int) -> tuple[Tensor, Tensor]:
    """Gold types `(batch, words, words)` and which spans count."""
    gold = torch.full((len(batch), words, words), NONE, dtype=torch.long)
    counts = torch.zeros((len(batch), words, words), dtype=torch.bool)
    place = torch.arange(words)
    wide = place[None] - place[:, None]
    band = (wide >= 0) & (wide < WIDEST)
    for b, e in enumerate(batch):
        n = len(e.words.first)
        counts[b, :n, :n] = band[:n, :n]
        if len(e.spans):
            gold[b, e.spans[:, 0], e.spans[:, 1]] = torch.from_numpy(e.spans[:, 2])
    return gold, counts


def wrong_names(example: Example, scores: Tensor, most: int) -> list[tuple[str, int]]:
    """Spans that the model takes for mentions and no annotator did: best first, no overlap.

    `scores` are log-probabilities `(types + 1, words, words)`.
    """
    n = len(example.words.first)
    chance = scores[:, :n, :n].exp()
    sure = 1 - chance[NONE]
    place = torch.arange(n)
    wide = place[None] - place[:, None]
    sure = sure.masked_fill((wide < 0) | (wide >= WIDEST), 0)
    taken = np.zeros(n, dtype=bool)
    for i, j, _ in example.spans:
        taken[i : j + 1] = True
    found: list[tuple[str, int]] = []
    values, flat = sure.flatten().topk(min(60, n * n))
    for value, at in zip(values.tolist(), flat.tolist(), strict=True):
        i, j = divmod(at, n)
        if value < 0.2 or len(found) >= most:
            break
        if not taken[i : j + 1].any():
            taken[i : j + 1] = True
            kind = int(chance[:NONE, i, j].argmax())
            found.append((example.text[example.words.start[i] : example.words.end[j]], kind))
    return found
