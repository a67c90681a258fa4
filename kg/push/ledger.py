"""What a remote store was sent: one file a store in the folder of the graph, one line an event."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from typing import IO, TYPE_CHECKING, Self

from kg.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Ledger:
    """Opened by one push at a time; every line is on disk before the next request goes out.

    `digests` are those of the graphs that the store has, by name.
    """

    def __init__(self, folder: Path, endpoint: str) -> None:
        """Read what was written. Raises `StoreError` where another push to the store runs."""
        self._endpoint = endpoint
        name = hashlib.sha256(endpoint.encode()).hexdigest()[:16]
        path = folder / "pushed" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        self._file: IO[bytes] = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise StoreError(
                f"another push to {endpoint!r} runs: wait for it to end, or stop it"
            ) from None
        self.digests: dict[str, str] = {}
        self._begun: set[str] = set()
        self._fresh = False
        self._file.seek(0)
        size = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break  # cut short when the process died
            self._read(json.loads(line))
            size += len(line)
        self._file.truncate(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._file.close()

    def surely_absent(self, graph: str) -> bool:
        """Whether the store cannot have anything under that name: then adding is replacing."""
        return self._fresh and graph not in self.digests and graph not in self._begun

    def begin(self, *, fresh: bool) -> None:
        """Forget all; `fresh` says that the store holds nothing of this graph."""
        self._file.truncate(0)
        self._put({"endpoint": self._endpoint, "fresh": fresh})

    def not_in_batches(self) -> None:
        """The store takes single graphs only."""
        self._put({"fresh": False})

    def sending(self, graphs: Sequence[str]) -> None:
        """These are on their way: after a crash some may be there and some not."""
        self._put({"sending": list(graphs)})

    def note(self, digests: Mapping[str, str]) -> None:
        """The store has these graphs, as of their digests; "" for one that was taken out."""
        self._put(*({"graph": graph, "digest": digest} for graph, digest in digests.items()))

    def doubt(self, graphs: Sequence[str]) -> None:
        """What the store has under these names is not known, so that the next push replaces it."""
        self.note(dict.fromkeys(graphs, ""))
        self.sending(graphs)

    def _put(self, *events: Mapping[str, object]) -> None:
        for event in events:
            self._file.write(json.dumps(event, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        for event in events:
            self._read(event)

    def _read(self, event: Mapping[str, object]) -> None:
        if "endpoint" in event:
            self.digests, self._begun = {}, set()
        if "fresh" in event:
            self._fresh = bool(event["fresh"])
        if isinstance(begun := event.get("sending"), list):
            self._begun.update(begun)
        if graph := event.get("graph"):
            self._begun.discard(str(graph))
            self.digests.pop(str(graph), None)
            if event["digest"]:
                self.digests[str(graph)] = str(event["digest"])
