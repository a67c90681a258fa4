"""The README's blocks, run as a reader would; `python tests/readme.py` puts in what they print now.

A `console` block holds commands ("$ kg stats") and what they print, on standard output or error;
"…" stands for any text, or on a line of its own for any lines. A `python` block is run as it is.
All run in order in one folder that holds a copy of `examples/` and what the model read in the
sample (`recorded.py`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import recorded

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
#: What differs from run to run.
_CHANGING = re.compile(r"^((?:seconds|size) +).*$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A command or a program, where it stands in the README, and the output shown for it."""

    kind: str
    text: str
    shown: str
    line: int
    span: tuple[int, int]


def steps(readme: str) -> list[Step]:
    found = []
    for block in _BLOCK.finditer(readme):
        kind, body = block.groups()
        start = block.start(2)
        if kind == "python":
            line = readme.count("\n", 0, start) + 1
            found.append(Step(kind, body, "", line, (block.end(2), block.end(2))))
            continue
        for command in _COMMAND.finditer(body):
            line = readme.count("\n", 0, start + command.start()) + 1
            span = (start + command.start(2), start + command.end(2))
            found.append(Step(kind, command[1], command[2], line, span))
    return found


def folder(at: Path) -> Path:
    shutil.copytree(ROOT / "examples", at / "examples")
    recorded.put(at / "graph")
    return at


def run(step: Step, at: Path) -> tuple[int, str]:
    """The exit code, and what was printed."""
    program = [sys.executable, "-c"] if step.kind == "python" else ["bash", "-c"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {k: v for k, v in os.environ.items() if k not in ("KG_GRAPH", "COLUMNS")}
    done = subprocess.run(
        [*program, step.text],
        cwd=at,
        env=environment | {"PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def fits(shown: str, printed: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*"
        if line.strip() == "…"
        else r"[^\n]*".join(map(re.escape, line.split("…"))) + "\n"
        for line in shown.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None


def update() -> int:
    text = README.read_text(encoding="utf-8")
    changes = []
    with tempfile.TemporaryDirectory() as at:
        place = folder(Path(at))
        for step in steps(text):
            code, printed = run(step, place)
            if code:
                print(f"README.md:{step.line}: exit code {code}: {step.text}\n{printed}")
                return 1
            # a lone "…" asks to be filled in
            if step.kind == "console" and (
                step.shown.strip() == "…" or not fits(step.shown, printed)
            ):
                print(f"README.md:{step.line}: new output of {step.text}")
                changes.append((step.span, _CHANGING.sub(r"\1…", printed)))
    for (start, end), printed in reversed(changes):
        text = text[:start] + printed + text[end:]
    README.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(update())
