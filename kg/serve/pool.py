"""Stores for many clients: each question has one to itself while it is answered."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread
from starlette.exceptions import HTTPException

from kg.store import GraphStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from starlette.requests import Request

_Answer = TypeVar("_Answer")


class Pool:
    """At most `size` open stores of the graph in `folder`.

    A query that runs long holds one of them, so the others still answer. A store that is taken goes
    over to the newest state of the graph, so `kg build` needs no restart of the server.
    """

    def __init__(self, folder: Path, *, size: int, patience: float) -> None:
        """Open nothing yet. Who waits longer than `patience` seconds gets a 503."""
        self._folder = folder
        self._patience = patience
        self._free = asyncio.Semaphore(size)
        self._idle: list[GraphStore] = []

    @asynccontextmanager
    async def store(self) -> AsyncIterator[GraphStore]:
        """A store for one question."""
        try:
            await asyncio.wait_for(self._free.acquire(), self._patience)
        except TimeoutError:
            raise HTTPException(
                503,
                f"busy: no place came free in {self._patience:g} s; try again",
                {"Retry-After": "5"},
            ) from None
        try:
            store = await to_thread.run_sync(self._current)
            try:
                yield store
            finally:
                # the one used last is warm, so it is the next to be taken
                self._idle.append(store)
        finally:
            self._free.release()

    async def ask(self, request: Request, question: Callable[[GraphStore], _Answer]) -> _Answer:
        """What `question` gives for a store, in a thread; stopped when the client goes away."""
        async with self.store() as store:
            watch = asyncio.create_task(_stop_when_gone(request, store))
            try:
                return await to_thread.run_sync(question, store)
            finally:
                watch.cancel()
                await asyncio.wait([watch])

    def close(self) -> None:
        """Close all stores that are not in use."""
        while self._idle:
            self._idle.pop().close()

    def _current(self) -> GraphStore:
        if not self._idle:
            return GraphStore.open(self._folder)
        store = self._idle.pop()
        try:
            store.refresh()
        except BaseException:
            store.close()
            raise
        return store


async def _stop_when_gone(request: Request, store: GraphStore) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    store.stop()
