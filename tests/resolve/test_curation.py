"""The curation file: what each line does, and what is said of one that does nothing."""

import tomllib

import pytest
from test_resolve import paper

from kg.errors import InputError
from kg.resolve import Curation, read_curation, resolve, suggest
from kg.resolve.curation import parse_curation

PAPERS = {
    "p1": paper(("Method", "Gaussian splats"), ("Metric", "efficiency")),
    "p2": paper(("Method", "point rendering")),
    "p3": paper(("Task", "transfer learning")),
    "p4": paper(("Method", "graph kernels")),
    "p5": paper(("Method", "graph kernel")),
}


def labels(curation):
    return {e.label: e for e in resolve(PAPERS, curation=parse_curation(curation)).entities}


def test_merge_joins_two_entities_for_the_reason_given():
    found = labels('merge = [{ names = ["Gaussian splats", "point rendering"] }]')
    entity = found.get("Gaussian splats") or found["point rendering"]
    assert [(m.rule, m.score) for m in entity.merges] == [("curation", 1.0)]


def test_split_takes_two_spellings_apart():
    assert "graph kernel" not in labels("") or "graph kernels" not in labels("")
    found = labels('split = [{ name = "graph kernels", from = "graph kernel" }]')
    assert {"graph kernels", "graph kernel"} <= set(found)


def test_split_takes_a_short_form_from_its_meaning():
    papers = {"p1": paper(("Method", "large language models")), "p2": paper(("Method", "LLM"))}
    assert len(resolve(papers).entities) == 1
    curation = parse_curation('split = [{ name = "LLM", from = "large language models" }]')
    assert len(resolve(papers, curation=curation).entities) == 2


def test_split_takes_a_spelling_from_papers_that_abbreviate_it():
    papers = {
        "p1": paper(("Method", "graph kernels", "GK")),
        "p2": paper(("Method", "graph kernel", "GK")),
        "p3": paper(("Method", "Gauss kernel", "GK")),
    }
    line = 'split = [{ name = "graph kernels", from = "graph kernel" }]'
    links = resolve(papers, curation=parse_curation(line)).links
    assert len({links[p]["e1"] for p in papers}) == 3


def test_rename_retype_drop_and_keep():
    found = labels(
        'rename = [{ name = "point rendering", to = "Point-based rendering" }]\n'
        'retype = [{ name = "transfer learning", to = "Method" }]\n'
        'drop = [{ name = "graph kernels" }]\n'
        'keep = [{ name = "efficiency" }]\n'
    )
    assert found["Point-based rendering"].key == "point based rendering"
    assert found["transfer learning"].types == ("Method",)
    assert not {"graph kernels", "graph kernel"} & set(found)
    assert "efficiency" in found


def test_taking_the_file_away_brings_the_graph_back():
    before = resolve(PAPERS)
    resolve(PAPERS, curation=parse_curation('drop = [{ name = "graph kernels" }]'))
    assert resolve(PAPERS, curation=Curation(())) == before == resolve(PAPERS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('merge = [{ names = ["graph kernel", "graph kernels"] }]', "one entity without it"),
        ('merge = [{ names = ["graph kernel", "no such thing"] }]', "'no such thing'"),
        ('split = [{ name = "graph kernel", from = "point rendering" }]', "different entities"),
        ('rename = [{ name = "nothing here", to = "x" }]', "'nothing here'"),
        ('retype = [{ name = "graph kernel", to = "Method" }]', "the type is Method"),
        ('drop = [{ name = "nothing here" }]', "'nothing here'"),
        ('keep = [{ name = "graph kernel" }]', "not stopped"),
    ],
)
def test_a_line_that_does_nothing_is_named(line, said):
    (note,) = resolve(PAPERS, curation=parse_curation(line)).notes
    assert note.source == f"curation.toml: {line.split()[0]} 1"
    assert said in note.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("merge = [", "not TOML"), ("join = []", "'join'"), ("merge = 1", "list of entries"),
        ('merge = [{ names = ["a"] }]', "two names"), ("drop = [{}]", "lacks 'name'"),
        ('retype = [{ name = "a", to = "Thing" }]', "'Thing'"), ("drop = [1]", "not a table"),
        ('drop = [{ name = "a", why = "b" }]', "'why'"), ("keep = [{}]", "'name' or 'names'"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_line(text, said):
    with pytest.raises(InputError, match=said) as caught:
        parse_curation(text)
    assert "\n" not in str(caught.value).strip() or "TOML" in said


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml"):
        read_curation(tmp_path / "none.toml")


def test_a_suggestion_is_accepted_by_deleting_its_comment_sign():
    papers = {
        "p1": paper(("Method", "stochastic mirror descents approach")),
        "p2": paper(("Method", "spectral clusterng")),
        "p3": paper(("Method", "spectral clustering")),
        "p4": paper(("Method", "spectral clustering")),
    }
    text = suggest(resolve(papers))
    assert tomllib.loads(text) == {"merge": [], "split": []}
    accepted = text.replace("# { names", "{ names")
    curation = parse_curation(accepted)
    assert [set(d.names) for d in curation.decisions] == [
        {"spectral clustering", "spectral clusterng"}
    ]
    after = resolve(papers, curation=curation)
    assert not after.notes
    assert after.links["p2"] == after.links["p3"]
    # what is decided is not asked again
    assert "spectral" not in suggest(resolve(papers), curation=curation)
