"""`fold`, `squash` and `plain`: what names agree on, what sets them apart, and the way back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text import fold, plain, squash, web_address

#: Letters that trouble folding: LaTeX, ligatures, mathematical and full-width letters, marks.
_HARD = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from("\\${}^_~'\"&*+#@.- ﬁﬀ𝑘𝛽½ŉǰͅΐßΣς́̈İıſsS012’‘–"),
        st.sampled_from(["of ", "the ", r"\mu", r"\'e", r"\textbf{", "models ", "isation"]),
    ),
    max_size=12,
).map("".join)


@settings(deadline=None)
@given(_HARD)
def test_folding_twice_is_folding_once(name):
    assert fold(fold(name)) == fold(name)


@settings(deadline=None)
@given(_HARD)
def test_every_plain_character_points_into_the_text(text):
    result = plain(text)
    assert len(result.text) == len(result.starts) == len(result.ends)
    for i, (start, end) in enumerate(zip(result.starts, result.ends, strict=True)):
        assert 0 <= start < end <= len(text), (i, text)
    assert list(result.starts) == sorted(result.starts)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Large Language Models", "large language model"),
        ("auto-encoder", "autoencoder"), ("CIFAR-10", "CIFAR10"), ("MS COCO", "MS-COCO"),
        ("classiﬁcation", "classification"), ("𝑘-means", "$k$-means"), ("𝛽-VAE", r"$\beta$-VAE"),
        ("beta-VAE", "β-VAE"), (r"\texttt{OLMo}", "OLMo"), (r"$\mu$KE", "μKE"),
        (r'Schr\"odinger bridge', "Schrödinger bridge"), ("Fréchet", "Frechet"),
        (r"Fr\'{e}chet", "Fréchet"), ("ＧＰＴ－４", "GPT-4"),
        ("Hoeffding's inequality", "Hoeffding inequality"),
        (r"$\ell_1$ norm", "L1 norm"), (r"$\tau^2$-Bench", "tau2-bench"),
        (r"\textbf{F}ast\textsc{Net}", "FastNet"), ("*fixed* game", "fixed games"),
        ("auto\u00adencoder", "autoencoder"), ("RAG\u200b", "RAG"),
    ],
)  # fmt: skip
def test_looks_of_one_name_agree(a, b):
    assert squash(fold(a)) == squash(fold(b)) != ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("GPT-4", "GPT-4o"), ("Llama 2 7B", "Llama 27B"), ("Claude 3", "Claude 3.5"),
        ("Claude 3.5", "Claude 35"), ("OIMNet", "OIMNet++"), ("A*", "A"), ("Pass@1", "Pass@10"),
        ("C", "C#"), ("d", r"$d'$"), ("LongBench", "LongBench v2"), ("ROUGE-1", "ROUGE-L"),
    ],
)  # fmt: skip
def test_a_difference_that_carries_meaning_stays(a, b):
    assert squash(fold(a)) != squash(fold(b))


@pytest.mark.parametrize(
    "name", [r"\projectname", r"$d_{\rm{type2}}'$", r"$\mu$KE", "量子", "∞-Bench", "C++"]
)
def test_an_odd_name_survives(name):
    assert fold(name)


def test_an_undefined_macro_is_no_common_word():
    assert fold(r"\method{}") != fold("method")


def test_plain_text_leads_back_to_the_text_as_given():
    given_text = r"Here $\mu$KE meets \texttt{OLMo} and Schr\"odinger; it costs $5 to $10."
    result = plain(given_text)
    assert result.text == "Here μKE meets OLMo and Schrödinger; it costs $5 to $10."
    for name, source in (("μKE", r"$\mu$KE"), ("OLMo", "OLMo"), ("Schrödinger", r"Schr\"odinger")):
        at = result.text.index(name)
        start, end = result.given(at, at + len(name))
        assert given_text[start:end] == source


@pytest.mark.parametrize("url", ["https://arxiv.org/abs/1", "http://x.org/a?b=c&d"])
def test_web_addresses_are_links(url):
    assert web_address(url) == url


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", " https://x.org", "data:text/html,x", "//x.org", "file:///etc/passwd",
     "https://x.org/\"onclick=", "https://x.org/ y", "ftp://x.org", "", "JaVaScRiPt:1", "https://"],
)  # fmt: skip
def test_other_addresses_are_not(url):
    assert web_address(url) == ""


def test_the_first_address_of_the_web_is_taken():
    assert web_address("ftp://x.org", "https://y.org", "https://z.org") == "https://y.org"
