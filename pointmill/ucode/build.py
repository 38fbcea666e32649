# SPDX-License-Identifier: Apache-2.0
"""From program text to ROM in one call, by names or by files; several programs in one ROM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pointmill.ucode import datapath
from pointmill.ucode.assembler import Assembler
from pointmill.ucode.emitter import Emitter, Rom
from pointmill.ucode.ir import Program
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule

Built = tuple[Machine, Program, dict[str, Schedule], Rom]
"""A machine, a program for it, the schedules of its blocks, its words."""


@cache
def build(core: str = "edverify", name: str = "verify", config: str = "paper") -> Built:
    """Assemble, schedule and emit program `name` of `core` for a configuration."""
    machine = Machine(core, config)
    return build_file(machine.path.parent / f"{name}.pmu", machine)


def build_file(path: Path, machine: Machine) -> Built:
    """The same for the program text of a file. AssemblyError, ScheduleError; ValueError where registers or a field of
    the word do not suffice."""
    program = Assembler(machine).assemble(path)
    schedules = datapath.of(machine).scheduler(machine, program).run()
    return machine, program, schedules, Emitter(machine, program, schedules).run()


@dataclass(frozen=True)
class Image:
    """Programs of one machine in one ROM, one behind the other. Labels are `program.label`, `origins`
    the addresses of the programs' first words, `words` those of `rom` as integers."""

    machine: Machine
    rom: Rom
    origins: dict[str, int]
    words: list[int]

    def address(self, entry: str) -> int:
        """Where an entry is, a program or `program.label`. KeyError."""
        return self.origins[entry] if entry in self.origins else self.rom.labels[entry]


@cache
def link(core: str, names: tuple[str, ...], config: str) -> Image:
    """Build programs and put them into one ROM. ValueError where a branch target does not fit."""
    machine, whole, origins = Machine(core, config), Rom([], {}, []), {}
    jumps = [machine.isa.control[op] for op in ("branch", "loop_end") if op in machine.isa.control]
    for name in names:
        rom = build(core, name, config)[3]
        origin = origins[name] = len(whole.words)
        for word in rom.words:
            moved = word.get("ctl_op") in jumps
            whole.words.append({**word, "ctl_arg": word["ctl_arg"] + origin} if moved else word)
        whole.labels |= {f"{name}.{label}": at + origin for label, at in rom.labels.items()}
        whole.owner += [f"{name}.{owner}" if owner else "" for owner in rom.owner]
    return Image(machine, whole, origins, whole.encoded(machine))
