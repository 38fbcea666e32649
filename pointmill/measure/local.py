# SPDX-License-Identifier: Apache-2.0
"""Tasks on the cores of this machine, each in a process of its own: one that dies takes no other with it."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict

from pointmill.measure.task import ERROR_END, Outcome, Task, outcome_of
from pointmill.simbuild import ROOT


class _Workers:
    """The processes under way."""

    def __init__(self, retries: int):
        self.retries = retries
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen] = set()
        self._stopped = False

    def perform(self, task: Task) -> Outcome:
        """The task's outcome; a process that ends without one is replaced `retries` times."""
        complaint = ""
        for _ in range(self.retries + 1):
            process = self._start()
            if process is None:
                break
            text, complaint = process.communicate(json.dumps(asdict(task)))
            with self._lock:
                self._alive.discard(process)
            with suppress(ValueError, TypeError, KeyError):
                return outcome_of(text)
            complaint = f"exit {process.returncode}\n{complaint[-ERROR_END:]}"
        return Outcome((), 0, platform.node(), "",
                       f"the process of the task ended {self.retries + 1} times without an answer, {complaint}")

    def _start(self) -> subprocess.Popen | None:
        """A new process, in a process group of its own so that its tools end with it; None after `stop`."""
        with self._lock:
            if self._stopped:
                return None
            process = subprocess.Popen(
                [sys.executable, "-m", "pointmill.measure.task"], cwd=ROOT, text=True, process_group=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
            self._alive.add(process)
            return process

    def stop(self) -> None:
        """Ends all processes."""
        with self._lock:
            self._stopped = True
            for process in self._alive:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def execute(tasks: Sequence[Task], jobs: int, retries: int) -> Iterator[tuple[Task, Outcome]]:
    """The tasks with their outcomes, as they end, `jobs` at a time. Nothing is left running when the iteration is
    given up."""
    workers = _Workers(retries)
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(workers.perform, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            workers.stop()
            pool.shutdown(cancel_futures=True)
