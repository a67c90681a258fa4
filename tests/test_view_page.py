"""The page as text: what stands in it, and that nothing in it can run but our own scripts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import HOSTILE, iri, small

from kg.layout import layout
from kg.view.details import Details, Paper, Statement
from kg.view.page import page, parts, script_json


class Reader(HTMLParser):
    """Elements with their attributes, and the text of script, style and title."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.inside = ""

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag if tag in ("script", "style", "title") else ""
        if self.inside:
            self.texts.append((self.inside, ""))

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside:
            tag, text = self.texts.pop()
            self.texts.append((tag, text + data))


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


def data(text: str, of: str) -> dict:
    found = re.search(
        rf'<script type="application/json" id="{of}-data">(.*?)</script>', text, re.DOTALL
    )
    return json.loads(found[1])


def details() -> Details:
    edge = (iri("method/bert"), iri("method/transformer"), "basedOn")
    said = Statement(
        "p1", "basedOn", "\U0001d4d1 BERT builds on the Transformer.", 0.75, (2, 6), (21, 32)
    )
    role = Statement("p2", "proposes", "We present BERT.", 0.9, None, (11, 15))
    return Details(
        papers={
            "p1": Paper(
                "A <b>bold</b> title", 2019, "ACL", "A. Author", "https://aclanthology.org/x"
            ),
            "p2": Paper("", None, "", "", ""),
        },
        edges={edge: (said,)},
        nodes={iri("method/bert"): (role, said)},
        years={iri("method/bert"): {2018: 2, 2020: 4}},
    )


@pytest.fixture(scope="module")
def html() -> str:
    network = small()
    return page(network, layout(network), details(), title=f"Title {HOSTILE}", note="a note")


def test_nothing_points_outside(html):
    reader = read(html)
    links = [
        (tag, name, value)
        for tag, attributes in reader.elements
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "poster", "background")
    ]
    assert links == [("link", "href", "data:,")]
    style = next(text for tag, text in reader.texts if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_policy_names_each_script_and_style_and_nothing_else(html):
    reader = read(html)
    policy = next(
        a["content"] for t, a in reader.elements if a.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy
    scripts = [
        text
        for (tag, text), (_, attributes) in zip(
            reader.texts,
            [e for e in reader.elements if e[0] in ("script", "style", "title")],
            strict=True,
        )
        if tag == "script" and "type" not in attributes
    ]
    assert len(scripts) == 2
    assert rules["script-src"].split() == [hashed(s) for s in scripts]
    assert rules["style-src"].split() == [hashed(t) for tag, t in reader.texts if tag == "style"]


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_no_attribute_runs_and_no_hostile_element_stands(html):
    reader = read(html)
    tags = {tag for tag, _ in reader.elements}
    assert not tags & {"img", "iframe", "object", "embed", "base", "form"}
    assert not [
        n
        for _, attributes in reader.elements
        for n in attributes
        if n.startswith("on") or n == "style"
    ]
    assert next(text for tag, text in reader.texts if tag == "title") == f"Title {HOSTILE}"


def test_the_graph_in_the_page_is_the_network(html):
    network, graph = small(), data(html, "graph")
    assert graph["title"] == f"Title {HOSTILE}"
    assert {n["iri"]: n["label"] for n in graph["nodes"]} == dict(network.nodes(data="label"))
    assert {n["iri"]: n["papers"] for n in graph["nodes"]} == dict(network.nodes(data="papers"))
    iris = [n["iri"] for n in graph["nodes"]]
    assert {
        (iris[e["from"]], iris[e["to"]], graph["kinds"][e["kind"]]["name"]) for e in graph["edges"]
    } == set(network.edges(keys=True))
    assert [t["name"] for t in graph["types"]] == [
        "Method",
        "Task",
        "Dataset",
        "Benchmark",
        "Metric",
    ]
    places = layout(network)
    assert [n["id"] for n in sorted(graph["vis"]["nodes"], key=lambda n: n["id"])] == [*range(9)]
    for drawn in graph["vis"]["nodes"]:
        node = graph["nodes"][drawn["id"]]
        assert (node["x"], node["y"]) == (drawn["x"], drawn["y"]) == places.places[node["iri"]]
        assert drawn["color"] == graph["types"][node["type"]]["colour"]
    assert graph["vis"]["options"]["physics"] == {"enabled": False}
    pairs = [(e["from"], e["to"]) for e in graph["edges"]]
    assert [(e["from"], e["to"]) for e in graph["vis"]["edges"]] == pairs


def test_edges_between_the_same_two_nodes_bend_apart(html):
    graph = data(html, "graph")
    iris = [n["iri"] for n in graph["nodes"]]
    bends = [
        drawn["smooth"]["roundness"]
        for drawn in graph["vis"]["edges"]
        if iris[drawn["to"]] == iri("method/lstm")
    ]
    assert len(bends) == len(set(bends)) == 2


def test_evidence_stands_with_its_node_edge_and_paper(html):
    graph, evidence = data(html, "graph"), data(html, "evidence")
    iris = [n["iri"] for n in graph["nodes"]]
    bert = iris.index(iri("method/bert"))
    assert evidence["nodes"][bert]["years"] == [[2018, 2], [2020, 4]]
    assert [s["kind"] for s in evidence["nodes"][bert]["said"]] == ["proposes", "based on"]
    edge = next(
        i for i, e in enumerate(graph["edges"])
        if graph["kinds"][e["kind"]]["name"] == "basedOn"
    )  # fmt: skip
    [said] = evidence["edges"][edge]
    assert said["parts"] == [
        ["", "\U0001d4d1 "], ["head", "BERT"], ["", " builds on the "],
        ["tail", "Transformer"], ["", "."],
    ]  # fmt: skip
    assert evidence["papers"][said["paper"]]["title"] == "A <b>bold</b> title"


@pytest.mark.parametrize(
    ("head", "tail", "expected"),
    [
        (None, None, [("", "abcdef")]),
        ((0, 2), (4, 6), [("head", "ab"), ("", "cd"), ("tail", "ef")]),
        ((4, 6), (0, 2), [("tail", "ab"), ("", "cd"), ("head", "ef")]),
        ((0, 4), (2, 6), [("head", "abcd"), ("", "ef")]),
        ((0, 6), None, [("head", "abcdef")]),
    ],
)
def test_parts_put_together_are_the_sentence(head, tail, expected):
    said = Statement("p", "basedOn", "abcdef", 0.5, head, tail)
    assert parts(said) == expected
    assert "".join(text for _, text in parts(said)) == said.sentence


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=40))
def test_any_text_is_inert_in_a_script_element_and_comes_back(text):
    written = script_json({"label": text, text: 1})
    assert not set(written) & set("<>&\u2028\u2029")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", written)
    surrogates = any("\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" for c in text)
    if not surrogates:
        assert json.loads(written)["label"] == text


def test_same_network_same_bytes(html):
    network = small()
    again = page(network, layout(network), details(), title=f"Title {HOSTILE}", note="a note")
    assert again == html
