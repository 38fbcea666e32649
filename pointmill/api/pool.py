# SPDX-License-Identifier: Apache-2.0
"""A pool of devices, each in a process of its own, since a simulated core takes one core of the processor."""

from __future__ import annotations

import itertools
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import CancelledError, InputError, PoolError
from .calls import Call, Outcome, Progress
from .operations import Operations
from .process import Died, Worker, opened

_numbers = itertools.count()


class _Chunk:
    """Calls that one worker takes together."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.number = next(_numbers)
        self.cancelled = False
        self.worker: Worker | None = None

    def cancel(self) -> None:
        self.cancelled = True
        if (worker := self.worker) is not None:
            worker.cancel(self.number)


class DevicePool(Operations):
    """So many devices of one core, which work at the same time; a context manager, for any number of threads.

        with pointmill.DevicePool(4) as pool:
            verdicts = pool.verify_many(jobs)

    A single operation takes a device that is free; many verifications are spread over all. Every call has exactly one
    result: if a process ends (killed, out of memory), another one takes its place and its calls are done anew, up to
    `retries` times; then `PoolError`.
    """

    def __init__(self, devices: int, core: str = "edverify", config: str | None = None, device: str = "sim", *,
                 settings: str = "", module: Path | None = None, chunk: int = 64, retries: int = 2) -> None:
        """core to module: as in `pointmill.open`. chunk: verifications that a device takes together at most."""
        if devices < 1 or chunk < 1 or retries < 0:
            raise InputError("a pool has at least one device, chunks of at least 1, and no negative retries")
        self.core = core
        self._arguments = (core, config, device, settings, module)
        self._size, self._chunk, self._retries = devices, chunk, retries
        self._free: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        self._threads = ThreadPoolExecutor(devices, "pointmill-pool")
        self._lock = threading.Lock()
        self._running: set[_Chunk] = set()
        self._closed = False
        workers: list[Worker] = []
        try:
            workers += [Worker(self._arguments) for _ in range(devices)]
            for worker in workers:
                worker.wait()
                self._free.put(worker)
        except BaseException as error:
            for worker in workers:
                worker.close()
            self._threads.shutdown()
            if isinstance(error, Died):
                raise PoolError("a process of the pool ended while it opened its device") from None
            raise

    # ---- one chunk, in a thread of the pool

    def _submit(self, calls: Sequence[Call], report: Callable[[int], None]) -> tuple[_Chunk, Future[list[Outcome]]]:
        chunk = _Chunk(calls)
        with self._lock:
            if self._closed:
                raise PoolError("the pool is closed")
            self._running.add(chunk)
            future = self._threads.submit(self._do, chunk, report)
        future.add_done_callback(lambda _: self._running.discard(chunk))
        return chunk, future

    def _do(self, chunk: _Chunk, report: Callable[[int], None]) -> list[Outcome]:
        for _ in range(self._retries + 1):
            worker = self._free.get()
            try:
                worker = worker or opened(self._arguments)
                chunk.worker = worker
                if chunk.cancelled:
                    raise CancelledError("the work was cancelled")
                return worker.run(chunk.number, chunk.calls, report)
            except Died:
                if worker is not None:
                    worker.close()
                worker = None
            finally:
                chunk.worker = None
                self._free.put(worker)
        raise PoolError(f"the process of a device ended {self._retries + 1} times before the result")

    # ---- what Operations asks for

    def _run(self, calls: Sequence[Call], progress: Progress | None = None) -> list[Outcome]:
        size = max(1, min(self._chunk, -(-len(calls) // self._size)))
        chunks: list[tuple[_Chunk, Future[list[Outcome]]]] = []
        reports: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()

        def report(part: int, done: int) -> None:
            reports.put((part, done))

        try:
            for start in range(0, len(calls), size):
                part = len(chunks)
                made = self._submit(calls[start:start + size], partial(report, part))
                chunks.append(made)
                made[1].add_done_callback(lambda _: reports.put(None))
            if progress is not None:
                self._follow(reports, len(chunks), len(calls), progress)
            return [outcome for _, future in chunks for outcome in future.result()]
        except BaseException:
            for chunk, _ in chunks:
                chunk.cancel()
            for _, future in chunks:
                with suppress(BaseException):
                    future.result()
            raise

    @staticmethod
    def _follow(reports: queue.SimpleQueue[tuple[int, int] | None], chunks: int, total: int,
                progress: Progress) -> None:
        """Calls `progress` in the caller's thread until all chunks have ended; what is done anew counts once."""
        furthest: dict[int, int] = {}
        while chunks:
            report = reports.get()
            if report is None:
                chunks -= 1
                continue
            part, done = report
            if done > furthest.get(part, 0):
                furthest[part] = done
                progress(sum(furthest.values()), total)

    def _stream(self, calls: Iterator[Call], chunk: int) -> Iterator[Outcome]:
        """As many chunks ahead of the results as keep all devices at work."""
        ahead: deque[tuple[_Chunk, Future[list[Outcome]]]] = deque()
        try:
            for taken in iter(lambda: list(islice(calls, min(chunk, self._chunk))), []):
                ahead.append(self._submit(taken, lambda done: None))
                if len(ahead) > 2 * self._size:
                    yield from ahead.popleft()[1].result()
            while ahead:
                yield from ahead.popleft()[1].result()
        finally:
            for left, _ in ahead:
                left.cancel()

    # ---- ending

    def cancel(self) -> None:
        """Stops all work under way: `CancelledError` in the threads that wait for it. The pool stays usable."""
        with self._lock:
            for chunk in list(self._running):
                chunk.cancel()

    def close(self) -> None:
        """Cancels what is under way and ends all processes; a second time does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self.cancel()
        self._threads.shutdown()
        for _ in range(self._size):
            if (worker := self._free.get()) is not None:
                worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
