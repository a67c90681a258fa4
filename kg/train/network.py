"""The extraction network in torch: encoder, span scorer, context layers, and the heads on names.

Spans are scored as spans (a biaffine product of their ends: Yu, Bohnet and Poesio 2020), the names
found are marked in the input of two further layers (type markers: Zhong and Chen 2021, here as
embeddings added to the states), and a name's role and relations are read from all its mentions
pooled (Zhou et al. 2021) with an attention of the pair over the whole text.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from kg.extract.layout import COUNTS, DISTANCES, NONE, POSITIONS, SENTENCES, TYPES, WIDEST
from kg.extract.names import LIKENESS
from kg.schema import RELATIONS, ROLES
from kg.train.encoder import DEPTH, WIDTH, Encoder, Layer

SPAN, PAIR, LOOKS = 192, 256, 4
TAGS = 1 + 2 * len(TYPES)
CONTEXT_LAYERS = 2


@dataclass(frozen=True, slots=True)
class NameInput:
    """One document's names as the heads read them (tensors; see `kg.extract.layout`)."""

    first: Tensor
    last: Tensor
    pool: Tensor
    likeness: Tensor


@dataclass(frozen=True, slots=True)
class EntityInput:
    """One document's entities and the pairs that may relate."""

    pool: Tensor
    features: Tensor
    types: Tensor
    pairs: Tensor
    pair_features: Tensor
    likeness: Tensor


class SpanHead(nn.Module):
    """Scores of every pair of words as the ends of a mention, one a type and one for none."""

    def __init__(self) -> None:
        super().__init__()
        self.start = nn.Linear(WIDTH, SPAN)
        self.end = nn.Linear(WIDTH, SPAN)
        self.product = nn.Linear(SPAN, SPAN * (NONE + 1))
        self.left = nn.Linear(SPAN, NONE + 1)
        self.right = nn.Linear(SPAN, NONE + 1)
        self.inside = nn.Linear(WIDTH, NONE + 1)
        self.width = nn.Parameter(torch.zeros(NONE + 1, WIDEST))
        self.dropout = nn.Dropout(0.15)

    def forward(self, states: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """Scores `(batch, types + 1, words, words)` of states `(batch, pieces, width)`.

        `first` and `last` `(batch, words)` are each word's end pieces. Only the scores from a word
        to the next WIDEST - 1 ones mean anything.
        """
        at = first.unsqueeze(-1).expand(-1, -1, WIDTH)
        to = last.unsqueeze(-1).expand(-1, -1, WIDTH)
        head, tail = states.gather(1, at), states.gather(1, to)
        s = self.dropout(nn.functional.gelu(self.start(head)))
        e = self.dropout(nn.functional.gelu(self.end(tail)))
        batch, words, _ = s.shape
        p = self.product(s).view(batch, words, NONE + 1, SPAN).transpose(1, 2)
        scores = (p @ e.transpose(1, 2).unsqueeze(1)).float() / SPAN**0.5
        scores = scores + self.left(s).float().transpose(1, 2).unsqueeze(-1)
        scores = scores + self.right(e).float().transpose(1, 2).unsqueeze(-2)
        sums = self.inside(head).float().cumsum(1).transpose(1, 2)
        before = nn.functional.pad(sums, (1, 0))[..., :-1]
        place = torch.arange(words)
        wide = (place[None] - place[:, None]).clamp(0, WIDEST - 1)
        scores = scores + (sums.unsqueeze(-2) - before.unsqueeze(-1)) / (wide + 1)
        out: Tensor = scores + self.width[:, wide]
        return out


class Context(nn.Module):
    """States with the names marked, through two layers; then a vector a mention, types a name."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = nn.Embedding(TAGS, WIDTH)
        nn.init.normal_(self.tags.weight, std=0.02)
        self.layers = nn.ModuleList(Layer(dropout=0.1) for _ in range(CONTEXT_LAYERS))
        self.mention = nn.Linear(2 * WIDTH, WIDTH)
        self.type1 = nn.Linear(2 * WIDTH, PAIR)
        self.type2 = nn.Linear(PAIR, NONE + 1)
        self.same = nn.Linear(2 * WIDTH, PAIR)
        self.same1 = nn.Linear(2 * PAIR + len(LIKENESS), PAIR)
        self.same2 = nn.Linear(PAIR, 1)
        self.dropout = nn.Dropout(0.15)

    def states(self, states: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Encoder states and tags `(batch, pieces)` to states that know the names."""
        x: Tensor = states + self.tags(tags)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def forward(self, x: Tensor, names: NameInput) -> tuple[Tensor, Tensor, Tensor]:
        """Mention vectors, type scores `(groups, types + 1)`, scores `(groups, groups)` of one.

        `x` are one document's states `(pieces, width)`; the last are high where two groups of
        spellings name the same entity.
        """
        ends = torch.cat([x[names.first], x[names.last]], -1)
        m = nn.functional.gelu(self.mention(ends))
        g = self.dropout(pooled(m, names.pool))
        types = self.type2(self.dropout(nn.functional.gelu(self.type1(g))))
        s = self.same(g)
        size = s.shape[0]
        a, b = s.unsqueeze(1).expand(size, size, -1), s.unsqueeze(0).expand(size, size, -1)
        pair = torch.cat([a * b, (a - b).abs(), names.likeness.to(s.dtype)], -1)
        same = self.same2(self.dropout(nn.functional.gelu(self.same1(pair)))).squeeze(-1)
        return m, types, (same + same.t()) / 2


class Relate(nn.Module):
    """Roles of entities and relations of pairs, from pooled mentions and the text about them."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = nn.Embedding(len(TYPES), 64)
        self.count = nn.Embedding(COUNTS, 32)
        self.title = nn.Embedding(2, 16)
        self.position = nn.Embedding(POSITIONS, 32)
        self.role1 = nn.Linear(3 * WIDTH + 144, WIDTH)
        self.role2 = nn.Linear(WIDTH, len(ROLES))
        self.head = nn.Linear(2 * WIDTH + 144, PAIR)
        self.tail = nn.Linear(2 * WIDTH + 144, PAIR)
        self.ask = nn.Linear(2 * PAIR, LOOKS * 64)
        self.key = nn.Linear(WIDTH, LOOKS * 64)
        self.value = nn.Linear(WIDTH, PAIR)
        self.sentence = nn.Embedding(SENTENCES, 32)
        self.distance = nn.Embedding(DISTANCES, 32)
        self.order = nn.Embedding(2, 16)
        self.shared = nn.Embedding(COUNTS, 16)
        self.rel1 = nn.Linear(4 * PAIR + 96 + len(LIKENESS), WIDTH)
        self.rel2 = nn.Linear(WIDTH, len(RELATIONS) + 1)
        self.dropout = nn.Dropout(0.15)

    def forward(self, x: Tensor, m: Tensor, entities: EntityInput) -> tuple[Tensor, Tensor]:
        """Role scores `(entities, roles)`, relation scores `(pairs, relations + 1)`, last for none.

        `x` and `m` are one document's states and mention vectors.
        """
        f = entities.features
        known = [self.kind(entities.types), self.count(f[:, 0]), self.title(f[:, 1])]
        e = self.dropout(pooled(m, entities.pool))
        e = torch.cat([e, *known, self.position(f[:, 2])], -1)
        whole = x[:1].expand(e.shape[0], -1)
        roles = self.role2(self.dropout(nn.functional.gelu(self.role1(torch.cat([e, whole], -1)))))
        h = self.head(e)[entities.pairs[:, 0]]
        t = self.tail(e)[entities.pairs[:, 1]]
        ask = self.ask(torch.cat([h, t], -1)).view(-1, LOOKS, 64).transpose(0, 1)
        key = self.key(x).view(-1, LOOKS, 64).permute(1, 2, 0)
        look = ((ask @ key) / 8.0).softmax(-1)
        value = self.value(x).view(-1, LOOKS, PAIR // LOOKS).transpose(0, 1)
        seen = (look @ value).transpose(0, 1).reshape(-1, PAIR)
        p = entities.pair_features
        where = [self.sentence(p[:, 0]), self.distance(p[:, 1]), self.order(p[:, 2])]
        pair = [h, t, h * t, seen, *where, self.shared(p[:, 3]), entities.likeness.to(h.dtype)]
        pair_vector = self.dropout(torch.cat(pair, -1))
        relations = self.rel2(self.dropout(nn.functional.gelu(self.rel1(pair_vector))))
        return roles, relations


def pooled(m: Tensor, pool: Tensor) -> Tensor:
    """Greatest and mean `(owners, 2 x width)` of the mention vectors `(mentions, width)`.

    `pool` `(owners, mentions)` is 1 where a mention belongs to an owner.
    """
    mask = pool.to(m.dtype)
    mean = mask @ m / mask.sum(-1, keepdim=True).clamp(min=1)
    great = (m.unsqueeze(0) + (mask.unsqueeze(-1) - 1) * 1e4).amax(1)
    return torch.cat([great, mean], -1)


class Network(nn.Module):
    """All parts together; the training loop calls them in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        self.spans = SpanHead()
        self.context = Context()
        self.relate = Relate()

    def round_products(self, *, on: bool) -> None:
        """Let the products of all layers see rounded inputs and weights, or whole ones again."""
        for layer in (*self.encoder.layers, *self.context.layers):
            layer.rounded = on  # type: ignore[assignment]

    def start_context(self) -> None:
        """Begin the context layers as copies of the encoder's last ones."""
        for i, layer in enumerate(self.context.layers):
            state = self.encoder.layers[DEPTH - CONTEXT_LAYERS + i].state_dict()
            layer.load_state_dict(state)
