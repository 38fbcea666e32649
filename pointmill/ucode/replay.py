# SPDX-License-Identifier: Apache-2.0
"""Replay of schedules: runs the operations of a block cycle by cycle, as the machine description says that the datapath
does.

It shares no rule with the schedulers, so that a wrong rule of theirs gives a schedule that is rejected here. Each
datapath is a class with the same interface: what an operation takes and for how long, when it can read a result, and
when the old value of a register is gone. ScheduleError names the block, the operation and the cycle or register.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from pointmill.ucode.ir import Block, Home, Op, Value
from pointmill.ucode.machine import Machine


class ScheduleError(Exception):
    """A schedule that breaks a rule of the datapath."""


class Placed(Protocol):
    """What is replayed: start cycle of each operation, length of the block, cycles at which registers are ready, the
    unit of each operation, the register of its result where the schedule decides it."""

    block: Block
    start: dict[Op, int]
    length: int
    entry: dict[Home, int]
    exit: dict[Home, int]
    place: dict[Op, int]
    register: dict[Op, int]


class Replay:
    """One run of a block. Sub-classes say what their datapath does."""

    outside = "is not within the block"
    one_external = True
    """All units share one port for external values."""

    def __init__(self, machine: Machine, schedule: Placed) -> None:
        self.machine, self.schedule = machine, schedule
        self.block, self.start, self.length = schedule.block, schedule.start, schedule.length
        self.place = schedule.place
        self._closing = self.block.closing.op if self.block.closing else ""
        self._used: dict[tuple[str, int], Op] = {}
        self._external: dict[int, str] = {}
        self._gone: dict[Home, tuple[int, Value]] = {}

    def run(self) -> None:
        """Raises ScheduleError where the schedule breaks a rule."""
        for op in self.block.ops:
            if op not in self.start:
                self.reject(op, "is not scheduled")
            if not 0 <= self.start[op] <= self.length - self.room(op):
                self.reject(op, self.outside)
        if len(self.start) != len(self.block.ops):
            raise ScheduleError(f"{self.block.name}: has operations of another block")
        self.whole()
        for cycle in range(self.length):
            word = [op for op in self.block.ops if self.start[op] == cycle]
            for op in word:
                self._issue(op, cycle)
            for op in word:
                self._read(op, cycle)
            for op in word:
                self._write(op, cycle)

    def reject(self, op: Op, why: str) -> None:
        """Raises ScheduleError with the place of the operation."""
        raise ScheduleError(f"{self.block.name}, {op.label} (line {op.line}): {why}")

    def _issue(self, op: Op, cycle: int) -> None:
        for resource, cycles in self.takes(op):
            for busy in range(cycle, cycle + cycles):
                if self._used.setdefault((resource, busy), op) is not op:
                    self.reject(op, f"{resource} is taken in cycle {busy}")
        for name in {arg.external for arg in op.args if arg.external} if self.one_external else ():
            if self._external.setdefault(cycle, name) != name:
                self.reject(op, f"two external values in cycle {cycle}")
        for other, cycles in op.after:
            if cycle < self.start[other] + cycles:
                self.reject(op, f"comes before {other.label} is done")

    def _read(self, op: Op, cycle: int) -> None:
        for side, arg in enumerate(op.args):
            self.port(op, side, arg)
            if arg.producer:
                there = self.start[arg.producer] + self.latency(arg.producer, arg)
                if cycle < there and not self.forwarded(op, arg, arg.producer):
                    self.reject(op, f"{arg.name} is not there yet")
                continue
            for home in arg.home.covers() if arg.home else ():
                if cycle < self.schedule.entry.get(home, 0):
                    self.reject(op, f"{arg.name} is not there yet")
                when, by = self._gone.get(home, (cycle + 1, None))
                if cycle >= when:
                    self.reject(op, self.late_read(by))

    def _write(self, op: Op, cycle: int) -> None:
        for value in op.out.values():
            self.result(op, value, cycle)
            for home in value.home.covers() if value.home else ():
                self._gone[home] = (cycle + self.keeps(op), value)

    # ---- what a datapath says

    def takes(self, op: Op) -> Iterator[tuple[str, int]]:
        """Resources that an operation takes, each for so many cycles from its start on."""
        raise NotImplementedError

    def room(self, op: Op) -> int:
        """Cycles from the start of an operation that the block must still have."""
        raise NotImplementedError

    def latency(self, op: Op, value: Value) -> int:
        """Cycles from the start of an operation until its result can be read."""
        raise NotImplementedError

    def forwarded(self, op: Op, arg: Value, source: Op) -> bool:
        """Whether an operation takes a result of `source` in the cycle that makes it."""
        return False

    def keeps(self, op: Op) -> int:
        """Cycles from the start of an operation for which the register of its result can be read for what it held.
        Words may be issued later than scheduled, so that the rest of a block counts on none after the start."""
        return 1

    def late_read(self, by: Any) -> str:
        """What is wrong with a read of what `by` overwrites."""
        return f"reads {by.name} after its overwriting began"

    def port(self, op: Op, side: int, arg: Value) -> None:
        """Rejects an operand that the port does not reach."""

    def result(self, op: Op, value: Value, cycle: int) -> None:
        """Rejects a result that comes at a wrong time or to a wrong place."""

    def whole(self) -> None:
        """Rejects what is wrong with the block as a whole."""

    # ---- what datapaths have in common

    def ordered(self, times: list[Any]) -> None:
        """Flags come in the order in which they are written."""
        if times != sorted(times):
            raise ScheduleError(f"{self.block.name}: flags in another order than written")

    @property
    def asked(self) -> list[Op]:
        """Operations whose flags the control operation behind the block asks for."""
        closing = self.block.closing
        return [op for op in self.block.ops if op.canon and closing and closing.condition[:3] in ("zer", "odd")]


class ButterflyReplay(Replay):
    """One multiplier in stages, one adder for a sum and a difference, a port for control operations."""

    outside = "starts outside the block"

    def __init__(self, machine: Machine, schedule: Placed) -> None:
        super().__init__(machine, schedule)
        self._written: dict[tuple[str, int], Op] = {}

    def takes(self, op: Op) -> Iterator[tuple[str, int]]:
        if op.unit == "mul" or (op.unit == "start" and op.args):
            yield "factor", 1
        if op.unit == "bf" or op.signed:
            yield "bf", 1
        if op.side_unit:
            yield "control", 1

    def room(self, op: Op) -> int:
        return 2 if self.block.closing and op.side_unit else 1

    def latency(self, op: Op, value: Value) -> int:
        latencies = self.machine.latency
        return latencies[value.bank if value.bank in latencies else "store"]

    def forwarded(self, op: Op, arg: Value, source: Op) -> bool:
        # The multiplier's second port sees the adder, but for signed factors, which take the adder themselves, and
        # scaled sums, which come out of the multiplier.
        from_adder = arg.bank == "diff" or (arg.bank == "sum" and not source.scaled)
        return self.start[op] == self.start[source] and from_adder and op.unit != "bf" and not op.signed

    def result(self, op: Op, value: Value, cycle: int) -> None:
        end = cycle + self.latency(op, value)
        if self._written.setdefault((value.bank, end), op) is not op:
            self.reject(op, f"two writes of bank {value.bank}")
        if end > self.length + (self.schedule.exit.get(value.home, 0) if value.home else 0):
            self.reject(op, f"{value.name} comes after the block's exit")

    def whole(self) -> None:
        for home, ready in self.schedule.entry.items():
            if ready > self.length + self.schedule.exit.get(home, 0):
                raise ScheduleError(f"{self.block.name}: left before {home} has settled")
        self.ordered([self.start[op] for op in self.block.ops if op.canon])
        last = max(self.start.values(), default=0)
        for op in self.asked:
            if last != self.start[op] and last < self.start[op] + self.machine.latency["mul"]:
                self.reject(op, f"its flags come too late for {self._closing}")
        # Where every result is there for the next word, words take turns, and a pause counts none of them.
        if max(self.machine.latency.values()) > 1 and self.length < self.block.pause:
            raise ScheduleError(f"{self.block.name}: shorter than its pause")


class DualReplay(Replay):
    """Multipliers that are busy for a product, and two adders, of which the second may take the sum of the first."""

    def __init__(self, machine: Machine, schedule: Placed, product: int) -> None:
        super().__init__(machine, schedule)
        self.product = product

    def takes(self, op: Op) -> Iterator[tuple[str, int]]:
        if op.unit == "mul":
            yield f"multiplier {self.place[op]}", self.product
            if self.machine.lone_products:
                yield "start of a product", 1
        elif op.unit == "sum" or op.args:
            yield f"adder {self.place[op]}", 1
        if op.unit == "start":
            yield "control", 1

    def room(self, op: Op) -> int:
        return self.product if op.unit == "mul" else 1

    def latency(self, op: Op, value: Value) -> int:
        return self.room(op)

    def forwarded(self, op: Op, arg: Value, source: Op) -> bool:
        together = self.start[source] == self.start[op] and self.place[source] < self.place[op]
        return together and source.unit == op.unit == "sum"

    def whole(self) -> None:
        self.ordered([(self.start[op], self.place[op]) for op in self.block.ops if op.canon])
        last = max(self.start.values(), default=0)
        starts = [op for op in self.block.ops if op.unit == "start" and self.block.closing]
        for op in starts + self.asked:
            if self.start[op] == last:
                self.reject(op, f"goes with {self._closing}")
        for op in self.block.ops:
            if op.unit == "mul" and self.place[op] >= self.machine.multipliers:
                self.reject(op, f"there is no multiplier {self.place[op]}")
        for cycle in set(self.start.values()) if self.machine.shared_ports else ():
            self._ports([op for op in self.block.ops if self.start[op] == cycle])

    def _ports(self, word: list[Op]) -> None:
        """Four ports: each operand of a sum takes one, but for a sum of this cycle, whose port reads a register for
        factors; and each factor that is no such operand, once."""
        sums = [op for op in word if op.unit != "mul"]
        operands = [arg for op in sums for arg in op.args]
        first = [value for op in sums for value in op.out.values()]
        read = [arg for arg in operands if arg not in first]
        factors = {arg for op in word if op.unit == "mul" for arg in op.args} - set(read)
        outside = {arg for arg in factors if arg.external}
        if len(read) + len(factors) > 4 or len(operands) + len(outside) > 4:
            self.reject(word[-1], f"takes a fifth port in cycle {self.start[word[-1]]}")


class LimbReplay(Replay):
    """Units that each make any operation and keep results in registers of their own; register i belongs to unit
    i mod the number of units."""

    one_external = False

    def __init__(self, machine: Machine, schedule: Placed) -> None:
        super().__init__(machine, schedule)
        self._units = len(machine.slots)

    def takes(self, op: Op) -> Iterator[tuple[str, int]]:
        if op.unit == "start":
            yield "control", 1
        if op.unit != "start" or op.args:
            yield f"unit {self.place[op]}", self.room(op)

    def room(self, op: Op) -> int:
        return 1 if op.unit == "start" else self.machine.latency[op.unit]

    def latency(self, op: Op, value: Value) -> int:
        return self.room(op)

    def keeps(self, op: Op) -> int:
        return self.room(op)

    def late_read(self, by: Any) -> str:
        return f"reads {by.name} after it was overwritten"

    def port(self, op: Op, side: int, arg: Value) -> None:
        within = self.machine.ports[f"u{self.place[op]}_{'xy'[side]}"]
        if arg.producer:
            wanted: set[int | str] = {self.place[arg.producer]}
        elif arg.external:
            wanted = {arg.external}
        else:
            wanted = {home.register % self._units for home in arg.allocated.covers()}
        if not wanted <= set(within):
            self.reject(op, f"{arg.name} is out of reach")

    def result(self, op: Op, value: Value, cycle: int) -> None:
        if value.home and value.home.register % self._units != self.place[op]:
            self.reject(op, f"unit {self.place[op]} does not write {value.name}")


class SkewReplay(Replay):
    """Three contexts in turns of slots: two sums, the operand of a unit, a product. Every read and write of a register
    is replayed in its cycle, in slots of all forms."""

    one_external = False
    slots = ((4, 5, 18), (7, 6, 34), (7, 6, 32), (13, 12, 58), (15, 14, 62))
    """Cycles of a slot; from its first one, the cycle in which the product begins; cycles until that is written."""
    sums, operand, sum_cycles = (0, 2), 3, 4
    """Cycles of a slot in which both sums begin and the operand of a unit is read; cycles until a sum is written."""

    def takes(self, op: Op) -> Iterator[tuple[str, int]]:
        if op.unit != "start":
            yield "multiplier" if op.unit == "mul" else f"adder {self.place[op]}", 1
        if op.side_unit:
            yield "control", 1

    def room(self, op: Op) -> int:
        if op.unit == "mul":
            left = any(value.home in self.block.leaves for value in op.out.values())
            return 1 if left else 2
        return 2 if op.side_unit and self.block.closing else 1

    def latency(self, op: Op, value: Value) -> int:
        return 2 if op.unit == "mul" else 0

    def keeps(self, op: Op) -> int:
        return 2 if op.unit == "mul" else 1

    def whole(self) -> None:
        for slot, begins, product in self.slots:
            self._cycles(slot, begins, product)

    def _cycles(self, slot: int, begins: int, product: int) -> None:
        turn = self.machine.contexts * slot

        def at(op: Op) -> int:
            within = {"mul": begins, "sum": self.sums[self.place[op]]}.get(op.unit, self.operand)
            return turn * self.start[op] + within

        # What registers hold, each with the last cycle in which it cannot be read yet; at first what the block finds,
        # which may be a product on its way.
        held: dict[int, list[tuple[int, Value | None]]] = {}
        for home in self.schedule.entry:
            held[home.register] = [(begins + product - turn, None)]

        def of(register: int) -> list[tuple[int, Value | None]]:
            return held.setdefault(register, [(-1, None)])

        def register(value: Value, op: Op) -> int:
            return value.home.register if value.home else self.schedule.register[op]

        for op in self.block.ops:
            for value in op.out.values():
                of(register(value, op)).append((at(op) + (product if op.unit == "mul" else self.sum_cycles), value))
        for op in self.block.ops:
            for arg in op.args:
                own = arg.producer and [register(arg, arg.producer)]
                for place in own or [home.register for home in (arg.home.covers() if arg.home else ())]:
                    there = [(when, value) for when, value in of(place) if when < at(op)]
                    if not there or max(there, key=lambda one: one[0])[1] is not (arg if own else None):
                        self.reject(op, f"{arg.name} is not there in cycle {at(op)} of slots of {slot}")
        for home, value in self.block.written.items():
            if max(of(home.register), key=lambda one: one[0])[1] is not value:
                raise ScheduleError(f"{self.block.name}: {value.name} is overwritten")
