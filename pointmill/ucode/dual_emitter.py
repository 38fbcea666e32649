# SPDX-License-Identifier: Apache-2.0
"""Emitter of the dual datapath: registers for temporaries, waits, words."""

from __future__ import annotations

from pointmill.ucode.dual import DualSchedule, waits
from pointmill.ucode.emitter import Emitter, pinned_registers
from pointmill.ucode.ir import Block, Home, Op, Program, Value
from pointmill.ucode.machine import Machine


def _chained(schedule: DualSchedule, reader: Op, value: Value) -> bool:
    """Whether a sum takes a value from the first adder in the cycle that makes it."""
    source = value.producer
    return (
        source is not None
        and (source.unit, reader.unit) == ("sum", "sum")
        and schedule.start[source] == schedule.start[reader]
    )


def allocate(machine: Machine, program: Program, schedule: DualSchedule) -> None:
    """Give every stored temporary of a block a register that no global has (linear scan over words).

    A product takes its register from its start on, so that words may be issued at any distance; a register
    is free again for an operation started no earlier than its last read.
    """
    pinned = pinned_registers(program)
    free = [r for r in range(machine.registers["reg"]) if ("reg", r) not in pinned]
    busy: list[tuple[int, int]] = []
    for op in sorted(schedule.block.ops, key=lambda o: schedule.start[o]):
        now = schedule.start[op]
        for until, register in [entry for entry in busy if entry[0] <= now]:
            busy.remove((until, register))
            free.append(register)
        free.sort()
        for value in op.out.values():
            readers = [r for r in value.readers if not _chained(schedule, r, value)]
            if value.home is None and (readers or op.unit == "mul"):
                if not free:
                    raise ValueError(f"{schedule.block.name}: all registers are taken in cycle {now}")
                value.home = Home("reg", free.pop(0))
                last = max((schedule.start[r] for r in readers), default=now + 1)
                busy.append((max(last, now + 1), value.home.register))


class DualEmitter(Emitter):
    """Emits one scheduled program of the dual datapath."""

    def _block(self, block: Block) -> list[dict]:
        schedule = self.schedules[block.name]
        allocate(self.machine, self.program, schedule)
        words = []
        for ops, waited in zip(schedule.words(), waits(schedule), strict=True):
            word = {f"wait{unit}": 1 for unit in sorted(waited)}
            for op in ops:
                self._place(word, op, schedule)
            words.append(word)
        return self._closed(block, words)

    def _operand(self, word: dict, name: str, op: Op, value: Value, schedule: DualSchedule) -> None:
        if _chained(schedule, op, value):
            word[name] = self.isa.port("chain")
        else:
            self._port(word, name, value)

    def _place(self, word: dict, op: Op, schedule: DualSchedule) -> None:
        place = schedule.place[op]
        if op.unit == "start":
            word["ctl_op"] = self.isa.control["start"]
            word["ctl_arg"] = self.machine.units[op.side_unit]["id"]
            if op.args:
                self._port(word, "s0_x", op.args[0])
            return
        first, second = ("a", "b") if op.unit == "mul" else ("x", "y")
        unit = f"{op.unit[0]}{place}"
        self._operand(word, f"{unit}_{first}", op, op.args[0], schedule)
        self._operand(word, f"{unit}_{second}", op, op.args[1], schedule)
        (value,) = op.out.values()
        if op.unit == "mul":
            word |= {f"{unit}_en": 1, f"{unit}_rd": value.home.register}
            return
        word |= {f"{unit}_sub": int(op.minus), f"{unit}_flag": int(op.canon)}
        if value.home:
            word |= {f"{unit}_we": 1, f"{unit}_rd": value.home.register}
