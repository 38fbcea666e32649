# SPDX-License-Identifier: Apache-2.0
"""The slowest paths of a report of nextpnr, in words: registers by signal and module.

A cell has the name of a signal of the design and what Yosys appended to it; bits of a signal are one. nextpnr reports
all steps of the slowest path, and of each other one its end and when its signal arrives there.
"""

from __future__ import annotations

import re

UNIT = "u_unit."
_INSTANCE = re.compile(r"(u|g|gen)_\w+(\[\d+\])?")
_APPENDED = re.compile(r"_(TRELLIS_FF|LUT4|CCU2C|PFUMX|L6MUX21|DP16KD|DI|DO|MULT18X18D)_.*|\$.*|_(Q|Z)$")


def words(cell: str) -> str:
    """Signal and module of a cell."""
    parts = cell.removeprefix(UNIT).split(".")
    depth = 0
    while depth < len(parts) - 1 and _INSTANCE.fullmatch(parts[depth]):
        depth += 1
    return f"{_APPENDED.sub('', parts[depth])} in {'.'.join(parts[:depth]) or 'the top'}"


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


def ends(report: dict, most: int = 5) -> list[str]:
    """The signals at which the slowest paths end, one line each, the slowest first: arrival in ns after the edge that
    began it."""
    latest: dict[str, float] = {}
    for net in report["detailed_net_timings"]:
        for end in net["endpoints"]:
            if net["event"] == end["event"] and net["event"].startswith("posedge"):
                name = words(end["cell"])
                latest[name] = max(latest.get(name, 0), end["delay"][1])
    chosen = sorted(latest.items(), key=lambda item: -item[1])[:most]
    return [f"{delay:.2f} ns to {name}" for name, delay in chosen]
