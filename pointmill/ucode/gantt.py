# SPDX-License-Identifier: Apache-2.0
"""Schedules as tables and pictures: `pointmill schedule PROGRAM [--length N] [--svg FILE]`.

PROGRAM is a program of `edverify` (`verify`, `tables`, `halfsize`, `x25519`, `fixed_base`) or of
`multicurve` (`ecmul`, `xdh`, `params`, `check`, `modarith`, `window`) or of `x25519` (`paper`, `compact`), or one of its blocks
(`walk_double`, `tables.add`,
`x25519.ladder_step`, `xdh.ladder_step`). Cycles of the last three of `edverify`, whose words take their
turns, are words. N is the number of cycles of a product in `multicurve` (8 for 256 bits).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pointmill.ucode import dual_gantt, limb_gantt
from pointmill.ucode.build import build
from pointmill.ucode.dual import DualSchedule
from pointmill.ucode.ir import Op
from pointmill.ucode.limb import LimbSchedule
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule, latency

# Programs, their cores and configurations.
PROGRAMS = {
    **dict.fromkeys(("verify", "tables"), ("edverify", "paper")),
    **dict.fromkeys(("halfsize", "x25519", "fixed_base"), ("edverify", "throughput")),
    "compact": ("x25519", "compact27"),
    **dict.fromkeys(("ecmul", "xdh", "params", "check", "modarith"), ("multicurve", "paper")),
    "window": ("multicurve", "fast"),
    "paper": ("x25519", "paper"),
}

# Colour-blind safe (Okabe and Ito), and told apart by hatching in print.
_STYLE = {"mul": ("#0072b2", ""), "bf": ("#e69f00", "//"), "start": ("#009e73", "..")}
_UNIT = {"mul": "multiplier", "bf": "butterfly", "start": "side unit"}


class UnknownProgram(KeyError):
    """No program or block of that name; the message lists the known ones."""

    def __str__(self) -> str:
        return self.args[0]


def find(name: str) -> tuple[Machine, list[Schedule]]:
    """The schedules of a program, or of one block given as `block` or `program.block`."""
    known = []
    wanted = name.partition(".")[0]
    for program in [wanted] if wanted in PROGRAMS else PROGRAMS:
        core, config = PROGRAMS[program]
        machine, _, schedules, _ = build(core, program, config)
        if name == program:
            return machine, list(schedules.values())
        for block, schedule in schedules.items():
            known.append(f"{program}.{block}")
            if name in (block, f"{program}.{block}"):
                return machine, [schedule]
    raise UnknownProgram(f"no program {name}; there are {', '.join([*PROGRAMS, *known])}")


def _text(op: Op) -> str:
    def factor(i: int) -> str:
        return ("2 " if op.double[i] else "") + op.args[i].name

    if op.unit == "mul":
        value = op.out["mul"]
        factor_b = op.args[1].name
        if op.signed:
            factor_b = f"({factor_b} +- {op.args[2].name})"
        rider = f" start {op.side_unit}" if op.side_unit else ""
        return f"{value.name} {'=!' if op.canon else '='} {op.args[0].name} * {factor_b}{rider}"
    if op.unit == "start":
        return " ".join(["start", op.side_unit, *(arg.name for arg in op.args)])
    if op.scaled:
        x, y = (arg.name for arg in op.args)
        form = {"sum": f"scale ({x} - {y})", "diff": f"{x} - {y}"}
        return "; ".join(f"{value.name} = {form[part]}" for part, value in op.out.items())
    sign = {"sum": "+", "diff": "-"}
    return "; ".join(
        f"{value.name} = {factor(0)} {sign[part]} {factor(1)}" for part, value in op.out.items()
    )


def table(schedule: Schedule) -> str:
    """The block as a table: a row for each cycle that starts something."""
    rows: dict[int, dict[str, str]] = {}
    for op in schedule.block.ops:
        rows.setdefault(schedule.start[op], {})[op.unit] = _text(op)
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    how = "optimal" if schedule.bound == schedule.length else "list scheduling"
    lines = [
        f"{schedule.block.name}: {schedule.length} cycles ({how}), {products} products, "
        f"multiplier {100 * products / schedule.length:.0f} % busy"
    ]
    for cycle in sorted(rows):
        row = rows[cycle]
        first = "; ".join(row[unit] for unit in ("mul", "start") if unit in row)
        lines.append(f"  {cycle:4d}  {first:<28} {row.get('bf', '')}".rstrip())
    return "\n".join(lines)


def draw(machine: Machine, schedules: list[Schedule], path: Path) -> None:
    """An SVG picture: a line for each operation, from its start until its result can be read."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    counts = [max(len(schedule.block.ops), 1) for schedule in schedules]
    figure, axes = pyplot.subplots(
        len(schedules),
        1,
        figsize=(9, sum(0.24 * count + 0.9 for count in counts)),
        gridspec_kw={"height_ratios": [0.24 * count + 0.3 for count in counts]},
        squeeze=False,
        layout="constrained",
    )
    for axis, schedule in zip(axes[:, 0], schedules):
        ops = sorted(schedule.block.ops, key=lambda op: (schedule.start[op], op.unit))
        for row, op in enumerate(ops):
            start = schedule.start[op]
            colour, hatch = _STYLE[op.unit]
            axis.barh(row, 1, left=start, color=colour, hatch=hatch, edgecolor="white", linewidth=0)
            ready = max((latency(machine, value) for value in op.out.values()), default=1)
            axis.plot([start + 1, start + ready], [row, row], color=colour, linewidth=1.2)
        axis.axvline(schedule.length, color="black", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(len(ops)), [_text(op) for op in ops], fontsize=7)
        axis.set_ylim(len(ops) - 0.4, -0.6)
        axis.set_xlim(0, None)
        axis.set_xlabel("cycle", fontsize=8)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(table(schedule).splitlines()[0], fontsize=9, loc="left")
        axis.grid(axis="x", linewidth=0.3)
        axis.legend(
            handles=[
                Patch(facecolor=_STYLE[unit][0], hatch=_STYLE[unit][1], label=_UNIT[unit])
                for unit in dict.fromkeys(op.unit for op in ops)
            ],
            fontsize=7,
            loc="lower left",
        )
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)


def main(argv: Sequence[str] | None = None) -> int:
    """`pointmill schedule PROGRAM [--svg FILE]`; exit code 2 for an unknown program."""
    parser = argparse.ArgumentParser(prog="pointmill schedule", description=__doc__)
    parser.add_argument("program", help="program, block or program.block")
    parser.add_argument("--length", type=int, default=8, help="cycles of a product in multicurve")
    parser.add_argument("--svg", type=Path, help="also draw it")
    args = parser.parse_args(argv)
    try:
        machine, schedules = find(args.program)
    except UnknownProgram as error:
        parser.error(str(error))
    dual, limb = (isinstance(schedules[0], kind) for kind in (DualSchedule, LimbSchedule))
    if args.length < 1:
        parser.error("a product takes at least one cycle")
    for schedule in schedules:
        if dual:
            print(dual_gantt.table(schedule, args.length))
        else:
            print(limb_gantt.table(machine, schedule) if limb else table(schedule))
    if args.svg and dual:
        dual_gantt.draw(schedules, args.length, args.svg)
    elif args.svg and limb:
        limb_gantt.draw(machine, schedules, args.svg)
    elif args.svg:
        draw(machine, schedules, args.svg)
    return 0
