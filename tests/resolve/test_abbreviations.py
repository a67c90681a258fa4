"""Which long forms a short form can stand for."""

import pytest

from kg.resolve.abbreviations import defines, long_form_before


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("PLM", "pre-trained language model"), ("MAB", "multi-armed bandit"),
        ("VLP", "vision-and-language pre-training"), ("AD", "Alzheimer's disease"),
        ("SHAP", "Shapley additive explanations"), ("ResNet", "residual network"),
        ("EEG", "electroencephalography"), ("IoU", "intersection over union"),
        ("OOD", "out-of-distribution"), ("GAT", "graph attention network"),
        ("SBR", "session-based recommendation systems"), ("TR", "task routing layer"),
        ("GNN", "graph neural network"), ("SLAM", "simultaneous localization and mapping"),
    ],
)  # fmt: skip
def test_a_short_form_stands_for_its_long_form(short, long):
    assert defines(short, long)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        # a word that was cut off
        ("REINFORCE", "reinforcement learning"), ("FINE", "fine search"),
        # a word of the long form has no part in it
        ("GAIL", "generative adversarial network"), ("RL", "robotic manipulation"),
        ("TL", "transfer control"), ("WGAN", "Wasserstein distances"),
        # a variant is no long form
        ("LeafBank", "LeafBank-Occlusion"), ("LLaMB", "LLaMb-2-34b"), ("CNN", "CNN-based methods"),
        # two names of one length
        ("ResNet", "ResNext"), ("VGGT", "VGGNet"),
        ("MAP", "multi-armed bandit approach with priors"),
    ],
)  # fmt: skip
def test_letters_in_order_are_not_enough(short, long):
    assert not defines(short, long)


def test_a_long_form_ends_before_its_bracket():
    text = "We fine-tune a pre-trained language model"
    assert long_form_before("PLM", text) == "pre-trained language model"
    assert long_form_before("GAIL", "trains a generative adversarial network") == ""
