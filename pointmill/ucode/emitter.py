# SPDX-License-Identifier: Apache-2.0
"""Emitter: registers for the temporaries of scheduled blocks, then the words of the ROM, of any datapath."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pointmill.ucode import datapath
from pointmill.ucode.ir import Block, Control, Home, Label, Op, Program, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule

PRODUCT, SUM, SIDE_UNIT = range(3)
"""Kinds of operations."""

Fields = dict[str, int | Value]
"""Fields of a word by name; a value stands for the port that reads it."""


@dataclass
class Rom:
    """The microcode: `words[i]` as named fields, `labels` as addresses, `owner[i]` the block."""

    words: list[dict[str, int]]
    labels: dict[str, int]
    owner: list[str]

    def encoded(self, machine: Machine) -> list[int]:
        """The words as integers of `machine.isa.word_bits` bits."""
        return [machine.isa.encode(word) for word in self.words]


class Cells:
    """How the operations of a schedule stand in words and on units. Sub-classes say what their datapath does."""

    counted: tuple[int, ...] = (PRODUCT,)
    """Kinds of operations that count as work of the datapath."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @property
    def workers(self) -> int:
        """Units that can do such work at a time."""
        return 1

    def fields(self, op: Op, schedule: Schedule) -> Fields:
        """What an operation sets in the word that starts it, but for the start of a side unit."""
        raise NotImplementedError

    def own(self, schedule: Schedule) -> Iterator[dict[str, int]]:
        """What words of a block have beside the fields of their operations, in order."""
        return iter(())

    def complete(self, word: dict[str, int]) -> None:
        """Sets fields of a word that follow from those of all its operations. ValueError where there are none."""

    def source(self, value: Value) -> int | str:
        """What a port has to reach for a value."""
        return "ext" if value.external else value.allocated.bank

    def life(self, op: Op, value: Value, schedule: Schedule) -> range:
        """Cycles in which a result has a register for itself; none where it is taken in the cycle that makes it."""
        now = schedule.start[op]
        last = max((schedule.start[reader] for reader in value.readers), default=-1)
        return range(now, max(last, now + 1)) if op.unit == "mul" or last > now else range(0)

    def registers(self, op: Op, value: Value, schedule: Schedule) -> Iterable[int]:
        """The registers that a result may go to."""
        return range(self.machine.registers[value.bank])

    def kept(self, program: Program, schedule: Schedule) -> Iterator[tuple[Home, range]]:
        """Registers that globals have, and in which cycles."""
        return ((home, range(sys.maxsize)) for home in program.pinned)

    def wiping(self, words: list[dict[str, int]]) -> list[dict[str, int]]:
        """Words that overwrite whatever register `words` write. ValueError where the datapath has none."""
        raise ValueError("wipe: this datapath has no words for it")

    def timed(self, schedule: Schedule, product: int | None) -> Schedule:
        """The schedule as it runs with products of so many cycles, with its bound."""
        return schedule

    def lane(self, op: Op, schedule: Schedule, product: int | None) -> tuple[str, int, int]:
        """Unit of an operation other than the start of a side unit, cycles for which it has it, and kind."""
        raise NotImplementedError

    def text(self, op: Op) -> str:
        """An operation in a few letters, as programs write it."""
        sign = {"mul": "*", "small": "*", "sub": "-"}.get(op.unit, "-" if op.minus else "+")
        factor = "2 " if op.double[1] else ""
        return f"{op.label} {'=!' if op.canon else '='} {op.args[0].name} {sign} {factor}{op.args[1].name}"


class Emitter:
    """Emits one scheduled program."""

    def __init__(self, machine: Machine, program: Program, schedules: dict[str, Schedule]):
        self.machine = machine
        self.isa = machine.isa
        self.program = program
        self.schedules = schedules
        self.cells = datapath.of(machine).cells(machine)

    def run(self) -> Rom:
        """The ROM. Raises ValueError where something does not fit a field."""
        rom = Rom([], {}, [])
        for item in self.program.items:
            if isinstance(item, Label):
                rom.labels[item.name] = len(rom.words)
                continue
            if isinstance(item, Block):
                emitted = self._block(item)
            else:
                emitted = self.cells.wiping(rom.words) if item.op == "wipe" else [self._control(item)]
            rom.words += emitted
            rom.owner += [item.name if isinstance(item, Block) else ""] * len(emitted)
        for word in rom.words:
            target = word.get("ctl_arg")
            if isinstance(target, str):
                word["ctl_arg"] = rom.labels[target]
        return rom

    def _control(self, control: Control) -> dict:
        return {
            "ctl_op": self.isa.control[control.op],
            "ctl_cond": self.machine.conditions[control.condition],
            "ctl_inv": int(control.inverted),
            "ctl_arg": control.target or 0,
        }

    def _block(self, block: Block) -> list[dict]:
        schedule = self.schedules[block.name]
        self._allocate(schedule)
        delays = "delay" in self.isa.fields
        cycles: dict[int, dict] = {0: {}} if delays or not block.ops else {}
        for op in block.ops:
            self._place(cycles.setdefault(schedule.start[op], {}), op, schedule)
        times = sorted(cycles)
        words = [cycles[time] for time in times]
        for word, own in zip(words, self.cells.own(schedule)):
            word |= own
            self.cells.complete(word)
        if delays:
            gaps = (then - now for now, then in zip(times, [*times[1:], schedule.length]))
            words = [part for word, gap in zip(words, gaps) for part in self._delayed(word, gap)]
        if block.closing:
            if "ctl_op" in words[-1]:
                raise ValueError(f"{block.name} has no room for {block.closing.op} in its last word")
            words[-1].update(self._control(block.closing))
        return words

    def _delayed(self, word: dict, gap: int) -> Iterator[dict]:
        """The word, and empty ones behind it where the next one is farther away than a delay reaches."""
        while gap > self.isa.max_delay:
            yield {**word, "delay": self.isa.max_delay - 1}
            word, gap = {}, gap - self.isa.max_delay
        yield {**word, "delay": gap - 1}

    def _allocate(self, schedule: Schedule) -> None:
        """Give every stored temporary of a block the first register that is free, in the order in which they take them.
        ValueError where one finds none, or a global's new value comes before the last read of the old one."""
        block, cells = schedule.block, self.cells
        taken: dict[tuple[str, int], list[range]] = {}

        def take(bank: str, register: int, life: range) -> bool:
            lives = taken.setdefault((bank, register), [])
            if any(life.start < other.stop and other.start < life.stop for other in lives):
                return False
            lives.append(life)
            return True

        for home, life in cells.kept(self.program, schedule):
            if not take(home.bank, home.register, life):
                raise ValueError(f"{block.name}: a result overwrites register {home.register} while it is still read")
        made = [(cells.life(op, value, schedule), op, value) for op in block.ops for value in op.out.values()]
        for life, op, value in sorted(made, key=lambda entry: entry[0].start):
            if value.home or not life:
                continue
            register = next((r for r in cells.registers(op, value, schedule) if take(value.bank, r, life)), None)
            if register is None:
                raise ValueError(f"{block.name}: bank {value.bank} is full in cycle {life.start}")
            value.home = Home(value.bank, register)

    def _place(self, word: dict, op: Op, schedule: Schedule) -> None:
        for name, value in self.cells.fields(op, schedule).items():
            if isinstance(value, Value):
                self._port(word, name, value)
            else:
                word[name] = value
        if op.side_unit:
            word["ctl_op"] = self.isa.control["start"]
            word["ctl_arg"] = self.machine.unit(op.side_unit)[1]

    def _port(self, word: dict, name: str, value: Value) -> None:
        source = self.cells.source(value)
        if not self.machine.reaches(name, source):
            raise ValueError(f"{value.name}: port {name} does not reach "
                             f"{'bank ' if source in self.isa.banks else ''}{source}")
        if not value.external:
            home = value.allocated
            word[name] = self.isa.port(home.bank, home.register, home.indexed)
        elif "ext" in self.isa.fields:
            word["ext"], word[name] = self.machine.externals[value.external], self.isa.port("ext")
        else:
            word[name] = self.isa.port("ext", self.machine.externals[value.external])
