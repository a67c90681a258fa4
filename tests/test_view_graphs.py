"""Whole graphs as a reader opens them: the shipped sample, a list of papers, a large corpus."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browsing import SWITCHES, Opened, chromium
from playwright.sync_api import sync_playwright

from kg.build import build_graph
from kg.extract import extract, model_name
from kg.graph import open_graph
from kg.readers import read_abstracts

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).parent.parent
SIZES = [(1440, 900), (1024, 768), (390, 844)]
#: The folder of a graph of thousands of papers, which no test has the time to build.
LARGE = os.environ.get("KG_LARGE_GRAPH", "")


@pytest.fixture(
    scope="module",
    params=[
        "examples/landmarks.jsonl",
        pytest.param("../shared/seeds/neurips-2026.txt", marks=pytest.mark.shared),
        pytest.param(LARGE, marks=pytest.mark.skipif(not LARGE, reason="needs KG_LARGE_GRAPH")),
    ],
    ids=["sample", "seeds", "large"],
)
def path(request, tmp_path_factory) -> Path:
    """The overview of a graph."""
    out = tmp_path_factory.mktemp("page")
    folder = Path(request.param)
    if request.param != LARGE:
        folder = out / "graph"
        papers = list(read_abstracts(ROOT / request.param))
        build_graph(papers, folder, extract=extract, model=model_name())
    with open_graph(folder) as graph:
        return graph.view(out / "graph.html").path


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        yield (chrome := playwright.chromium.launch(executable_path=chromium(), args=SWITCHES))
        chrome.close()


@pytest.fixture
def opened(browser, path):
    made = []

    def go(**options) -> Opened:
        made.append(Opened(browser, path, **options))
        return made[-1]

    yield go
    for one in made:
        one.context.close()
        assert one.faults == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_overview_can_be_read_at_every_size(opened, size, scheme):
    one = opened(size=size, scheme=scheme)
    one.page.wait_for_function("Number(document.querySelector('#canvas').dataset.labels) > 0")
    data = one.data()
    assert len(data["edges"]) <= 2.5 * len(data["nodes"])
    assert one.page.evaluate("document.documentElement.scrollWidth") == size[0]
    boxes = one.ask({})
    assert len(boxes) >= min(10, len(data["nodes"]))
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart = (
                a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
                or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
            )  # fmt: skip
            assert apart, (a, b)


def test_from_a_name_to_its_sentences_and_on_by_link(opened):
    one = opened()
    data = one.data()
    tied = {e[end] for e in data["edges"] for end in ("from", "to")}
    node = next(i for i in range(len(data["nodes"])) if i in tied)
    label = data["nodes"][node]["label"]
    one.find(label)
    details = one.page.locator("#details")
    assert details.locator("h2").inner_text() == label
    assert details.locator(".said mark").count() > 0
    details.locator(".quotes").first.click()
    ends = details.locator(".ends bdi").all_inner_texts()
    assert label in ends
    assert details.locator(".said mark.head").count() > 0
    assert details.locator(".said mark.tail").count() > 0
    two = opened(fragment=one.page.evaluate("location.hash"))
    assert two.page.locator("#details .ends bdi").all_inner_texts() == ends


def test_filters_leave_what_they_count(opened):
    one = opened()
    kind = one.page.locator("#types .tick").first
    name, count = kind.inner_text().split("\n")
    others = one.page.locator("#types .tick").filter(has_not_text=name)
    for tick in others.all():
        tick.click()
    shown = int(one.page.locator("#summary").inner_text().split(" ")[0].replace(",", ""))
    assert 0 <= shown <= int(count.replace(",", ""))
    one.page.click("#tab-table")
    kinds = one.page.locator("#table td:nth-child(2)").all_inner_texts()
    assert set(kinds) <= {name}
    one.page.click("#reset")
    assert int(one.page.locator("#summary").inner_text().split(" ")[0].replace(",", "")) >= shown
