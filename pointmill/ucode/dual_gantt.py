# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of schedules of the dual datapath, for a product of a given length."""

from __future__ import annotations

import io
from pathlib import Path

from pointmill.ucode.dual import DualSchedule, bound, retimed
from pointmill.ucode.ir import Op

_LANES = ("multiplier 0", "multiplier 1", "adder 0", "adder 1")


def text(op: Op) -> str:
    """An operation as its program writes it."""
    names = [arg.name for arg in op.args]
    if op.unit == "start":
        return " ".join(["start", op.side_unit, *names])
    sign = "*" if op.unit == "mul" else "-" if op.minus else "+"
    (value,) = op.out.values()
    return f"{value.name} {'=!' if op.canon else '='} {names[0]} {sign} {names[1]}"


def utilisation(schedule: DualSchedule, length: int) -> float:
    """The part of the multipliers' cycles in which they work."""
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    return products * length / 2 / retimed(schedule, length).length


def adders(schedule: DualSchedule, length: int) -> float:
    """The part of the adders' cycles in which they work."""
    sums = sum(op.unit == "sum" for op in schedule.block.ops)
    return sums / 2 / retimed(schedule, length).length


def title(schedule: DualSchedule, length: int) -> str:
    """Cycles, whether they are the fewest, products and utilisation in a line."""
    timed = retimed(schedule, length)
    how = "optimal" if bound(schedule, length) == timed.length else "not proven optimal"
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    return (
        f"{schedule.block.name}: {timed.length} cycles ({how}), {products} products of {length}, "
        f"multipliers {100 * utilisation(schedule, length):.1f} % busy, "
        f"adders {100 * adders(schedule, length):.1f} %"
    )


def table(schedule: DualSchedule, length: int) -> str:
    """The block as a table: a row for each word."""
    timed = retimed(schedule, length)
    lines = [title(schedule, length)]
    for word in schedule.words():
        cells = {"mul0": "", "mul1": "", "rest": []}
        for op in sorted(word, key=lambda o: timed.place[o]):
            if op.unit == "mul":
                cells[f"mul{timed.place[op]}"] = text(op)
            else:
                cells["rest"].append(text(op))
        if word:
            rest = "; ".join(cells["rest"])
            row = f"  {timed.start[word[0]]:4d}  {cells['mul0']:<22} {cells['mul1']:<22} {rest}"
            lines.append(row.rstrip())
    return "\n".join(lines)


def draw(schedules: list[DualSchedule], length: int, path: Path) -> None:
    """Writes `picture`."""
    path.write_text(picture(schedules, length))


def picture(schedules: list[DualSchedule], length: int) -> str:
    """An SVG picture: the operations on both multipliers and both adders over the cycles."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, axes = pyplot.subplots(
        len(schedules), 1, figsize=(11, 2.4 * len(schedules)), squeeze=False, layout="constrained"
    )
    for axis, schedule in zip(axes[:, 0], schedules):
        timed = retimed(schedule, length)
        for op in schedule.block.ops:
            if op.unit == "start":
                continue
            lane = timed.place[op] + (0 if op.unit == "mul" else 2)
            width, colour = (length, "#0072b2") if op.unit == "mul" else (1, "#e69f00")
            axis.barh(lane, width, left=timed.start[op], color=colour, edgecolor="white", align="center")
            if op.unit == "mul":
                middle = timed.start[op] + width / 2
                axis.text(middle, lane, text(op), ha="center", va="center", fontsize=6, color="white")
        axis.axvline(timed.length, color="black", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(4), _LANES, fontsize=7)
        axis.set_ylim(3.6, -0.6)
        axis.set_xlim(0, timed.length + 1)
        axis.set_xlabel("cycle", fontsize=8)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(title(schedule, length), fontsize=9, loc="left")
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
