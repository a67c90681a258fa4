"""Builds where there is too little room, and then enough: run by `test_build_full_disk.py`.

`python full_disk.py FOLDER SIZE disk` mounts SIZE bytes of memory at FOLDER (which takes a mount
namespace of its own), builds a small graph into it and then a large one, which may not find room,
makes room, and builds the large one again. With `file` in place of `disk` no file may grow beyond
SIZE. Prints what happened as JSON.
"""

from __future__ import annotations

import hashlib
import io
import json
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

from building import extraction, extractor, plain_resolve, sample

from kg.build import build_graph
from kg.errors import KgError
from kg.store import GraphStore


def many(count: int = 400):
    """Papers enough for a graph of some megabytes; the first six are those of `building`."""
    return sample() + [
        extraction(
            f"Study {number} of [LanternNet|e1]",
            f"We try [LanternNet|e1] against [GateRNN-{number}|e2] on [WebTalk|e3], run {number}. "
            f"[LanternNet|e1] outperforms [GateRNN-{number}|e2] for [machine translation|e4].",
            "e1 Method studies, e2 Method comparesWith, e3 Benchmark evaluatesOn, "
            "e4 Task addresses",
            "e1 outperforms e2, e1 evaluatedOn e3, e1 usedFor e4",
            id=f"study{number}", identifiers=(f"doi:10.5555/study.{number}",), year=2024,
        )
        for number in range(count)
    ]  # fmt: skip


def digest(folder) -> str:
    with GraphStore.open(folder) as store:
        sink = io.BytesIO()
        store.dump(sink)
    return hashlib.sha256(sink.getvalue()).hexdigest()


def narrow(folder: Path, size: int, what: str):
    """Take the room away; gives what brings it back."""
    if what == "disk":
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
        subprocess.run(mount, check=True)
        return lambda: subprocess.run(["mount", "-o", "remount,size=1g", folder], check=True)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def main(folder: Path, size: int, what: str) -> dict[str, object]:
    make_room = narrow(folder, size, what)
    graph = folder / "g"
    papers, read = many(), Counter()

    def counting(abstracts):
        for found in extractor(papers)(abstracts):
            read[found.abstract.id] += 1
            yield found

    def build(some) -> str:
        try:
            build_graph(
                [one.abstract for one in some], graph,
                extract=counting, model="test/1", resolve=plain_resolve,
            )  # fmt: skip
        except KgError as error:
            return f"{type(error).__name__}: {error}"
        return ""

    told = {"first": build(papers[:6])}
    told["before"] = "" if told["first"] else digest(graph)
    told["second"] = build(papers)
    told["after"] = digest(graph) if told["before"] else ""
    make_room()
    kept = Counter(read)
    told["third"] = build(papers)
    told["end"] = digest(graph)
    told["lost"] = sum(read[name] > times for name, times in kept.items())
    told["files"] = sorted(path.name for path in graph.iterdir())
    return told


if __name__ == "__main__":
    json.dump(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]), sys.stdout)
