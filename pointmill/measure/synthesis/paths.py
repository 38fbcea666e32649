# SPDX-License-Identifier: Apache-2.0
"""The slowest paths of a report of nextpnr or OpenSTA, in words: registers by signal and module.

A cell has the name of a signal of the design and what Yosys or fanout.py appended to it; bits of a signal are one.
nextpnr reports all steps of the slowest path, and of each other one its end and when its signal arrives there; OpenSTA
likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pointmill.measure.synthesis.fanout import PLANTED, REGISTER

UNIT = "u_unit."
_INSTANCE = re.compile(r"(u|g|gen)_\w+(\[\d+\])?")
_APPENDED = re.compile(r"_(TRELLIS_FF|LUT4|CCU2C|PFUMX|L6MUX21|DP16KD|DI|DO|MULT18X18D)_.*|\$.*|_(Q|Z)$")
_BIT = re.compile(rf"\.\d+{re.escape(REGISTER)}$")
_STEP = re.compile(r"^\s+-?[\d.]+\s+-?[\d.]+ [v^] (\S+)/\w+ \((\w+)\)$", re.MULTILINE)


def words(cell: str) -> str:
    """Signal and module of a cell."""
    parts = _BIT.sub("", cell).removeprefix(UNIT).split(".")
    depth = 0
    while depth < len(parts) - 1 and _INSTANCE.fullmatch(parts[depth]):
        depth += 1
    signal = _APPENDED.sub("", parts[depth]) or "a register without name"
    return f"{signal} in {'.'.join(parts[:depth]) or 'the top'}"


def slowest(report: dict) -> str:
    """The slowest path: its length in ns, its ends, the gates and the routing between them."""
    path: list[dict] = next((one["path"] for one in report["critical_paths"]
                 if one["from"] == one["to"] and one["from"].startswith("posedge")), [])  # fmt: skip
    if not path:
        return ""
    total, routing = (sum(step["delay"] for step in path if step["type"] in kinds) for kinds in (
        ("clk-to-q", "source", "logic", "routing", "setup"), ("routing",)))  # fmt: skip
    gates = sum(step["type"] == "logic" for step in path)
    return (f"{total:.2f} ns from {words(path[0]['from']['cell'])} to {words(path[-1]['to']['cell'])}: "
            f"{gates} gates, {routing:.2f} ns of routing")  # fmt: skip


def _latest(found: Iterable[tuple[str, float]], most: int) -> list[str]:
    """The signals of cells with the latest times in ns, one line each."""
    latest: dict[str, float] = {}
    for cell, delay in found:
        name = words(cell)
        latest[name] = max(latest.get(name, 0), delay)
    chosen = sorted(latest.items(), key=lambda item: -item[1])[:most]
    return [f"{delay:.2f} ns to {name}" for name, delay in chosen]


def ends(report: dict, most: int = 5) -> list[str]:
    """The signals at which the slowest paths end, one line each, the slowest first: arrival in ns after the edge that
    began it."""
    return _latest(((end["cell"], end["delay"][1]) for net in report["detailed_net_timings"]
                    for end in net["endpoints"]
                    if net["event"] == end["event"] and net["event"].startswith("posedge")), most)  # fmt: skip


def slowest_cells(output: str, period: float) -> str:
    """The slowest path of OpenSTA's output, of which it is the first: the period that it needs in ns, its ends, the
    gates between them. Empty where there is none."""
    cells = [name for name, _ in _STEP.findall(output.split("data arrival time")[0])]
    if len(cells) < 2:
        return ""
    gates = cells[2:-1]
    planted = sum(name.startswith(PLANTED) for name in gates)
    return (f"{period:.2f} ns from {words(cells[0])} to {words(cells[-1])}: {len(gates)} gates, "
            f"{planted} of them of fan-out trees")  # fmt: skip


def ends_of_cells(found: Iterable[tuple[str, float]], most: int = 5) -> list[str]:
    """The registers at which the slowest paths of OpenSTA end (pin, period that it needs in ns), one line each,
    the slowest first."""
    return _latest(((pin.rpartition("/")[0], delay) for pin, delay in found), most)
