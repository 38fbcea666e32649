# SPDX-License-Identifier: Apache-2.0
"""From program text to ROM in one call; several programs in one ROM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pointmill.ucode.assembler import BlockAssembler, assemble
from pointmill.ucode.dual import DualAssembler, DualScheduler
from pointmill.ucode.dual_emitter import DualEmitter
from pointmill.ucode.emitter import Emitter, Rom
from pointmill.ucode.ir import Program
from pointmill.ucode.limb import LimbAssembler, LimbScheduler
from pointmill.ucode.limb_emitter import LimbEmitter
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule, Scheduler

# What stands for each kind of datapath: statements, scheduler, emitter.
DATAPATHS = {
    "butterfly": (BlockAssembler, Scheduler, Emitter),
    "dual": (DualAssembler, DualScheduler, DualEmitter),
    "limb": (LimbAssembler, LimbScheduler, LimbEmitter),
}


@lru_cache(maxsize=None)
def build(core: str = "edverify", name: str = "verify", config: str = "paper") -> tuple[
    Machine, Program, dict[str, Schedule], Rom
]:
    """Assemble, schedule and emit program `name` of `core` for a configuration."""
    machine = Machine(core, config)
    statements, scheduler, emitter = DATAPATHS[machine.isa.datapath]
    program = assemble(machine, name, statements)
    schedules = scheduler(machine, program).run()
    return machine, program, schedules, emitter(machine, program, schedules).run()


@dataclass(frozen=True)
class Image:
    """Programs of one machine in one ROM, one behind the other. Labels are `program.label`, `origins`
    the addresses of the programs' first words."""

    machine: Machine
    rom: Rom
    origins: dict[str, int]


@lru_cache(maxsize=None)
def link(core: str, names: tuple[str, ...], config: str) -> Image:
    """Build programs and put them into one ROM. ValueError where a branch target does not fit."""
    image = Rom([], {}, [])
    origins: dict[str, int] = {}
    for name in names:
        machine, _, _, rom = build(core, name, config)
        jumps = [machine.isa.control[op] for op in ("branch", "loop_end")]
        origin = origins[name] = len(image.words)
        for word in rom.words:
            moved = word.get("ctl_op") in jumps
            image.words.append({**word, "ctl_arg": word["ctl_arg"] + origin} if moved else word)
        image.labels |= {f"{name}.{label}": at + origin for label, at in rom.labels.items()}
        image.owner += [f"{name}.{owner}" if owner else "" for owner in rom.owner]
    machine = Machine(core, config)
    image.encoded(machine)
    return Image(machine, image, origins)
