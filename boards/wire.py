# SPDX-License-Identifier: Apache-2.0
"""A verilated design with a serial line, running as a process on a pseudo-terminal (boards/sim/wire.cpp)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pointmill import simbuild, simruntime

MAIN = simbuild.ROOT / "boards" / "sim" / "wire.cpp"


@dataclass(frozen=True)
class Ports:
    """Names of a design's ports; reset with its active level."""

    clock: str
    reset: str
    reset_level: int
    rx: str
    tx: str


DIVIDER = 4
"""Clock cycles of a bit in simulations of boards, where the line would otherwise take most of the time."""

SETTINGS = "wait=30000,silence=600000"
"""Of the driver on a simulated board: it is slow, and what is repeated before its answer can come makes it slower."""

BOARDS = {"ulx3s_85f": Ports("clk_25mhz", "btn_fire1", 1, "ftdi_txd", "ftdi_rxd"),
          "ecpix5_85": Ports("clk100", "gsrn", 0, "uart_rx", "uart_tx")}
"""Ports of the top modules of boards."""


def build(top: str, sources: Iterable[simbuild.Source], ports: Ports, params: Mapping[str, simbuild.Value], *,
          verilator_args: Sequence[str] = (), opt: str = simruntime.OPT, name: str = "wire") -> Path:
    """The program, <top>_<name>; `BuildError` from the tools. Registers and memories without reset begin as its option
    says."""
    names = {"PM_TOP": top, "PM_CLOCK": ports.clock, "PM_RESET": ports.reset, "PM_RESET_LEVEL": ports.reset_level,
             "PM_RX": ports.rx, "PM_TX": ports.tx}
    return simbuild.build_cpp(top, sources, MAIN, params, name=f"{top}_{name}", opt=opt,
                              cflags=[f"-D{name}={value}" for name, value in names.items()],
                              verilator_args=("--x-initial", "unique", "--x-assign", "unique", *verilator_args))


class Wire:
    """A running one; a context manager. `counts` are there after it."""

    def __init__(self, program: Path, **options: int | str) -> None:
        """options: of wire.cpp."""
        self._process = subprocess.Popen([program, *(f"{name}={value}" for name, value in options.items())],
                                         stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().strip()
        """Path of the pseudo-terminal."""
        self.counts: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if not self.port:
            self._process.wait()
            raise simbuild.BuildError("the simulation did not start")
        return self

    def stop(self) -> None:
        """Ends the process; a second time does nothing."""
        if not self.counts:
            self._process.terminate()
            said, _ = self._process.communicate(timeout=60)
            self.counts = json.loads(said)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()
