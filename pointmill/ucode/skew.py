# SPDX-License-Identifier: Apache-2.0
"""Datapath of contexts that share one multiplier of skewed numbers (`datapath: skew`).

Cycles of a schedule are turns of a context. A word begins up to two sums and a product. Slots have several lengths, in
which reads and writes come in several orders. Times here are turns of TURN steps: a result is written from its FIRST
step on, and is there behind its LAST one, so that a schedule is right in slots of every length.

Values are integers below `bound` times the scaled modulus (pointmill.ucode.mont_scaled). A difference has so many times
that added that it stays above 0.

A block begins when all is there that the block before it made, but for products that `leaves` names: these may begin in
the last word, and no block reads them in its first one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pointmill.ucode import solver
from pointmill.ucode.assembler import BlockAssembler, Scope
from pointmill.ucode.datapath import Datapath
from pointmill.ucode.emitter import PRODUCT, SUM, Cells, Fields
from pointmill.ucode.ir import Block, Home, Op, Program, Value
from pointmill.ucode.mont_scaled import Scaled
from pointmill.ucode.replay import SkewReplay
from pointmill.ucode.scheduler import LoneScheduler, Schedule, solved
from pointmill.ucode.simulator import Engine, ExecutionError, Result, Run
from pointmill.ucode.syntax import Expression

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntervalVar, IntVar, LinearExpr

SUMS = 2
OPERAND = 1
"""Step of a turn in which the operand of a side unit is read."""
SUM_READ, SUM_FIRST, SUM_LAST = (0, 2), (1, 3), (2, 5)
"""Steps of both sums: operands are read, the result is written. The first one is there for the product of its turn, but
not for the second one, of which the product may come before or behind its result."""
READ, FIRST, LAST = 4, 14, 15
"""Steps of a product: its result comes between the turns of the two next words."""
TURN = 8
MOST_SCALE = 6
SECONDS = 20.0
"""Deterministic time of a search."""


class Statements(BlockAssembler):
    """Statements of skewed numbers: `c = a * b`, `c = a + b`, `c = a - b`, `c = a + 2 b`, `c = a - 2 b`."""

    riders_write = False

    def rides(self, unit: str) -> bool:
        """As the base class: one that takes the product."""
        return unit.startswith("put_")

    def bound(self, bank: str) -> int:
        """As the base class."""
        return self.machine.limits["register"]

    def _read(self, name: str, scope: Scope) -> Value:
        value = super()._read(name, scope)
        if value.external:
            value.bound = 2
        return value

    def _expression(self, expression: Expression, canonical: bool, scope: Scope, name: str) -> Value:
        """As the base class."""
        if expression.op not in ("*", "+", "-") or expression.double[0] or canonical:
            raise self.asm.error("this machine has products, and sums and differences with y or 2 y")
        x, y = (self._read(operand, scope) for operand in expression.operands)
        double = expression.double[1]
        if expression.op == "*":
            if double or x.bound * y.bound > self.machine.limits["product"]:
                raise self.asm.error("the factors are too large")
            op, bound = Op("mul", (x, y)), 2
        else:
            taken = y.bound << double
            scale = (taken - 1).bit_length() + 1 if expression.op == "-" else 0
            if scale > MOST_SCALE:
                raise self.asm.error("what is subtracted is too large")
            op = Op("sum", (x, y), minus=expression.op == "-", double=(False, double), scale=scale)
            bound = x.bound + (1 << scale - 1 if scale else taken)
        value = Value(name, "reg", bound, producer=self._emit(op))
        op.out["reg"] = value
        return value


def left(program: Program) -> set[Home]:
    """Registers on their way to which a product may be when a block begins."""
    return {home for block in program.blocks for home in block.leaves}


def _homes(program: Program) -> list[Home]:
    return sorted(program.pinned, key=lambda home: home.register)


def _old(block: Block, home: Home) -> list[Op] | None:
    """The readers of what a register holds at the entry, where the block overwrites it."""
    if home not in block.written:
        return None
    return [op for old, ops in block.old_readers.items() if home in old.covers() for op in ops]


class SkewScheduler(LoneScheduler):
    """Schedules each block by CP-SAT."""

    leaves = True

    def solve(self, block: Block) -> Schedule:
        """The shortest schedule of a block."""
        ops = block.ops
        horizon = 3 * sum(op.unit == "mul" for op in ops) + len(ops) + 2
        model = solver.new_model()
        start = {op: model.new_int_var(0, horizon, "") for op in ops}
        total = model.new_int_var(1, horizon, "")
        place = {op: model.new_bool_var("") for op in ops if op.unit == "sum"}

        def step(op: Op, steps: tuple[int, int], product: int) -> LinearExpr:
            if op.unit == "sum":
                return TURN * start[op] + steps[0] + (steps[1] - steps[0]) * place[op]
            return TURN * start[op] + (product if op.unit == "mul" else OPERAND)

        def read(op: Op) -> LinearExpr:
            return step(op, SUM_READ, READ)

        def first(op: Op) -> LinearExpr:
            return step(op, SUM_FIRST, FIRST)

        under_way = left(self.program)
        for op in ops:
            model.add(total >= start[op] + (2 if op.side_unit and block.closing else 1))
            for arg in op.args:
                if arg.producer:
                    model.add(read(op) > step(arg.producer, SUM_LAST, LAST))
                elif arg.home and under_way.intersection(arg.home.covers()):
                    model.add(start[op] >= 1)
            for other, turns in op.after:
                model.add(start[op] >= start[other] + turns)
            if op.unit == "mul":
                leaves = any(value.home in block.leaves for value in op.out.values())
                model.add(total >= start[op] + (1 if leaves else 2))
        slots = [SUMS * start[op] + one for op, one in place.items()]
        for users in (slots, [start[op] for op in ops if op.unit == "mul"],
                      [start[op] for op in ops if op.side_unit]):  # fmt: skip
            if len(users) > 1:
                model.add_all_different(users)
        register = self._limit_registers(model, block, read, first, total, TURN * (horizon + 3))
        model.minimize(total)
        answer = solved(model, block.name, SECONDS)
        length = answer.value(total)
        return Schedule(block, {op: answer.value(start[op]) for op in ops}, length, length if answer.optimal else None,
                        dict.fromkeys(sorted(under_way, key=str), 1),
                        place={op: answer.value(place[op]) if op in place else 0 for op in ops},
                        register={op: next(i for i, one in enumerate(there) if answer.value(one))
                                  for op, there in register.items()})  # fmt: skip

    def _limit_registers(self, model: CpModel, block: Block, read: Callable[[Op], LinearExpr],
                         first: Callable[[Op], LinearExpr], total: IntVar, horizon: int) -> dict[Op, list[IntVar]]:
        """What lives at the same time has registers of its own; for results other than globals whether they have each
        register, as not every choice leaves one for all."""
        own: list[list[IntervalVar]] = [[] for _ in range(self.machine.registers["reg"])]
        chosen: dict[Op, list[IntVar]] = {}

        def live(at: LinearExpr | int, ends: list, register: int | None = None) -> list[IntVar]:
            begin, size, end = (model.new_int_var(0, horizon, "") for _ in range(3))
            model.add(begin == at)
            model.add_max_equality(end, [begin, *ends])
            if register is not None:
                own[register].append(model.new_interval_var(begin, size, end, ""))
                return []
            there = [model.new_bool_var("") for _ in own]
            model.add_exactly_one(there)
            for one, intervals in zip(there, own):
                intervals.append(model.new_optional_interval_var(begin, size, end, one, ""))
            return there

        under_way = left(self.program)
        for home in _homes(self.program):
            readers = _old(block, home)
            ends = [TURN * total] if readers is None else [read(reader) for reader in readers]
            live(0, [*ends, *([TURN] if home in under_way else [])], home.register)
        for op in block.ops:
            for value in op.out.values():
                if value.home:
                    live(first(op), [TURN * total], value.home.register)
                else:
                    chosen[op] = live(first(op), [read(reader) for reader in value.readers])
        for intervals in own:
            model.add_no_overlap(intervals)
        return chosen

    def replay(self, schedule: Schedule) -> None:
        """As the base class."""
        SkewReplay(self.machine, schedule).run()


def _step(op: Op, schedule: Schedule, steps: tuple[int, int], product: int) -> int:
    within = steps[schedule.place[op]] if op.unit == "sum" else product if op.unit == "mul" else OPERAND
    return TURN * schedule.start[op] + within


def _read_at(op: Op, schedule: Schedule) -> int:
    return _step(op, schedule, SUM_READ, READ)


def _written_at(op: Op, schedule: Schedule) -> int:
    return _step(op, schedule, SUM_FIRST, FIRST)


class SkewCells(Cells):
    """Fields of the product m, of the sums s0 and s1, of the operand u; lives in steps."""

    def fields(self, op: Op, schedule: Schedule) -> Fields:
        """As the base class."""
        if op.unit == "start":
            return {"u": op.args[0]} if op.args else {}
        register = op.out["reg"].allocated.register if op.out else 0
        if op.unit == "mul":
            return {"m_en": 1, "m_a": op.args[0], "m_b": op.args[1], "m_rd": register}
        unit = f"s{schedule.place[op]}"
        return {f"{unit}_en": 1, f"{unit}_x": op.args[0], f"{unit}_y": op.args[1], f"{unit}_rd": register,
                f"{unit}_sub": int(op.minus), f"{unit}_double": int(op.double[1]), f"{unit}_scale": op.scale}

    def life(self, op: Op, value: Value, schedule: Schedule) -> range:
        """As the base class."""
        ends = (_read_at(reader, schedule) for reader in value.readers)
        return range(_written_at(op, schedule), max(ends, default=0))

    def registers(self, op: Op, value: Value, schedule: Schedule) -> Iterable[int]:
        """As the base class: the one of the schedule."""
        return (schedule.register[op],)

    def kept(self, program: Program, schedule: Schedule) -> Iterator[tuple[Home, range]]:
        """As the base class; a global's register is free between the last read of the old value and the new one."""
        block, under_way = schedule.block, left(program)
        for home in _homes(program):
            readers = _old(block, home)
            end = sys.maxsize if readers is None else max((_read_at(op, schedule) for op in readers), default=0)
            yield home, range(max(end, TURN if home in under_way else 0))
        for home, value in block.written.items():
            if value.producer:
                yield home, range(_written_at(value.producer, schedule), sys.maxsize)

    def lane(self, op: Op, schedule: Schedule, product: int | None) -> tuple[str, int, int]:
        """As the base class."""
        return ("multiplier", 1, PRODUCT) if op.unit == "mul" else (f"sum {schedule.place[op]}", 1, SUM)


class SkewEngine(Engine):
    """Registers hold integers; `use` says of which field, and with how many digits. A read of a register on its way to
    which a product is, as words are issued, gives what it held before."""

    shared: dict[str, int]
    """Numbers that the contexts share, by name; the product that starts a unit put_NAME becomes one of them."""

    def use(self, scaled: Scaled, digits: int, shared: dict[str, int]) -> None:
        """From now on the modulus is that, R of so many digits, and these numbers are shared."""
        self.scaled, self.digits, self.p, self.shared = scaled, digits, scaled.p, dict(shared)

    def external(self, number: int) -> int:
        """As the base class."""
        return self.shared[self.external_names[number]]

    def keep(self, bank: str, register: int, value: int) -> None:
        """As the base class."""
        if bank == "ext":
            self.shared[self.external_names[register]] = value
        else:
            super().keep(bank, register, value)

    def execute(self, word: dict[str, int], run: Run) -> int:
        """As the base class. ExecutionError where a factor or a sum leaves its range."""
        operand, registers = self.read(word, "u"), self.banks["reg"]
        sums = [self._sum(word, unit) if word[f"{unit}_en"] else None for unit in ("s0", "s1")]
        if sums[0] is not None:
            registers[word["s0_rd"]] = sums[0]
        if word["m_en"]:
            self._multiply(word, run)
        if sums[1] is not None:
            registers[word["s1_rd"]] = sums[1]
        run.butterflies += sum(one is not None for one in sums)
        return operand

    def _multiply(self, word: dict[str, int], run: Run) -> None:
        x, y = self.read(word, "m_a"), self.read(word, "m_b")
        if x * y > self.scaled.modulus << self.scaled.digit * self.digits:
            raise ExecutionError(f"the factors are too large in cycle {self.cycle}")
        value = self.scaled.product(x, y, self.digits)
        where = ("reg", word["m_rd"])
        if (name := self.started(word)).startswith("put_"):
            where = ("ext", self.machine.externals[name.removeprefix("put_")])
        self.pending.append(Result(self.cycle + self.machine.latency["mul"], *where, value))
        run.products += 1

    def _sum(self, word: dict[str, int], unit: str) -> int:
        x, y = self.read(word, f"{unit}_x"), self.read(word, f"{unit}_y") << word[f"{unit}_double"]
        scale = word[f"{unit}_scale"]
        value = (x - y if word[f"{unit}_sub"] else x + y) + (self.scaled.modulus << scale - 1 if scale else 0)
        if not 0 <= value < 1 << self.scaled.digit * self.digits:
            raise ExecutionError(f"a sum leaves its range in cycle {self.cycle}")
        return value


DATAPATH = Datapath(Statements, SkewScheduler, SkewCells, SkewEngine)
