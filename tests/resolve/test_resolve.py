"""Names that are one thing become one entity, names of two things never do."""

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.records import Abstract, Evidence, Extraction, Mention, PaperEntity
from kg.resolve import resolve

_ROLE = {"Method": "uses", "Task": "addresses", "Metric": "measures"}


def paper(*entities, text=""):
    """An extraction whose entities are (type, names…); the text names each of them."""
    text = text or " ".join(name for _, *names in entities for name in names) or "nothing"
    found = []
    for number, (kind, *names) in enumerate(entities, start=1):
        mentions = tuple(
            Mention(text.find(n), text.find(n) + len(n), n, 0.9) for n in names if n in text
        )
        found.append(
            PaperEntity(
                f"e{number}", kind, _ROLE.get(kind, "evaluatesOn"), tuple(names), mentions, 0.9,
                0.8, Evidence(0, len(text), text),
            )
        )  # fmt: skip
    return Extraction(Abstract("", "", text), tuple(found), (), "test/1")


def together(kind, a, b):
    """Whether two names of one type in two papers are one entity."""
    links = resolve({"p1": paper((kind, a)), "p2": paper((kind, b))}).links
    return links["p1"]["e1"] == links["p2"]["e1"]


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("Method", "Bayesian neural nets", "Bayesian neural networks"),
        ("Method", "multimodal LLMs", "multi-modal large language models"),
        ("Method", "convolutional neural network", "CNNs"),
        ("Method", "RL algorithms", "reinforcement learning algorithm"),
        ("Method", "BERT model", "BERT"), ("Method", "Adam", "Adam optimizer"),
        ("Method", "mirror descent method", "mirror descent"),
        ("Method", "deep multi-task networks", "multitask deep network"),
        ("Method", r"$\beta$-VAE", "beta-VAE"), ("Method", r"\textsc{Llama} 2", "LLaMA-2"),
        ("Task", "detecting outliers", "outlier detection"),
        ("Task", "classification of galaxies", "galaxy classification"),
        ("Task", "estimating the mean", "mean estimation"),
        ("Task", "language modelling", "language modeling"),
        ("Task", "knapsack bandit problem", "knapsack bandits"),
        ("Task", "sim2real transfer", "sim-to-real transfer"),
        ("Dataset", "ImageNet dataset", "ImageNet"), ("Dataset", "CIFAR 100", "CIFAR-100"),
        ("Benchmark", "GLUE benchmark", "GLUE"),
        ("Metric", "BLEU scores", "BLEU"), ("Metric", "rate of decay", "decay rate"),
        ("Metric", "mean square error", "mean squared error"),
        ("Metric", "computation time", "computational time"),
        ("Metric", "Kullback-Leibler", "KL divergence"),
        ("Task", "robot manipulation of ferns", "robotic manipulation of ferns"),
        ("Task", "wet/dry leaf sorting", "dry and wet leaf sorting"),
        ("Metric", "Fréchet Inception Distance", "FID"),
        # initials alone, where nothing else fits
        ("Method", "gated orbital lattice filter", "GOLF"),
    ],
)  # fmt: skip
def test_one_thing_is_one_entity(kind, a, b):
    assert together(kind, a, b)


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("Method", "GPT-4", "GPT-4o"), ("Method", "Llama 3 8B", "Llama 3 70B"),
        ("Method", "Llama 2 7B", "Llama 27B"), ("Method", "DINO", "DINOv2"),
        ("Method", "ViT-B/16", "ViT-B/32"), ("Method", "UNet", "UNet++"),
        ("Method", "Mistral", "Mixtral"), ("Method", "GAN", "GNN"), ("Method", "MAPS", "MAP"),
        ("Method", "Q*", "Q"), ("Method", "$L_1$ penalty", "$L_2$ penalty"),
        ("Method", "language model", "language modeling"),
        ("Method", "model-based control", "model-free control"),
        ("Method", "value function", "function value"),
        ("Method", "convolutional and recurrent fern networks",
         "recurrent convolutional fern networks"),
        ("Method", "3D LDM", "3D models"), ("Method", "3D methods", "3D models"),
        ("Method", "convex-concave games", "nonconvex-concave games"),
        ("Method", "text-to-speech", "speech-to-text"),
        ("Method", "CLIP", "CLIP-guided diffusion"),
        ("Task", "online learning", "offline learning"),
        ("Task", "supervised learning", "semi-supervised learning"),
        ("Task", "local differential privacy", "differential privacy"),
        ("Task", "captioning of images", "captioning for images in text"),
        ("Benchmark", "MMLU", "MMLU-Pro"), ("Benchmark", "LongBench", "LongBench v2"),
        ("Dataset", "CIFAR-10", "CIFAR-100"),
        ("Metric", "Recall@1", "Recall@5"), ("Metric", "top-1 accuracy", "top-5 accuracy"),
        ("Metric", "sample efficiency", "sampling efficiency"), ("Metric", "BLEU", "BLEURT"),
        # an undefined macro names something in its own paper only
        ("Method", r"\methodname", r"\methodname"),
    ],
)  # fmt: skip
def test_two_things_are_two_entities(kind, a, b):
    assert not together(kind, a, b)


def test_a_short_form_means_what_its_paper_says():
    papers = {
        "p1": paper(("Method", "linear discriminant analysis", "LDA")),
        "p2": paper(("Method", "latent Dirichlet allocation", "LDA")),
        "p3": paper(("Method", "LDA"), text="latent Dirichlet allocation (LDA) finds topics"),
        "p4": paper(("Method", "LDA")),
    }
    resolution = resolve(papers)
    linear, latent, from_text, alone = (resolution.links[p]["e1"] for p in sorted(papers))
    assert linear == ("Method", "linear discriminant analysis")
    assert latent == from_text != linear
    assert alone not in (linear, latent)
    entity = next(e for e in resolution.entities if (e.type, e.key) == alone)
    assert set(entity.candidates) == {"/".join(linear), "/".join(latent)}


def test_the_company_of_an_ambiguous_short_form_decides():
    topics = [("Task", "topic modelling"), ("Dataset", "20 Newsgroups"), ("Task", "text mining")]
    faces = [("Task", "face recognition"), ("Dataset", "Yale Faces"), ("Metric", "scatter ratio")]
    papers = {}
    for i in range(4):
        papers[f"t{i}"] = paper(("Method", "latent Dirichlet allocation", "LDA"), *topics)
        papers[f"f{i}"] = paper(("Method", "linear discriminant analysis", "LDA"), *faces)
        papers[f"x{i}"] = paper(("Task", f"other matter {i}"))
    papers["q"] = paper(("Method", "LDA"), *faces[:2])
    resolution = resolve(papers)
    assert resolution.links["q"]["e1"] == resolution.links["f0"]["e1"]
    entity = next(e for e in resolution.entities if e.key == "linear discriminant analysis")
    assert "LDA" in entity.alternatives


def test_a_dominant_meaning_stands_for_the_undefined_uses():
    papers = {f"p{i}": paper(("Method", "quiet orbit sampling", "QOS")) for i in range(9)}
    papers["q"] = paper(("Method", "quick ordinal search", "QOS"))
    papers["r"] = paper(("Method", "QOS"))
    resolution = resolve(papers)
    assert (
        resolution.links["r"]["e1"] == resolution.links["p0"]["e1"] != resolution.links["q"]["e1"]
    )


def crowd(letters):
    """Papers whose methods' initials make these letters likely anywhere."""
    ends = ("and", "orn", "ump")
    names = [f"{a}ore {b}ill {c}{e}" for a, b, c in product(letters, repeat=3) for e in ends]
    return {f"crowd{i:03}": paper(("Method", name)) for i, name in enumerate(names)}


@pytest.mark.parametrize(
    ("defining", "using", "one"),
    [
        # one paper's short form is read so by others where little else has such letters …
        (paper(("Method", "quiet orbit sampling", "QOS")), paper(("Method", "QOS")), True),
        # … or where they speak of the same things …
        (paper(("Method", "brisk code hashing", "BCH"), ("Task", "star search")),
         paper(("Method", "BCH"), ("Task", "star search")), True),
        # … or where it is a data set
        (paper(("Dataset", "brisk code hours", "BCH")), paper(("Dataset", "BCH")), True),
        (paper(("Method", "brisk code hashing", "BCH"), ("Task", "star search")),
         paper(("Method", "BCH"), ("Task", "moon search")), False),
        # a data set or a figure is no method of that short form
        (paper(("Method", "quiet orbit sampling", "QOS")), paper(("Dataset", "QOS")), False),
        (paper(("Method", "quiet orbit sampling", "QOS")), paper(("Metric", "QOS")), False),
    ],
)  # fmt: skip
def test_one_papers_short_form_is_anothers_where_something_speaks_for_it(defining, using, one):
    papers = crowd("bch") | {"p": defining, "q": using}
    links = resolve(papers).links
    assert (links["p"]["e1"] == links["q"]["e1"]) == one


def test_a_short_form_does_not_mean_what_is_yet_to_be_proposed():
    def of_year(year, role, *names):
        found = paper(("Method", *names))
        (entity,) = found.entities
        return replace(
            found,
            abstract=replace(found.abstract, year=year),
            entities=(replace(entity, role=role),),
        )

    papers = {
        "p": of_year(2020, "proposes", "quiet orbit sampling", "QOS"),
        "q": of_year(2017, "uses", "QOS"),
        "r": of_year(2023, "uses", "QOS"),
    }
    links = resolve(papers).links
    assert links["p"]["e1"] == links["r"]["e1"] != links["q"]["e1"]


def test_a_short_form_is_read_as_papers_that_spell_it_so_define_it():
    papers = {f"a{i}": paper(("Method", "vivid auto regression", "VAR")) for i in range(2)}
    papers |= {f"b{i}": paper(("Method", "value at risk", "VaR")) for i in range(3)}
    papers |= {"x": paper(("Method", "VAR")), "y": paper(("Method", "VaR"))}
    links = resolve(papers).links
    assert links["x"]["e1"] == links["a0"]["e1"] != links["b0"]["e1"]
    assert links["y"]["e1"] == links["b0"]["e1"]


def test_data_set_and_benchmark_of_one_name_are_one_entity_with_both_types():
    resolution = resolve(
        {"p1": paper(("Dataset", "KITTI")), "p2": paper(("Benchmark", "KITTI")),
         "p3": paper(("Dataset", "KITTI"))}
    )  # fmt: skip
    (entity,) = resolution.entities
    assert entity.types == ("Dataset", "Benchmark")
    assert entity.type == "Dataset"


def test_the_heavier_evidence_settles_the_type():
    resolution = resolve(
        {"p1": paper(("Task", "federated learning")), "p2": paper(("Method", "federated learning")),
         "p3": paper(("Task", "federated learning"))}
    )  # fmt: skip
    assert [(e.type, e.types) for e in resolution.entities] == [("Task", ("Task",))]


def test_homonyms_of_data_and_idea_stay_two():
    papers = {f"d{i}": paper(("Dataset", "MATH")) for i in range(3)}
    papers |= {f"m{i}": paper(("Method", "MATH")) for i in range(3)}
    assert {e.type for e in resolve(papers).entities} == {"Dataset", "Method"}


def test_one_papers_list_does_not_join_what_others_tell_apart():
    papers = {f"a{i}": paper(("Metric", "bias")) for i in range(3)}
    papers |= {f"b{i}": paper(("Metric", "perceptual bias")) for i in range(3)}
    papers["c"] = paper(("Metric", "perceptual bias", "bias"))
    resolution = resolve(papers)
    assert resolution.links["a0"]["e1"] != resolution.links["b0"]["e1"]
    assert all("bias" not in e.alternatives for e in resolution.entities)


@pytest.mark.parametrize(
    "name",
    ["models", "our framework", "performance", "training data", "ten benchmarks", "new methods"],
)
def test_a_generic_string_is_left_out_with_its_reason(name):
    resolution = resolve({"p1": paper(("Method", name), ("Method", "kernel methods"))})
    assert [e.label for e in resolution.entities] == ["kernel methods"]
    assert [(d.source, repr(name) in d.reason) for d in resolution.dropped] == [("p1#e1", True)]


def test_a_word_that_texts_hold_and_hardly_name_is_left_out():
    text = "Steps of inference lead to attention."
    papers = {f"p{i:03}": paper(("Method", "attention"), text=text) for i in range(250)}
    papers["q"] = paper(("Method", "inference"), text=text)
    assert [e.label for e in resolve(papers).entities] == ["attention"]


@pytest.mark.parametrize(
    ("papers", "label"),
    [
        ([("large language models", "LLMs"), ("LLMs",), ("Large Language Models",)],
         "large language models"),
        ([("CLIP",)] * 6 + [("Contrastive Language-Image Pretraining", "CLIP")], "CLIP"),
        ([("BERT",), ("BERT model",), ("BERT",)], "BERT"),
        ([(r"\texttt{OLMo}",)], "OLMo"),
    ],
)  # fmt: skip
def test_the_label_is_the_name_that_one_looks_for(papers, label):
    resolution = resolve({f"p{i}": paper(("Method", *n)) for i, n in enumerate(papers)})
    assert [e.label for e in resolution.entities] == [label]


def test_every_name_but_the_label_has_its_merge():
    resolution = resolve(
        {"p1": paper(("Method", "variational autoencoder", "VAE")),
         "p2": paper(("Method", "Variational Auto-Encoders")), "p3": paper(("Method", "VAEs"))}
    )  # fmt: skip
    (entity,) = resolution.entities
    assert {m.name for m in entity.merges} == set(entity.alternatives)
    rules = {m.name: m.rule for m in entity.merges}
    assert rules["VAE"] == "abbreviation defined"
    assert (
        rules["Variational Auto-Encoders"] == "hyphen or space"
        or "plural" in rules["Variational Auto-Encoders"]
    )
    assert all(0 < m.score <= 1 for m in entity.merges)


def test_a_name_that_hangs_on_another_gives_the_least_sure_rule_of_the_way():
    resolution = resolve(
        {"p1": paper(("Method", "soil-in-the-loop", "SiL")),
         "p2": paper(("Method", "soil-in-the-loop", "SIL")), "p3": paper(("Method", "SIL"))}
    )  # fmt: skip
    (entity,) = resolution.entities
    rules = {m.name: (m.rule, m.score) for m in entity.merges}
    assert rules == dict.fromkeys(("SIL", "SiL"), ("abbreviation defined", 0.95))


_NAMES = st.sampled_from(
    ["LDA", "latent Dirichlet allocation", "linear discriminant analysis", "GAN", "GANs", "LLM",
     "generative adversarial nets", "large language models", "RAG method", "RAG", "F1", "F1 score",
     r"\ours", "$k$-means", "K-means", "bias", "model", "tuning kernels", "kernel tuning",
     "C++", "$"]
)  # fmt: skip
_ENTITY = st.tuples(
    st.sampled_from(["Method", "Task", "Dataset", "Benchmark", "Metric"]), _NAMES, _NAMES
)


@given(
    st.lists(st.lists(_ENTITY, min_size=1, max_size=4), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_papers_is_nothing(contents, rng: random.Random):
    papers = [(f"p{i}", paper(*entities)) for i, entities in enumerate(contents)]
    first = resolve(dict(papers))
    rng.shuffle(papers)
    assert resolve(dict(papers)) == first
    idents = [(e.type, e.key) for e in first.entities]
    assert len(idents) == len(set(idents))
    assert {i for links in first.links.values() for i in links.values()} == set(idents)
    local = sum(len(links) for links in first.links.values()) + len(first.dropped)
    assert local == sum(map(len, contents))
