"""Continued pre-training: masked words over unlabelled abstracts, before any label is seen.

The recipe is BERT's (Devlin et al. 2019) with 15 % of the words masked whole (Cui et al. 2019), the
case features of a masked word hidden half of the time so that the model learns to use them.

`python -m kg.train.pretrain TEXTS.jsonl … -o encoder.pt --minutes 60 [--skip DEV.jsonl]` writes the
encoder that `kg train --encoder` begins with; a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import logging
import lzma
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from kg.extract.pieces import encode
from kg.train.encoder import (
    HALF,
    VOCABULARY,
    WIDTH,
    Encoder,
    load_minilm,
    package_folder,
    tokenizer_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizers import Tokenizer

log = logging.getLogger(__name__)
MASK, LONGEST = 103, 320


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """The figures of the recipe; `minutes` of compute bound it, whatever is spent on waiting."""

    minutes: float
    seed: int = 1
    rate: float = 4e-4
    pieces: int = 3_000
    save_every: int = 200


class MaskedWords(nn.Module):
    """BERT's masked-word head over tied piece embeddings."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))

    def forward(self, batch: Tensor, hidden: Tensor) -> Tensor:
        """Scores of the vocabulary at the `hidden` pieces; `batch` is `(4, texts, pieces)`."""
        x = self.encoder(*batch)[hidden]
        x = self.norm(nn.functional.gelu(self.dense(x)))
        return nn.functional.linear(x, self.encoder.pieces.weight, self.bias)


def read_texts(paths: Sequence[Path]) -> Iterator[str]:
    """Title and abstract of every record of JSONL files, `.xz` or plain."""
    for path in paths:
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                yield f"{record.get('title') or ''}\n{record['abstract']}".strip()


def prepare(texts: Sequence[str], tokenizer: Tokenizer, cache: Path) -> list[np.ndarray]:
    """Each text as an array `(5, pieces)` of ids, case, shape, glue, word; kept in `cache`."""
    if not cache.exists():
        rows = [
            np.stack([p.ids, p.case, p.shape, p.glue, p.word])[:, :LONGEST]
            for at in range(0, len(texts), 512)
            for p in encode(list(texts[at : at + 512]), tokenizer)
        ]
        lengths = np.array([r.shape[1] for r in rows])
        np.savez(cache, data=np.concatenate(rows, axis=1).astype(np.int32), lengths=lengths)
    with np.load(cache) as held:
        ends = np.cumsum(held["lengths"])[:-1]
        return np.split(held["data"], ends, axis=1)


def mask_words(batch: Tensor, word: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Hide 15 % of the words, whole: the changed batch, where, and the ids that stood there."""
    chosen = torch.rand((len(word), int(word.max()) + 2), generator=rng) < 0.15
    hidden = chosen.gather(1, word.clamp(min=0)) & (word >= 0)
    gold = batch[0][hidden]
    out = batch.clone()
    fate = torch.rand(hidden.shape, generator=rng)
    out[0][hidden & (fate < 0.8)] = MASK
    anything = torch.randint(1000, VOCABULARY, hidden.shape, generator=rng)
    out[0] = torch.where(hidden & (fate >= 0.9), anything, out[0])
    blind = hidden & (torch.rand((len(word), 1), generator=rng) < 0.5)
    for feature in (1, 2):
        out[feature][blind] = 0
    return out, hidden, gold


def batches(rows: list[np.ndarray], pieces: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Give indices in batches of at most `pieces` padded pieces, like lengths together."""
    noise = rng.normal(0, 8, len(rows))
    order = sorted(range(len(rows)), key=lambda i: rows[i].shape[1] + noise[i])
    out: list[np.ndarray] = []
    now: list[int] = []
    longest = 0
    for i in order:
        longest = max(longest, rows[i].shape[1])
        if now and longest * (len(now) + 1) > pieces:
            out.append(np.array(now))
            now, longest = [], rows[i].shape[1]
        now.append(i)
    out.append(np.array(now))
    return [out[i] for i in rng.permutation(len(out))]


class Pretraining:
    """A run of masked-word training that can stop and go on: model, optimizer, where it stands."""

    def __init__(self, checkpoint: Path, settings: MaskSettings) -> None:
        torch.manual_seed(settings.seed)
        self.settings, self.checkpoint = settings, checkpoint
        # without dropout: hardly more than one pass over the data, nothing to overfit
        self.model = MaskedWords(Encoder(dropout=0.0))
        load_minilm(self.model.encoder, package_folder())
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p], "weight_decay": 0.01 if p.dim() > 1 else 0.0}
                for p in self.model.parameters()
            ],
            lr=settings.rate, betas=(0.9, 0.98), eps=1e-6, fused=True,
        )  # fmt: skip
        self.spent, self.step, self.epoch, self.at = 0.0, 0, 0, 0
        self.state = checkpoint.with_suffix(".state")
        if self.state.exists():
            saved = torch.load(self.state, weights_only=True)
            self.model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.spent, self.step, self.epoch, self.at = saved["where"]

    @property
    def done(self) -> float:
        """The share of the minutes that is spent."""
        return self.spent / (self.settings.minutes * 60)

    def save(self) -> None:
        """Write the encoder's weights and all that resuming needs."""
        torch.save(self.model.encoder.state_dict(), self.checkpoint)
        where = [self.spent, self.step, self.epoch, self.at]
        held = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save({**held, "where": where}, self.state)

    def learn(self, rows: list[np.ndarray]) -> float:
        """Take one step on `rows`; give the loss."""
        began = time.monotonic()
        longest = max(r.shape[1] for r in rows)
        batch = torch.zeros((5, len(rows), longest), dtype=torch.long)
        batch[4] = -1
        for i, row in enumerate(rows):
            batch[:, i, : row.shape[1]] = torch.from_numpy(row.astype(np.int64))
        draw = torch.Generator().manual_seed(self.settings.seed * 1_000_003 + self.step)
        changed, hidden, gold = mask_words(batch[:4], batch[4], draw)
        for group in self.optimizer.param_groups:
            warm = min(1.0, (self.step + 1) / 100)
            group["lr"] = self.settings.rate * warm * max(0.02, 1 - self.done)
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            scores = self.model(changed, hidden)
        loss = nn.functional.cross_entropy(scores.float(), gold)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.spent += time.monotonic() - began
        self.step, self.at = self.step + 1, self.at + 1
        return float(loss.item())


def pretrain(
    paths: Sequence[Path], checkpoint: Path, *, skip: Path | None, settings: MaskSettings
) -> None:
    """Train on the texts of `paths` but those of `skip`; resumes where a run was stopped."""
    held_out = set(read_texts([skip])) if skip else set()
    texts = list(dict.fromkeys(t for t in read_texts(paths) if t not in held_out))
    rows = prepare(texts, tokenizer_of(package_folder()), checkpoint.with_suffix(".npz"))
    run = Pretraining(checkpoint, settings)
    run.model.train()
    while run.done < 1:
        order = batches(rows, settings.pieces, np.random.default_rng([settings.seed, run.epoch]))
        while run.at < len(order) and run.done < 1:
            loss = run.learn([rows[i] for i in order[run.at]])
            if run.step % 25 == 0:
                log.info("step %d, loss %.3f, %.0f %%", run.step, loss, 100 * run.done)
            if run.step % settings.save_every == 0:
                run.save()
        if run.at >= len(order):
            run.epoch, run.at = run.epoch + 1, 0
    run.save()


def main() -> None:
    """Pre-train for the minutes that are asked for."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(prog="python -m kg.train.pretrain", description=__doc__)
    parser.add_argument("texts", type=Path, nargs="+", help="JSONL with title and abstract, or .xz")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--skip", type=Path, help="records whose texts are left out")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    settings = MaskSettings(minutes=asked.minutes, seed=asked.seed)
    pretrain(asked.texts, asked.out, skip=asked.skip, settings=settings)


if __name__ == "__main__":
    main()
