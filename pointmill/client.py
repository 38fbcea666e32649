# SPDX-License-Identifier: Apache-2.0
"""What the clients of all cores share: the declarations of libpointmill, read from its headers so that they
are written once, opening and closing of a device, errors and progress."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cffi

from . import library
from .cores import CORES
from .errors import InputError, LibraryError, PointmillError, UnsupportedError

Progress = Callable[[int, int], object]
"""Called with the number of results that are there and of all that will come; an exception in it stops the batch."""

BACKENDS = ("sim", "uio", "uart", "litepcie")
"""Of the driver: the simulated core, and a core in an FPGA under Linux."""


def declarations(header: str) -> str:
    """What stands between the two marks of a header of sw/include."""
    text = (library.INCLUDE / header).read_text(encoding="utf-8")
    return text.split("/* [declarations] */")[1].split("/* [end of declarations] */")[0]


FFI: Any = cffi.FFI()  # functions and structures come from the headers, which a type checker does not read
for _header in ("pointmill.h", "pm_curve.h", "pm_mpu.h", "pm_mpu_sim.h", "pm_mpu_uio.h"):
    # cffi gives the address of a variable, but not of a constant.
    FFI.cdef(declarations(_header).replace("extern const ", "extern "))

Error = IntEnum("Error", {  # type: ignore[misc]  # the members come from the header
    name.removeprefix("PM_ERR_").removeprefix("PM_"): int(value)
    for name, value in re.findall(r"(PM_OK|PM_ERR_\w+) = (\d+)", declarations("pointmill.h"))})
"""pm_error: OK, ARGUMENT, BACKEND, ..."""


class DeviceError(PointmillError, RuntimeError):
    """A call of the driver failed; `DeviceError(code, text)` is of the class below that stands for the code. code: an
    `Error`. results: of a batch, all of its answers, those without one being `aborted`; otherwise None."""

    def __new__(cls, code: int, text: str, results: list[Any] | None = None) -> DeviceError:
        return super().__new__(KINDS.get(Error(code).name, cls))

    def __init__(self, code: int, text: str, results: list[Any] | None = None) -> None:
        super().__init__(text)
        self.code = Error(code)
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        return DeviceError, (int(self.code), str(self), self.results)


class OpenError(DeviceError):
    """The device does not open: no such back-end or setting, a file that cannot be used, another core or none."""


class BusError(DeviceError):
    """The core rejected a register access, or the address is none."""


class QueueError(DeviceError):
    """Too many jobs are outstanding, or none is."""


class DeviceTimeoutError(DeviceError):
    """The core gave no result in the time that it was given."""


class ProtocolError(DeviceError):
    """A result contradicts itself or its job."""


class ModeError(DeviceError, UnsupportedError):
    """The core was built without this mode."""


KINDS: dict[str, type[DeviceError]] = {
    "BACKEND": OpenError, "CONFIG": OpenError, "IO": OpenError, "DEVICE": OpenError,
    "ADDRESS": BusError, "BUS": BusError, "FULL": QueueError, "IDLE": QueueError,
    "TIMEOUT": DeviceTimeoutError, "PROTOCOL": ProtocolError, "MODE": ModeError}
"""Classes of failures by the name of their code."""


def _names_modules(settings: str) -> bool:
    """Whether the driver is to look for the module of a simulated core in a folder that was named."""
    return any(word.startswith("modules=") for word in settings.split(",")) or bool(os.environ.get("PM_SIM_PATH"))


def load(path: Path) -> Any:
    """The functions of a shared library; `LibraryError` unless it is libpointmill, whole."""
    try:
        data = path.read_bytes()
        if not _is_whole(data):
            raise LibraryError(f"{path} is damaged, or no shared library of this machine")
        found = FFI.dlopen(str(path))
        found.pm_open_detail, found.pm_curve_open, found.pm_mpu_open  # noqa: B018 - one of each header
    except (OSError, AttributeError) as error:
        if isinstance(error, LibraryError):
            raise
        raise LibraryError(f"{path} is not libpointmill: {error}") from None
    return found


def _is_whole(data: bytes) -> bool:
    """Whether a file is a 64-bit ELF and has its last part, the section headers. The dynamic linker maps what is not
    there, and the process would end by a signal."""
    if len(data) < 64 or data[:5] != b"\x7fELF\x02":
        return False
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<2H", data, 58)
    return 0 < start <= start + size * count <= len(data)


class Client:
    """An opened device; a context manager. One thread at a time."""

    PREFIX: str
    """Of the driver's type and functions for this device."""
    CORE: str
    """Name of the core."""

    def __init__(self, config: str, backend: str = "sim", settings: str = "", *,
                 lib: Path | None = None, module: Path | None = None) -> None:
        """config: named configuration of the core. backend: "sim" or "uio". settings: "key=value,..." of the
        back-end (docs/driver.md). lib: the driver, None for that of this tree; another may have other back-ends.
        module: of the simulated core, None for that of the configuration. What is missing is built.
        `InputError` for an unknown configuration or back-end, `LibraryError` for a file that is none,
        `DeviceError`, `BuildError`.
        """
        if lib is None and backend not in BACKENDS:
            raise InputError(f"no device {backend!r}; known are {', '.join(BACKENDS)}")
        if lib is None and module is None and config not in CORES[self.CORE].parameters:
            known = ", ".join(CORES[self.CORE].parameters)
            raise InputError(f"core {self.CORE} has no configuration {config!r}; it has {known}")
        words = [config]
        if backend == "sim" and (module or not _names_modules(settings)):
            words.append(f"module={module or library.module(self.CORE, config)}")
        self._dev = None
        self._lib = load(lib or library.driver())
        self._dev = self._opened(backend, ",".join(filter(None, [*words, settings])))

    def _opened(self, backend: str, config: str) -> Any:
        """The device in C, opened with a configuration string; `DeviceError`."""
        handle = FFI.new(f"{self.PREFIX}_device **")
        self._check(self._function("open")(backend.encode(), config.encode(), handle))
        return handle[0]

    def _release(self, device: Any) -> None:
        """Frees what `_opened` gave."""
        self._function("close")(device)

    def _function(self, name: str) -> Any:
        return getattr(self._lib, f"{self.PREFIX}_{name}")

    def close(self) -> None:
        """Closes the device; a second time does nothing."""
        if self._dev is not None:
            self._release(self._dev)
            self._dev = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _check(self, error: int, results: list[Any] | None = None) -> None:
        if error != Error["OK"]:
            text = FFI.string(self._lib.pm_strerror(error)).decode()
            if self._dev is None:
                detail = FFI.string(self._lib.pm_open_detail()).decode(errors="replace")
                text = f"{text}: {detail}" if detail else text
            raise DeviceError(error, text, results)

    @property
    def _open(self) -> Any:
        if self._dev is None:
            raise InputError("the device is closed")
        return self._dev

    @contextmanager
    def _reporting(self, progress: Progress | None) -> Iterator[Any]:
        """The C function that passes progress on. An exception in `progress` stops the batch and is raised
        again at the end of the context."""
        raised: list[BaseException] = []

        # Also without `progress`, because only here an interrupt can be noticed.
        @FFI.callback("int(void *, size_t, size_t)", error=1,
                      onerror=lambda kind, error, trace: raised.append(error))
        def report(_: Any, done: int, total: int) -> int:
            if progress is not None:
                progress(done, total)
            return 0

        yield report
        if raised:
            raise raised[0]
