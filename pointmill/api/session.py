# SPDX-License-Identifier: Apache-2.0
"""`pointmill.open`: one opened core with all of its operations."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..errors import CancelledError, InputError, UnsupportedError
from .calls import Call, Outcome, Progress
from .engine import Engine, JobEngine, open_engine
from .operations import Operations


class Session(Operations):
    """One opened core; a context manager. Threads may share it: it works for one of them at a time, a `DevicePool` for
    many."""

    def __init__(self, core: str, engine: Engine) -> None:
        self.core = core
        self._engine: Engine | None = engine
        self._lock = threading.RLock()
        self._cancelled = threading.Event()

    def _run(self, calls: Sequence[Call], progress: Progress | None = None) -> list[Outcome]:
        def report(done: int, total: int) -> None:
            if self._cancelled.is_set():
                raise CancelledError("the work was cancelled")
            if progress is not None:
                progress(done, total)

        with self._lock:
            self._cancelled.clear()
            return self._opened.run(calls, report)

    @property
    def _opened(self) -> Engine:
        if self._engine is None:
            raise InputError("the device is closed")
        return self._engine

    @property
    def device(self) -> Any:
        """The client below (docs/driver.md), with registers and counters; for one thread at a time."""
        return self._opened.device

    def set_mode(self, mode: str) -> None:
        """How `edverify` carries out verifications from now on: "single", "batch" or "cached". `UnsupportedError` on
        another core, `ModeError` if the configuration has no such mode."""
        with self._lock:
            if not isinstance(self._opened, JobEngine):
                raise UnsupportedError(f"core {self.core} has no modes")
            self.device.set_mode(mode)

    def cancel(self) -> None:
        """Stops the batch that another thread has under way: `CancelledError` there, after the next result."""
        self._cancelled.set()

    def close(self) -> None:
        """Closes the device; a second time does nothing."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def open_device(core: str = "edverify", config: str | None = None, device: str = "sim", *, settings: str = "",
                module: Path | None = None) -> Session:
    """Opens a core.

        with pointmill.open("edverify") as device:
            verdict = device.verify(public_key, message, signature)

    core: `edverify`, `x25519`, `multicurve` or `mpu`. config: a named configuration (hw/<core>/core.yaml), by default
    that of the core. device: back-end of the driver, "sim" or "uio", or of `edverify` "model", a
    functional device that is not the RTL (docs/serve.md). settings: "key=value,..." of the back-end
    (docs/driver.md). module: file of the simulated core, None for the right one.
    `InputError` for an unknown name, `NotIncludedError` for a simulated core that is not in the package, `LibraryError`
    for a file that is none, `OpenError` if the device does not open.
    """
    return Session(core, open_engine(core, config, device, settings, module))
