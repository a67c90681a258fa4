"""A page in headless Chromium with the network off; what it complains of is kept."""

from __future__ import annotations

import base64
import gzip
import json
import os
import shutil
import time
from typing import TYPE_CHECKING

from networks import iri

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

SWITCHES = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
    # WebGL by software, the same on every machine
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip


def chromium() -> str:
    found = [
        os.environ.get("KG_CHROMIUM"),
        *map(shutil.which, ("chromium", "chromium-browser", "google-chrome")),
    ]
    return next(filter(None, found))


class Opened:
    """A page in a context of its own; what it complains of or asks the network for is kept."""

    def __init__(
        self, browser, path: Path, *, size=(1440, 900), scheme="light", fragment="", before=""
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, offline=True, color_scheme=scheme,
            reduced_motion="reduce",
        )  # fmt: skip
        # a machine that has other work to do is slow, not wrong
        self.context.set_default_timeout(120_000)
        self.page: Page = self.context.new_page()
        self.page.add_init_script(before)
        self.faults: list[str] = []
        self.page.on(
            "console",
            lambda m: self.faults.append(m.text) if m.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda e: self.faults.append(str(e)))
        self.page.on("dialog", lambda d: (self.faults.append(f"dialog {d.message}"), d.dismiss()))
        self.page.on(
            "request",
            lambda r: (
                None if r.url.startswith(("file:", "data:", "blob:")) else self.faults.append(r.url)
            ),
        )
        self.page.goto(f"{path.as_uri()}{fragment}")
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def where(self, **thing: int) -> tuple[float, float]:
        box = self.page.locator("#canvas").bounding_box()
        place = self.ask(thing)
        return box["x"] + place["x"], box["y"] + place["y"]

    def ask(self, thing: dict):
        return self.page.evaluate(
            """thing => {
              const root = document.documentElement;
              root.dataset.ask = JSON.stringify(thing);
              root.dispatchEvent(new Event("kg-where"));
              return JSON.parse(root.dataset.answer);
            }""",
            thing,
        )

    def until(self, holds: Callable[[], bool], *, seconds: float = 60) -> bool:
        """Whether `holds` comes true: what is drawn follows an action at the machine's pace."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(50)
        return True

    def colours(self) -> set[tuple[int, int, int]]:
        """The colours of the drawing as it is seen."""
        picture = base64.b64encode(self.page.locator("#canvas").screenshot()).decode()
        reader = self.context.new_page()
        found = reader.evaluate(
            """async picture => {
              const image = new Image();
              image.src = `data:image/png;base64,${picture}`;
              await image.decode();
              const c = document.createElement("canvas");
              [c.width, c.height] = [image.width, image.height];
              const context = c.getContext("2d");
              context.drawImage(image, 0, 0);
              const d = context.getImageData(0, 0, c.width, c.height).data;
              const seen = new Set();
              for (let i = 0; i < d.length; i += 4) seen.add(`${d[i]},${d[i + 1]},${d[i + 2]}`);
              return [...seen];
            }""",
            picture,
        )
        reader.close()
        return {tuple(map(int, colour.split(","))) for colour in found}

    def data(self) -> dict:
        return json.loads(unpacked(self.page.locator("#graph-data").text_content()))

    def node(self, name: str) -> int:
        return next(i for i, n in enumerate(self.data()["nodes"]) if n["iri"] == iri(name))

    def edge(self, head: str, kind: str, tail: str) -> int:
        data = self.data()
        wanted = (self.node(head), self.node(tail), kind)
        return next(
            i for i, e in enumerate(data["edges"])
            if (e["from"], e["to"], data["kinds"][e["kind"]]["name"]) == wanted
        )  # fmt: skip

    def find(self, text: str) -> None:
        self.page.fill("#search", text)
        self.page.press("#search", "Enter")


def unpacked(text: str) -> str:
    """A data block as JSON, whether it is packed or not."""
    return text if text.startswith("{") else gzip.decompress(base64.b64decode(text)).decode()
