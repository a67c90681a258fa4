"""Real SPARQL servers for tests, each started empty in a folder of its own and ended after."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server takes graphs and answers queries; `user` is "name:password" or ""."""

    store: str
    query: str
    user: str = ""


def oxigraph_program() -> str | None:
    """The server of the PyPI package `oxigraph`, as pip put it beside this Python."""
    return shutil.which("oxigraph", path=str(Path(sys.executable).parent))


def virtuoso_program() -> str | None:
    """Debian's Virtuoso (package virtuoso-opensource-7-bin)."""
    return shutil.which("virtuoso-t")


@contextmanager
def oxigraph(folder: Path | None = None) -> Iterator[Server]:
    """An Oxigraph server; it keeps its data in memory where no folder is given."""
    program = oxigraph_program()
    assert program, "pip install oxigraph"
    port = free_port()
    place = ["--location", str(folder)] if folder else []
    command = [program, "serve", "--bind", f"127.0.0.1:{port}", *place]
    with _running(command, f"http://127.0.0.1:{port}/"):
        yield Server(f"http://127.0.0.1:{port}/store", f"http://127.0.0.1:{port}/query")


_INI = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
MaxCheckpointRemap = 2000
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
MaxCheckpointRemap = 2000
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
ServerThreads = 20
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty}
DirsAllowed = .
CheckpointInterval = 0
DefaultIsolation = 2
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerThreads = 10
[SPARQL]
{sparql}
"""


@contextmanager
def virtuoso(
    folder: Path, *, buffers: int = 20_000, sparql: str = "ResultSetMaxRows = 1000000"
) -> Iterator[Server]:
    """A Virtuoso server with its files in `folder`; `sparql` are lines of its configuration."""
    program = virtuoso_program()
    assert program, "apt-get install virtuoso-opensource-7-bin"
    port, sql_port = free_port(), free_port()
    folder.mkdir(parents=True, exist_ok=True)
    settings = _INI.format(
        port=port, sql_port=sql_port, buffers=buffers, dirty=buffers * 3 // 4, sparql=sparql
    )
    (folder / "virtuoso.ini").write_text(settings)
    command = [
        program,
        "+foreground",
        "+configfile",
        "virtuoso.ini",
        "+pwdold",
        "dba",
        "+pwddba",
        "dba",
    ]
    with _running(command[:4], f"http://127.0.0.1:{port}/sparql", folder=folder):
        yield Server(
            f"http://127.0.0.1:{port}/sparql-graph-crud-auth",
            f"http://127.0.0.1:{port}/sparql",
            "dba:dba",
        )


def free_port() -> int:
    """A port of this machine that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(
    command: Sequence[str], address: str, *, folder: Path | None = None, seconds: float = 300
) -> Iterator[None]:
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + seconds
        while True:
            try:
                httpx.get(address, trust_env=False)
                break
            except httpx.TransportError:
                assert process.poll() is None, f"{command[0]} ended with {process.returncode}"
                assert time.monotonic() < until, f"no answer at {address} in {seconds} s"
                time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()
