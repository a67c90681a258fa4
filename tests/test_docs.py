"""The README holds: its blocks run and print what it shows, every command stands in it."""

from __future__ import annotations

import re

import pytest
import readme
import recorded
import typer

from kg import Abstract, read_abstracts
from kg.build.cache import Cache, text_hash
from kg.cli import app
from kg.extract import extract, model_name

TEXT = readme.README.read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return readme.folder(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("step", readme.steps(TEXT), ids=lambda step: f"line {step.line}")
def test_each_block_of_the_readme_does_what_it_shows(step, place):
    # the steps build on each other, so they run in one folder and in the README's order
    code, printed = readme.run(step, place)
    assert code == 0, printed
    if step.kind == "console":
        assert readme.fits(step.shown, printed), f"{step.text} printed:\n{printed}"


def test_what_is_shown_was_read_by_the_shipped_model_as_it_reads_here(tmp_path):
    papers = [p for p in read_abstracts(recorded.SAMPLE) if isinstance(p, Abstract)]
    with Cache.open(recorded.put(tmp_path / "graph") / "extractions.sqlite") as cache:
        kept = [cache.get(text_hash(p), model_name(), p) for p in papers]
    assert None not in kept, "another model: run python tests/recorded.py, readme.py, library.py"
    same, both = 0, 0
    for old, new in zip(kept, extract(papers), strict=True):
        one, other = facts(old), facts(new)
        same += 2 * len(one & other)
        both += len(one) + len(other)
    assert same / both > 0.97


def facts(extraction):
    """What an extraction says, without confidences."""
    names = {e.id: (e.type, e.role, *e.names) for e in extraction.entities}
    relations = {(names[r.head], r.type, names[r.tail]) for r in extraction.relations}
    return set(names.values()) | relations


def test_what_is_shown_is_compared_with_what_is_printed():
    assert readme.fits("papers 3\n", "papers 3\n")
    assert not readme.fits("papers 3\n", "papers 4\n")
    assert not readme.fits("papers 3\n", "papers 3\nand more\n")
    assert readme.fits("seconds …\nend\n", "seconds 1.5\nend\n")
    assert not readme.fits("seconds …\n", "seconds 1\n2\n")
    assert readme.fits("a\n…\nz\n", "a\nb\nc\nz\n")
    assert readme.fits("", "")
    assert not readme.fits("", "noise\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_stands_in_the_readme_with_an_example(name):
    shown = [step.text for step in readme.steps(TEXT)]
    assert any(re.search(rf"\bkg {name}\b", text) for text in shown) or f"| `kg {name}" in TEXT


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_an_example_of_itself(name):
    command = COMMANDS[name]
    assert len(command.help) > 40
    assert f"kg {name}" in command.epilog


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_says_what_it_does(name):
    silent = [p.name for p in COMMANDS[name].params if not getattr(p, "help", "")]
    assert silent == []


def test_links_of_the_documents_lead_to_files():
    for document in (readme.README, readme.ROOT / "CONTRIBUTING.md", readme.ROOT / "CHANGELOG.md"):
        links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", document.read_text(encoding="utf-8"))
        missing = [link for link in links if not (document.parent / link.split("#")[0]).exists()]
        assert missing == [], document.name
