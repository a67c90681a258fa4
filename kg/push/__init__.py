"""The graph into a remote store by the SPARQL 1.1 Graph Store HTTP Protocol.

A store that holds nothing of the graph takes it as N-Quads in batches, if it can (beyond the
protocol, yet Oxigraph, Fuseki and others do). Otherwise each named graph is put in the place of
what the store has under its name (PUT, §5.3), which is also how a changed paper gets there. What
was sent is written down in the graph's folder: a push that was broken off goes on where it stood,
and a later one sends what has changed since.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kg.errors import StoreError
from kg.push.ledger import Ledger
from kg.push.remote import PIECE, Remote
from kg.push.verify import differing_graphs
from kg.vocab import entities_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kg.store import GraphStore

_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class PushReport:
    """How many graphs were sent, taken out of the store, and left since they were there.

    `verified` says whether the triples of each were counted there and found complete.
    """

    sent: int
    removed: int
    unchanged: int
    seconds: float
    verified: bool = False


class Sending(NamedTuple):
    """A named graph to send: its IRI, its triples as N-Triples, their digest."""

    name: str
    content: bytes
    digest: str


def push(
    store: GraphStore,
    endpoint: str,
    *,
    again: bool = False,
    verify: str | None = None,
    timeout: float = 120.0,
    progress: Callable[[int], None] | None = None,
) -> PushReport:
    """Make the graphs of the remote store at `endpoint` those of `store`; others in it stay.

    `endpoint` is the address of its Graph Store Protocol. `again` sends all, whatever was sent
    before. `verify` is the address of its SPARQL queries, where the triples of each graph are
    counted in the end. `timeout` is the seconds that a request may take. `progress` is told how
    many graphs went, whenever some did. User and password are those of KG_PUSH_USER and
    KG_PUSH_PASSWORD, of KG_USER and KG_PASSWORD, or of netrc; TLS certificates are checked. Raises
    `InputError` for what is no such address, `StoreError` where the remote store refuses, cannot be
    reached, or does not hold what was sent.
    """
    began = time.monotonic()
    with Remote(endpoint, timeout=timeout) as remote, Ledger(store.folder, endpoint) as ledger:
        # sent before all others, it tells whether anything is there
        held = remote.has(entities_graph(store.base))
        if again or not ledger.digests or not held:
            ledger.begin(fresh=not held)
        names = store.graph_names()
        sent = 0
        for count in _send(remote, ledger, _changed(store, ledger)):
            sent += count
            if progress:
                progress(count)
        gone = sorted(ledger.digests.keys() - set(names))
        for name in gone:
            remote.delete(name)
            ledger.note({name: ""})
        if verify and (missed := differing_graphs(store, verify)):
            ledger.doubt(missed)
            raise StoreError(
                f"{len(missed):,} graphs at {verify!r} do not hold what was sent, such as "
                f"{missed[0]!r}: run the same command again to send them once more"
            )
    seconds = time.monotonic() - began
    return PushReport(sent, len(gone), len(names) - sent, seconds, verified=bool(verify))


def _changed(store: GraphStore, ledger: Ledger) -> Iterator[Sending]:
    """The graphs that the remote store does not have as they are."""
    for name, content in store.graphs():
        digest = hashlib.sha256(content).hexdigest()[:32]
        if ledger.digests.get(name) != digest:
            yield Sending(name, content, digest)


def _send(remote: Remote, ledger: Ledger, graphs: Iterable[Sending]) -> Iterator[int]:
    """Send `graphs`, those that cannot be there yet in batches; how many went, in turn."""
    batch: list[Sending] = []
    size = 0
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        waiting: deque[tuple[Sending, Future[None]]] = deque()
        for graph in graphs:
            if ledger.surely_absent(graph.name):
                batch.append(graph)
                size += len(graph.content)
                if size > PIECE:
                    yield _send_batch(remote, ledger, batch)
                    batch, size = [], 0
                continue
            waiting.append((graph, pool.submit(remote.put, graph.name, graph.content)))
            if len(waiting) > 2 * _AT_ONCE:
                yield _settled(ledger, *waiting.popleft())
        while waiting:
            yield _settled(ledger, *waiting.popleft())
    if batch:
        yield _send_batch(remote, ledger, batch)


def _settled(ledger: Ledger, graph: Sending, done: Future[None]) -> int:
    done.result()
    ledger.note({graph.name: graph.digest})
    return 1


def _send_batch(remote: Remote, ledger: Ledger, batch: list[Sending]) -> int:
    """Send graphs as one body of N-Quads; one by one where the store takes none or mixes them."""
    ledger.sending([graph.name for graph in batch])
    lines = b"".join(_quads(graph) for graph in batch)
    if not (remote.post_quads(lines) and remote.has(batch[0].name)):
        ledger.not_in_batches()
        for graph in batch:
            remote.put(graph.name, graph.content)
            ledger.note({graph.name: graph.digest})
        return len(batch)
    ledger.note({graph.name: graph.digest for graph in batch})
    return len(batch)


def _quads(graph: Sending) -> bytes:
    end = f"<{graph.name}> .\n".encode()
    return b"".join(line[:-1] + end for line in graph.content.split(b"\n") if line)
