# SPDX-License-Identifier: Apache-2.0
"""Datapath of two multipliers and two adders (`datapath: dual`): assembly and scheduling.

A multiplier is busy for the length of a product, N cycles, which the modulus decides at run time; the
second sum of a cycle may take the first one. Words carry no delays but waits for multipliers
(ucode/isa_dual.yaml). A schedule is made for the shortest product of the machine; `retime` says when
its words are issued for another one, `check` proves it legal there, and `bound` what the least cycles
are for that N alone: a schedule is optimal for an N if both agree.

A block begins when every product before it is there, and its length counts to its own last result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from pointmill.ucode.assembler import BlockAssembler
from pointmill.ucode.emitter import pinned_registers
from pointmill.ucode.ir import Block, Home, Op, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import (
    Claims,
    Schedule,
    ScheduleError,
    Scheduler,
    flagged_before,
    old_readers,
    solved,
)
from pointmill.ucode.syntax import Expression


class DualAssembler(BlockAssembler):
    """Statements of the dual datapath: `c = a * b`, `c = a + b`, `c = a - b`; a sum that pushes its zero flag,
    `c =! a - b`; `0` is an operand. Everything is below p, so that there are no ranges to watch."""

    flags = "store"

    def _bound(self, bank: str) -> int:
        return 0

    def _read(self, name: str, scope: dict[str, Value]) -> Value:
        if name == "0":
            return self.sources.setdefault(name, Value(name, "zero", 0, Home("zero", 0)))
        return super()._read(name, scope)

    def _expression(self, expression: Expression, canon: bool, scope, name: str, line: int) -> Value:
        if expression.op not in ("*", "+", "-") or any(expression.double):
            raise self.asm.error("this machine has products, sums and differences of two values alone")
        args = tuple(self._read(operand, scope) for operand in expression.operands)
        kind = "mul" if expression.op == "*" else "sum"
        if canon and kind == "mul":
            raise self.asm.error("only a sum can push a flag")
        op = self._emit(Op(kind, args, canon=canon, minus=expression.op == "-", line=line))
        op.out[kind] = Value(name, "reg", 0, producer=op)
        return op.out[kind]


@dataclass
class DualSchedule(Schedule):
    """`place` is the multiplier of a product, the position (0 or 1) of a sum in its cycle; a side unit
    with an operand takes position 0. `multipliers` is how many the datapath has."""

    place: dict[Op, int] = field(default_factory=dict)
    multipliers: int = 2

    def words(self) -> list[list[Op]]:
        """The operations of each word, in order; one empty word if there is none."""
        cycles = sorted(set(self.start.values()))
        return [[op for op in self.block.ops if self.start[op] == cycle] for cycle in cycles] or [[]]


def _takes_sum(op: Op) -> bool:
    return op.unit == "sum" or (op.unit == "start" and bool(op.args))


def _external(op: Op) -> str | None:
    return next((arg.external for arg in op.args if arg.external), None)


def waits(schedule: DualSchedule) -> list[set[int]]:
    """For each word the multipliers that it waits for: those it starts, and those whose product in flight it
    reads. The first word waits for both."""
    flying: dict[int, Op] = {}
    result = []
    for number, word in enumerate(schedule.words()):
        waited = {0, 1} if number == 0 else set()
        for op in word:
            if op.unit == "mul":
                waited.add(schedule.place[op])
            waited |= {unit for arg in op.args for unit, product in flying.items()
                       if arg.producer is product}  # fmt: skip
        for unit in waited:
            flying.pop(unit, None)
        flying |= {schedule.place[op]: op for op in word if op.unit == "mul"}
        result.append(waited)
    return result


def retime(schedule: DualSchedule, length: int) -> tuple[list[int], int]:
    """(cycles in which the words are issued, cycles of the block) for products of `length` cycles."""
    ready = {0: 0, 1: 0}
    now, issued = -1, []
    for word, waited in zip(schedule.words(), waits(schedule), strict=True):
        now = max([now + 1, *(ready[unit] for unit in waited)])
        issued.append(now)
        ready |= {schedule.place[op]: now + length for op in word if op.unit == "mul"}
    return issued, max(now + 1, *ready.values())


def retimed(schedule: DualSchedule, length: int) -> DualSchedule:
    """The schedule as it runs with products of `length` cycles."""
    issued, total = retime(schedule, length)
    start = {op: now for now, word in zip(issued, schedule.words()) for op in word}
    return DualSchedule(schedule.block, start, total, place=schedule.place, multipliers=schedule.multipliers)


class DualScheduler(Scheduler):
    """Schedules the blocks of one program, each alone."""

    def run(self) -> dict[str, Schedule]:
        """Schedules by block, made for the machine's shortest product, or that which the block names. ScheduleError where `check` refuses one
        for some length."""
        result: dict[str, Schedule] = {}
        free = self.machine.registers["reg"] - len(pinned_registers(self.program))
        for block in self.program.blocks:
            if block.entry or block.exit or block.leaves or block.pause > 1:
                raise ScheduleError(f"{block.name}: a block of this datapath begins and ends by itself")
            schedule = solve(block, block.length or self.machine.latency["mul"], free, self.machine.multipliers)
            for length in {self.machine.latency["mul"], *self.machine.lengths}:
                check(self.machine, retimed(schedule, length), length)
            result[block.name] = schedule
        return result


def work_bound(block: Block, length: int, multipliers: int = 2) -> int:
    """Cycles that no schedule of a block can be below: the longest chain of operations; half of the sums; and
    a multiplier's share of the products one after the other, behind the least that comes before any product and
    before the least that comes after any."""
    products = [op for op in block.ops if op.unit == "mul"]
    sums = sum(_takes_sum(op) for op in block.ops)

    def ahead(end: int, op: Op) -> tuple[int, int]:
        """(start, end) in half cycles of an operation that may begin at `end`."""
        if op.unit == "sum":
            return end, end + 1
        begin = end + end % 2
        return begin, begin + 2 * (length if op.unit == "mul" else 1)

    heads: dict[Op, tuple[int, int]] = {}
    for op in block.ops:
        heads[op] = ahead(max((heads[a.producer][1] for a in op.args if a.producer), default=0), op)
    tails: dict[Op, tuple[int, int]] = {}
    for op in reversed(block.ops):
        after = [tails[r][1] for value in op.out.values() for r in value.readers]
        tails[op] = ahead(max(after, default=0), op)
    chain = -(-max((end for _, end in heads.values()), default=0) // 2)
    head = min((heads[op][0] for op in products), default=0) // 2
    tail = -(-min((tails[op][0] for op in products), default=0) // 2)
    return max(1, head + length * -(-len(products) // multipliers) + tail, -(-sums // 2), chain)


PROVED = 50
"""Operations of the largest block of which CP-SAT is asked for a proof; it takes minutes for larger ones."""

UNPROVED_SECONDS = 10.0
"""Deterministic time of a search without that."""


def bound(schedule: DualSchedule, length: int) -> int | None:
    """The least cycles that any schedule of the block has for products of `length`, with as many registers as
    it likes: the work bound where it is reached, else what CP-SAT proves; None if it proves nothing, or the block has more
    than PROVED operations."""
    least = work_bound(schedule.block, length, schedule.multipliers)
    if retime(schedule, length)[1] == least:
        return least
    if len(schedule.block.ops) > PROVED:
        return None
    return solve(schedule.block, length, multipliers=schedule.multipliers).bound


def solve(block: Block, length: int, registers: int | None = None, multipliers: int = 2) -> DualSchedule:
    """The shortest schedule of a block, by CP-SAT, for products of `length` cycles on one multiplier or two, whose
    temporaries need no more than so many registers (None: as many as they like)."""
    products = [op for op in block.ops if op.unit == "mul"]
    horizon = length * max(len(products), 1) + 2 * len(block.ops) + 2
    model = cp_model.CpModel()
    start = {op: model.new_int_var(0, horizon, "") for op in block.ops}
    place = {op: model.new_bool_var("") for op in block.ops}
    total = model.new_int_var(work_bound(block, length, multipliers), horizon, "")
    slot = {op: 2 * start[op] + place[op] for op in block.ops}  # of a sum, in half cycles
    intervals: tuple[list, list] = ([], [])
    for op in block.ops:
        for arg in op.args:
            if not (source := arg.producer):
                continue
            if source.unit == "mul":
                model.add(start[op] >= start[source] + length)
            elif op.unit == "sum":
                model.add(slot[op] >= slot[source] + 1)
            else:
                model.add(start[op] >= start[source] + 1)
        for other, cycles in op.after:
            model.add(start[op] >= start[other] + cycles)
        for value in op.out.values():
            for reader in old_readers(block, value):
                model.add(start[reader] <= start[op])
        if op.unit == "start" or (op.unit == "mul" and multipliers == 1):
            model.add(place[op] == 0)
        if op.unit == "mul":
            for unit, chosen in enumerate((place[op].negated(), place[op])):
                intervals[unit].append(
                    model.new_optional_fixed_size_interval_var(start[op], length, chosen, "")
                )
        model.add(total >= start[op] + (length if op.unit == "mul" else 1))
    for group in intervals:
        model.add_no_overlap(group)
    _one_each(model, [slot[op] for op in block.ops if _takes_sum(op)])
    _one_each(model, [start[op] for op in block.ops if op.unit == "start"])
    flagged = [op for op in block.ops if op.canon]
    for first, second in zip(flagged, flagged[1:]):
        model.add(slot[first] < slot[second])
    # The closing control operation has the last word for itself, and sees the flags of those before.
    if before := _before_last(block):
        last = model.new_int_var(0, horizon, "")
        model.add_max_equality(last, list(start.values()))
        for op in before:
            model.add(start[op] < last)
    outside = [op for op in block.ops if _external(op)]
    for i, a in enumerate(outside):
        for b in outside[:i]:
            if _external(a) != _external(b):
                model.add(start[a] != start[b])
    if registers is not None:
        _limit_registers(model, block, start, registers, horizon)
    model.minimize(total)
    answer = solved(model, block.name, UNPROVED_SECONDS if len(block.ops) > PROVED else None)
    cycles = answer.value(total)
    return DualSchedule(
        block,
        {op: answer.value(start[op]) for op in block.ops},
        cycles,
        cycles if answer.optimal else None,
        place={op: answer.value(place[op]) for op in block.ops},
        multipliers=multipliers,
    )


def _limit_registers(model, block: Block, start: dict[Op, object], limit: int, horizon: int) -> None:
    """Temporaries live from the start of what makes them to their last read (`dual_emitter.allocate`)."""
    lives = []
    for op in block.ops:
        for value in op.out.values():
            if value.home is None and value.readers:
                size, end = model.new_int_var(0, horizon, ""), model.new_int_var(0, horizon, "")
                model.add_max_equality(end, [start[reader] for reader in value.readers])
                lives.append(model.new_interval_var(start[op], size, end, ""))
    model.add_cumulative(lives, [1] * len(lives), limit)


def _before_last(block: Block) -> list[Op]:
    """Operations that cannot go with the last word of a block."""
    starts = [op for op in block.ops if op.unit == "start" and block.closing]
    return starts + flagged_before(block)


def _one_each(model: cp_model.CpModel, times: list) -> None:
    if len(times) > 1:
        model.add_all_different(times)


def check(machine: Machine, schedule: DualSchedule, length: int) -> None:
    """Prove a schedule legal for products of `length` cycles, apart from how it was made.

    Raises ScheduleError for: a value read before it is there, two operations of a cycle on one adder, a
    multiplier started while it works, two external values or two side units in a cycle, flags in another
    order than written, a register read after the start of the operation that overwrites it, an operation
    after the end.
    """
    block, start, place = schedule.block, schedule.start, schedule.place
    claims = Claims(block)
    refuse, take = claims.refuse, claims.take

    flagged = [(start[op], place[op]) for op in block.ops if op.canon]
    if flagged != sorted(flagged):
        raise ScheduleError(f"{block.name}: flags in another order than written")
    last = max(start.values(), default=0)
    for op in _before_last(block):
        if start[op] == last:
            refuse(op, f"goes with {block.closing.op}")
    for op in block.ops:
        cycle = start[op]
        end = cycle + (length if op.unit == "mul" else 1)
        if cycle < 0 or end > schedule.length:
            refuse(op, "is not within the block")
        if op.unit == "mul":
            if place[op] >= machine.multipliers:
                refuse(op, f"there is no multiplier {place[op]}")
            for busy in range(cycle, end):
                take(op, busy, f"multiplier {place[op]}")
        if _takes_sum(op):
            take(op, cycle, f"adder {place[op]}")
        if op.unit == "start":
            take(op, cycle, "control")
        for arg in op.args:
            if arg.external:
                others = [o for o in block.ops if start[o] == cycle and _external(o)]
                if any(_external(other) != arg.external for other in others):
                    refuse(op, f"two external values in cycle {cycle}")
            if source := arg.producer:
                chained = (
                    (op.unit, source.unit) == ("sum", "sum")
                    and start[source] == cycle
                    and place[source] < place[op]
                )
                ready = start[source] + (length if source.unit == "mul" else 1)
                if cycle < ready and not chained:
                    refuse(op, f"{arg.name} is not there yet")
        for other, cycles in op.after:
            if cycle < start[other] + cycles:
                refuse(op, f"comes before {other.label} is done")
        for value in op.out.values():
            for reader in old_readers(block, value):
                if start[reader] > cycle:
                    refuse(reader, f"reads {value.name} after its overwriting began")
