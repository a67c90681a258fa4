"""The training loop: batches, losses, schedule, checkpoints; resumable at any epoch's parts."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from kg.extract.layout import RELATION_MASK, ROLE_MASK, TYPES
from kg.schema import RELATIONS
from kg.train.encoder import HALF
from kg.train.targets import Targets, padded, span_targets, targets, wrong_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kg.train.data import Example
    from kg.train.network import Network

log = logging.getLogger(__name__)

RELATIONS_OF = torch.from_numpy(RELATION_MASK)
ROLES_OF = torch.from_numpy(ROLE_MASK)
#: What `Settings.rare` weighs: of each the records hold few.
RARE_TYPES = ("Dataset", "Benchmark")
RARE_RELATIONS = ("trainedOn", "comparedWith")


@dataclass(frozen=True, slots=True)
class Settings:
    """The recipe's figures.

    `doubt` is the share of names whose mark draws its type from the span scores instead of taking
    the best; from `rounded_from` of the steps on, products are rounded as in the shipped graphs.
    In the last `settled` epochs only the main records are learned from, not the `early` ones.
    `rare` weighs the losses of rare types and relations against 1 of the others.
    """

    epochs: int = 5
    batch: int = 16
    encoder_rate: float = 2e-4
    head_rate: float = 8e-4
    layer_decay: float = 0.9
    warmup: float = 0.06
    drop_title: float = 0.2
    negatives: int = 6
    span_weight: float = 1.0
    doubt: float = 0.3
    rounded_from: float = 0.75
    settled: int = 2
    rare: float = 1.0
    seed: int = 1


def losses(network: Network, batch: list[Example], settings: Settings, rng: np.random.Generator
           ) -> dict[str, Tensor]:  # fmt: skip
    """The losses of one batch by part."""
    ids, case = padded([e.pieces.ids for e in batch]), padded([e.pieces.case for e in batch])
    shape, glue = padded([e.pieces.shape for e in batch]), padded([e.pieces.glue for e in batch])
    first, last = padded([e.words.first for e in batch]), padded([e.words.last for e in batch])
    with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
        states = network.encoder(ids, case, shape, glue)
        scores = network.spans(states, first, last)
    gold, counts = span_targets(batch, first.shape[1])
    flat = scores.permute(0, 2, 3, 1)[counts]
    weight = _weights(TYPES, RARE_TYPES, settings.rare)
    span = nn.functional.cross_entropy(flat, gold[counts], weight, reduction="sum")
    out = {"span": span / max(1, sum(len(e.spans) for e in batch))}
    held = scores.detach().log_softmax(1)
    chosen = []
    for b, e in enumerate(batch):
        wrong = wrong_names(e, held[b], int(rng.integers(0, settings.negatives + 1)))
        chosen.append(targets(e, wrong, held[b], settings.doubt, rng))
    mask = torch.zeros(ids.shape).masked_fill(ids == 0, -1e4)[:, None, None]
    with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
        x = network.context.states(states, padded([t.tags for t in chosen]), mask)
        rows = [
            head_losses(network, x[b], t, settings) for b, t in enumerate(chosen) if len(t.types)
        ]
    for part in ("type", "same", "role", "relation"):
        kept = [r[part] for r in rows if part in r]
        total = sum(n for _, n in kept)
        if total:
            out[part] = torch.stack([value for value, _ in kept]).sum() / total
    return out


def _weights(names: Sequence[str], rare: Sequence[str], weight: float) -> Tensor:
    """A loss weight a class of `names`, and 1 for none."""
    return torch.tensor([weight if n in rare else 1.0 for n in names] + [1.0])


def head_losses(network: Network, x: Tensor, t: Targets, settings: Settings
                ) -> dict[str, tuple[Tensor, int]]:  # fmt: skip
    """Sums of the losses of one document's heads, each with the number of its cases."""
    m, types, same = network.context(x, t.name_input)
    cross = nn.functional.cross_entropy
    weight = _weights(TYPES, RARE_TYPES, settings.rare)
    out = {"type": (cross(types.float(), t.types, weight, reduction="sum"), len(t.types))}
    upper = torch.triu(torch.ones_like(t.same, dtype=torch.bool), 1)
    if upper.any():
        loss = nn.functional.binary_cross_entropy_with_logits(
            same.float()[upper], t.same[upper], reduction="sum"
        )
        out["same"] = (loss, len(t.types))
    if t.entity_input is not None:
        roles, relations = network.relate(x, m, t.entity_input)
        kinds = t.entity_input.types
        roles = roles.float().masked_fill(~ROLES_OF[kinds], -1e4)
        fits = ROLES_OF[kinds, t.roles]
        out["role"] = (cross(roles[fits], t.roles[fits], reduction="sum"), len(t.roles))
        if len(t.relations):
            pairs = t.entity_input.pairs
            allowed = RELATIONS_OF[kinds[pairs[:, 0]], kinds[pairs[:, 1]]]
            relations = relations.float().masked_fill(~allowed, -1e4)
            # a name typed in two ways by the annotator may put a relation where none may stand
            right = allowed[torch.arange(len(pairs)), t.relations]
            weight = _weights([r.name for r in RELATIONS], RARE_RELATIONS, settings.rare)
            loss = cross(relations[right], t.relations[right], weight, reduction="sum")
            out["relation"] = (loss, max(1, int((t.relations < len(RELATIONS)).sum())))
    return out


def optimizer_of(network: Network, settings: Settings) -> torch.optim.AdamW:
    """AdamW with rates that fall towards the encoder's bottom, no decay on vectors."""
    groups = []
    for name, parameter in network.named_parameters():
        rate = settings.head_rate
        if name.startswith("encoder.layers."):
            depth = int(name.split(".")[2])
            rate = settings.encoder_rate * settings.layer_decay ** (5 - depth)
        elif name.startswith("context.layers."):
            rate = settings.encoder_rate * 1.5
        elif name.startswith("encoder."):
            rate = settings.encoder_rate * settings.layer_decay**6
        decay = 0.01 if parameter.dim() > 1 else 0.0
        groups.append({"params": [parameter], "lr": rate, "top": rate, "weight_decay": decay})
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, fused=True)


def train(
    with_titles: list[Example], without: list[Example], network: Network, folder: Path,
    settings: Settings, *, early: int = 0, after_epoch: Callable[[int], None] | None = None,
) -> None:  # fmt: skip
    """Train `network` in place; after each epoch `folder/last.pt` holds all, to resume from.

    The first `early` examples, annotated in a hurry, are left out of the last epochs, so that what
    is learned last is how the careful annotators decide.
    """
    folder.mkdir(parents=True, exist_ok=True)
    optimizer = optimizer_of(network, settings)
    state, epoch, step = folder / "last.pt", 0, 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        epoch, step = saved["epoch"], saved["step"]
    counts = [len(with_titles)] * settings.epochs
    if early:
        counts = [
            n if e < settings.epochs - settings.settled else n - early for e, n in enumerate(counts)
        ]
    total = sum((n + settings.batch - 1) // settings.batch for n in counts)
    while epoch < settings.epochs:
        rng = np.random.default_rng([settings.seed, epoch])
        torch.manual_seed(settings.seed * 1000 + epoch)
        bare = rng.random(len(with_titles)) < settings.drop_title
        pool = [
            without[i] if bare[i] else with_titles[i]
            for i in range(len(with_titles) - counts[epoch], len(with_titles))
        ]
        lengths = np.array([len(e.pieces.ids) for e in pool]) + rng.normal(0, 30, len(pool))
        order = np.argsort(lengths)
        parts = [order[i : i + settings.batch] for i in range(0, len(order), settings.batch)]
        rng.shuffle(parts)
        running: dict[str, float] = {}
        began = time.monotonic()
        network.train()
        for n, part in enumerate(parts):
            done = step / total
            pace = min(step / (settings.warmup * total + 1), (1 - done) / (1 - settings.warmup))
            for group in optimizer.param_groups:
                group["lr"] = group["top"] * max(0.01, min(1.0, pace))
            network.round_products(on=done >= settings.rounded_from)
            out = losses(network, [pool[i] for i in part], settings, rng)
            weights = {"span": settings.span_weight}
            torch.stack([v * weights.get(k, 1.0) for k, v in out.items()]).sum().backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            for key, value in out.items():
                running[key] = 0.97 * running.get(key, value.item()) + 0.03 * value.item()
            if (n + 1) % 10 == 0:
                log.info("epoch %d %d/%d %s %.1f min", epoch, n + 1, len(parts),
                         " ".join(f"{k} {v:.3f}" for k, v in running.items()),
                         (time.monotonic() - began) / 60)  # fmt: skip
        epoch += 1
        held = {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**held, "epoch": epoch, "step": step}, folder / "next.pt")
        (folder / "next.pt").replace(state)
        if after_epoch is not None:
            after_epoch(epoch)
