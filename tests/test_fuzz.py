"""A bounded run of the fuzzers in `fuzz.py`; `make fuzz` runs them for long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("atheris", reason="atheris has no build for this Python")

FUZZ = Path(__file__).with_name("fuzz.py")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["readers", "text", "curation"])
def test_nothing_that_is_given_breaks_it(target, tmp_path):
    done = subprocess.run(
        [sys.executable, FUZZ, target, "-runs=1000", "-max_total_time=15", "-seed=1"],
        capture_output=True, text=True, check=False, cwd=tmp_path, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
