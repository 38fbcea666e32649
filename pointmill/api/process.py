# SPDX-License-Identifier: Apache-2.0
"""The process of one device, as its parent sees it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from ..resources import PACKAGE
from .calls import Call, Outcome

PROGRAM = "pointmill.api.worker"


class Died(Exception):
    """The process of a worker ended."""


class Worker:
    """One process with an opened device (worker.py)."""

    modes: tuple[str, ...] = ()
    """How the device carries out verifications, once it is open (`Device.set_mode`)."""

    def __init__(self, arguments: tuple[Any, ...], program: str = PROGRAM) -> None:
        """Starts it; `wait` until it is open. arguments: of `open_engine`. program: module that the process runs."""
        ours, theirs = socket.socketpair()
        paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", program, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        self._connection = Connection(ours.detach())
        self._sending = threading.Lock()
        self._send(arguments)

    @property
    def pid(self) -> int:
        """Of the process."""
        return self.process.pid

    def _send(self, message: object) -> None:
        with self._sending, suppress(OSError):  # the next `_receive` tells
            self._connection.send(message)

    def _receive(self) -> Any:
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            raise Died from None

    def wait(self) -> None:
        """Until the device is open; raises what its opening raised."""
        kind, *rest = self._receive()
        if kind == "error":
            raise rest[0]
        (self.modes,) = rest

    def run(self, number: int, calls: Sequence[Call], report: Callable[[int], None] | None = None,
            mode: str | None = None) -> list[Outcome]:
        """Outcomes of calls; `Died` if the process ends before they are there. report: called with the number of
        results so far. mode: how verifications are carried out, None to leave it as it is."""
        self._send(("run", number, calls, report is not None, mode))
        while True:
            kind, value = self._receive()
            if kind == "done":
                outcomes: list[Outcome] = value
                return outcomes
            if kind == "error":
                raise value
            if report is not None:
                report(value)

    def cancel(self, number: int) -> None:
        """Stops the run of this number."""
        self._send(("cancel", number))

    def close(self) -> None:
        """Ends the process."""
        self._connection.close()
        self.process.kill()
        self.process.wait()


def opened(arguments: tuple[Any, ...], program: str = PROGRAM,
           started: Callable[[Worker], None] = lambda _: None) -> Worker:
    """A worker whose device is open; raises what its opening raised, `Died`. started: called before it waits."""
    worker = Worker(arguments, program)
    try:
        started(worker)
        worker.wait()
    except BaseException:
        worker.close()
        raise
    return worker
