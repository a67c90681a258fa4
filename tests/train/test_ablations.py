"""Ablations: what is held out, what a variant changes, the table that is written."""

import json

import pytest

pytestmark = pytest.mark.train


def record(n: int) -> dict:
    """One annotated record made by rule."""
    return {
        "id": f"r{n}",
        "title": f"Fern Nets {n} for leaf sorting",
        "abstract": f"We propose Fern Nets {n} for leaf sorting.",
        "entities": [
            {"id": "e1", "type": "Method", "role": "proposes", "mentions": [f"Fern Nets {n}"]},
            {"id": "e2", "type": "Task", "role": "addresses", "mentions": ["leaf sorting"]},
        ],
        "relations": [["e1", "usedFor", "e2"]],
    }


def test_what_is_held_out_is_not_learned_from():
    from kg.train.data import hold_out

    records = [record(n) for n in range(40)]
    twice = [*records, record(3)]
    learn, held = hold_out(twice, 30)
    assert not {r["id"] for r in learn} & {r["id"] for r in held}
    assert len(learn) + len(held) == len(twice)
    assert len({r["id"] for r in held}) == 8
    again = hold_out(list(reversed(twice)), 30)
    assert [r["id"] for r in again[0]] == [r["id"] for r in learn]


def test_a_variant_is_trained_scored_and_not_run_twice(tmp_path):
    from kg.train.ablations import Variant, run, table
    from kg.train.loop import Settings

    settings = Settings(epochs=1, batch=4)
    variant = Variant("blind", "small and blind", 1.0, settings, features=False, layers=1)
    records = [record(n) for n in range(12)]
    row = run(variant, records, tmp_path, encoder=None)
    assert (row["records"], row["held"]) == (10, 2)
    assert row["mention"]["gold"] == 8
    kept = tmp_path / "blind.json"
    kept.write_text(json.dumps(row | {"what": "from the file"}))
    assert run(variant, records, tmp_path, encoder=None)["what"] == "from the file"
    graph = (tmp_path / "blind" / "model" / "encode.onnx").read_bytes()
    assert b"layers.0.up" in graph
    assert b"layers.1.up" not in graph
    base = row | {"name": "base", "what": "the recipe"}
    lines = table([base, row]).splitlines()
    assert "to" in lines[2]
    assert "(+0.0)" in lines[3]


def test_a_blind_variant_sees_no_case():
    import torch

    from kg.train.ablations import _blind, _forget_features
    from kg.train.data import load_examples
    from kg.train.encoder import package_folder, tokenizer_of
    from kg.train.network import Network

    (example,) = load_examples([record(1)], tokenizer_of(package_folder()), titles=True)
    assert example.pieces.case.any()
    assert not _blind(example).pieces.case.any()
    network = Network()
    _forget_features(network)
    table = network.encoder.case.weight
    assert torch.equal(table[0], table[-1])
