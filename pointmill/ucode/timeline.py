# SPDX-License-Identifier: Apache-2.0
"""What each unit of a datapath does in each cycle of a scheduled block; the same form for all datapaths.

`timeline` reads a schedule of any datapath; tables, diagrams and the JSON of `pointmill schedule` are made of it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pointmill.ucode import datapath
from pointmill.ucode.emitter import PRODUCT, SIDE_UNIT
from pointmill.ucode.ir import Op
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule


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
        return (f"{self.block}: {self.cycles} cycles ({how}), {self.products} products, "
                f"{100 * self.utilisation:.1f} % busy")

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
            cells = ["; ".join(work.text for work in self.works if (work.cycle, work.unit) == (cycle, lane))
                     for lane in lanes]
            lines.append(f"  {cycle:4d}  {' '.join(f'{cell:<26}' for cell in cells)}".rstrip())
        return "\n".join(lines)

    def record(self) -> dict:
        """The same for JSON."""
        return asdict(self)


def _side_unit(op: Op) -> str:
    return " ".join([f"start {op.side_unit}", *(arg.name for arg in op.args)])


def timeline(machine: Machine, schedule: Schedule, product: int | None = None) -> Timeline:
    """A block on its datapath. product: cycles of a multiplication where the modulus decides them; the shortest of the
    machine if it is None."""
    cells = datapath.of(machine).cells(machine)
    timed = cells.timed(schedule, product)
    works = []
    for op in schedule.block.ops:
        side_unit = op.unit == "start"
        unit, cycles, kind = ("side units", 1, SIDE_UNIT) if side_unit else cells.lane(op, timed, product)
        works.append(Work(unit, timed.start[op], cycles, kind, _side_unit(op) if side_unit else cells.text(op)))
    works.sort(key=lambda work: (work.cycle, work.kind, work.unit))
    busy = sum(work.cycles for work in works if work.kind in cells.counted) / cells.workers
    products = sum(work.kind == PRODUCT for work in works)
    return Timeline(schedule.block.name, timed.length, timed.bound, products, busy / timed.length, tuple(works))
