# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of schedules of the dual datapath, for a product of a given length."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pointmill.ucode.dual import DualSchedule, bound, retimed
from pointmill.ucode.ir import Op

_LANES = {"mul0": "multiplier 0", "mul1": "multiplier 1", "sum0": "adder 0", "sum1": "adder 1"}


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
    return products * length / schedule.multipliers / retimed(schedule, length).length


def title(schedule: DualSchedule, length: int) -> str:
    """Cycles, whether they are the fewest, products and utilisation in a line."""
    units = [op.unit for op in schedule.block.ops]
    cycles = retimed(schedule, length).length
    return _title(schedule.block.name, cycles, bound(schedule, length), units.count("mul"), units.count("sum"), length)


def _title(name: str, cycles: int, least: int | None, products: int, sums: int, length: int) -> str:
    how = "optimal" if least == cycles else "not proven optimal"
    return (
        f"{name}: {cycles} cycles ({how}), {products} products of {length}, "
        f"multipliers {50 * products * length / cycles:.1f} % busy, adders {50 * sums / cycles:.1f} %"
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


@dataclass(frozen=True)
class Bars:
    """A block in a picture: its title, cycles, and the operations on each unit: lane, first cycle, cycles, text."""

    title: str
    cycles: int
    bars: list[tuple[str, int, int, str]]


def bars(schedule: DualSchedule, length: int) -> Bars:
    """A block for products of `length` cycles."""
    timed = retimed(schedule, length)
    found = [
        (f"{op.unit}{timed.place[op]}", timed.start[op], length if op.unit == "mul" else 1, text(op))
        for op in schedule.block.ops
        if op.unit != "start"
    ]
    return Bars(title(schedule, length), timed.length, sorted(found))


def recorded_bars(name: str, record: dict, length: int) -> Bars:
    """The same of a block as a schedule.json has it (`export.dual_record`), without scheduling it again."""
    ready, now, found = {"0": 0, "1": 0}, -1, []
    for word in record["words"]:
        now = max([now + 1, *(ready[unit] for unit in word["waits"])])
        for lane in sorted(_LANES.keys() & word.keys()):
            width = length if lane.startswith("mul") else 1
            found.append((lane, now, width, word[lane]))
        ready |= {unit: now + length for unit in ready if f"mul{unit}" in word}
    timed = record["lengths"][str(length)]
    sums = sum(lane.startswith("sum") for lane, *_ in found)
    named = _title(name, timed["cycles"], timed["bound"], record["products"], sums, length)
    return Bars(named, max(now + 1, *ready.values()), sorted(found))


def draw(schedules: list[DualSchedule], length: int, path: Path) -> None:
    """Writes the picture of blocks."""
    path.write_text(picture([bars(schedule, length) for schedule in schedules]))


def picture(blocks: Sequence[Bars]) -> str:
    """An SVG picture: the operations on both multipliers and both adders over the cycles."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, axes = pyplot.subplots(
        len(blocks), 1, figsize=(11, 2.4 * len(blocks)), squeeze=False, layout="constrained"
    )
    for axis, block in zip(axes[:, 0], blocks):
        for unit, start, width, what in block.bars:
            lane = list(_LANES).index(unit)
            product = unit.startswith("mul")
            colour = "#0072b2" if product else "#e69f00"
            axis.barh(lane, width, left=start, color=colour, edgecolor="white", align="center")
            if product:
                axis.text(start + width / 2, lane, what, ha="center", va="center", fontsize=6, color="white")
        axis.axvline(block.cycles, color="black", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(4), [*_LANES.values()], fontsize=7)
        axis.set_ylim(3.6, -0.6)
        axis.set_xlim(0, block.cycles + 1)
        axis.set_xlabel("cycle", fontsize=8)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(block.title, fontsize=9, loc="left")
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
