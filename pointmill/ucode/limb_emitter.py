# SPDX-License-Identifier: Apache-2.0
"""Emitter of the limb datapath: registers for temporaries, words."""

from __future__ import annotations

from pointmill.ucode.emitter import Emitter
from pointmill.ucode.ir import Block, Home, Op, Program, Value
from pointmill.ucode.limb import SIDES, UNITS, LimbSchedule, cycles, held, homes_of, last_read
from pointmill.ucode.machine import Machine

CODES = {"mul": 0, "small": 1, "add": 2, "sub": 3}


def allocate(machine: Machine, program: Program, schedule: LimbSchedule) -> None:
    """Give every temporary of a block one of its unit's registers, first fit in the order of results.

    A value takes its register from the cycle in which it can be read to that of its last read. A global's register is
    free between the last read of the old value and the new one. ValueError where a value finds none.
    """
    block, start = schedule.block, schedule.start
    taken: dict[int, list[tuple[int, int]]] = {}

    def take(register: int, begin: int, end: int) -> bool:
        lives = taken.setdefault(register, [])
        if any(begin <= until and since <= end for since, until in lives):
            return False
        lives.append((begin, end))
        return True

    for home, readers in held(block, homes_of(program)).items():
        end = schedule.length if readers is None else max((start[r] for r in readers), default=-1)
        if end >= 0:
            take(home.register, 0, end)
    made = [(start[op] + cycles(machine, op), value, op) for op in block.ops for value in op.out.values()]
    for begin, value, _ in made:
        if value.home and not take(value.home.register, begin, schedule.length):
            raise ValueError(f"{block.name}: {value.name} overwrites a value that is still read")
    for begin, value, op in sorted(made, key=lambda entry: entry[0]):
        if value.home:
            continue
        unit = schedule.place[op]
        own = [unit + UNITS * slot for slot in range(machine.slots[unit])]
        end = max(begin, last_read(start, value))
        register = next((r for r in own if take(r, begin, end)), None)
        if register is None:
            raise ValueError(f"{block.name}: no register for {value.name}")
        value.home = Home("reg", register)


class LimbEmitter(Emitter):
    """Emits one scheduled program of the limb datapath."""

    def _block(self, block: Block) -> list[dict]:
        schedule = self.schedules[block.name]
        allocate(self.machine, self.program, schedule)
        return self._timed(block, schedule)

    def _port(self, word: dict, name: str, value: Value) -> None:
        if value.external:
            word[name] = self.isa.port("ext", self.machine.externals[value.external])
        else:
            word[name] = self.isa.port("reg", value.home.register, value.home.indexed)

    def _place(self, word: dict, op: Op, schedule: LimbSchedule) -> None:
        for side, value in zip(SIDES, op.args):
            self._port(word, f"u{schedule.place[op]}_{side}", value)
        if op.unit == "start":
            self._start(word, op)
            return
        unit = f"u{schedule.place[op]}"
        register = op.out["reg"].home.register
        word |= {f"{unit}_en": 1, f"{unit}_op": CODES[op.unit], f"{unit}_rd": register // UNITS}
