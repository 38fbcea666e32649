# SPDX-License-Identifier: Apache-2.0
"""Datapath of four units on redundant limbs (`datapath: limb`).

Any unit makes a product, a product by a small constant, a sum or a difference, each of its own number of cycles, in
which the unit does nothing else. The result goes to one of the unit's own registers, which holds
its old value until then. Read ports reach the registers of some units and some external values (`ports` of the machine
description), so the scheduler also chooses the unit of each operation. A global is written by the unit that its
register belongs to.

A block begins when everything before it is done.

The arithmetic of the engine is written here from the columns of the paper (Hu et al. 2024, section 2.3), apart from the
golden model, with which the tests compare it: every column is a sum over pairs of limbs, and a carry pass moves what is
above 15 bits one column up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pointmill.ucode import solver
from pointmill.ucode.assembler import PLAIN, BlockAssembler
from pointmill.ucode.datapath import Datapath
from pointmill.ucode.emitter import PRODUCT, SUM, Cells, Fields
from pointmill.ucode.ir import Block, Home, Op, Program, Value
from pointmill.ucode.machine import Machine, P
from pointmill.ucode.replay import LimbReplay
from pointmill.ucode.scheduler import LoneScheduler, Schedule, old_readers, solved
from pointmill.ucode.simulator import Engine, Environment, ExecutionError, Result, Run

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntervalVar, IntVar

UNITS = 4
LIMBS, DIGIT_BITS = 17, 15
"""Of a number: limb i has weight 2^(15 i) (Hu et al. 2024, section 2.2)."""
SMALL_DIGITS = 2
"""Limbs of a constant by which a product is a short one."""
SIDES = ("x", "y")
KINDS = ("mul", "small", "add", "sub")
"""Operations, in the order of their codes in words."""
_WRAP = (1 << LIMBS * DIGIT_BITS) - P
"""What the column above the highest one is worth in the lowest."""
_PASSES = {"mul": 2, "small": 2, "add": 1, "sub": 1}
_MULTIPLE = 3
"""Of p, which keeps differences positive."""


class Statements(BlockAssembler):
    """Statements of limbs: `c = a * b`, `c = a + b`, `c = a - b`. A product whose second factor is a constant of few
    limbs is a short one. Every value may be an operand: there are no ranges to watch."""

    def operation(self, sign: str, args: tuple[Value, ...], canonical: bool) -> Op:
        """As the base class."""
        if canonical:
            raise self.asm.error(PLAIN)
        constant = self.machine.constants.get(args[1].external or "", -1)
        small = 0 <= constant < 1 << SMALL_DIGITS * DIGIT_BITS
        return Op({"*": "small" if small else "mul", "+": "add", "-": "sub"}[sign], args)


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
    return sorted({home.register % UNITS for home in value.allocated.covers()})


def held(block: Block, homes: list[Home]) -> dict[Home, list[Op] | None]:
    """For every global the readers of its value at the entry where the block overwrites it, None where it does not."""
    result: dict[Home, list[Op] | None] = {}
    for home in homes:
        readers = [r for old, ops in block.old_readers.items() if home in old.covers() for r in ops]
        result[home] = readers if home in block.written else None
    return result


def homes_of(program: Program) -> list[Home]:
    """The registers of all globals and tables."""
    return sorted(program.pinned, key=lambda home: home.register)


class LimbScheduler(LoneScheduler):
    """Schedules each block by CP-SAT."""

    def solve(self, block: Block) -> Schedule:
        """As the base class."""
        return solve(self.machine, block, homes_of(self.program))

    def replay(self, schedule: Schedule) -> None:
        """As the base class."""
        LimbReplay(self.machine, schedule).run()


def solve(machine: Machine, block: Block, homes: list[Home]) -> Schedule:
    """The shortest schedule of a block by CP-SAT, whose operations then start as early as they can. Side units take the
    port of unit 0."""
    horizon = sum(cycles(machine, op) for op in block.ops) + 1
    model = solver.new_model()
    start = {op: model.new_int_var(0, horizon, "") for op in block.ops}
    total = model.new_int_var(1, horizon, "")
    on: dict[Op, list[IntVar]] = {}
    busy: list[list[IntervalVar]] = [[] for _ in range(UNITS)]
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
    return Schedule(
        block,
        {op: answer.value(start[op]) for op in block.ops},
        length,
        length if answer.optimal else None,
        place={op: next((u for u in range(UNITS) if answer.value(on[op][u])), 0) if op in on else 0
               for op in block.ops},
    )  # fmt: skip


def _constrain_reads(model: CpModel, machine: Machine, op: Op, start: dict[Op, IntVar],
                     on: dict[Op, list[IntVar]]) -> None:
    """Operands are there, and within reach of the unit's ports."""
    units = range(UNITS) if op in on else (0,)
    for side, arg in enumerate(op.args):
        if arg.producer:
            model.add(start[op] >= start[arg.producer] + cycles(machine, arg.producer))
        for unit in units:
            if not arg.producer:
                if not all(reaches(machine, unit, side, source) for source in sources(arg)):
                    model.add(on[op][unit] == 0 if op in on else False)
                continue
            elsewhere = [on[op][unit].negated()] if op in on else []
            for other in range(UNITS):
                if not reaches(machine, unit, side, other):
                    model.add_bool_or(elsewhere).only_enforce_if(on[arg.producer][other])


def _limit_registers(model: CpModel, machine: Machine, block: Block, homes: list[Home], unit: int,
                     start: dict[Op, IntVar], on: dict[Op, list[IntVar]], total: IntVar, horizon: int) -> None:
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


class LimbCells(Cells):
    """Fields of the units u0 to u3; a port has the number of an external value in place of a register's."""

    counted = (PRODUCT, SUM)
    workers = UNITS

    def fields(self, op: Op, schedule: Schedule) -> Fields:
        """As the base class."""
        unit = f"u{schedule.place[op]}"
        fields: Fields = {f"{unit}_{side}": value for side, value in zip(SIDES, op.args)}
        if op.unit != "start":
            fields |= {f"{unit}_en": 1, f"{unit}_op": KINDS.index(op.unit),
                       f"{unit}_rd": op.out["reg"].allocated.register // UNITS}
        return fields

    def source(self, value: Value) -> int | str:
        """As the base class: a unit, or the external value."""
        return value.external or value.allocated.register % UNITS

    def life(self, op: Op, value: Value, schedule: Schedule) -> range:
        """From the cycle in which a result can be read to that of its last read."""
        begin = schedule.start[op] + cycles(self.machine, op)
        return range(begin, max([begin, *(schedule.start[reader] for reader in value.readers)]) + 1)

    def registers(self, op: Op, value: Value, schedule: Schedule) -> range:
        """Those of the unit."""
        unit = schedule.place[op]
        return range(unit, unit + UNITS * self.machine.slots[unit], UNITS)

    def kept(self, program: Program, schedule: Schedule) -> Iterator[tuple[Home, range]]:
        """As the base class; a global's register is free between the last read of the old value and the new one."""
        block, start = schedule.block, schedule.start
        for home, readers in held(block, homes_of(program)).items():
            yield home, range(schedule.length + 1 if readers is None else max((start[r] + 1 for r in readers),
                                                                              default=0))
        for home, value in block.written.items():
            if value.producer:
                yield home, range(self.life(value.producer, value, schedule).start, schedule.length + 1)

    def lane(self, op: Op, schedule: Schedule, product: int | None) -> tuple[str, int, int]:
        """As the base class."""
        return f"unit {schedule.place[op]}", cycles(self.machine, op), PRODUCT if op.unit in ("mul", "small") else SUM


def limbs_of(number: int) -> list[int]:
    """The digits of a number below 2^255."""
    return [number >> DIGIT_BITS * place & (1 << DIGIT_BITS) - 1 for place in range(LIMBS)]


def _column(kind: str, x: list[int], y: list[int], place: int) -> int:
    """A column before its carries."""
    if kind == "add":
        return x[place] + y[place]
    if kind == "sub":
        return x[place] + _MULTIPLE * limbs_of(P)[place] - y[place]
    digits = LIMBS if kind == "mul" else SMALL_DIGITS
    return sum(x[(place - j) % LIMBS] * y[j] * (_WRAP if j > place else 1) for j in range(digits))


def operate(kind: str, x: list[int], y: list[int]) -> list[int]:
    """The limbs of `mul`, `small`, `add` or `sub`; ExecutionError where a limb of the result has more than 16 bits."""
    columns = [_column(kind, x, y, place) for place in range(LIMBS)]
    for _ in range(_PASSES[kind]):
        carries = [column // (1 << DIGIT_BITS) for column in columns]
        columns = [column % (1 << DIGIT_BITS) + (_WRAP * carries[-1] if place == 0 else carries[place - 1])
                   for place, column in enumerate(columns)]
    if not all(0 <= column <= 0xFFFF for column in columns):
        raise ExecutionError(f"{kind}: a limb of the result does not fit 16 bits")
    return columns


class LimbEngine(Engine):
    """Registers hold 17 limbs, bit by bit as the hardware; units get their operand as limbs. It rejects a unit started
    while it works, a port that does not reach its register, a result that goes to a register that is not there."""

    def begin(self, env: Environment) -> None:
        """As the base class."""
        super().begin(env)
        self.limbs = [[0] * LIMBS for _ in self.banks["reg"]]

    def keep(self, bank: str, register: int, value: list[int]) -> None:
        """As the base class."""
        self.limbs[register] = value

    def _limbs(self, word: dict[str, int], unit: int, side: int) -> list[int]:
        bank, number = self.place(word, f"u{unit}_{SIDES[side]}")
        external = bank == "ext"
        source = self.external_names[number] if external else number % UNITS
        if not reaches(self.machine, unit, side, source):
            raise ExecutionError(f"port {SIDES[side]} of unit {unit} does not reach {source}, cycle {self.cycle}")
        return limbs_of(self.external(number)) if external else self.limbs[number]

    def execute(self, word: dict[str, int], run: Run) -> list[int] | None:
        """As the base class."""
        for unit in range(UNITS):
            if not word[f"u{unit}_en"]:
                continue
            if self.cycle < self.free[unit]:
                raise ExecutionError(f"unit {unit} is at work in cycle {self.cycle}")
            kind, slot = KINDS[word[f"u{unit}_op"]], word[f"u{unit}_rd"]
            if slot >= self.machine.slots[unit]:
                raise ExecutionError(f"unit {unit} has no register {slot}, cycle {self.cycle}")
            value = operate(kind, self._limbs(word, unit, 0), self._limbs(word, unit, 1))
            self.free[unit] = self.cycle + self.machine.latency[kind]
            self.pending.append(Result(self.free[unit], "reg", unit + UNITS * slot, value))
            run.products += kind in ("mul", "small")
            run.butterflies += kind in ("add", "sub")
        return self._limbs(word, 0, 0) if self.machine.units.get(self.started(word), {}).get("operand") else None


DATAPATH = Datapath(Statements, LimbScheduler, LimbCells, LimbEngine)
