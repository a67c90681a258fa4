"""Make the pictures of the README: `make screenshots`, or `python tests/screenshots.py GRAPH`.

GRAPH is the folder of the graph of examples/landmarks.jsonl, by default that of `make demo`. The
last picture is drawn from the GEXF file alone, as a program that opens it does.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from browsing import SWITCHES, chromium
from lxml import etree
from PIL import Image
from playwright.sync_api import sync_playwright

from kg.graph import open_graph

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SIZE = (1200, 720)
#: Largest file in bytes; above it, fewer colours.
MOST = 150_000
GEXF = "{http://gexf.net/1.3}"
VIZ = "{http://gexf.net/1.3/viz}"
LABELS = 45
#: Milliseconds; drawing by software on a busy machine takes its time.
PATIENCE = 300_000


def main(graph: Path) -> None:
    DOCS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, open_graph(graph) as opened:
        folder = Path(name)
        opened.view(folder / "graph.html", title="Landmark papers")
        opened.export(folder / "graph.gexf")
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
            context = chrome.new_context(
                viewport={"width": SIZE[0], "height": SIZE[1]}, offline=True,
                reduced_motion="reduce",
            )  # fmt: skip
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto((folder / "graph.html").as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            save(page.screenshot(), "page.png")
            page.fill("#search", "BERT")
            page.press("#search", "Enter")
            page.wait_for_timeout(2000)
            save(page.screenshot(), "evidence.png")
            page.set_content(drawing(folder / "graph.gexf"))
            save(page.screenshot(), "gexf.png")
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
    discs = [f'<circle cx="{x}" cy="{y}" r="{r}" fill="{c}"/>' for x, y, r, c in place.values()]
    labels = "".join(
        f'<text x="{x}" y="{y - r - 6}">{etree_text(nodes[name].get("label"))}</text>'
        for name, (x, y, r, _) in sorted(place.items(), key=lambda item: -item[1][2])[:LABELS]
    )
    view = f"{min(xs) - 60} {min(ys) - 60} {width + 120} {height + 120}"
    return (
        f'<body style="margin:0;background:#fff"><svg viewBox="{view}" style="width:100vw;'
        f'height:100vh"><g>{"".join(lines + discs)}</g><g font-family="sans-serif"'
        f' font-size="{width / 70:.0f}" text-anchor="middle" paint-order="stroke" stroke="#fff"'
        f' stroke-width="8">{labels}</g></svg>'
    )


def colour(element: etree._Element) -> str:
    of = element.find(f"{VIZ}color")
    return "rgb({},{},{})".format(*(of.get(c) for c in "rgb"))


def etree_text(text: str) -> str:
    holder = etree.Element("text")
    holder.text = text
    return etree.tostring(holder, encoding="unicode")[6:-7]


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "exports" / "landmarks-graph"))
