# SPDX-License-Identifier: Apache-2.0
"""The driver on a simulated card: libpointmill with the back-end `litepcie`, linked with a stand-in of LitePCIe's
character device (litepcie_device.cpp) and the verilated bridge in front of a small core."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dv.lib.uart.link_units import IDENTITY
from pointmill import library, simbuild
from pointmill.device import Device
from pointmill.simbuild import ROOT

HERE = Path(__file__).resolve().parent
SOURCES = (ROOT / "hw" / "lib" / "pcie" / "pcie.f", ROOT / "hw" / "edverify" / "edverify.f",
           ROOT / "dv" / "lib" / "uart" / "pm_board_core.sv", HERE / "pm_pcie_system.sv")
FILE = "/dev/litepcie-bench"
WRAPPED = ("open", "close", "ioctl", "mmap", "munmap", "nanosleep", "clock_gettime")
"""Calls of the system in whose place the stand-in is."""
KINDS = ("lose", "double", "damage", "delay")
STRUCK, SENT, FRAMES, JOB_WORDS, RESULT_WORDS, LOCKED, CYCLES = range(7)
"""Counts of the stand-in."""


@cache
def card(words: int = 64, identity: bytes = IDENTITY) -> Path:
    """The library, for buffers of so many words."""
    parts = library.objects([*library.DRIVER, *library.BACKENDS["PM_WITH_LITEPCIE"]], {"PM_WITH_LITEPCIE": ""})
    told = int.from_bytes(identity.ljust(128, b"\0"), "little")
    return simbuild.build_shared(
        "pm_pcie_system", SOURCES, HERE / "litepcie_device.cpp",
        {"BufferWords": words, "Identity": f"1024'h{told:x}"}, cflags=(f"-I{ROOT}",),
        ldflags=[*map(str, parts), *(f"-Wl,--wrap={name}" for name in WRAPPED)], name="libpointmill-card.so")


@dataclass
class Card:
    """A new card in the place of the one before, whose device must be closed."""

    words: int = 64
    count: int = 32
    prefetch: int = 256
    pause: int = 20
    seed: int = 1
    lib: Path | None = None

    def __post_init__(self) -> None:
        self.path = self.lib or card(self.words)
        self._functions: Any = ctypes.CDLL(str(self.path))
        self._functions.pm_bench_count.restype = ctypes.c_ulonglong
        self._functions.pm_bench_read.restype = ctypes.c_uint
        self._functions.pm_bench_begin(self.words, self.count, self.prefetch, self.pause, self.seed)

    def fault(self, direction: str, kind: str, at: int) -> None:
        """Of a buffer that is to come: number `at` of "results", or of those with "jobs"."""
        self._functions.pm_bench_fault(int(direction == "results"), KINDS.index(kind), at)

    def unplug(self) -> None:
        """The card is gone."""
        self._functions.pm_bench_unplug()

    def register(self, address: int) -> int:
        """A register of the bridge."""
        return int(self._functions.pm_bench_read(address))

    def count_of(self, what: int) -> int:
        """One of the counts."""
        return int(self._functions.pm_bench_count(what))

    def open(self, settings: str = "ahead=4,wait=1") -> Device:
        """The device. `DeviceError` as the driver has it."""
        return Device(backend="litepcie", settings=f"port={FILE},{settings}", lib=self.path)
