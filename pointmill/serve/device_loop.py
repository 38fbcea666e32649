# SPDX-License-Identifier: Apache-2.0
"""One device of the service: its process, what it works on, and what happens when it fails."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol

from ..api.calls import Call, Outcome
from ..api.process import PROGRAM, Died, Worker, opened
from ..errors import CancelledError, PointmillError
from .backlog import Backlog, arranged
from .batch import Group
from .probe import DistrustError, check, check_opened

STATES = ("starting", "idle", "busy", "failed", "stopped")
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between attempts to open a device that does not open."""
_numbers = itertools.count(1)


class Process(Protocol):
    """What runs a device: a `Worker` of this machine, or what is somewhere else."""

    modes: tuple[str, ...]

    @property
    def pid(self) -> int | None:
        """Of the process, if it is on this machine."""

    def run(self, number: int, calls: list[Call], *, mode: str | None = None) -> list[Outcome]:
        """As `Worker.run`."""

    def cancel(self, number: int) -> None:
        """As `Worker.cancel`."""

    def close(self) -> None:
        """Gives it up; what runs ends with `Died`."""


Opener = Callable[[tuple[Any, ...]], Process]
"""Opens a device by the arguments of `open_engine`; raises what its opening raised, `Died`."""


def text_of(error: Exception) -> str:
    """Of an error for the log, which has nothing of a job: of one that is not expected, its class."""
    if isinstance(error, Died):
        return "process ended"
    return str(error) if isinstance(error, PointmillError | OSError | ImportError) else type(error).__name__


class DeviceLoop:
    """Takes groups from the backlog and has a device work on them, until it is stopped.

    deliver: called with a group and its outcomes, which were checked. give_back: called with a group without outcomes,
    after its device failed. observe: called with the name of an event and its fields.
    """

    program = PROGRAM
    """Module that the process runs."""

    def __init__(self, name: str, arguments: tuple[Any, ...], backlog: Backlog, *, most: int, devices: int,
                 deliver: Callable[[Group, list[Outcome]], None], give_back: Callable[[Group], None],
                 observe: Callable[..., None], opener: Opener | None = None) -> None:
        """arguments: of `open_engine`. most: jobs that it takes together. devices: how many share the backlog.
        opener: by default one of processes on this machine."""
        self.name, self.core, self._arguments = name, arguments[0], arguments
        self._backlog, self._most, self._devices = backlog, most, devices
        self._deliver, self._give_back, self._observe = deliver, give_back, observe
        self.state = "starting"
        self.restarts: dict[str, int] = {}
        self.busy_seconds = 0.0
        self.group: Group | None = None
        self._number = 0
        self._opener = opener or (lambda arguments: opened(arguments, self.program, self._started))
        self._worker: Process | None = None
        self._opening: Worker | None = None
        self._stopped = False
        self._thread = ThreadPoolExecutor(1, f"device-{name}")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to open the device."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Ends the process, whatever it does."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()
        self._discard()  # a thread that waits for the process returns
        if (opening := self._opening) is not None:
            opening.close()
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task
        self._thread.shutdown(wait=False)
        self.state = "stopped"

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return self._worker.pid if self._worker else None

    def cancel(self, group: Group) -> None:
        """Stops work on a group that nobody wants any more."""
        if self.group is group and self._worker is not None:
            self._worker.cancel(self._number)

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    def _started(self, worker: Worker) -> None:
        """A process is there, whose device is being opened; a simulated one may be compiled first."""
        self._opening = worker
        if self._stopped:
            raise Died

    def _open(self) -> Process:
        """A new process whose device has given known answers; in the thread."""
        try:
            worker = self._opener(self._arguments)
            try:
                check_opened(self.core, lambda jobs: worker.run(0, jobs))
            except BaseException:
                worker.close()
                raise
            return worker
        finally:
            self._opening = None

    async def _ready(self) -> Process:
        """The process, opened if there is none, as often as it takes."""
        pause = FIRST_PAUSE
        while self._worker is None:
            try:
                self._worker = await self._in_thread(self._open)
            except Exception as error:  # whatever it is, the jobs wait for a device that opens
                self.state = "failed"
                self._observe("device_failed", device=self.name, cause="open", error=text_of(error))
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                self._observe("device_ready", device=self.name, pid=self.pid)
        return self._worker

    async def _run(self) -> None:
        while True:
            worker = await self._ready()
            self.state = "idle"
            group = await self._backlog.take(self.core, self._most, self._devices)
            group, mode = arranged(group, worker.modes)
            self.state, self.group, self._number = "busy", group, next(_numbers)
            begin = time.monotonic()
            try:
                outcomes = await self._in_thread(self._work, worker, self._number, group.calls, mode)
            except CancelledError:
                self._give_back(group)
            except Exception as error:  # also one that nobody expects: the other jobs need a device
                self._failed(error)
                self._give_back(group)
            except BaseException:
                self._give_back(group)
                raise
            else:
                self._deliver(group, outcomes)
            finally:
                self.group = None
                self.busy_seconds += time.monotonic() - begin

    @staticmethod
    def _work(worker: Process, number: int, calls: list[Call], mode: str | None) -> list[Outcome]:
        """Outcomes that fit their calls; in the thread."""
        outcomes = worker.run(number, calls, mode=mode)
        check(calls, outcomes)
        return outcomes

    def _failed(self, error: Exception) -> None:
        """Ends a process whose device failed: another one takes its place."""
        cause = ("process_ended" if isinstance(error, Died) else "distrusted" if isinstance(error, DistrustError)
                 else "device_error")
        self.state = "failed"
        self.restarts[cause] = self.restarts.get(cause, 0) + 1
        self._discard()
        self._observe("device_failed", device=self.name, cause=cause, error=text_of(error))
