"""Continued pre-training: masked words over unlabelled abstracts, before any label is seen.

The recipe is BERT's (Devlin et al. 2019) with 20 % of the words masked whole (Cui et al. 2019), the
case features of a masked word hidden half of the time so that the model learns to use them.
"""

from __future__ import annotations

import json
import logging
import lzma
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from kg.extract.pieces import encode
from kg.train.encoder import VOCABULARY, WIDTH, Encoder, load_minilm, package_folder

log = logging.getLogger(__name__)
MASK, LONGEST = 103, 320


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
        rows = []
        for at in range(0, len(texts), 512):
            for p in encode(list(texts[at : at + 512]), tokenizer):
                rows.append(np.stack([p.ids, p.case, p.shape, p.glue, p.word])[:, :LONGEST])
        lengths = np.array([r.shape[1] for r in rows])
        np.savez(cache, data=np.concatenate(rows, axis=1).astype(np.int32), lengths=lengths)
    with np.load(cache) as held:
        ends = np.cumsum(held["lengths"])[:-1]
        return np.split(held["data"], ends, axis=1)


def mask_words(batch: Tensor, word: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Hide a fifth of the words, whole: the changed batch, where, and the ids that stood there."""
    texts, length = word.shape
    chosen = torch.rand((texts, int(word.max()) + 2), generator=rng) < 0.20
    hidden = chosen.gather(1, word.clamp(min=0)) & (word >= 0)
    gold = batch[0][hidden]
    out = batch.clone()
    fate = torch.rand(hidden.shape, generator=rng)
    out[0][hidden & (fate < 0.8)] = MASK
    anything = torch.randint(1000, VOCABULARY, hidden.shape, generator=rng)
    out[0] = torch.where(hidden & (fate >= 0.9), anything, out[0])
    blind = hidden & (torch.rand((texts, 1), generator=rng) < 0.5)
    for feature in (1, 2):
        out[feature][blind] = 0
    return out, hidden, gold


def batches(rows: list[np.ndarray], pieces: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Indices in batches of at most `pieces` padded pieces, like lengths together, order shuffled."""
    noise = rng.normal(0, 8, len(rows))
    order = sorted(range(len(rows)), key=lambda i: rows[i].shape[1] + noise[i])
    out, now, longest = [], [], 0
    for i in order:
        longest = max(longest, rows[i].shape[1])
        if now and longest * (len(now) + 1) > pieces:
            out.append(np.array(now))
            now, longest = [], rows[i].shape[1]
        now.append(i)
    out.append(np.array(now))
    rng.shuffle(out)
    return out


def pretrain(
    paths: Sequence[Path], checkpoint: Path, *, skip: Path | None, minutes: float, seed: int = 1,
    rate: float = 4e-4, pieces: int = 10_000,
) -> None:  # fmt: skip
    """Train on `paths` for `minutes` of compute, saving encoder weights to `checkpoint`, resumable."""
    tokenizer = Tokenizer.from_file(str(package_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    held_out = set(read_texts([skip])) if skip else set()
    texts = list(dict.fromkeys(t for t in read_texts(paths) if t not in held_out))
    rows = prepare(texts, tokenizer, checkpoint.with_suffix(".npz"))
    torch.manual_seed(seed)
    model = MaskedWords(Encoder())
    load_minilm(model.encoder, package_folder())
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}],
        lr=rate, betas=(0.9, 0.98), eps=1e-6, fused=True,
    )  # fmt: skip
    state = checkpoint.with_suffix(".state")
    spent, step, epoch, at = 0.0, 0, 0, 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        spent, step, epoch, at = saved["where"]
    running: list[float] = []
    model.train()

    def save(*, whole: bool) -> None:
        torch.save(model.encoder.state_dict(), checkpoint)
        if whole:
            where = [spent, step, epoch, at]
            held = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save({**held, "where": where}, state)

    while spent < minutes * 60:
        rng = np.random.default_rng([seed, epoch])
        order = batches(rows, pieces, rng)
        while at < len(order) and spent < minutes * 60:
            began = time.monotonic()
            chosen = [rows[i] for i in order[at]]
            longest = max(r.shape[1] for r in chosen)
            batch = torch.zeros((5, len(chosen), longest), dtype=torch.long)
            batch[4] = -1
            for i, r in enumerate(chosen):
                batch[:, i, : r.shape[1]] = torch.from_numpy(r.astype(np.int64))
            draw = torch.Generator().manual_seed(seed * 1_000_003 + step)
            changed, hidden, gold = mask_words(batch[:4], batch[4], draw)
            done = spent / (minutes * 60)
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 100) * max(0.02, 1 - done)
            with torch.autocast("cpu", torch.bfloat16):
                scores = model(changed, hidden)
            loss = nn.functional.cross_entropy(scores.float(), gold)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            running.append(loss.item())
            spent += time.monotonic() - began
            step, at = step + 1, at + 1
            if step % 25 == 0:
                log.info("step %d epoch %d %d/%d loss %.3f %.1f min", step, epoch, at, len(order),
                         float(np.mean(running[-100:])), spent / 60)  # fmt: skip
            if step % 400 == 0:
                save(whole=True)
        if at >= len(order):
            epoch, at = epoch + 1, 0
    save(whole=True)
