# SPDX-License-Identifier: Apache-2.0
"""From program text to ROM in one call."""

from __future__ import annotations

from functools import lru_cache

from pointmill.ucode.assembler import assemble
from pointmill.ucode.emitter import Emitter, Rom
from pointmill.ucode.ir import Program
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule, Scheduler


@lru_cache(maxsize=None)
def build(core: str = "edverify", name: str = "verify", config: str = "paper") -> tuple[
    Machine, Program, dict[str, Schedule], Rom
]:
    """Assemble, schedule and emit program `name` of `core` for a configuration."""
    machine = Machine(core, config)
    program = assemble(machine, name)
    schedules = Scheduler(machine, program).run()
    return machine, program, schedules, Emitter(machine, program, schedules).run()
