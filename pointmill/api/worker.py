# SPDX-License-Identifier: Apache-2.0
"""The process of one device of a pool: `python -m pointmill.api.worker DESCRIPTOR`.

It speaks over a socket, in pickled tuples, and ends when the other side is gone, so that a pool that is killed leaves
no process behind.

| received | sent |
|---|---|
| first, arguments of `open_engine` | ("opened",) or ("error", exception) |
| ("run", number, calls) | ("progress", done) after each result, then ("done", outcomes) or ("error", exception) |
| ("cancel", number) | nothing; the run of that number ends with `CancelledError` |
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from ..errors import CancelledError
from .calls import Call
from .engine import Engine, open_engine


def _run(connection: Connection, engine: Engine, cancelled: set[int], number: int, calls: Sequence[Call]
         ) -> tuple[str, Any]:
    """The message of one run. cancelled: numbers whose cancellation came before their run."""

    def check() -> None:
        if connection.poll():
            cancelled.add(connection.recv()[1])
        if number in cancelled:
            raise CancelledError("the work was cancelled")

    def progress(done: int, total: int) -> None:
        check()
        connection.send(("progress", done))

    try:
        check()
        return "done", engine.run(calls, progress)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        return "error", error


def serve(connection: Connection) -> None:
    """Answers until the other side closes."""
    try:
        engine = open_engine(*connection.recv())
    except EOFError:
        return
    except Exception as error:
        connection.send(("error", error))
        return
    connection.send(("opened",))
    cancelled: set[int] = set()
    while True:
        message = connection.recv()
        if message[0] == "cancel":
            cancelled.add(message[1])
        else:
            connection.send(_run(connection, engine, cancelled, *message[1:]))
            cancelled.clear()


def main() -> None:
    """Serves on the descriptor that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the pool, which cancels
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        serve(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
