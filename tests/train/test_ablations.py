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


def one_layer(network):
    """Leave one layer in the encoder."""
    network.encoder.layers = network.encoder.layers[:1]


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
    from kg.train.ablations import run, table
    from kg.train.loop import Settings
    from kg.train.variants import Variant

    settings = Settings(epochs=1, batch=4)
    variant = Variant("blind", "small and blind", 1.0, settings, features=False, change=one_layer)
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


@pytest.mark.parametrize("name", ["letters", "tags", "first", "no-context", "layers-4", "rare"])
def test_each_changed_network_learns_and_reads(tmp_path, name):
    from dataclasses import replace

    from kg.train.ablations import run
    from kg.train.variants import VARIANTS

    (variant,) = (v for v in VARIANTS if v.name == name)
    settings = replace(variant.settings, epochs=1, batch=4)
    records = [record(n) for n in range(12)]
    row = run(replace(variant, share=1.0, settings=settings), records, tmp_path, encoder=None)
    assert row["mention"]["gold"] == 8
    assert (tmp_path / name / "model" / "encode.onnx").exists() == variant.graphs


def test_taught_records_have_the_first_models_labels_and_no_others(tmp_path, monkeypatch):
    from kg.train import ablations

    records = [record(n) for n in range(60)]
    learn, _ = ablations.hold_out(records, ablations.HELD)
    monkeypatch.setattr(ablations, "run", lambda *_, **__: {})
    monkeypatch.setattr(
        ablations,
        "predict",
        lambda texts, model: {str(r["id"]): {"entities": [], "relations": []} for r in texts},
    )
    texts = ablations._taught(learn[:10], records, tmp_path)
    assert [r["id"] for r in texts] == [r["id"] for r in learn[10:20]]
    assert all(r["entities"] == [] and r["title"] for r in texts)


def test_the_network_reads_what_its_graphs_read(tmp_path):
    import numpy as np
    import torch

    from kg.extract.model import OnnxModel
    from kg.train.config import default_config, write_config
    from kg.train.export import export
    from kg.train.network import Network
    from kg.train.recipe import begin
    from kg.train.sessions import sessions_of

    torch.manual_seed(1)
    network = Network()
    begin(network, None)
    network.round_products(on=True)
    network.eval()
    export(network, tmp_path)
    write_config(default_config("both"), tmp_path)
    text = "Fern Nets sort leaves of a hundred plants. " * 30
    graphs = OnnxModel(tmp_path).encode(text)
    torches = OnnxModel(tmp_path, sessions=sessions_of(network)).encode(text)
    assert len(graphs.windows) == 1
    # rounding on untrained weights differs in its last step, and more from layer to layer
    assert np.corrcoef(graphs.states.ravel(), torches.states.ravel())[0, 1] > 0.98
    fits = graphs.scores > -20
    assert np.corrcoef(graphs.scores[fits], torches.scores[fits])[0, 1] > 0.98


def test_letters_tell_case_and_spelling_apart():
    import torch

    from kg.extract.pieces import PIECE_CASES
    from kg.train.encoder import package_folder, tokenizer_of
    from kg.train.variants import Letters

    letters = Letters().eval()
    assert not letters(torch.tensor([[7]]), torch.tensor([[1]])).any()
    torch.nn.init.normal_(letters.out.weight)
    piece = tokenizer_of(package_folder()).token_to_id("fern")
    cases = [PIECE_CASES.index(c) for c in ("lower", "title", "upper", "mark", "lower")]
    rows = letters(torch.tensor([[piece] * 4 + [piece + 1]]), torch.tensor([cases]))[0]
    assert torch.equal(rows[0], rows[3])
    assert not any(torch.allclose(rows[0], rows[i]) for i in (1, 2, 4))
    assert not torch.allclose(rows[1], rows[2])
