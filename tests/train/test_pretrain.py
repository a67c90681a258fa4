"""Masked-word training: what is left out, and that a stopped run goes on."""

import json

import pytest

pytestmark = pytest.mark.train


def test_held_out_texts_are_not_read_and_a_run_goes_on(tmp_path):
    import numpy as np
    import torch

    from kg.train.network import Network
    from kg.train.pretrain import MaskSettings, pretrain

    texts = [
        {"title": f"Moss {n}", "abstract": f"Moss Trees sort {n} leaves by colour and by shape."}
        for n in range(6)
    ]
    every, dev = tmp_path / "all.jsonl", tmp_path / "dev.jsonl"
    every.write_text("".join(json.dumps(t) + "\n" for t in texts))
    dev.write_text(json.dumps(texts[2]) + "\n")
    out = tmp_path / "encoder.pt"
    pretrain([every], out, skip=dev, settings=MaskSettings(minutes=0.001, pieces=60))
    with np.load(out.with_suffix(".npz")) as held:
        assert len(held["lengths"]) == 5
    first = torch.load(out.with_suffix(".state"), weights_only=True)["where"]
    pretrain([every], out, skip=dev, settings=MaskSettings(minutes=0.05, pieces=60))
    second = torch.load(out.with_suffix(".state"), weights_only=True)["where"]
    assert second[1] > first[1]
    assert second[0] >= 0.05 * 60
    Network().encoder.load_state_dict(torch.load(out, weights_only=True))
