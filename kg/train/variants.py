"""What is tried beside the recipe: a row a variant, and the parts of networks that only these have.

A variant's `change` is made to a new network before it learns; `graphs` says whether the changed
network can still be exported (else it is scored in torch, `kg.train.sessions`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from kg.extract.layout import NONE
from kg.extract.pieces import PIECE_CASES
from kg.train.encoder import VOCABULARY, WIDTH, package_folder, tokenizer_of
from kg.train.loop import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.train.network import Network

#: Passes and share of the records of every variant: few, since only differences count. Small
#: batches make as many steps of few records as the recipe makes of a quarter.
EPOCHS, SHARE = 5, 0.125
_BASE = Settings(epochs=EPOCHS, batch=8)


class WordTags(nn.Module):
    """A span's score as the sum of its words' (begins, is inside, ends after): tags, not ends.

    Takes the place of `kg.train.network.SpanHead`, with the same inputs and outputs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tags = nn.Linear(WIDTH, 3 * (NONE + 1))
        self.dropout = nn.Dropout(0.15)

    def forward(self, states: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """Scores `(batch, types + 1, words, words)`; see `SpanHead.forward`."""
        del last
        at = first.unsqueeze(-1).expand(-1, -1, WIDTH)
        tags = self.tags(self.dropout(states.gather(1, at))).float()
        begins, inside, after = tags.transpose(1, 2).chunk(3, dim=1)
        sums = inside.cumsum(-1)
        within = sums.unsqueeze(-2) - sums.unsqueeze(-1)
        behind = nn.functional.pad(after[..., 1:], (0, 1))
        out: Tensor = begins.unsqueeze(-1) + within + behind.unsqueeze(-2)
        return out


class Letters(nn.Module):
    """A vector a piece from its letters as they are cased (a character network: Kim et al. 2016).

    The letters are those of the vocabulary's piece, capitals given by the piece's case class.
    """

    MOST, SIZE, CHANNELS = 16, 32, 128

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("spelled", _spelled(self.MOST), persistent=False)
        self.table = nn.Embedding(64, self.SIZE, padding_idx=0)
        self.windows = nn.Conv1d(self.SIZE, self.CHANNELS, 3, padding=1)
        self.out = nn.Linear(self.CHANNELS, WIDTH)
        # nothing at first: published weights unlearn more from a disturbed input than letters give
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, ids: Tensor, case: Tensor) -> Tensor:
        """Ids and case classes `(batch, pieces)` to `(batch, pieces, width)`."""
        both, back = torch.unique(ids * len(PIECE_CASES) + case, return_inverse=True)
        kind = both % len(PIECE_CASES)
        letters = self.spelled[both // len(PIECE_CASES)]  # type: ignore[index]
        small = (letters >= 1) & (letters <= 26)
        upper = (kind == PIECE_CASES.index("upper")) | (kind == PIECE_CASES.index("single"))
        capital = upper[:, None].expand_as(letters).clone()
        capital[:, 0] |= kind == PIECE_CASES.index("title")
        letters = torch.where(small & capital, letters + 26, letters)
        seen = self.windows(self.table(letters).transpose(1, 2)).amax(-1)
        out: Tensor = self.out(nn.functional.gelu(seen))[back]
        return out


def _spelled(most: int) -> Tensor:
    """Letters of each piece of the vocabulary: a to z from 1, digits from 53, others 63."""
    out = torch.zeros(VOCABULARY, most, dtype=torch.long)
    for piece, number in tokenizer_of(package_folder()).get_vocab().items():
        for i, c in enumerate(piece.removeprefix("##")[:most]):
            if "a" <= c <= "z":
                out[number, i] = ord(c) - ord("a") + 1
            else:
                out[number, i] = 53 + int(c) if c.isascii() and c.isdigit() else 63
    return out


def with_letters(network: Network) -> None:
    """Add the vectors of letters to the encoder's input."""
    letters = Letters()
    network.add_module("letters", letters)
    held: dict[str, Tensor] = {}

    def keep(_: nn.Module, given: tuple[Tensor, ...]) -> None:
        held["letters"] = letters(given[0], given[1])

    network.encoder.register_forward_pre_hook(keep)
    network.encoder.norm.register_forward_pre_hook(lambda _, x: (x[0] + held.pop("letters"),))


def with_tags(network: Network) -> None:
    """Score spans by the tags of their words."""
    network.spans = WordTags()  # type: ignore[assignment]


def with_first_mentions(network: Network) -> None:
    """Read groups and entities from their first mention alone, not from all of them pooled."""

    def first(owner: Any) -> Any:  # noqa: ANN401 (NameInput or EntityInput)
        pool = owner.pool
        return replace(owner, pool=pool * (pool.cumsum(-1) == 1))

    network.context.register_forward_pre_hook(lambda _, x: (x[0], first(x[1])))
    network.relate.register_forward_pre_hook(lambda _, x: (x[0], x[1], first(x[2])))


def without_context(network: Network) -> None:
    """Read types, roles and relations off the encoder's states, no layer between."""
    network.context.layers = nn.ModuleList()


def with_four_layers(network: Network) -> None:
    """Leave out the encoder's last two layers."""
    network.encoder.layers = network.encoder.layers[:4]


def shallow(network: Network) -> None:
    """Half the layers: neither the encoder's last two nor those behind the marks."""
    with_four_layers(network)
    without_context(network)


@dataclass(frozen=True, slots=True)
class Variant:
    """One change to the recipe; `base` is the recipe itself on an eighth of the records.

    A `taught` variant learns early from as many further records as `base` reads them.
    """

    name: str
    what: str
    share: float = SHARE
    settings: Settings = _BASE
    features: bool = True
    change: Callable[[Network], None] | None = None
    graphs: bool = True
    taught: bool = False
    pretrained: bool = False


VARIANTS = (
    Variant("base", "the recipe, published MiniLM weights, an eighth of the records"),
    Variant("pretrained", "continued pre-training by masked words", pretrained=True),
    Variant("quarter", "a quarter of the records", share=0.25),
    Variant("half", "half of the records", share=0.5),
    Variant("all", "all records but the held-out ones", share=1.0),
    Variant("taught", "as many further texts, labelled by the first row's model", taught=True),
    Variant("seed-2", "another seed", settings=replace(_BASE, seed=2)),
    Variant("seed-3", "a third seed", settings=replace(_BASE, seed=3)),
    Variant("no-features", "without case, shape and gluing of pieces", features=False),
    Variant("letters", "with a character network", change=with_letters, graphs=False),
    Variant("tags", "spans scored by tags of words", change=with_tags, graphs=False),
    Variant("rare", "rare types and relations weigh three", settings=replace(_BASE, rare=3.0)),
    Variant("no-context", "no context layers behind the marks", change=without_context),
    Variant("first", "first mention, not all pooled", change=with_first_mentions, graphs=False),
    Variant("titles", "titles never dropped", settings=replace(_BASE, drop_title=0.0)),
    Variant("sure-marks", "marks never drawn", settings=replace(_BASE, doubt=0.0)),
    Variant("no-negatives", "no wrong names among the marks", settings=replace(_BASE, negatives=0)),
    Variant("unrounded", "products never rounded", settings=replace(_BASE, rounded_from=1.0)),
    Variant("layers-4", "four encoder layers", change=with_four_layers),
    Variant("shallow", "four encoder layers and no context layers", change=shallow),
)
