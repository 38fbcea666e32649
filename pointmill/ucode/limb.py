# SPDX-License-Identifier: Apache-2.0
"""Datapath of four units on redundant limbs (`datapath: limb`): assembly and scheduling.

Any unit makes a product, a product by a small constant, a sum or a difference, each of its own number of cycles, in
which the unit does nothing else. The result goes to one of the unit's own registers, which holds
its old value until then. Read ports reach the registers of some units and some external values (`ports` of the machine
description), so the scheduler also chooses the unit of each operation. A global is written by the unit that its
register belongs to.

A block begins when everything before it is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from pointmill.ucode.assembler import BlockAssembler
from pointmill.ucode.emitter import pinned_registers
from pointmill.ucode.ir import Block, Home, Op, Program, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Claims, Schedule, ScheduleError, Scheduler, old_readers, solved
from pointmill.ucode.syntax import Expression

UNITS = 4
LIMBS, DIGIT_BITS = 17, 15
"""Of a number: limb i has weight 2^(15 i) (Hu et al. 2024, section 2.2)."""
SMALL_DIGITS = 2
"""Limbs of a constant by which a product is a short one."""
SIDES = ("x", "y")
_KINDS = {"*": "mul", "+": "add", "-": "sub"}


class LimbAssembler(BlockAssembler):
    """Statements of limbs: `c = a * b`, `c = a + b`, `c = a - b`. A product whose second factor is a constant of few
    limbs is a short one. Every value may be an operand: there are no ranges to watch."""

    flags = "mul"

    def _bound(self, bank: str) -> int:
        return 0

    def _expression(self, expression: Expression, canon: bool, scope, name: str, line: int) -> Value:
        if expression.op not in _KINDS or canon or any(expression.double):
            raise self.asm.error("this machine has products, sums and differences of two values alone")
        args = tuple(self._read(operand, scope) for operand in expression.operands)
        kind = _KINDS[expression.op]
        constant = self.machine.constants.get(args[1].external or "")
        if kind == "mul" and constant is not None and constant >> SMALL_DIGITS * DIGIT_BITS == 0:
            kind = "small"
        op = self._emit(Op(kind, args, line=line))
        op.out["reg"] = Value(name, "reg", 0, producer=op)
        return op.out["reg"]

    def _emit(self, op: Op) -> Op:
        for arg in op.args:
            arg.readers.append(op)
        self.block.ops.append(op)
        return op


@dataclass
class LimbSchedule(Schedule):
    """`place` is the unit of an operation; side units take the port of unit 0."""

    place: dict[Op, int] = field(default_factory=dict)


def cycles(machine: Machine, op: Op) -> int:
    """How long an operation takes its unit, and until its result can be read."""
    return 1 if op.unit == "start" else machine.latency[op.unit]


def reaches(machine: Machine, unit: int, side: int, source: int | str) -> bool:
    """Whether a read port reaches the registers of a unit, or an external value."""
    return source in machine.ports[f"u{unit}_{SIDES[side]}"]


def sources(value: Value) -> list[int | str]:
    """Units whose registers a value that exists before the block may lie in, or the external value."""
    if value.external:
        return [value.external]
    return sorted({home.register % UNITS for home in value.home.covers()})


def last_read(start: dict[Op, int], value: Value) -> int:
    """The cycle of the last read of a value; -1 if there is none."""
    return max((start[reader] for reader in value.readers), default=-1)


def held(block: Block, homes: list[Home]) -> dict[Home, list[Op] | None]:
    """For every global the readers of its value at the entry where the block overwrites it, None where it does not."""
    result: dict[Home, list[Op] | None] = {}
    for home in homes:
        readers = [r for old, ops in block.old_readers.items() if home in old.covers() for r in ops]
        result[home] = readers if home in block.written else None
    return result


def homes_of(program: Program) -> list[Home]:
    """The registers of all globals and tables."""
    return [Home(bank, register) for bank, register in sorted(pinned_registers(program))]


class LimbScheduler(Scheduler):
    """Schedules the blocks of one program, each alone."""

    def run(self) -> dict[str, Schedule]:
        """Schedules by block, by CP-SAT. ScheduleError where `check` refuses one."""
        result: dict[str, Schedule] = {}
        homes = homes_of(self.program)
        for block in self.program.blocks:
            if block.entry or block.exit or block.leaves or block.pause > 1:
                raise ScheduleError(f"{block.name}: a block of this datapath begins and ends by itself")
            schedule = solve(self.machine, block, homes)
            check(self.machine, schedule)
            result[block.name] = schedule
        return result


def solve(machine: Machine, block: Block, homes: list[Home]) -> LimbSchedule:
    """The shortest schedule of a block by CP-SAT, whose operations then start as early as they can."""
    horizon = sum(cycles(machine, op) for op in block.ops) + 1
    model = cp_model.CpModel()
    start = {op: model.new_int_var(0, horizon, "") for op in block.ops}
    total = model.new_int_var(1, horizon, "")
    on: dict[Op, list] = {}
    busy: list[list] = [[] for _ in range(UNITS)]
    for op in block.ops:
        length = cycles(machine, op)
        model.add(total >= start[op] + length)
        if op.unit == "start":
            if op.args:
                busy[0].append(model.new_fixed_size_interval_var(start[op], length, ""))
        else:
            on[op] = [model.new_bool_var("") for _ in range(UNITS)]
            model.add_exactly_one(on[op])
            for unit, chosen in enumerate(on[op]):
                busy[unit].append(model.new_optional_fixed_size_interval_var(start[op], length, chosen, ""))
            if home := op.out["reg"].home:
                model.add(on[op][home.register % UNITS] == 1)
        for other, distance in op.after:
            model.add(start[op] >= start[other] + distance)
        for value in op.out.values():
            for reader in old_readers(block, value):
                model.add(start[reader] < start[op] + length)
    for op in block.ops:
        _constrain_reads(model, machine, op, start, on)
    for unit in range(UNITS):
        model.add_no_overlap(busy[unit])
        _limit_registers(model, machine, block, homes, unit, start, on, total, horizon)
    steps = [start[op] for op in block.ops if op.unit == "start"]
    if len(steps) > 1:
        model.add_all_different(steps)
    model.minimize(total * (len(block.ops) + 1) * horizon + sum(start.values()))
    answer = solved(model, block.name)
    length = answer.value(total)
    return LimbSchedule(
        block,
        {op: answer.value(start[op]) for op in block.ops},
        length,
        length if answer.optimal else None,
        place={op: next((u for u in range(UNITS) if answer.value(on[op][u])), 0) if op in on else 0
               for op in block.ops},
    )  # fmt: skip


def _constrain_reads(model, machine: Machine, op: Op, start: dict, on: dict[Op, list]) -> None:
    """Operands are there, and within reach of the unit's ports."""
    units = range(UNITS) if op in on else (0,)
    for side, arg in enumerate(op.args):
        if arg.producer:
            model.add(start[op] >= start[arg.producer] + cycles(machine, arg.producer))
        for unit in units:
            chosen = on[op][unit] if op in on else True
            if not arg.producer:
                if not all(reaches(machine, unit, side, source) for source in sources(arg)):
                    model.add(chosen == 0)
                continue
            for other in range(UNITS):
                if not reaches(machine, unit, side, other):
                    model.add_bool_or([] if chosen is True else [chosen.negated()],
                                      ).only_enforce_if(on[arg.producer][other])  # fmt: skip


def _limit_registers(model, machine, block, homes, unit, start, on, total, horizon) -> None:
    """The values that a unit's registers hold at a time are no more than it has."""
    lives = []
    for home, readers in held(block, homes).items():
        if home.register % UNITS != unit:
            continue
        end = model.new_int_var(0, horizon, "")
        if readers is None:
            model.add(end == total)
        else:
            model.add_max_equality(end, [0, *(start[reader] + 1 for reader in readers)])
        size = model.new_int_var(0, horizon, "")
        lives.append(model.new_interval_var(0, size, end, ""))
    for op, chosen in on.items():
        value = op.out["reg"]
        end = model.new_int_var(0, 2 * horizon, "")
        begin = start[op] + cycles(machine, op)
        reads = [start[reader] + 1 for reader in value.readers]
        model.add_max_equality(end, [begin + 1, *reads, *([total + 1] if value.home else [])])
        size = model.new_int_var(0, 2 * horizon, "")
        lives.append(model.new_optional_interval_var(begin, size, end, chosen[unit], ""))
    model.add_cumulative(lives, [1] * len(lives), machine.slots[unit])


def check(machine: Machine, schedule: LimbSchedule) -> None:
    """Prove a schedule legal, apart from how it was made (what registers hold is the emitter's affair).

    Raises ScheduleError for: a value read before it is there or out of a port's reach, a unit started while it works,
    two side units in a cycle, a global written by another unit than its own or before its old value was read, an
    operation that ends after the block.
    """
    block, start, place = schedule.block, schedule.start, schedule.place
    claims = Claims(block)
    refuse, take = claims.refuse, claims.take

    for op in block.ops:
        begin, end = start[op], start[op] + cycles(machine, op)
        if begin < 0 or end > schedule.length:
            refuse(op, "is not within the block")
        if op.unit == "start":
            take(op, begin, "control")
        if op.unit != "start" or op.args:
            for cycle in range(begin, end):
                take(op, cycle, f"unit {place[op]}")
        for side, arg in enumerate(op.args):
            origin = arg.producer
            if origin and begin < start[origin] + cycles(machine, origin):
                refuse(op, f"{arg.name} is not there yet")
            for source in [place[origin]] if origin else sources(arg):
                if not reaches(machine, place[op], side, source):
                    refuse(op, f"{arg.name} is out of reach")
        for other, distance in op.after:
            if begin < start[other] + distance:
                refuse(op, f"comes before {other.label} is done")
        for value in op.out.values():
            if value.home and value.home.register % UNITS != place[op]:
                refuse(op, f"unit {place[op]} does not write {value.name}")
            for reader in old_readers(block, value):
                if start[reader] >= end:
                    refuse(reader, f"reads {value.name} after it was overwritten")
