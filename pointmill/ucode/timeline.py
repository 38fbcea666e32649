# SPDX-License-Identifier: Apache-2.0
"""What each unit of a datapath does in each cycle of a scheduled block; the same form for all datapaths.

`timeline` reads a schedule of any datapath; tables, diagrams and the JSON of `pointmill schedule` are made of it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pointmill.ucode import dual, limb
from pointmill.ucode.ir import Op
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule

PRODUCT, SUM, SIDE_UNIT = range(3)
"""Kinds of operations."""


@dataclass(frozen=True)
class Work:
    """An operation on a unit: the cycle in which it starts, and the cycles for which it occupies the unit."""

    unit: str
    cycle: int
    cycles: int
    kind: int
    text: str


@dataclass(frozen=True)
class Timeline:
    """A block: cycles, the proven lower bound of them (None: none is known), the share of them in which the multipliers
    (of the limb datapath: the units) work, and the operations in order of their start."""

    block: str
    cycles: int
    bound: int | None
    products: int
    utilisation: float
    works: tuple[Work, ...]

    def title(self) -> str:
        """The figures of the block in a line."""
        how = "optimal" if self.bound == self.cycles else "not proven optimal"
        return f"{self.block}: {self.cycles} cycles ({how}), {self.products} products, {100 * self.utilisation:.1f} % busy"

    def lanes(self) -> list[str]:
        """The units that work, multipliers first."""
        first: dict[str, int] = {}
        for work in self.works:
            first[work.unit] = min(work.kind, first.get(work.unit, work.kind))
        return sorted(first, key=lambda unit: (first[unit], unit))

    def table(self) -> str:
        """A row for each cycle that starts something, a column for each unit."""
        lanes, lines = self.lanes(), [self.title()]
        for cycle in sorted({work.cycle for work in self.works}):
            cells = ["; ".join(work.text for work in self.works if (work.cycle, work.unit) == (cycle, lane)) for lane in lanes]
            lines.append(f"  {cycle:4d}  {' '.join(f'{cell:<26}' for cell in cells)}".rstrip())
        return "\n".join(lines)

    def record(self) -> dict:
        """The same for JSON."""
        return asdict(self)


def _side_unit(op: Op) -> str:
    return " ".join(["start", op.side_unit, *(arg.name for arg in op.args)])


def _butterfly_text(op: Op) -> str:
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
        return _side_unit(op)
    if op.scaled:
        x, y = (arg.name for arg in op.args)
        form = {"sum": f"scale ({x} - {y})", "diff": f"{x} - {y}"}
        return "; ".join(f"{value.name} = {form[part]}" for part, value in op.out.items())
    sign = {"sum": "+", "diff": "-"}
    return "; ".join(f"{value.name} = {factor(0)} {sign[part]} {factor(1)}" for part, value in op.out.items())


def _butterfly(machine: Machine, schedule: Schedule) -> Timeline:
    units = {"mul": ("multiplier", machine.interval, PRODUCT), "bf": ("butterfly", 1, SUM), "start": ("side units", 1, SIDE_UNIT)}
    works = []
    for op in schedule.block.ops:
        unit, cycles, kind = units[op.unit]
        works.append(Work(unit, schedule.start[op], cycles, kind, _butterfly_text(op)))
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    return _ordered(schedule, schedule.length, schedule.bound, products, machine.interval * products, works)


def _dual_text(op: Op) -> str:
    if op.unit == "start":
        return _side_unit(op)
    sign = "*" if op.unit == "mul" else "-" if op.minus else "+"
    (value,) = op.out.values()
    return f"{value.name} {'=!' if op.canon else '='} {op.args[0].name} {sign} {op.args[1].name}"


def _dual(machine: Machine, schedule: dual.DualSchedule, product: int) -> Timeline:
    timed = dual.retimed(schedule, product)
    units = {"mul": ("multiplier", product, PRODUCT), "sum": ("adder", 1, SUM), "start": ("side units", 1, SIDE_UNIT)}
    works = []
    for op in schedule.block.ops:
        unit, cycles, kind = units[op.unit]
        place = "" if kind == SIDE_UNIT else f" {timed.place[op]}"
        works.append(Work(f"{unit}{place}", timed.start[op], cycles, kind, _dual_text(op)))
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    busy = products * product / machine.multipliers
    return _ordered(schedule, timed.length, dual.bound(schedule, product), products, busy, works)


_LIMB_SIGNS = {"mul": "*", "small": "*", "add": "+", "sub": "-"}


def _limb(machine: Machine, schedule: limb.LimbSchedule) -> Timeline:
    works, busy = [], 0
    for op in schedule.block.ops:
        if op.unit == "start":
            works.append(Work("side units", schedule.start[op], 1, SIDE_UNIT, _side_unit(op)))
            continue
        cycles = limb.cycles(machine, op)
        busy += cycles
        kind = PRODUCT if _LIMB_SIGNS[op.unit] == "*" else SUM
        text = f"{op.label} = {op.args[0].name} {_LIMB_SIGNS[op.unit]} {op.args[1].name}"
        works.append(Work(f"unit {schedule.place[op]}", schedule.start[op], cycles, kind, text))
    products = sum(work.kind == PRODUCT for work in works)
    return _ordered(schedule, schedule.length, schedule.bound, products, busy / limb.UNITS, works)


def _ordered(schedule: Schedule, cycles: int, bound: int | None, products: int, busy: float, works: list[Work]) -> Timeline:
    ordered = sorted(works, key=lambda work: (work.cycle, work.kind, work.unit))
    return Timeline(schedule.block.name, cycles, bound, products, busy / cycles, tuple(ordered))


def timeline(machine: Machine, schedule: Schedule, product: int | None = None) -> Timeline:
    """A block on its datapath. product: cycles of a multiplication where the modulus decides them; the shortest of the
    machine if it is None."""
    if isinstance(schedule, dual.DualSchedule):
        return _dual(machine, schedule, product or min(machine.lengths))
    if isinstance(schedule, limb.LimbSchedule):
        return _limb(machine, schedule)
    return _butterfly(machine, schedule)
