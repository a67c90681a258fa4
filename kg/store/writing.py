"""Writing a new generation of the graph beside the current one, and switching to it."""

from __future__ import annotations

import shutil
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
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

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
    block: list[str] = []
    size = 0
    for key, lines in papers:
        if current.generation:
            store.remove_graph(ox.NamedNode(vocab.paper_iri(key, base)))
        block.extend(lines)
        size += sum(map(len, lines))
        if size > _BLOCK:
            _load(store, block)
            block, size = [], 0
    _load(store, block)
    if entities is not None:
        _replace_entities(store, entities, base)
    store.flush()


def _load(store: ox.Store, lines: Sequence[str]) -> None:
    if lines:
        store.bulk_load("\n".join(lines).encode(), ox.RdfFormat.N_QUADS)


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
        _load(store, lines)
        return
    for quad in ox.parse("\n".join(gone).encode(), ox.RdfFormat.N_QUADS):
        store.remove(quad)
    _load(store, [line for line in lines if line not in stored])
