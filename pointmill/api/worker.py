# SPDX-License-Identifier: Apache-2.0
"""The process of one device of a pool: `python -m pointmill.api.worker DESCRIPTOR`.

It speaks over a socket, in pickled tuples, and ends when the other side is gone, so that a pool that is killed leaves
no process behind.

| received | sent |
|---|---|
| first, arguments of `open_engine` | ("opened", modes) or ("error", exception) |
| ("run", number, calls, reporting, mode) | ("done", outcomes) or ("error", exception) |
| | before it, if reporting: ("progress", done) after each result |
| ("cancel", number) | nothing; the run of that number ends with `CancelledError` |
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from ..errors import CancelledError
from .calls import Call
from .engine import Engine, open_engine

CHECK_SECONDS = 0.01
"""After which a run that reports nothing looks for its cancellation."""


def _run(connection: Connection, engine: Engine, cancelled: set[int], number: int, calls: Sequence[Call],
         reporting: bool, mode: str | None) -> tuple[str, Any]:
    """The message of one run. cancelled: numbers whose cancellation came before their run."""
    looked = 0.0

    def check() -> None:
        nonlocal looked
        looked = time.monotonic()
        if connection.poll():
            cancelled.add(connection.recv()[1])
        if number in cancelled:
            raise CancelledError("the work was cancelled")

    def progress(done: int, total: int) -> None:
        if reporting:
            check()
            connection.send(("progress", done))
        elif time.monotonic() - looked > CHECK_SECONDS:
            check()

    try:
        check()
        if mode is not None:
            engine.set_mode(mode)
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
    connection.send(("opened", engine.modes))
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
