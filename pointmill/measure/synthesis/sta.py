# SPDX-License-Identifier: Apache-2.0
"""Timing of a unit in standard cells by OpenSTA, where the program `sta` is installed (Debian: opensta).

Paths between registers only, of the netlist that asic.py leaves, under the wires of data/wires.yaml. The clock comes
without delay, its skew and jitter are UNCERTAINTY, and all delays count DERATE times: the defaults of OpenLane's
scripts/base.sdc. Nothing is placed: a wire across the chip is as long as any other with as many readers.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from pointmill.measure.synthesis import paths
from pointmill.measure.synthesis.liberty import MODEL, Library
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import ROOT, BuildError, run_tool

PERIOD = 1000.0
"""Of the clock that slack is counted from, in nanoseconds; more than any path takes."""
UNCERTAINTY = 0.25
"""Nanoseconds."""
DERATE = 1.05
BETWEEN_REGISTERS = "set_false_path -from [all_inputs]\nset_false_path -to [all_outputs]\n"
ENDS = 1_000_000
"""Ends of paths that are reported: all."""
SHARES = (5, 10, 25, 50, 100)
"""Per cent of the period, upper ends of the bins of the histogram of slack."""

_SLACK = re.compile(r"^worst slack\s+(?:max\s+)?(-?[\d.]+)", re.MULTILINE)
_END = re.compile(r"^(\S+) \(\S+\)\s+-?[\d.]+\s+-?[\d.]+\s+(-?[\d.]+) \((?:MET|VIOLATED)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Timing:
    """Clock in MHz, the slowest path and the signals where slow ones end in words, and how many ends of paths have how
    much slack, by per cent of the period."""

    mhz: float
    slowest: str
    ends: list[str]
    slack: dict[str, int]


def installed() -> bool:
    """Whether there is OpenSTA."""
    return shutil.which("sta") is not None


def version() -> str:
    """Of OpenSTA, where it is installed."""
    return run_tool(["sta", "-version"]).strip()


def script(unit: Unit, library: Library, netlist: Path, period: float, constraints: str) -> str:
    """What OpenSTA runs; `period` in nanoseconds."""
    scale = library.units_per_ns
    model = f"set_wire_load_model -name {MODEL}\n" if library.wires else ""
    return (f"read_liberty {library.path.relative_to(ROOT)}\nread_verilog {netlist.relative_to(ROOT)}\n"
            f"link_design {unit.top}\ncreate_clock -name clk -period {period * scale} [get_ports clk_i]\n"
            f"{model}set_clock_uncertainty {UNCERTAINTY * scale} clk\nset_timing_derate -late {DERATE}\n{constraints}"
            f"report_checks -digits 3\nreport_checks -format end -group_count {ENDS} -digits 3\n"
            "report_worst_slack -digits 3\nexit\n")


def worst(output: str) -> float:
    """The worst slack of OpenSTA's output; `BuildError` when it says none."""
    found = _SLACK.search(output)
    if found is None:
        raise BuildError(f"OpenSTA names no slack:\n{output[-2000:]}")
    return float(found[1])


def run(unit: Unit, library: Library, netlist: Path, period: float, constraints: str = BETWEEN_REGISTERS) -> str:
    """What OpenSTA says of a netlist."""
    commands = netlist.with_suffix(".sta")
    commands.write_text(script(unit, library, netlist, period, constraints))
    output = run_tool(["sta", "-exit", commands.relative_to(ROOT)])
    netlist.with_suffix(".sta.log").write_text(output)
    if "Error" in output:
        raise BuildError(f"OpenSTA: {output[output.index('Error'):][:500]}")
    return output


def histogram(slacks: list[float], period: float) -> dict[str, int]:
    """How many slacks are within each part of the period."""
    shares = [100 * slack / period for slack in slacks]
    lower = (0, *SHARES[:-1])
    return {f"{low} to {high} %": sum(low <= share < high or (share == high == 100) for share in shares)
            for low, high in zip(lower, SHARES, strict=True)}  # fmt: skip


def timing(output: str, library: Library) -> Timing:
    """The timing of a netlist, from OpenSTA's output at PERIOD."""
    scale = library.units_per_ns
    period = PERIOD - worst(output) / scale
    ends = [(end, float(slack) / scale - (PERIOD - period)) for end, slack in _END.findall(output)]
    return Timing(1000 / period, paths.slowest_cells(output, period),
                  paths.ends_of_cells([(end, period - slack) for end, slack in ends]),
                  histogram([slack for _, slack in ends], period))  # fmt: skip


def timed(unit: Unit, library: Library, netlist: Path) -> Timing | None:
    """The timing of `unit`, mapped to `library`; None where OpenSTA is not installed or the unit has no registers."""
    if not installed():
        return None
    output = run(unit, library, netlist, PERIOD)
    return None if "INF" in output else timing(output, library)
