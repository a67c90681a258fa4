"""The network itself in place of its exported graphs, to score parts that no graph is written for.

Each session takes and gives what the graph of its name does (`kg.train.export`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from kg.extract.layout import NONE, WIDEST
from kg.train.network import EntityInput, NameInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.extract.model import Session
    from kg.train.network import Network

Feed = dict[str, torch.Tensor]


class TorchSession:
    """One part of the network, run without gradients."""

    def __init__(self, part: Callable[[Feed], tuple[torch.Tensor, ...]]) -> None:
        self._part = part

    def run(self, output_names: None, input_feed: dict[str, np.ndarray], /) -> list[np.ndarray]:
        """All outputs, in the graph's order."""
        del output_names
        with torch.no_grad():
            feed = {name: torch.from_numpy(np.asarray(a)) for name, a in input_feed.items()}
            return [out.float().numpy() for out in self._part(feed)]


def sessions_of(network: Network) -> dict[str, Session]:
    """The four sessions of a network in evaluation mode."""

    def encode(f: Feed) -> tuple[torch.Tensor, ...]:
        states = network.encoder(f["ids"], f["case"], f["shape"], f["glue"])
        scores = network.spans(states, f["first"][None], f["last"][None])[0]
        # the head has added the scores of widths already
        return states, scores, torch.zeros(NONE + 1, WIDEST)

    def context(f: Feed) -> tuple[torch.Tensor, ...]:
        mask = torch.zeros(1, 1, 1, f["tags"].shape[1])
        return (network.context.states(f["states"], f["tags"], mask),)

    def names(f: Feed) -> tuple[torch.Tensor, ...]:
        given = NameInput(f["first"], f["last"], f["pool"], f["likeness"])
        vectors, types, same = network.context(f["x"], given)
        return vectors, types, same

    def relate(f: Feed) -> tuple[torch.Tensor, ...]:
        given = EntityInput(
            f["pool"], f["features"], f["kinds"], f["pairs"], f["pair_features"], f["likeness"]
        )
        roles, relations = network.relate(f["x"], f["vectors"], given)
        return roles, relations

    parts = {"encode": encode, "context": context, "names": names, "relate": relate}
    return {name: TorchSession(part) for name, part in parts.items()}
