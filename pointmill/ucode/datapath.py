# SPDX-License-Identifier: Apache-2.0
"""What a kind of datapath is to the tools: one module each, named as the key `datapath` of an ISA names it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pointmill.ucode.assembler import BlockAssembler
    from pointmill.ucode.emitter import Cells
    from pointmill.ucode.machine import Machine
    from pointmill.ucode.scheduler import LoneScheduler, Scheduler
    from pointmill.ucode.simulator import Engine


@dataclass(frozen=True)
class Datapath:
    """What the tools ask of a datapath: the statements of its blocks, when their operations start, where they stand in
    words and on which unit, what they compute."""

    statements: type[BlockAssembler]
    scheduler: type[Scheduler] | type[LoneScheduler]
    cells: type[Cells]
    engine: type[Engine]


def of(machine: Machine) -> Datapath:
    """The datapath of a machine."""
    return import_module(f"pointmill.ucode.{machine.isa.datapath}").DATAPATH
