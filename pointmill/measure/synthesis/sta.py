# SPDX-License-Identifier: Apache-2.0
"""Timing of a unit in standard cells by OpenSTA, where the program `sta` is installed (Debian: opensta).

Paths between registers only, with the netlist that asic.py leaves: no wires, no clock tree, gates of the size that
`abc` took, so that the clock is a bound of what a chip reaches.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pointmill.measure.synthesis.yosys import OUT, Unit
from pointmill.simbuild import ROOT, BuildError, run_tool

PERIOD = 1000.0
"""Of the clock that slack is counted from, in nanoseconds; more than any path takes."""

_SLACK = re.compile(r"^worst slack\s+(?:max\s+)?(-?[\d.]+)", re.MULTILINE)
_UNIT = re.compile(r'time_unit\s*:\s*"?1(ns|ps)')


def units_per_ns(library: Path) -> int:
    """Time units of the library in a nanosecond; `BuildError` unless that is 1 or 1000."""
    unit = _UNIT.search(library.read_text())
    if unit is None:
        raise BuildError(f"{library.name}: time unit neither 1ns nor 1ps")
    return 1000 if unit[1] == "ps" else 1


def script(unit: Unit, library: Path, netlist: Path, period: float) -> str:
    """What OpenSTA runs; `period` in time units of the library."""
    return (f"read_liberty {library.relative_to(ROOT)}\nread_verilog {netlist.relative_to(ROOT)}\n"
            f"link_design {unit.top}\ncreate_clock -name clk -period {period} [get_ports clk_i]\n"
            "set_false_path -from [all_inputs]\nset_false_path -to [all_outputs]\n"
            "report_worst_slack\nexit\n")


def slack(output: str) -> float:
    """The worst slack of OpenSTA's output; `BuildError` when it says none."""
    found = _SLACK.search(output)
    if found is None:
        raise BuildError(f"OpenSTA names no slack:\n{output[-2000:]}")
    return float(found[1])


def clock(unit: Unit, library: Path) -> float | None:
    """The clock in MHz of `unit`, mapped to `library` before; None where OpenSTA is not installed or the unit has no
    registers."""
    netlist = OUT / "asic" / library.stem / f"{unit.name}.v"
    if shutil.which("sta") is None:
        return None
    commands = netlist.with_suffix(".sta")
    scale = units_per_ns(library)
    commands.write_text(script(unit, library, netlist, PERIOD * scale))
    output = run_tool(["sta", "-exit", commands.relative_to(ROOT)])
    if "INF" in output:
        return None
    return 1000 / (PERIOD - slack(output) / scale)
