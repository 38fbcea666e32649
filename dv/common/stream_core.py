# SPDX-License-Identifier: Apache-2.0
"""A verilated core with job stream, result stream and registers in this process, as dv/common/pm_tb_stream.h has it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path

Beat = tuple[bytes, int]
"""Eight data bytes and TKEEP."""


def bound(path: Path, result: type[ctypes.Structure], *more: tuple) -> ctypes.CDLL:
    """The functions of a library, as StreamCore calls them; more: name behind pm_core_, result, arguments of others."""
    lib = ctypes.CDLL(str(path))
    core, u64, u32, u8 = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint8
    size, integer = ctypes.c_size_t, ctypes.c_int
    for name, answer, *arguments in (
        ("new", core),
        ("delete", None, core),
        ("reset", None, core, u32),
        ("pace", None, core, u64, u32, u32),
        ("push", None, core, ctypes.c_char_p, size),
        ("run", u64, core, u64, size),
        ("take", size, core, ctypes.POINTER(result), size),
        ("write", integer, core, u8, u32),
        ("read", integer, core, u8, ctypes.POINTER(u32)),
        ("irq", integer, core),
        ("violations", u32, core),
        *more,
    ):
        function = getattr(lib, f"pm_core_{name}")
        function.restype, function.argtypes = answer, arguments
    return lib


class StreamCore:
    """One core, reset and idle."""

    def __init__(self, lib: ctypes.CDLL) -> None:
        self.lib = lib
        self.handle = lib.pm_core_new()
        self.reset()

    def close(self) -> None:
        """Free it; AssertionError if the bench or an RTL assertion found something on the way."""
        found = self.lib.pm_core_violations(self.handle)
        self.lib.pm_core_delete(self.handle)
        assert found == 0, f"{found} protocol violations or failed RTL assertions (see output)"

    def reset(self, cycles: int = 3) -> None:
        """Asynchronous reset; what was queued and not answered is forgotten."""
        self.lib.pm_core_reset(self.handle, cycles)

    def pace(self, seed: int = 0, idle: int = 0, stall: int = 0) -> None:
        """Per cent of cycles without a new beat, and without taking a result beat."""
        self.lib.pm_core_pace(self.handle, seed, idle, stall)

    def push(self, beats: Iterable[Beat]) -> None:
        """Queue one packet."""
        beats = list(beats)
        last = len(beats) - 1
        data = b"".join(d + bytes((keep, i == last)) for i, (d, keep) in enumerate(beats))
        self.lib.pm_core_push(self.handle, data, len(beats))

    def run(self, cycles: int, results: int = 1 << 60) -> int:
        """Run until so many results wait, or for so many cycles; the cycles it took."""
        return self.lib.pm_core_run(self.handle, cycles, results)

    def write(self, address: int, value: int) -> int:
        """Write a register; the response code."""
        return self.lib.pm_core_write(self.handle, address, value)

    def register(self, address: int) -> tuple[int, int]:
        """(value, response code) of a register."""
        value = ctypes.c_uint32()
        response = self.lib.pm_core_read(self.handle, address, ctypes.byref(value))
        return value.value, response

    @property
    def irq(self) -> bool:
        """Level of the interrupt line."""
        return bool(self.lib.pm_core_irq(self.handle))
