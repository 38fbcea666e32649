# SPDX-License-Identifier: Apache-2.0
"""Emitter: registers for the temporaries of scheduled blocks, then the words of the ROM."""

from __future__ import annotations

from dataclasses import dataclass

from pointmill.ucode.ir import Block, Control, Home, Label, Op, Program, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule


@dataclass
class Rom:
    """The microcode: `words[i]` as named fields, `labels` as addresses, `owner[i]` the block."""

    words: list[dict[str, int]]
    labels: dict[str, int]
    owner: list[str]

    def encoded(self, machine: Machine) -> list[int]:
        """The words as integers of `machine.isa.word_bits` bits."""
        return [machine.isa.encode(word) for word in self.words]


def _last_read(schedule: Schedule, value: Value) -> int:
    return max((schedule.start[reader] for reader in value.readers), default=-1)


def pinned_registers(program: Program) -> set[tuple[str, int]]:
    """(bank, register) of all globals and tables."""
    pinned = {(h.bank, h.register) for h in program.globals.values()}
    for home, count in program.tables.values():
        pinned |= {(home.bank, home.register + i) for i in range(count)}
    return pinned


def allocate(machine: Machine, program: Program, schedule: Schedule) -> None:
    """Give every stored temporary of a block a register that no global has (linear scan).

    A register is free again for an operation started no earlier than its last read."""
    pinned = pinned_registers(program)
    free = {
        bank: [r for r in range(size) if (bank, r) not in pinned]
        for bank, size in machine.registers.items()
    }
    busy: list[tuple[int, Home]] = []
    for op in sorted(schedule.block.ops, key=lambda o: schedule.start[o]):
        now = schedule.start[op]
        for until, home in [entry for entry in busy if entry[0] <= now]:
            busy.remove((until, home))
            free[home.bank].append(home.register)
            free[home.bank].sort()
        for value in op.out.values():
            last = _last_read(schedule, value)
            stored = value.bank == "mul" or last > now
            if value.home is None and stored:
                if not free[value.bank]:
                    raise ValueError(f"{schedule.block.name}: bank {value.bank} is full")
                value.home = Home(value.bank, free[value.bank].pop(0))
                busy.append((max(last, now + 1), value.home))


class Emitter:
    """Emits one scheduled program."""

    def __init__(self, machine: Machine, program: Program, schedules: dict[str, Schedule]):
        self.machine = machine
        self.isa = machine.isa
        self.program = program
        self.schedules = schedules

    def run(self) -> Rom:
        """The ROM. Raises ValueError where something does not fit a field."""
        words: list[dict] = []
        labels: dict[str, int] = {}
        owner: list[str] = []
        for item in self.program.items:
            if isinstance(item, Label):
                labels[item.name] = len(words)
                continue
            emitted = [self._control(item)] if isinstance(item, Control) else self._block(item)
            words += emitted
            owner += [item.name if isinstance(item, Block) else ""] * len(emitted)
        for word in words:
            target = word.get("ctl_arg")
            if isinstance(target, str):
                if target not in labels:
                    raise ValueError(f"no label {target}")
                word["ctl_arg"] = labels[target]
        return Rom(words, labels, owner)

    def _control(self, control: Control) -> dict:
        return {
            "ctl_op": self.isa.control[control.op],
            "ctl_cond": self.machine.conditions[control.condition],
            "ctl_inv": int(control.inverted),
            "ctl_arg": control.target or 0,
        }

    def _block(self, block: Block) -> list[dict]:
        schedule = self.schedules[block.name]
        allocate(self.machine, self.program, schedule)
        return self._timed(block, schedule)

    def _timed(self, block: Block, schedule: Schedule) -> list[dict]:
        """The words of a scheduled block whose values have registers, with their delays."""
        cycles: dict[int, dict] = {0: {}}
        for op in block.ops:
            self._place(cycles.setdefault(schedule.start[op], {}), op, schedule)
        times = sorted(cycles)
        words = []
        for now, then in zip(times, [*times[1:], schedule.length]):
            gap = then - now
            word = cycles[now]
            while gap > self.isa.max_delay:
                words.append({**word, "delay": self.isa.max_delay - 1})
                word, gap = {}, gap - self.isa.max_delay
            words.append({**word, "delay": gap - 1})
        return self._closed(block, words)

    def _closed(self, block: Block, words: list[dict]) -> list[dict]:
        """The words of a block with its closing control operation on the last one."""
        if block.closing:
            if "ctl_op" in words[-1]:
                raise ValueError(f"{block.name} has no room for {block.closing.op} in its last word")
            words[-1].update(self._control(block.closing))
        return words

    def _port(self, word: dict, name: str, value: Value) -> None:
        bank = "ext" if value.external else value.home.bank
        if not self.machine.reaches(name, bank):
            raise ValueError(f"{value.name}: port {name} does not reach bank {bank}")
        if value.external:
            word["ext"] = self.machine.externals[value.external]
            word[name] = self.isa.port("ext")
        else:
            word[name] = self.isa.port(value.home.bank, value.home.register, value.home.indexed)

    def _reaches(self, port: str, value: Value) -> bool:
        return bool(value.external) or self.machine.reaches(port, value.home.bank)

    def _factor(self, word: dict, which: str, port: str, value: Value, now: int, schedule) -> None:
        producer = value.producer
        if producer and producer.unit == "bf" and schedule.start[producer] == now:
            word[which] = {"sum": 1, "diff": 2}[value.bank]
        else:
            self._port(word, port, value)

    def _place(self, word: dict, op: Op, schedule: Schedule) -> None:
        now = schedule.start[op]
        if op.unit == "mul":
            word |= {"mul_en": 1, "mul_canon": int(op.canon)}
            word["mul_rd"] = op.out["mul"].home.register
            self._factor(word, "mul_a", "ra", op.args[0], now, schedule)
            if op.signed:
                word["mul_b"] = 3
                self._port(word, "rx", op.args[1])
                self._port(word, "ry", op.args[2])
            else:
                self._factor(word, "mul_b", "rb", op.args[1], now, schedule)
            if op.side_unit:
                self._start(word, op)
        elif op.unit == "bf":
            operands = list(zip(op.args, op.double, strict=True))
            # A sum alone may take its operands from either port.
            if "diff" not in op.out and not op.scaled and not self._reaches("ry", op.args[1]):
                operands.reverse()
            for port, (value, doubled) in zip("xy", operands, strict=True):
                self._port(word, f"r{port}", value)
                word[f"{port}2"] = int(doubled)
            if op.scaled:
                word["scaled"] = 1
            for part, value in op.out.items():
                if value.home:
                    word |= {f"{part}_we": 1, f"{part}_rd": value.home.register}
        else:
            if op.args:
                self._factor(word, "mul_a", "ra", op.args[0], now, schedule)
            self._start(word, op)

    def _start(self, word: dict, op: Op) -> None:
        word["ctl_op"] = self.isa.control["start"]
        word["ctl_arg"] = self.machine.unit(op.side_unit)[1]
