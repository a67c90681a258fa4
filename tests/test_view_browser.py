"""The page in headless Chromium with the network off, looked at through its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browsing import SWITCHES, Opened, chromium
from networks import HOSTILE, clusters, iri, small
from playwright.sync_api import sync_playwright

from kg.layout import Community, Layout, layout
from kg.view.details import Details, Paper, Statement
from kg.view.page import RENDERERS, page

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), (1024, 768), (390, 844)]


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        yield (chrome := playwright.chromium.launch(executable_path=chromium(), args=SWITCHES))
        chrome.close()


def details() -> Details:
    bert, transformer, hostile = (
        iri("method/bert"),
        iri("method/transformer"),
        iri("method/hostile"),
    )
    built = Statement("p1", "basedOn", "BERT builds on the Transformer.", 0.75, (0, 4), (19, 30))
    bad = Statement("p2", "partOf", f"{HOSTILE} is a part of BERT.", 0.6, (0, len(HOSTILE)), None)
    return Details(
        papers={
            "p1": Paper("A first paper", 2019, "ACL", "", "https://aclanthology.org/x"),
            "p2": Paper(f"On {HOSTILE}", 2020, HOSTILE, "", ""),
        },
        edges={(bert, transformer, "basedOn"): (built,), (hostile, bert, "partOf"): (bad,)},
        nodes={bert: (Statement("p1", "proposes", "We present BERT.", 0.9, None, (11, 15)),)},
        years={bert: {2018: 2, 2020: 4}},
        roles={bert: ("proposes", "uses"), transformer: ("uses",), hostile: ("mentions",)},
        venues={bert: ("ACL", "ICML"), transformer: ("ICML",), hostile: (HOSTILE,)},
        edge_venues={(bert, transformer, "basedOn"): ("ACL",)},
    )


@pytest.fixture(scope="module", params=RENDERERS)
def path(request, tmp_path_factory) -> Path:
    network = small()
    path = tmp_path_factory.mktemp("page") / "graph.html"
    text = page(network, layout(network), details(), title=f"On {HOSTILE}", renderer=request.param)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def opened(browser_page, path):
    return lambda **options: browser_page(path=path, **options)


@pytest.fixture
def browser_page(browser):
    made = []

    def go(**options) -> Opened:
        made.append(Opened(browser, options.pop("path"), **options))
        return made[-1]

    yield go
    for one in made:
        one.context.close()
        assert one.faults == []


def test_draws_offline_without_a_complaint(opened):
    one = opened()
    # the colours of Method, Task, Dataset, Benchmark and Metric are in the drawing
    wanted = {(0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0)}
    assert one.until(lambda: wanted <= one.colours())


def test_a_hostile_name_is_text_everywhere(opened):
    one = opened()
    assert one.page.locator("h1").inner_text() == f"On {HOSTILE}"
    one.page.fill("#search", "onerror")
    assert one.page.locator("#suggestions li bdi").inner_text() == HOSTILE
    one.page.press("#search", "Enter")
    assert one.page.locator("#details h2").inner_text() == HOSTILE
    one.page.click("#details .quotes")
    assert HOSTILE in one.page.locator(".said blockquote").inner_text()
    assert (
        one.page.locator(".said footer").inner_text().startswith(f"On {HOSTILE} · {HOSTILE} 2020")
    )
    one.page.click("#tab-table")
    assert HOSTILE in one.page.locator("#table").inner_text()
    assert one.page.locator("img, iframe, object, embed").count() == 0
    assert one.page.locator("script").count() == 4


def test_search_suggests_by_alternative_name_and_goes_there(opened):
    one = opened()
    one.page.fill("#search", "short-term")
    assert one.page.locator("#suggestions [role=option]").all_inner_texts() == [
        "LSTM\nlong short-term memory\n4"
    ]
    one.page.press("#search", "Enter")
    assert one.page.locator("#details h2").inner_text() == "LSTM"
    one.page.fill("#search", "no such thing")
    assert one.page.locator("#suggestions").inner_text() == "No name contains this"
    one.page.press("#search", "Escape")
    assert not one.page.locator("#suggestions").is_visible()


def test_search_by_keys_alone(opened):
    one = opened()
    one.page.keyboard.press("/")
    one.page.keyboard.type("l")
    options = one.page.locator("#suggestions [role=option] > span > bdi").all_inner_texts()
    assert len(options) > 2
    one.page.keyboard.press("ArrowDown")
    active = one.page.locator("#search").get_attribute("aria-activedescendant")
    assert one.page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    one.page.keyboard.press("Enter")
    assert one.page.locator("#details h2").inner_text() == options[1]
    one.page.keyboard.press("Escape")
    one.page.locator("#canvas").focus()
    one.page.keyboard.press("Escape")
    assert one.page.locator("#details h2").inner_text() == f"On {HOSTILE}"


def test_a_click_on_a_node_shows_names_years_relations_and_evidence(opened):
    one = opened()
    one.page.mouse.click(*one.where(node=one.node("method/bert")))
    details = one.page.locator("#details")
    assert details.locator("h2").inner_text() == "BERT"
    assert "6 papers · 2018–2021" in details.inner_text()
    chart = details.locator(".years")
    assert chart.get_attribute("aria-label") == "Papers by year: 2018: 2, 2020: 4"
    heights = chart.locator("div").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert heights[0] > heights[1]
    assert heights[2] > 1.8 * heights[0]
    assert details.locator("h4").all_inner_texts() == [
        "based on …", "evaluated on …", "trained on …", "… part of it",
    ]  # fmt: skip
    said = details.locator(".said")
    assert said.locator("mark.tail").inner_text() == "BERT"
    link = said.locator("a")
    assert (link.inner_text(), link.get_attribute("href")) == (
        "A first paper",
        "https://aclanthology.org/x",
    )
    assert link.get_attribute("rel") == "noopener noreferrer"


def test_a_number_of_papers_leads_to_what_they_say(opened):
    one = opened(size=(1024, 360))
    one.find("BERT")
    heading = one.page.locator("#details h3", has_text="What papers say")
    panel = one.page.locator("#details").bounding_box()
    assert heading.bounding_box()["y"] > panel["y"] + panel["height"]
    one.page.locator("#details").get_by_text("6 papers", exact=True).click()
    assert heading.bounding_box()["y"] < panel["y"] + panel["height"]
    assert heading.evaluate("h => h === document.activeElement")
    # and that beside a relation to what they say of it
    one.page.locator("#details .rows").get_by_text("3 papers", exact=True).click()
    assert one.page.locator("#details .ends").inner_text().split("\n")[1] == "based on"
    assert one.page.locator(".said blockquote").inner_text() == "BERT builds on the Transformer."


def test_a_click_on_an_edge_shows_its_statements_with_both_ends_marked(opened):
    one = opened()
    one.page.mouse.click(*one.where(edge=one.edge("method/bert", "basedOn", "method/transformer")))
    details = one.page.locator("#details")
    assert details.locator(".ends").inner_text().split("\n") == ["BERT", "based on", "Transformer"]
    assert details.locator(".said mark.head").inner_text() == "BERT"
    assert details.locator(".said mark.tail").inner_text() == "Transformer"
    assert details.locator(".said blockquote").inner_text() == "BERT builds on the Transformer."


def test_a_click_beside_everything_clears(opened):
    one = opened()
    one.find("GLUE")
    box = one.page.locator("#canvas").bounding_box()
    one.page.mouse.click(box["x"] + 8, box["y"] + 8)
    assert one.page.locator("#details h2").inner_text() == f"On {HOSTILE}"


def counts(one: Opened, fieldset: str) -> dict[str, str]:
    rows = one.page.locator(f"#{fieldset} .tick").all_inner_texts()
    return dict(row.split("\n") for row in rows)


def test_filters_count_as_they_go(opened):
    one = opened()
    assert counts(one, "types") == {
        "Method": "4",
        "Task": "1",
        "Dataset": "1",
        "Benchmark": "1",
        "Metric": "1",
    }
    assert counts(one, "kinds")["based on"] == "1"
    assert one.page.locator("#summary").inner_text() == "8 nodes · 8 relations"
    one.page.click("#types .tick:has-text('Task')")
    # without the task, the metric has no relation any more
    assert one.page.locator("#summary").inner_text() == "6 nodes · 6 relations"
    assert counts(one, "kinds")["used for"] == "0"
    one.page.click("#kinds .tick:has-text('outperforms')")
    assert one.page.locator("#summary").inner_text() == "6 nodes · 5 relations"
    one.page.click("#tab-table")
    assert "machine translation" not in one.page.locator("#table").inner_text()
    one.page.check("#loose")
    assert one.page.locator("#summary").inner_text() == "8 nodes · 5 relations"
    one.page.click("#reset")
    assert one.page.locator("#summary").inner_text() == "8 nodes · 8 relations"


def test_filters_by_papers_and_years(opened):
    one = opened()
    set_range(one, "least", 5)
    assert one.page.locator("#summary").inner_text() == "3 nodes · 2 relations"
    one.page.click("#reset")
    # a relation of 2018 to 2020 is still seen, one that ends in 2019 is not
    one.page.fill("#from", "2020")
    one.page.click("#tab-table")
    assert sorted(one.page.locator("#table tbody bdi").all_inner_texts()) == ["BERT", "Transformer"]


def test_filters_by_role_venue_support_and_confidence(opened):
    one = opened()
    assert counts(one, "roles") == {"proposes": "1", "uses": "2", "mentions": "1"}
    assert counts(one, "venues") == {"ICML": "2", HOSTILE: "1", "ACL": "1"}
    one.page.click("#roles .tick:has-text('mentions')")
    assert one.page.locator("#summary").inner_text() == "7 nodes · 7 relations"
    # those that would be seen with it ticked again
    assert counts(one, "roles") == {"proposes": "1", "uses": "2", "mentions": "1"}
    one.page.click("#venues .tick:has-text('ICML')")
    # without the Transformer no edge to it, nor what hangs on it alone
    assert one.page.locator("#summary").inner_text() == "5 nodes · 3 relations"
    assert counts(one, "venues")["ICML"] == "2"
    one.page.click("#venues .tick:has-text('ACL')")
    assert one.page.locator("#summary").inner_text() == "2 nodes · 1 relation"
    fragment = one.page.evaluate("location.hash")
    two = opened(fragment=fragment)
    assert two.page.locator("#summary").inner_text() == "2 nodes · 1 relation"
    one.page.click("#reset")
    assert one.page.locator("#summary").inner_text() == "8 nodes · 8 relations"
    set_range(one, "support", 2)
    assert counts(one, "kinds")["compared with"] == "0"
    assert one.page.locator("#summary").inner_text() == "6 nodes · 5 relations"
    one.page.click("#reset")
    set_range(one, "sure", 0.8)
    assert one.page.locator("#summary").inner_text() == "0 nodes · 0 relations"
    assert one.page.locator("#sure-said").inner_text() == "0.80"
    one.find("bert")
    assert one.page.locator("#details h2").inner_text() == "BERT"


def set_range(one: Opened, name: str, value: float) -> None:
    one.page.locator(f"#{name}").evaluate(
        "(e, value) => { e.value = value; e.dispatchEvent(new Event('input')); }", value
    )


def test_colours_stand_for_types_or_communities_and_the_address_says_which(browser_page, tmp_path):
    network = clusters(12, 20)
    places = layout(network)
    path = tmp_path / "many.html"
    path.write_text(page(network, places, Details(), title="Many", renderer="sigma"), "utf-8")
    one = browser_page(path=path)
    method, community = (0, 114, 178), (238, 102, 119)
    assert one.until(lambda: method in one.colours())
    one.page.click("#by-community")
    assert one.until(lambda: community in (seen := one.colours()) and method not in seen)
    names = [c.name for c in places.communities]
    legend = counts(one, "groups")
    own, others = names[:8], places.communities[8:]
    assert list(legend)[:8] == own
    assert legend["Smaller communities"] == str(sum(c.size for c in others))
    one.page.click(f"#groups .tick:has-text('{own[1]}')")
    left = len(network) - places.communities[1].size
    assert one.page.locator("#summary").inner_text().startswith(f"{left} nodes")
    two = browser_page(path=path, fragment=one.page.evaluate("location.hash"))
    assert two.page.locator("#by-community").get_attribute("aria-pressed") == "true"
    assert two.page.locator("#summary").inner_text().startswith(f"{left} nodes")
    assert two.until(lambda: community not in two.colours())
    two.page.click("#reset")
    two.page.click("#by-type")
    assert two.until(lambda: method in two.colours())


def test_a_community_is_told_by_its_members(browser_page, tmp_path):
    network = clusters(12, 20)
    places = layout(network)
    path = tmp_path / "many.html"
    path.write_text(page(network, places, Details(), title="Many", renderer="vis"), "utf-8")
    one = browser_page(path=path, fragment="#community=2")
    details = one.page.locator("#details")
    assert details.locator("h2").inner_text() == places.communities[2].name
    members = {d["label"] for n, d in network.nodes(data=True) if places.community[n] == 2}
    shown = details.locator("ul").first.locator("bdi").all_inner_texts()
    assert shown
    assert set(shown) <= members
    assert "community=2" in one.page.evaluate("location.hash")


def test_a_link_to_what_is_not_drawn_says_so(opened):
    one = opened(fragment="#node=https%3A%2F%2Fkg.example%2Fid%2Fmethod%2F%3Cb%3Egone")
    details = one.page.locator("#details").inner_text()
    assert "Not on this page" in details
    assert "https://kg.example/id/method/<b>gone" in details
    assert one.page.locator("#summary").inner_text() == "8 nodes · 8 relations"


def test_a_name_asked_for_is_shown_whatever_the_filters_say(opened):
    one = opened()
    one.page.click("#types .tick:has-text('Metric')")
    one.find("bleu")
    assert counts(one, "types")["Metric"] == "1"
    one.find("lonely")
    assert one.page.locator("#details h2").inner_text() == "lonely method"
    assert one.page.locator("#loose").is_checked()


def test_nothing_left_says_so(opened):
    one = opened()
    for box in one.page.locator("#types input").all():
        box.uncheck()
    assert one.page.locator("#nothing").is_visible()


def test_table_sorts_and_goes_to_the_node_and_downloads(opened, tmp_path):
    one = opened()
    one.page.click("#tab-table")
    papers = [int(t) for t in one.page.locator("#table td:nth-child(3)").all_inner_texts()]
    assert papers == sorted(papers, reverse=True)
    one.page.click("#table th button:has-text('Name')")
    names = one.page.locator("#table tbody bdi").all_inner_texts()
    assert [n.lower() for n in names[1:]] == sorted(n.lower() for n in names[1:])
    with one.page.expect_download() as download:
        one.page.click("#csv")
    download.value.save_as(tmp_path / "t.csv")
    rows = (tmp_path / "t.csv").read_text("utf-8").splitlines()
    assert rows[0] == '"Name","Type","Papers","First","Links","IRI"'
    assert len(rows) == 1 + len(names)
    one.page.click("#table tbody tr:has-text('GLUE') button")
    assert one.page.locator("#details h2").inner_text() == "GLUE"


def test_the_address_holds_the_state(opened):
    one = opened()
    one.page.click("#types .tick:has-text('Dataset')")
    one.find("glue")
    fragment = one.page.evaluate("location.hash")
    two = opened(fragment=fragment)
    assert two.page.locator("#details h2").inner_text() == "GLUE"
    assert not two.page.locator("#types .tick:has-text('Dataset') input").is_checked()
    three = opened(fragment="#node=nonsense&without=%3Cimg%3E&least=x")
    assert three.page.locator("#summary").inner_text() == "8 nodes · 8 relations"


def test_arrow_keys_move_and_plus_zooms(opened):
    one = opened()
    bert = one.node("method/bert")
    before = one.where(node=bert)
    one.page.locator("#canvas").focus()
    one.page.keyboard.press("ArrowRight")
    after = one.where(node=bert)
    assert before[0] - after[0] == pytest.approx(60, abs=1)
    gap = abs(one.where(node=one.node("benchmark/glue"))[0] - after[0])
    one.page.keyboard.press("+")
    wider = abs(one.where(node=one.node("benchmark/glue"))[0] - one.where(node=bert)[0])
    assert wider == pytest.approx(1.3 * gap, rel=0.05)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_size_and_scheme_is_usable(opened, size, scheme):
    one = opened(size=size, scheme=scheme)
    assert one.page.locator("html").get_attribute("data-theme") == scheme
    # nothing makes the page wider than the screen
    assert one.page.evaluate("document.documentElement.scrollWidth") == size[0]
    one.find("bert")
    for wanted in ("#canvas", "#details h2", "#search"):
        box = one.page.locator(wanted).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0] + 1
        assert box["y"] + min(box["height"], 40) <= size[1]
    assert one.page.locator("#canvas").bounding_box()["height"] > 200
    if size[0] <= 1180:
        one.page.click("#tab-filters")
        assert one.page.locator("#details").is_hidden()
    assert one.page.locator("#types .tick").first.is_visible()
    one.page.click("#theme")
    assert one.page.locator("html").get_attribute("data-theme") != scheme


@pytest.mark.parametrize("renderer", RENDERERS)
def test_labels_do_not_collide(browser_page, tmp_path, renderer):
    opened = browser_page
    network = clusters(8, 20)
    path = tmp_path / "many.html"
    text = page(network, layout(network), Details(), title="Many", renderer=renderer)
    path.write_text(text, "utf-8")
    one = opened(path=path)
    one.page.wait_for_function("Number(document.querySelector('#canvas').dataset.labels) > 0")
    boxes = one.ask({})
    assert len(boxes) >= 12
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart = (
                a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
                or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
            )  # fmt: skip
            assert apart, (a, b)


@pytest.mark.parametrize("renderer", RENDERERS)
def test_large_communities_are_named_in_the_drawing_until_one_is_near(
    browser_page, tmp_path, renderer
):
    network = clusters(6, 20)
    places = layout(network)
    path = tmp_path / "many.html"
    path.write_text(page(network, places, Details(), title="Many", renderer=renderer), "utf-8")
    one = browser_page(path=path)
    one.page.wait_for_function("Number(document.querySelector('#canvas').dataset.labels) > 0")
    named = [b["community"] for b in one.ask({}) if b["id"] is None]
    assert len(named) >= 3
    assert set(named) <= {c.number for c in places.communities}
    one.page.locator("#canvas").focus()
    for _ in range(14):
        one.page.keyboard.press("+")
    assert one.until(lambda: all(b["id"] is not None for b in one.ask({})))


def test_a_large_page_is_packed_and_reads_sentences_when_asked(browser_page, tmp_path):
    network = clusters(30, 20)
    places = layout(network)
    said = {
        node: (Statement("p", "uses", f"We use {data['label']} here. {'x' * 2000}", 0.5),)
        for node, data in network.nodes(data=True)
    }
    path = tmp_path / "packed.html"
    of = Details(papers={"p": Paper("A paper")}, nodes=said)
    path.write_text(page(network, places, of, title="Packed"), "utf-8")
    one = browser_page(path=path)
    assert one.page.locator("#evidence-data").get_attribute("type") == "application/gzip"
    # more than 500 nodes: drawn by sigma.js unless asked otherwise
    assert one.page.locator("#canvas canvas.sigma-nodes").count() == 1
    one.find("m 7 3")
    assert "We use m 7 3 here." in one.page.locator("#details .said").inner_text()


COUNT_WEBGL = """
    window.asked = { contexts: 0, programs: 0, frames: 0 };
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      if (/webgl/.test(kind)) window.asked.contexts += 1;
      return get.call(this, kind, ...rest);
    };
    const link = WebGL2RenderingContext.prototype.linkProgram;
    WebGL2RenderingContext.prototype.linkProgram = function (program) {
      window.asked.programs += 1;
      return link.call(this, program);
    };
    for (const name of ["drawArrays", "drawArraysInstanced"]) {
      const draw = WebGL2RenderingContext.prototype[name];
      WebGL2RenderingContext.prototype[name] = function (...how) {
        window.asked.frames += 1;
        return draw.apply(this, how);
      };
    }
"""


def test_the_first_frame_asks_no_more_of_the_graphics_than_it_shows(browser_page, tmp_path):
    # without a graphics card contexts, programs and frames are what one waits for
    network = clusters(50, 20)
    path = tmp_path / "g.html"
    path.write_text(page(network, layout(network), Details(), title="1000"), "utf-8")
    one = browser_page(path=path, before=COUNT_WEBGL)
    one.page.wait_for_function("Number(document.querySelector('#canvas').dataset.labels) > 0")
    assert one.page.evaluate("window.asked") == {"contexts": 2, "programs": 2, "frames": 2}


def seconds_to_the_second_frame(browser_page, path, runs=3) -> float:
    """The best of some, since other programs want the processor too."""
    script = """() => new Promise(drawn => requestAnimationFrame(() =>
      requestAnimationFrame(() => drawn(performance.now() / 1000))))"""
    return min(browser_page(path=path).page.evaluate(script) for _ in range(runs))


@pytest.mark.slow
def test_a_thousand_nodes_are_drawn_within_a_second_or_nearly_as_fast_as_nine(
    browser_page, tmp_path
):
    network = clusters(50, 20)
    paths = tmp_path / "few.html", tmp_path / "many.html"
    few = page(small(), layout(small()), details(), title="Few", renderer="sigma")
    paths[0].write_text(few, "utf-8")
    paths[1].write_text(page(network, layout(network), Details(), title="Many"), "utf-8")
    base, seconds = (seconds_to_the_second_frame(browser_page, path) for path in paths)
    # what nine nodes take is the browser's own and the machine's load
    assert seconds < max(1.0, 2.5 * base), (base, seconds)


@pytest.mark.slow
def test_twenty_thousand_nodes_are_drawn_within_five_seconds(browser_page, tmp_path):
    network = clusters(1000, 20)
    nodes = sorted(network)
    for i, node in enumerate(nodes):
        network.add_edge(
            node, nodes[(i * 7 + 1) % len(nodes)],
            key="partOf", kind="partOf", label="part of", papers=1, weight=1.0,
        )  # fmt: skip
    places = Layout(
        {n: (40.0 * (i % 150), 40.0 * (i // 150)) for i, n in enumerate(nodes)},
        dict.fromkeys(nodes, 8.0),
        dict.fromkeys(nodes, 0),
        (Community(0, "all", len(nodes)),),
    )
    path = tmp_path / "large.html"
    path.write_text(page(network, places, Details(), title="Large"), "utf-8")
    assert network.number_of_edges() > 60_000
    assert path.stat().st_size < 15_000_000
    seconds = seconds_to_the_second_frame(browser_page, path)
    few = tmp_path / "few.html"
    few.write_text(
        page(small(), layout(small()), details(), title="Few", renderer="sigma"), "utf-8"
    )
    base = seconds_to_the_second_frame(browser_page, few)
    assert seconds < max(5.0, 8 * base), (base, seconds)
