"""Extraction on a Dask cluster that is there already: abstracts go out in chunks, readings return.

Each worker process loads the model once, whatever its threads. A chunk whose worker dies is given
to another one by the scheduler. Only the texts travel, and what was read in them; the graph folder
stays here, and so does the cache by which a build that was broken off goes on.
"""

from __future__ import annotations

import logging
from collections import deque
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from kg.build.cache import pack, unpack
from kg.errors import ClusterError, ModelError
from kg.extract import model_name, read_abstract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from distributed import Client, Future

    from kg.extract.model import NameModel
    from kg.records import Abstract, Extraction

#: Abstracts a chunk: most of a second of work, so that what it costs to send does not count.
CHUNK = 16
#: Chunks under way for each thread of the cluster: none waits for work, memory here stays flat.
_AHEAD = 4
_PATIENCE = 30.0

logger = logging.getLogger(__name__)
_models: dict[str, NameModel] = {}
_loading = Lock()


def cluster_extract(
    abstracts: Iterable[Abstract], *, address: str, model: Path | None = None, chunk: int = CHUNK
) -> Iterator[Extraction]:
    """Read `abstracts` on the Dask cluster whose scheduler is at `address`, in the same order.

    The workers must have the same kg, and see a `model` folder under the same path. If no worker is
    left, it is waited for one.

    Raises:
        ClusterError: the extra `cluster` is not installed, no scheduler answers, the workers have
            no kg or another model, or the same chunk made several workers die.

    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise ClusterError(
            "a cluster needs Dask, which is not installed: pip install 'kg[cluster]'"
        ) from error
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r} ({_line(error)}): start one with "
            "`dask scheduler`, and give the address that it prints"
        ) from error
    with client:
        yield from _ordered(iter(abstracts), client, model, chunk)


def _ordered(
    source: Iterator[Abstract], client: Client, model: Path | None, chunk: int
) -> Iterator[Extraction]:
    version = model_name(model)
    folder = str(model.absolute()) if model else ""
    waiting: deque[tuple[tuple[Abstract, ...], Future]] = deque()

    def next_done() -> Iterator[Extraction]:
        sent, future = waiting.popleft()
        for abstract, body in zip(sent, _result(future, client), strict=True):
            yield unpack(body, abstract, version)

    try:
        while part := tuple(islice(source, chunk)):
            future = client.submit(read_chunk, part, folder, version, pure=False)
            waiting.append((part, future))
            while len(waiting) > _AHEAD * sum(client.nthreads().values()):
                yield from next_done()
        while waiting:
            yield from next_done()
    finally:
        client.cancel([future for _, future in waiting])


def _result(future: Future, client: Client) -> list[bytes]:
    from distributed import KilledWorker  # noqa: PLC0415

    told = False
    while True:
        try:
            read: list[bytes] = future.result(timeout=_PATIENCE)
        except TimeoutError:
            if not client.nthreads() and not told:
                logger.warning("the cluster has no worker: waiting for one")
                told = True
        except KilledWorker as error:
            raise ClusterError(
                f"several workers died of the same papers ({_line(error)}): give them more memory. "
                "What was read up to here is kept; run the same command again"
            ) from error
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"the cluster's workers lack {error.name!r}: install the same kg where they run"
            ) from error
        except ModelError as error:
            raise ClusterError(f"the cluster's workers: {error}") from error
        else:
            return read


def read_chunk(abstracts: tuple[Abstract, ...], folder: str, version: str) -> list[bytes]:
    """On a worker: what each abstract says, packed as in the cache.

    `folder` is the model's, "" for the shipped one. Raises `ModelError` where it is not `version`.
    """
    path = Path(folder) if folder else None
    found = model_name(path)
    if found != version:
        raise ModelError(
            f"they have the model {found!r} in place of {version!r}: install the same kg, or give "
            "a --model folder that they see under the same path"
        )
    model = _model(path)
    return [pack(read_abstract(abstract, model, version)) for abstract in abstracts]


def _model(folder: Path | None) -> NameModel:
    """The model, loaded by the first thread that asks."""
    from kg.extract.model import SHIPPED, OnnxModel  # noqa: PLC0415

    path = folder or SHIPPED
    with _loading:
        if str(path) not in _models:
            _models[str(path)] = OnnxModel(path)
        return _models[str(path)]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
