"""What several tests need: the command line in this process, a small graph, and reasons to skip."""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import building
import pytest
from hypothesis import settings
from typer.testing import CliRunner

SHARED = Path(__file__).parent.parent.parent / "shared"
# a machine with other work to do is slow, not wrong
settings.register_profile("kg", deadline=None)
settings.load_profile("kg")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items):
    missing = {}
    if not SHARED.is_dir():
        missing["shared"] = f"needs the folder {SHARED}"
    if importlib.util.find_spec("torch") is None:
        missing["train"] = "needs PyTorch: make test-train"
    # in CI a missing browser is a failure, not a reason to skip
    if not any(map(shutil.which, CHROMIUM)) and not os.environ.get("CI"):
        missing["browser"] = "needs Chromium: sudo apt-get install chromium"
    for item in items:
        for name, reason in missing.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass(frozen=True)
class Run:
    """How a command ended: exit code, standard output, standard error."""

    code: int
    out: str
    err: str
    out_bytes: bytes


@pytest.fixture
def run_kg():
    """Run `kg ARGUMENTS…` in this process; anything but an exit is raised."""

    def run(*arguments: object, stdin: str | bytes | None = None) -> Run:
        from kg.cli import app

        result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, prog_name="kg")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Run(result.exit_code, result.stdout, result.stderr, result.stdout_bytes)

    yield run
    logging.getLogger("kg").handlers = []


@pytest.fixture
def known_papers(monkeypatch):
    """Let `kg build` and `kg extract` know the invented papers of `building.sample` by heart."""
    import kg.extract

    found = building.extractor(building.sample())

    def extract(abstracts, *, model=None, jobs=None, min_confidence=None):
        return found(abstracts)

    monkeypatch.setattr(kg.extract, "extract", extract)
    monkeypatch.setattr(kg.extract, "model_name", lambda model=None: "test/1")


@pytest.fixture(scope="session")
def sample_graph(tmp_path_factory) -> Path:
    """The folder of a graph of the invented papers, to read from only."""
    from kg.build import build_graph

    folder = tmp_path_factory.mktemp("sample") / "graph"
    known = building.sample()
    build_graph(
        [found.abstract for found in known],
        folder,
        extract=building.extractor(known),
        model="test/1",
    )
    return folder
