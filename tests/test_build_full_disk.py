"""A full disk: one clear line, nothing lost, and the next run ends in the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from building import extractor, plain_resolve
from full_disk import digest, many

from kg.build import build_graph
from kg.build.reading import _COMMIT

HERE = Path(__file__).parent
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


@cache
def may_mount() -> bool:
    command = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=4096", "tmpfs", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The graph of a build with room enough."""
    folder = tmp_path_factory.mktemp("whole") / "g"
    build_graph(
        [one.abstract for one in many()], folder,
        extract=extractor(many()), model="test/1", resolve=plain_resolve,
    )  # fmt: skip
    return digest(folder)


def run(folder, size, what):
    program = [sys.executable, HERE / "full_disk.py", folder, str(size), what]
    done = subprocess.run(
        [*(NAMESPACE if what == "disk" else []), *program],
        capture_output=True, text=True, check=False, env={"PYTHONPATH": f"{HERE}:{HERE.parent}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def survives(told, whole):
    assert told["second"].startswith("StoreError: ")
    assert "\n" not in told["first"] + told["second"]
    assert "run the same command again" in told["second"]
    # what was there is there still
    assert told["after"] == told["before"]
    assert told["third"] == ""
    assert told["end"] == whole
    assert told["lost"] <= _COMMIT
    assert told["files"] == ["extractions.sqlite", "generations", "kg.json", "lock"]


# in the store's files, in the ledger, in the cache, in the folder's first files
SIZES = [6_000_000, 1_300_000, 600_000, 300_000, 40_000, 8_192]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk(tmp_path, whole, size):
    if not may_mount():
        pytest.skip("may not mount: needs user namespaces (unshare --user --mount)")
    survives(run(tmp_path, size, "disk"), whole)


@pytest.mark.slow
@pytest.mark.parametrize("size", [250_000, 60_000, 0])
def test_a_limit_on_the_size_of_files(tmp_path, whole, size):
    survives(run(tmp_path, size, "file"), whole)
