"""Make the pictures of the README: `make screenshots`, or `python tests/screenshots.py GRAPH`.

GRAPH is the folder of the graph of examples/landmarks.jsonl, by default that of `make demo`. The
last picture is drawn from the GEXF file alone, as a program that opens it does.
"""

from __future__ import annotations

import io
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import chromium
from lxml import etree
from PIL import Image
from playwright.sync_api import sync_playwright

from kg.graph import open_graph

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SIZE = (1200, 720)
#: Largest file in bytes; above it, fewer colours.
MOST = 150_000
GEXF = "{http://gexf.net/1.3}"
VIZ = "{http://gexf.net/1.3/viz}"
LABELS = 45
#: Nodes on the page, few enough to be drawn without WebGL.
TOP = 150
SWITCHES = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run"]
SHAPES = {
    "disc": '<circle r="1"/>',
    "square": '<path d="M-.9-.9H.9V.9H-.9Z"/>',
    "triangle": '<path d="M0-1.1 1 .8H-1Z"/>',
    "diamond": '<path d="M0-1.2 1.2 0 0 1.2-1.2 0Z"/>',
}
#: Milliseconds; drawing by software on a busy machine takes its time.
PATIENCE = 600_000


def main(graph: Path) -> None:
    DOCS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, open_graph(graph) as opened:
        folder = Path(name)
        opened.view(folder / "graph.html", title="Landmark papers", top=TOP)
        opened.export(folder / "graph.gexf")
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(
                executable_path=chromium(), args=SWITCHES, timeout=PATIENCE
            )
            context = chrome.new_context(
                viewport={"width": SIZE[0], "height": SIZE[1]}, offline=True,
                reduced_motion="reduce",
            )  # fmt: skip
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto((folder / "graph.html").as_uri(), wait_until="commit")
            page.wait_for_selector("html[data-ready]", state="attached")
            save(page.screenshot(), "page.png")
            page.fill("#search", "BERT")
            page.press("#search", "Enter")
            page.wait_for_timeout(2000)
            save(page.screenshot(), "entity.png")
            # a page of its own: the other's policy forbids the styles of this one
            sheet = context.new_page()
            sheet.set_content(drawing(folder / "graph.gexf"))
            save(sheet.screenshot(), "gexf.png")
            chrome.close()


def save(picture: bytes, name: str) -> None:
    """Write a picture of few colours, half of it for what is small and bright."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        few = image.quantize(colours, dither=Image.Dither.NONE)
        few.save(DOCS / name, optimize=True)
        if (DOCS / name).stat().st_size <= MOST:
            break
    print(f"wrote docs/{name}, {(DOCS / name).stat().st_size:,} bytes")


def drawing(path: Path) -> str:
    """The network in the file as SVG, by what the file says of places, sizes and colours."""
    tree = etree.parse(path)
    nodes = {n.get("id"): n for n in tree.iter(f"{GEXF}node")}
    place = {
        name: (
            float(n.find(f"{VIZ}position").get("x")), -float(n.find(f"{VIZ}position").get("y")),
            float(n.find(f"{VIZ}size").get("value")), colour(n),
        )
        for name, n in nodes.items()
    }  # fmt: skip
    xs, ys = zip(*((x, y) for x, y, _, _ in place.values()), strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    lines = [
        f'<line x1="{place[e.get("source")][0]}" y1="{place[e.get("source")][1]}"'
        f' x2="{place[e.get("target")][0]}" y2="{place[e.get("target")][1]}"'
        f' stroke="{colour(e)}" stroke-width="2" opacity=".5"/>'
        for e in tree.iter(f"{GEXF}edge")
    ]
    shapes = [
        f'<g transform="translate({x} {y}) scale({r})" fill="{c}">{SHAPES[shape(nodes[name])]}</g>'
        for name, (x, y, r, c) in place.items()
    ]
    size = width / 75
    names = {name: nodes[name].get("label") for name in place}
    written: list[tuple[float, float, float, float]] = []
    labels = []
    for name, (x, y, r, _) in sorted(place.items(), key=lambda item: (-item[1][2], item[0])):
        half, foot = len(names[name]) * size * 0.28, y - r - size / 4
        box = (x - half, foot - size, x + half, foot)
        if len(labels) < LABELS and not any(map(box_meets(box), written)):
            written.append(box)
            labels.append(f'<text x="{x}" y="{foot}">{escape(names[name])}</text>')
    view = f"{min(xs) - 60} {min(ys) - 60} {width + 120} {height + 120}"
    return (
        f'<body style="margin:0;background:#fff"><svg viewBox="{view}" style="width:100vw;'
        f'height:100vh"><g>{"".join(lines + shapes)}</g><g font-family="sans-serif"'
        f' font-size="{size:.0f}" text-anchor="middle" paint-order="stroke" stroke="#fff"'
        f' stroke-width="{size / 4:.0f}">{"".join(labels)}</g></svg>'
    )


def box_meets(one: tuple[float, ...]) -> Callable[[tuple[float, ...]], bool]:
    return lambda other: (
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    )


def shape(node: etree._Element) -> str:
    return node.find(f"{VIZ}shape").get("value")


def colour(element: etree._Element) -> str:
    of = element.find(f"{VIZ}color")
    return "rgb({},{},{})".format(*(of.get(c) for c in "rgb"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "exports" / "landmarks-graph"))
