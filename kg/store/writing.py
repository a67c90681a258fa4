"""Writing a new generation of the graph beside the current one, and switching to it."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg import vocab
from kg.store.folder import (
    Description,
    damaged,
    generation_path,
    unwritable,
    write_description,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

#: Bytes that are loaded at once.
_BLOCK = 128 * 2**20
_FEW = 20_000


def write_generation(
    folder: Path,
    current: Description,
    *,
    papers: Iterable[tuple[str, Sequence[str]]],
    removed: Iterable[str],
    entities: Sequence[str] | None,
    model: str | None,
    attach: Callable[[Path], None] | None,
) -> Description:
    """Write generation n + 1 and make it the current one; a crash before the end changes nothing.

    `papers` are (key, N-Quads lines); `attach` may put further files into the new generation's
    folder. Raises `StoreError` where the disk is full or the current generation is damaged.
    """
    number = current.generation + 1
    target = generation_path(folder, number)
    try:
        target.mkdir(parents=True)
        (target / "in-use").touch()
        _fill(folder, current, target, papers=papers, removed=removed, entities=entities)
        if attach:
            attach(target)
        fresh = replace(current, generation=number, model=model or current.model)
        write_description(folder, fresh)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise unwritable(folder, error) from error
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return fresh


def _fill(
    folder: Path,
    current: Description,
    target: Path,
    *,
    papers: Iterable[tuple[str, Sequence[str]]],
    removed: Iterable[str],
    entities: Sequence[str] | None,
) -> None:
    base = current.base
    if current.generation:
        before = generation_path(folder, current.generation) / "oxigraph"
        try:
            ox.Store.read_only(str(before)).backup(str(target / "oxigraph"))
        except (RuntimeError, ValueError) as error:
            raise damaged(folder, str(error)) from error
    store = ox.Store(str(target / "oxigraph"))
    for key in removed:
        store.remove_graph(ox.NamedNode(vocab.paper_iri(key, base)))
    _replace_papers(store, papers, current)
    if entities is not None:
        _replace_entities(store, entities, base)
    store.flush()


def _replace_papers(
    store: ox.Store, papers: Iterable[tuple[str, Sequence[str]]], current: Description
) -> None:
    loading = None
    try:
        # Oxigraph lets Python go on meanwhile: the next block is made while one is loaded
        with ThreadPoolExecutor(1) as loader:
            for keys, quads in _blocks(papers):
                if loading:
                    loading.result()
                held = keys if current.generation else []
                graphs = [vocab.paper_iri(key, current.base) for key in held]
                loading = loader.submit(_replace, store, graphs, quads)
            if loading:
                loading.result()
    finally:
        del loading  # or its error and this frame would hold each other, and the store with them


def _blocks(papers: Iterable[tuple[str, Sequence[str]]]) -> Iterator[tuple[list[str], bytes]]:
    """The papers' keys and N-Quads in blocks of some size."""
    keys: list[str] = []
    block: list[bytes] = []
    size = 0
    for key, lines in papers:
        keys.append(key)
        block.append(_text(lines))
        size += len(block[-1])
        if size > _BLOCK:
            yield keys, b"\n".join(block)
            keys, block, size = [], [], 0
    yield keys, b"\n".join(block)


def _replace(store: ox.Store, graphs: Iterable[str], quads: bytes) -> None:
    for graph in graphs:
        store.remove_graph(ox.NamedNode(graph))
    _load(store, quads)


def _load(store: ox.Store, quads: bytes) -> None:
    if quads:
        store.bulk_load(quads, ox.RdfFormat.N_QUADS)


def _replace_entities(store: ox.Store, lines: Sequence[str], base: str) -> None:
    """Make the graph of entities hold `lines`, touching only what differs."""
    graph = ox.NamedNode(vocab.entities_graph(base))
    suffix = f" {graph} ."
    content = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph) or b""
    # not splitlines: it would also part lines at U+2028 within a literal
    stored = {line[:-2] + suffix for line in content.decode().split("\n") if line}
    gone = stored.difference(lines)
    if len(gone) > _FEW:
        store.remove_graph(graph)
        _load(store, _text(lines))
        return
    for quad in ox.parse(_text(gone), ox.RdfFormat.N_QUADS):
        store.remove(quad)
    _load(store, _text(line for line in lines if line not in stored))


def _text(lines: Iterable[str]) -> bytes:
    return "\n".join(lines).encode()
