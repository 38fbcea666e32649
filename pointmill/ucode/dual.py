# SPDX-License-Identifier: Apache-2.0
"""Datapath of two Montgomery multipliers and two adders (`datapath: dual`).

A multiplier is busy for the length of a product, N cycles, which the modulus decides at run time; the
second sum of a cycle may take the first one. Words carry no delays but waits for multipliers
(hw/lib/seq/isa_dual.yaml). A schedule is made for the shortest product of the machine; `retime` says when
its words are issued for another one, a replay proves it legal there, and `bound` what the least cycles
are for that N alone: a schedule is optimal for an N if both agree.

A block begins when every product before it is there, and its length counts to its own last result.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pointmill.ucode import solver
from pointmill.ucode.assembler import BlockAssembler, Scope
from pointmill.ucode.datapath import Datapath
from pointmill.ucode.emitter import PRODUCT, SUM, Cells, Fields
from pointmill.ucode.ir import Block, Home, Op, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.ports import SUM_PORTS, limit_ports, ports_of, takes_sum
from pointmill.ucode.replay import DualReplay
from pointmill.ucode.scheduler import LoneScheduler, Schedule, flagged_before, old_readers, solved
from pointmill.ucode.simulator import Engine, Environment, ExecutionError, Result, Run

DIGIT = 32
ARRAY_BITS = 272
"""Bits of the multipliers' arrays: a longer modulus takes two cycles a digit (Liu et al. 2023, alg. 2)."""

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


def digits(bits: int) -> int:
    """32-bit digits of a modulus of `bits` bits."""
    return -(-bits // DIGIT)


def product_cycles(bits: int) -> int:
    """Cycles of a product for a modulus of `bits` bits."""
    return digits(bits) * (2 if bits > ARRAY_BITS else 1)


def packed_cycles(m: int, wide: bool) -> int:
    """Cycles of a product of m digits in pm_mont_mul_packed; wide: the modulus has more than ARRAY_BITS bits."""
    segments = max(4, -(-DIGIT * m // (ARRAY_BITS // 4))) if wide else 4
    return -(-segments * m // 4)


class Statements(BlockAssembler):
    """Statements of the dual datapath: `c = a * b`, `c = a + b`, `c = a - b`; a sum that pushes its zero flag,
    `c =! a - b`; `0` is an operand. Everything is below p, so that there are no ranges to watch."""

    flags = "store"

    def operation(self, sign: str, args: tuple[Value, ...], canonical: bool) -> Op:
        """As the base class."""
        if canonical and sign == "*":
            raise self.asm.error("only a sum can push a flag")
        return Op("mul" if sign == "*" else "sum", args, canon=canonical, minus=sign == "-")

    def _read(self, name: str, scope: Scope) -> Value:
        if name == "0":
            return self.sources.setdefault(name, Value(name, "zero", 0, Home("zero", 0)))
        return super()._read(name, scope)


def words(schedule: Schedule) -> list[list[Op]]:
    """The operations of each word, in order; one empty word if there is none. `place` is the multiplier of a product,
    the position (0 or 1) of a sum in its cycle; a side unit with an operand takes position 0."""
    cycles = sorted(set(schedule.start.values()))
    return [[op for op in schedule.block.ops if schedule.start[op] == cycle] for cycle in cycles] or [[]]


def _external(op: Op) -> str | None:
    return next((arg.external for arg in op.args if arg.external), None)


def waits(schedule: Schedule) -> list[set[int]]:
    """For each word the multipliers that it waits for: those it starts, and those whose product in flight it
    reads. The first word waits for both."""
    flying: dict[int, Op] = {}
    result = []
    for number, word in enumerate(words(schedule)):
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


def retime(schedule: Schedule, length: int) -> tuple[list[int], int]:
    """(cycles in which the words are issued, cycles of the block) for products of `length` cycles."""
    ready = {0: 0, 1: 0}
    now, issued = -1, []
    for word, waited in zip(words(schedule), waits(schedule), strict=True):
        now = max([now + 1, *(ready[unit] for unit in waited)])
        issued.append(now)
        ready |= {schedule.place[op]: now + length for op in word if op.unit == "mul"}
    return issued, max(now + 1, *ready.values())


def retimed(schedule: Schedule, length: int) -> Schedule:
    """The schedule as it runs with products of `length` cycles."""
    issued, total = retime(schedule, length)
    start = {op: now for now, word in zip(issued, words(schedule)) for op in word}
    return replace(schedule, start=start, length=total, bound=None)


class DualScheduler(LoneScheduler):
    """Schedules each block for the machine's shortest product, or that which the block names, and replays it for
    all."""

    def solve(self, block: Block) -> Schedule:
        """As the base class."""
        free = self.machine.registers["reg"] - len(self.program.pinned)
        machine, length = self.machine, block.length or self.machine.latency["mul"]
        schedule = solve(block, length, free, machine.multipliers, machine.lone_products)
        if machine.shared_ports and any(ports_of(word) > len(SUM_PORTS) for word in words(schedule)):
            return solve(block, length, free, machine.multipliers, machine.lone_products,
                         len(SUM_PORTS))
        return schedule

    def replay(self, schedule: Schedule) -> None:
        """As the base class."""
        for length in {self.machine.latency["mul"], *self.machine.lengths}:
            DualReplay(self.machine, retimed(schedule, length), length).run()


def work_bound(block: Block, length: int, multipliers: int = 2) -> int:
    """Cycles that no schedule of a block can be below: the longest chain of operations; half of the sums; and
    a multiplier's share of the products one after the other, behind the least that comes before any product and
    before the least that comes after any."""
    products = [op for op in block.ops if op.unit == "mul"]
    sums = sum(takes_sum(op) for op in block.ops)

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


def bound(schedule: Schedule, length: int, multipliers: int, lone: bool = False) -> int | None:
    """The least cycles that any schedule of the block has for products of `length`, with as many registers as
    it likes: the work bound where it is reached, else what CP-SAT proves; None if it proves nothing, or the block has
    more than PROVED operations."""
    least = work_bound(schedule.block, length, multipliers)
    if retime(schedule, length)[1] == least:
        return least
    if len(schedule.block.ops) > PROVED:
        return None
    return solve(schedule.block, length, multipliers=multipliers, lone=lone).bound


def solve(block: Block, length: int, registers: int | None = None, multipliers: int = 2,
          lone: bool = False, ports: int | None = None) -> Schedule:  # fmt: skip
    """The shortest schedule of a block, by CP-SAT, for products of `length` cycles on one multiplier or two, whose
    temporaries need no more than so many registers (None: as many as they like); lone: with one product a word; ports:
    with no more than so many that factors share with sums (None: all have ports of their own)."""
    products = [op for op in block.ops if op.unit == "mul"]
    horizon = length * max(len(products), 1) + 2 * len(block.ops) + 2
    model = solver.new_model()
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
    if lone:
        _one_each(model, [start[op] for op in products])
    _one_each(model, [slot[op] for op in block.ops if takes_sum(op)])
    _one_each(model, [start[op] for op in block.ops if op.unit == "start"])
    flagged = [op for op in block.ops if op.canon]
    for first, second in itertools.pairwise(flagged):
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
    if ports is not None:
        limit_ports(model, block, start, ports)
    model.minimize(total)
    room = "" if registers is None else f" with {registers} registers for its temporaries"
    answer = solved(model, block.name + room, UNPROVED_SECONDS if len(block.ops) > PROVED else None)
    cycles = answer.value(total)
    return Schedule(
        block,
        {op: answer.value(start[op]) for op in block.ops},
        cycles,
        cycles if answer.optimal else None,
        place={op: answer.value(place[op]) for op in block.ops},
    )


def _limit_registers(model: CpModel, block: Block, start: dict[Op, IntVar], limit: int, horizon: int) -> None:
    """Temporaries live from the start of what makes them to their last read (`Cells.life`)."""
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


def _one_each(model: CpModel, times: list) -> None:
    if len(times) > 1:
        model.add_all_different(times)


class DualCells(Cells):
    """Fields of the multipliers m0 and m1, of the sums s0 and s1, and waits in place of delays."""

    def own(self, schedule: Schedule) -> Iterator[dict[str, int]]:
        """As the base class: the waits."""
        return ({f"wait{unit}": 1 for unit in sorted(waited)} for waited in waits(schedule))

    def fields(self, op: Op, schedule: Schedule) -> Fields:
        """As the base class; a sum may take another one of its cycle."""
        if op.unit == "start":
            return {"s0_x": op.args[0]} if op.args else {}
        unit = f"{op.unit[0]}{schedule.place[op]}"
        fields: Fields = {}
        for side, value in zip("ab" if op.unit == "mul" else "xy", op.args):
            source = value.producer
            chained = source and source.unit == op.unit == "sum" and schedule.start[source] == schedule.start[op]
            fields[f"{unit}_{side}"] = self.machine.isa.port("chain") if chained else value
        result = op.out["reg"]
        if op.unit == "mul":
            return fields | {f"{unit}_en": 1, f"{unit}_rd": result.allocated.register}
        fields |= {f"{unit}_sub": int(op.minus), f"{unit}_flag": int(op.canon)}
        return fields | ({f"{unit}_we": 1, f"{unit}_rd": result.home.register} if result.home else {})

    def complete(self, word: dict[str, int]) -> None:
        """As the base class: factors, on ports of sums that read the same or nothing else."""
        isa = self.machine.isa
        outer, inner = isa.port("ext"), isa.port("chain")
        factors = {word[f"m{unit}_{side}"] for unit in (0, 1) if word.get(f"m{unit}_en") for side in "ab"}
        for factor in sorted(factors, reverse=True) if self.machine.shared_ports else ():  # external ones first
            beside = factor if factor == outer else inner | factor
            held = [word.get(port) for port in SUM_PORTS]
            if factor in held or beside in held:
                continue
            free = next((port for port, what in zip(SUM_PORTS, held) if what is None), None)
            free = free or next((port for port, what in zip(SUM_PORTS, held) if what == inner != beside), None)
            if free is None:
                raise ValueError("a factor finds no port")
            word[free] = beside if word.get(free) == inner else factor

    @property
    def workers(self) -> int:
        """As the base class: the multipliers."""
        return self.machine.multipliers

    @property
    def shortest(self) -> int:
        """Cycles of the shortest product."""
        return min(self.machine.lengths or [self.machine.latency["mul"]])

    def timed(self, schedule: Schedule, product: int | None) -> Schedule:
        """As the base class; the shortest product if it is None."""
        product = product or self.shortest
        machine = self.machine
        least = bound(schedule, product, machine.multipliers, machine.lone_products)
        return replace(retimed(schedule, product), bound=least)

    def lane(self, op: Op, schedule: Schedule, product: int | None) -> tuple[str, int, int]:
        """As the base class."""
        if op.unit == "sum":
            return f"adder {schedule.place[op]}", 1, SUM
        return f"multiplier {schedule.place[op]}", product or self.shortest, PRODUCT


class DualEngine(Engine):
    """Values are a R mod p in [0, p), R = 2^(32 m), for the modulus of `select`. It rejects what words with too few
    waits would do: a register read or written while a product on its way to it is in flight."""

    def __init__(self, machine: Machine, p: int) -> None:
        super().__init__(machine)
        self.late = {machine.externals[name] for name in machine.late_inputs}
        self.late_ready = 0
        """From when on words can read the late inputs."""
        self.held: Callable[[], bool] = lambda: False
        """Whether the machine's registers that can be held are."""
        self.select(p, digits(p.bit_length()), product_cycles(p.bit_length()))

    @classmethod
    def of_field(cls, machine: Machine, p: int, length: int | None) -> DualEngine:
        """As the base class."""
        if p < 3 or p % 2 == 0:
            raise ValueError("the modulus is odd and at least 3")
        if length is None:
            raise ValueError("the length of a product depends on the modulus; give --length")
        engine = cls(machine, p)
        engine.length = length
        return engine

    def select(self, p: int, m: int, length: int) -> None:
        """From the next word on the modulus is p, with R of m digits and products of `length` cycles. ExecutionError
        while a product is in flight."""
        if any(result.ready > self.cycle for result in self.pending):
            raise ExecutionError(f"another modulus in cycle {self.cycle}: a product is in flight")
        self.p = p
        self.length = length
        self.r_inverse = pow(1 << DIGIT * m, -1, p)

    def begin(self, env: Environment) -> None:
        """As the base class."""
        super().begin(env)
        self.zeros_met = False

    def represent(self, element: int) -> int:
        """It in the Montgomery domain."""
        return element * pow(self.r_inverse, -1, self.p) % self.p

    def element(self, held: int) -> int:
        """As the base class, from the Montgomery domain."""
        return held * self.r_inverse % self.p

    def keep(self, bank: str, register: int, value: int) -> None:
        """As the base class, but for a register that is held."""
        if register >= self.machine.held or not self.held():
            super().keep(bank, register, value)

    def stalled(self, word: dict[str, int]) -> bool:
        """As the base class."""
        late = word["ext"] in self.late and self.cycle < self.late_ready
        return late or any(word[f"wait{result.unit}"] or word[f"m{result.unit}_en"] for result in self.pending)

    def _free(self, register: int) -> int:
        """The register's number; an error where a product is on its way to it."""
        if any(result.register == register for result in self.pending):
            raise ExecutionError(f"register {register} in cycle {self.cycle}: its product is in flight")
        return register

    def read(self, word: dict[str, int], port: str) -> int:
        """As the base class; an external value is an integer that may be p or more."""
        bank, number = self.place(word, port)
        if bank == "reg":
            return self.banks[bank][self._free(number)]
        return self.external(number) if bank == "ext" else self.first if bank == "chain" else 0

    def chained(self, word: dict[str, int]) -> bool:
        """Whether the second sum of a word takes the first one."""
        return "chain" in (self.place(word, "s1_x")[0], self.place(word, "s1_y")[0])

    def product(self, x: int, y: int) -> int:
        """What a multiplier makes."""
        return x * y * self.r_inverse % self.p

    def _factor(self, word: dict[str, int], port: str) -> int:
        """As `read`; an error where the factor shares the ports of sums, and none of them reads it."""
        if self.machine.shared_ports:
            bank, number = self.place(word, port)
            reached = [("reg", at) if where == "chain" and bank == "reg" else (where, at)
                       for where, at in (self.place(word, one) for one in SUM_PORTS)]
            if (bank, number) not in reached:
                raise ExecutionError(f"{port} in cycle {self.cycle}: no port of a sum reads its factor")
        return self.read(word, port)

    def execute(self, word: dict[str, int], run: Run) -> int:
        """As the base class."""
        products = {unit: self.product(self._factor(word, f"m{unit}_a"), self._factor(word, f"m{unit}_b"))
                    for unit in (0, 1) if word[f"m{unit}_en"]}  # fmt: skip
        operand = self._operand(word)
        chained = self.chained(word)
        stored = []
        for adder in ("s0", "s1"):
            if not (word[f"{adder}_we"] or word[f"{adder}_flag"] or (adder == "s0" and chained)):
                continue
            x, y = self.read(word, f"{adder}_x"), self.read(word, f"{adder}_y")
            value = (x - y if word[f"{adder}_sub"] else x + y) % self.p
            if adder == "s0":
                self.first = value
            if word[f"{adder}_we"]:
                stored.append((self._free(word[f"{adder}_rd"]), value))
            if word[f"{adder}_flag"]:
                self.push(value)
                self.zeros_met |= value == 0
            run.butterflies += 1
        for register, value in stored:
            self.keep("reg", register, value)
        for unit, value in products.items():
            register = self._free(word[f"m{unit}_rd"])
            self.pending.append(Result(self.cycle + self.length, "reg", register, value, unit=unit))
            run.products += 1
        return operand

    def _operand(self, word: dict[str, int]) -> int:
        """What a side unit gets: its operand, or the latest zero flag if it looks at flags."""
        name = self.started(word)
        unit = self.machine.units.get(name, {})
        if name == "clear_zeros":
            self.zeros_met = False
        return self.read(word, "s0_x") if unit.get("operand") else int(self.flags[0][0] and "flags" in unit)

    def level(self, name: str) -> bool:
        """As the base class; whether a flagged sum was zero too."""
        return self.zeros_met if name == "zeros_met" else super().level(name)


DATAPATH = Datapath(Statements, DualScheduler, DualCells, DualEngine)
