"""The graph on the web: SPARQL 1.1 Protocol, pages for things and questions, an editor.

Everything is read only. `serve` runs a server, `application` is the ASGI application within it.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import uvicorn

from kg.errors import InputError
from kg.serve.app import LOOPBACK, Settings, application

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["LOOPBACK", "Settings", "application", "serve"]


def serve(
    graph: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    settings: Settings | None = None,
    started: Callable[[str], None] | None = None,
) -> None:
    """Serve the graph in the folder `graph` until interrupted.

    `port` 0 takes any that is free; `started` is told the address once connections are taken.
    Raises `StoreError` for a graph that cannot be read, `InputError` for an address that is in use
    or not this machine's.
    """
    app = application(graph, settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"cannot listen on {host!r}, port {port}: {reason}; give another --port or --host"
            ) from error
        listener.listen(256)
        if started:
            shown = f"[{host}]" if ":" in host else host
            started(f"http://{shown}:{listener.getsockname()[1]}/")
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listener])
