"""The card's counts: what was found and right, by kind of edge."""

import json
import shutil

from kg.extract.model import SHIPPED, model_version
from kg.train.card import write_precisions


def record(entities, relations):
    names = ("id", "type", "role", "mentions")
    return {
        "id": "r", "title": "", "abstract": "Fern Nets beat Moss Trees at leaf sorting.",
        "entities": [dict(zip(names, e, strict=True)) for e in entities],
        "relations": relations,
    }  # fmt: skip


def test_each_kind_has_what_was_found_and_what_was_right(tmp_path):
    for path in SHIPPED.iterdir():
        if path.suffix in (".onnx", ".json") and path.name != "card.json":
            shutil.copy(path, tmp_path)
    fern = ("e1", "Method", "proposes", ["Fern Nets"])
    moss = ("e2", "Method", "comparesWith", ["Moss Trees"])
    task = ("e3", "Task", "addresses", ["leaf sorting"])
    gold = {
        "a": record([fern, moss, task], [["e1", "outperforms", "e2"], ["e1", "usedFor", "e3"]]),
        "missed": record([fern], []),
    }
    wrong_role = ("e2", "Method", "uses", ["Moss Trees"])
    wrong_type = ("e3", "Metric", "measures", ["leaf sorting"])
    found = {
        "a": record(
            [fern, wrong_role, wrong_type],
            [["e1", "outperforms", "e2"], ["e2", "outperforms", "e1"]],
        )
    }
    write_precisions(tmp_path, gold, found)
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["model"] == model_version(tmp_path)
    assert card["records"] == 2
    assert {k: (c["right"], c["found"]) for k, c in card["precision"].items() if c["found"]} == {
        "Method": (2, 2),
        "Metric": (0, 1),
        "proposes": (1, 1),
        "uses": (0, 1),
        "measures": (0, 1),
        "outperforms": (1, 2),
    }
