"""What stands in a model folder beside the graphs: the decoding figures and the tokenizer."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING

from kg.extract.layout import TYPES
from kg.extract.model import FORMAT, Config
from kg.schema import RELATIONS, ROLES
from kg.train.encoder import package_folder

if TYPE_CHECKING:
    from pathlib import Path


def default_config(name: str) -> Config:
    """The figures before anything is chosen on development records."""
    return Config(
        name=name,
        span_bias=0.0,
        type_weight=0.5,
        none_bias=0.0,
        same_threshold=0.5,
        type_bias=dict.fromkeys(TYPES, 0.0),
        relation_threshold={r.name: 0.35 for r in RELATIONS},
        temperature=dict.fromkeys(("mention", "type", "same", "role", "relation"), 1.0),
        calibration={
            k: [[0.0, 0.0], [1.0, 1.0]] for k in ("mention", "entity", "role", "relation")
        },
    )


def write_config(config: Config, folder: Path) -> None:
    """Write `config.json` and copy the tokenizer."""
    held = asdict(config)
    name = held.pop("name")
    labels = {"types": list(TYPES), "roles": [r.name for r in ROLES]}
    labels["relations"] = [r.name for r in RELATIONS]
    whole = {"format": FORMAT, "name": name, **labels, "decoding": held}
    text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")
    shutil.copyfile(package_folder() / "tokenizer.json", folder / "tokenizer.json")
