# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of schedules of the limb datapath."""

from __future__ import annotations

from pathlib import Path

from pointmill.ucode.ir import Op
from pointmill.ucode.limb import UNITS, LimbSchedule, cycles
from pointmill.ucode.machine import Machine

_SIGNS = {"mul": "*", "small": "*", "add": "+", "sub": "-"}
_COLOURS = {"mul": "#0072b2", "small": "#56b4e9", "add": "#e69f00", "sub": "#d55e00"}


def text(op: Op) -> str:
    """An operation as its program writes it."""
    names = [arg.name for arg in op.args]
    if op.unit == "start":
        return " ".join(["start", op.side_unit, *names])
    return f"{op.label} = {names[0]} {_SIGNS[op.unit]} {names[1]}"


def utilisation(machine: Machine, schedule: LimbSchedule) -> float:
    """The part of the units' cycles in which they work."""
    busy = sum(cycles(machine, op) for op in schedule.block.ops if op.unit != "start")
    return busy / UNITS / schedule.length


def title(machine: Machine, schedule: LimbSchedule) -> str:
    """Cycles, whether they are the fewest, and utilisation in a line."""
    how = "optimal" if schedule.bound == schedule.length else "not proven optimal"
    busy = 100 * utilisation(machine, schedule)
    return f"{schedule.block.name}: {schedule.length} cycles ({how}), units {busy:.1f} % busy"


def table(machine: Machine, schedule: LimbSchedule) -> str:
    """The block as a table: a row for each cycle that starts something."""
    lines = [title(machine, schedule)]
    for cycle in sorted(set(schedule.start.values())):
        lanes = [""] * (UNITS + 1)
        for op in schedule.block.ops:
            if schedule.start[op] == cycle:
                lanes[UNITS if op.unit == "start" else schedule.place[op]] = text(op)
        lines.append(f"  {cycle:4d}  " + " ".join(f"{lane:<22}" for lane in lanes).rstrip())
    return "\n".join(lines)


def draw(machine: Machine, schedules: list[LimbSchedule], path: Path) -> None:
    """An SVG picture: the operations on the four units over the cycles."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        len(schedules), 1, figsize=(11, 2.4 * len(schedules)), squeeze=False, layout="constrained"
    )
    for axis, schedule in zip(axes[:, 0], schedules):
        for op in schedule.block.ops:
            if op.unit == "start":
                continue
            begin, width, lane = schedule.start[op], cycles(machine, op), schedule.place[op]
            axis.barh(lane, width, left=begin, color=_COLOURS[op.unit], edgecolor="white", align="center")
            axis.text(begin + width / 2, lane, text(op), ha="center", va="center", fontsize=6, color="white",
                      rotation=0 if width > 7 else 90)  # fmt: skip
        axis.axvline(schedule.length, color="black", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(UNITS), [f"unit {unit}" for unit in range(UNITS)], fontsize=7)
        axis.set_ylim(UNITS - 0.4, -0.6)
        axis.set_xlim(0, schedule.length + 1)
        axis.set_xlabel("cycle", fontsize=8)
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(title(machine, schedule), fontsize=9, loc="left")
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)
