"""Training: a smoke run with its folder, resuming, what the graphs and the network share."""

import json
import random

import pytest

from kg.errors import InputError, ModelError

pytestmark = pytest.mark.train

METHODS = ["Fern Nets", "Moss Trees", "Ivy Search", "Reed Attention", "Oak Sampling", "Elm Flows"]
TASKS = ["leaf sorting", "seed counting", "root tracking", "bark parsing"]
DATA = ["LeafBench", "SeedSet", "RootBank"]


def records(count: int) -> list[dict]:
    """Annotated records made by rule, enough to run on."""
    rng = random.Random(3)  # noqa: S311
    out = []
    for i in range(count):
        method, rival = rng.sample(METHODS, 2)
        task, data = rng.choice(TASKS), rng.choice(DATA)
        out.append(
            {
                "id": f"r{i}",
                "title": f"{method} for {task}",
                "abstract": f"We propose {method} for {task}. On {data} it beats {rival} by far.",
                "entities": [
                    {"id": "e1", "type": "Method", "role": "proposes", "mentions": [method]},
                    {"id": "e2", "type": "Task", "role": "addresses", "mentions": [task]},
                    {"id": "e3", "type": "Benchmark", "role": "evaluatesOn", "mentions": [data]},
                    {"id": "e4", "type": "Method", "role": "comparesWith", "mentions": [rival]},
                ],
                "relations": [
                    ["e1", "usedFor", "e2"],
                    ["e1", "evaluatedOn", "e3"],
                    ["e1", "outperforms", "e4"],
                ],
            }
        )
    return out


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in records(40)))
    return path


@pytest.mark.slow
def test_a_smoke_run_gives_a_model_that_reads(tmp_path, run_kg, data):
    dev, out = tmp_path / "dev.jsonl", tmp_path / "model"
    dev.write_text("".join(json.dumps(r | {"id": f"d{r['id']}"}) + "\n" for r in records(12)))
    done = run_kg(
        "train", data, "--dev", dev, "-o", out, "--epochs", 1, "--limit", 40, "--from-shipped"
    )
    assert done.code == 0
    assert "Calibration" in (out / "CARD.md").read_text()
    assert sum(p.stat().st_size for p in out.glob("*.onnx")) < 60e6
    scores = run_kg("evaluate", dev, "--model", out)
    assert scores.code == 0
    mention = next(line for line in scores.out.splitlines() if line.startswith("mention"))
    assert float(mention.split("F1 ")[1].split()[0]) > 0.3


def test_a_folder_gives_back_the_weights_it_was_written_from(tmp_path):
    import torch

    from kg.extract.model import SHIPPED
    from kg.train.config import default_config, write_config
    from kg.train.export import export
    from kg.train.folder import load_folder
    from kg.train.network import Network

    first, second = Network(), Network()
    load_folder(first, SHIPPED)
    export(first, tmp_path)
    write_config(default_config("again"), tmp_path)
    load_folder(second, tmp_path)
    for (name, a), b in zip(first.named_parameters(), second.parameters(), strict=True):
        # half a step of 7 bits where products are over whole numbers, else half precision
        step = a.abs().amax(-1, keepdim=True) / 126 if a.dim() > 1 else torch.zeros(1)
        assert ((a - b).abs() <= step * 1.01 + 2e-3).all(), name


def test_rounding_in_training_is_that_of_the_graphs():
    import torch

    from kg.train.encoder import Layer
    from kg.train.export import whole_rows

    torch.manual_seed(3)
    layer = Layer(dropout=0.0)
    layer.rounded = True
    x = torch.randn(2, 5, 384)
    got = layer.product(x, layer.up)
    weights, scale = whole_rows(layer.up.weight.detach().numpy())
    for text, out in zip(x, got, strict=True):
        step = (text.max() - text.min()) / 255
        whole = torch.round(text / step)
        exact = whole @ torch.from_numpy(weights).float().T * step * torch.from_numpy(scale)[:, 0]
        assert torch.allclose(out, exact + layer.up.bias, atol=1e-4)
    got.sum().backward()
    assert layer.up.weight.grad is not None


def test_the_graphs_compute_what_the_network_computes():
    import numpy as np
    import torch

    from kg.extract.layout import WIDEST
    from kg.extract.model import SHIPPED, OnnxModel
    from kg.train.folder import load_folder
    from kg.train.network import Network

    network = Network()
    load_folder(network, SHIPPED)
    network.eval()
    network.round_products(on=True)
    text = "We propose Fern Nets (FN) for leaf sorting. On LeafBench, FN beat Moss Trees by far."
    read = OnnxModel(SHIPPED).encode(text)
    p, w = read.pieces, read.words
    with torch.inference_mode():
        rows = (torch.from_numpy(a)[None] for a in (p.ids, p.case, p.shape, p.glue))
        states = network.encoder(*rows)
        ends = (torch.from_numpy(a)[None] for a in (w.first, w.last))
        scores = network.spans(states, *ends)[0].numpy()
    assert np.abs(read.states - states[0].numpy()).mean() < 2e-2
    for k in range(min(WIDEST, len(w.first))):
        there = np.diagonal(scores, k, axis1=1, axis2=2).T
        assert np.abs(read.scores[: len(there), k] - there).mean() < 1e-1


def test_a_stopped_run_goes_on_to_the_same_weights(tmp_path):
    import torch

    from kg.train.data import load_examples
    from kg.train.encoder import package_folder, tokenizer_of
    from kg.train.loop import Settings, train
    from kg.train.network import Network

    tokenizer = tokenizer_of(package_folder())
    rows = [load_examples(records(8), tokenizer, titles=t) for t in (True, False)]
    settings = Settings(epochs=2, batch=4)

    class StoppedError(Exception):
        pass

    def run(folder, *, stop: bool) -> dict:
        torch.manual_seed(0)
        network = Network()
        try:
            train(*rows, network, folder, settings, after_epoch=stopping if stop else None)
        except StoppedError:
            train(*rows, network, folder, settings)
        return network.state_dict()

    def stopping(epoch: int) -> None:
        raise StoppedError

    whole, halved = run(tmp_path / "a", stop=False), run(tmp_path / "b", stop=True)
    for name, value in whole.items():
        assert torch.allclose(value, halved[name], atol=1e-5), name


def test_early_records_are_left_out_of_the_last_epochs(tmp_path, monkeypatch):
    from kg.train import loop
    from kg.train.data import load_examples
    from kg.train.encoder import package_folder, tokenizer_of
    from kg.train.network import Network

    tokenizer = tokenizer_of(package_folder())
    rows = [load_examples(records(8), tokenizer, titles=t) for t in (True, False)]
    settings = loop.Settings(epochs=3, batch=4, settled=2)
    real, seen = loop.losses, []

    def losses(network, batch, *rest):
        seen.append({e.id for e in batch})
        return real(network, batch, *rest)

    monkeypatch.setattr(loop, "losses", losses)
    loop.train(*rows, Network(), tmp_path, settings, early=4)
    assert set().union(*seen[:2]) == {f"r{n}" for n in range(8)}
    assert seen[2:] == [{f"r{n}" for n in range(4, 8)}] * 2


def test_checkpoints_of_another_run_are_refused(tmp_path, data):
    from kg.train.loop import Settings
    from kg.train.recipe import _same_run

    _same_run(tmp_path, records(3), Settings())
    _same_run(tmp_path, records(3), Settings())
    with pytest.raises(InputError, match="another run"):
        _same_run(tmp_path, records(4), Settings())


def test_what_cannot_be_trained_on_is_named(tmp_path, run_kg):
    empty, broken = tmp_path / "empty.jsonl", tmp_path / "broken.jsonl"
    empty.write_text("\n")
    broken.write_text('{"id": "a"\n')
    assert run_kg("train", empty, "-o", tmp_path / "m").code == 1
    gone = run_kg("train", broken, "-o", tmp_path / "m")
    assert gone.code == 1
    assert "broken.jsonl:1" in gone.err


def test_a_paper_annotated_twice_is_learned_from_twice(tmp_path):
    from kg.evaluate import list_records

    path = tmp_path / "twice.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in [*records(3), *records(2)]))
    assert [r["id"] for r in list_records(path)] == ["r0", "r1", "r2", "r0", "r1"]


def test_a_folder_without_weights_cannot_be_trained_on(tmp_path):
    from kg.train.folder import load_folder
    from kg.train.network import Network

    with pytest.raises(ModelError, match=r"no config\.json"):
        load_folder(Network(), tmp_path)
