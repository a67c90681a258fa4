"""A model folder back to a network, so that training can start from shipped weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import onnx
import torch
from onnx import numpy_helper

from kg.errors import ModelError
from kg.extract.model import GRAPHS, read_config

if TYPE_CHECKING:
    from pathlib import Path

    from kg.train.network import Network


def load_folder(network: Network, folder: Path) -> None:
    """Fill `network` with the weights of the graphs in `folder` (float16, or int8 with scales).

    Raises:
        ModelError: the folder is no model folder or its weights do not fit.

    """
    read_config(folder)
    found: dict[str, torch.Tensor] = {}
    for graph in GRAPHS:
        path = folder / f"{graph}.onnx"
        if not path.is_file():
            raise ModelError(f"{str(folder)!r} is no model folder: it has no {path.name}")
        for held in onnx.load(str(path)).graph.initializer:
            found[held.name] = torch.from_numpy(numpy_helper.to_array(held).copy())
    state = {}
    for name, parameter in network.named_parameters():
        if f"{name}.int8" in found:
            value = found[f"{name}.int8"].float() * found[f"{name}.scale"]
        elif f"{name}.T.int8" in found:
            value = found[f"{name}.T.int8"].float().t() * found[f"{name}.T.scale"][:, None]
        elif f"{name}.T" in found:
            value = found[f"{name}.T"].float().t()
        elif name in found:
            value = found[name].float()
        else:
            raise ModelError(f"{str(folder)!r} lacks the weights {name!r}: train from scratch")
        if value.shape != parameter.shape:
            raise ModelError(f"{str(folder)!r} has {name!r} of shape {tuple(value.shape)}")
        state[name] = value
    network.load_state_dict(state)
