"""The graph folder: its description, its generations, its lock.

    kg.json              format, base, model, and the number of the current generation
    generations/<n>/     one immutable state of the graph: `oxigraph/` and `papers.sqlite`
    extractions.sqlite   cache of what the model read; safe to delete
    lock                 held by the process that writes; says who that is

A write makes generation n + 1 beside n and then replaces `kg.json` in one rename: a process killed
at any moment leaves the graph as it was, or as it was to be. A generation stays on disk as long as
a reader holds it.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import shutil
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kg.errors import InputError, StoreError
from kg.vocab import BASE, check_base

FORMAT = 1
_DESCRIPTION = "kg.json"
_GENERATIONS = "generations"


@dataclass(frozen=True, slots=True)
class Description:
    """What `kg.json` holds; `generation` 0 is a graph nothing was written to yet."""

    base: str = BASE
    model: str = ""
    generation: int = 0
    format: int = FORMAT


def read_description(folder: Path) -> Description:
    """The description of the graph in `folder`; `StoreError` where there is none to be read."""
    path = folder / _DESCRIPTION
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        description = Description(
            base=check_base(str(found["base"])),
            model=str(found["model"]),
            generation=int(found["generation"]),
            format=int(found["format"]),
        )
    except FileNotFoundError:
        raise StoreError(
            f"no graph in {str(folder)!r}: make one with `kg build INPUT --graph {folder}`"
        ) from None
    except OSError as error:
        raise StoreError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, InputError) as error:
        raise damaged(folder, f"{_DESCRIPTION} is not readable ({error})") from error
    if description.format > FORMAT:
        raise StoreError(
            f"the graph in {str(folder)!r} has format {description.format}, written by a newer kg; "
            f"this one reads format {FORMAT}: upgrade kg, or build into another folder"
        )
    if description.format < FORMAT:
        raise StoreError(
            f"the graph in {str(folder)!r} has format {description.format}, written by an older "
            f"kg; this one reads format {FORMAT}: build into another folder from the same inputs "
            "(copy extractions.sqlite there first to spare the model the work)"
        )
    return description


def write_description(folder: Path, description: Description) -> None:
    """Replace `kg.json` in one step that survives a crash: the commit of every write.

    Raises `StoreError` where the folder cannot be written.
    """
    try:
        _replace_description(folder, description)
    except OSError as error:
        raise unwritable(folder, error) from error


def _replace_description(folder: Path, description: Description) -> None:
    fresh = folder / (_DESCRIPTION + ".new")
    content = {
        "format": description.format,
        "base": description.base,
        "model": description.model,
        "generation": description.generation,
    }
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / _DESCRIPTION)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)  # the rename itself
    finally:
        os.close(handle)


def damaged(folder: Path, what: str) -> StoreError:
    """The error for a folder whose files do not make a graph."""
    return StoreError(
        f"the graph in {str(folder)!r} is damaged: {what}. Delete {_DESCRIPTION!r} and "
        f"{_GENERATIONS!r} in it and build again from the inputs; what the model has read is kept "
        "in 'extractions.sqlite'"
    )


def unwritable(folder: Path, error: OSError) -> StoreError:
    """The error for a folder that cannot be written: no room, no right, a damaged disk."""
    return StoreError(
        f"cannot write to {str(folder)!r}: {error}. The graph is as it was; make room or mend the "
        "folder, then run the same command again"
    )


def generation_path(folder: Path, number: int) -> Path:
    """Where generation `number` lives."""
    return folder / _GENERATIONS / str(number)


def hold_generation(folder: Path, number: int) -> IO[bytes] | None:
    """Keep a generation on disk until the file returned is closed; None where it is gone."""
    try:
        file = (generation_path(folder, number) / "in-use").open("rb")
    except FileNotFoundError:
        return None
    fcntl.flock(file, fcntl.LOCK_SH)
    # it may have been swept between the two steps
    if (generation_path(folder, number) / "in-use").exists():
        return file
    file.close()
    return None


def sweep(folder: Path, *, keep: int) -> None:
    """Delete the generations other than `keep` that no reader holds, whole or half-written."""
    root = folder / _GENERATIONS
    for path in sorted(root.iterdir()) if root.exists() else []:
        if path.name == str(keep):
            continue
        marker = path / "in-use"
        if marker.exists():
            with marker.open("rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                marker.unlink()
        shutil.rmtree(path)


class WriteLock:
    """The right to write to a graph folder; freed by the system when its holder dies."""

    def __init__(self, folder: Path) -> None:
        """Take the lock, or raise a `StoreError` that names the process that holds it."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / "lock").open("a+b", buffering=0)
            self._take(folder)
        except OSError as error:
            raise unwritable(folder, error) from error

    def _take(self, folder: Path) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read(2000).decode(errors="replace").strip() or "another process"
            self._file.close()
            raise StoreError(
                f"the graph in {str(folder)!r} is being written by {holder}: "
                "wait for it to end, or stop it and run this again"
            ) from None
        self._file.truncate(0)
        command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])[:500]
        holder = f"process {os.getpid()} on {socket.gethostname()} ({command})\n"
        self._file.write(holder.encode(errors="replace"))

    def release(self) -> None:
        """Give the lock back; twice does no harm."""
        self._file.close()
