# SPDX-License-Identifier: Apache-2.0
"""A trial run of a program: elements of the field into its registers, the program on the simulator, elements out of
them.

There is nothing around the datapath: no digit scan, no side units, no conditions but the datapath's own flags.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from pointmill.ucode import datapath
from pointmill.ucode.build import Built
from pointmill.ucode.ir import Home, Program
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator


class TrialError(ValueError):
    """Values, a field or an entry that the program or its machine does not take."""


_Part = TypeVar("_Part")


class _Given(dict[str, _Part]):
    """What a trial has of a kind; ExecutionError for what it does not have."""

    def __init__(self, kind: str, given: Mapping[str, _Part] | None = None) -> None:
        super().__init__(given or {})
        self.kind = kind

    def __missing__(self, name: str) -> NoReturn:
        raise ExecutionError(f"a trial has no {self.kind} {name}")


@dataclass(frozen=True)
class Outcome:
    """The reason with which the program ended, the cycles until all results were there, operations, and the registers
    that it wrote, by name."""

    reason: str
    cycles: int
    products: int
    sums: int
    values: dict[str, int]


def registers(program: Program) -> dict[str, Home]:
    """Globals and elements of tables by name."""
    tables = {f"{name}[{i}]": Home(home.bank, home.register + i)
              for name, (home, size) in program.tables.items() for i in range(size)}
    return program.globals | tables


def simulator(built: Built, modulus: int, length: int | None) -> Simulator:
    """The simulator of a program in the field of this modulus, with products of `length` cycles where the modulus
    decides them. TrialError where the machine has no such field."""
    machine, _, _, rom = built
    try:
        engine = datapath.of(machine).engine.of_field(machine, modulus, length)
    except ValueError as error:
        raise TrialError(f"{machine.path.name}: {error}") from None
    return Simulator(machine, rom.encoded(machine), rom.labels, engine)


def _place(program: Program, machine: Machine, name: str) -> Home | str:
    """The register of a name, or the external value of @name."""
    if name.startswith("@"):
        if name[1:] not in machine.inputs:
            raise TrialError(f"no external value {name}; there is {', '.join(f'@{one}' for one in machine.inputs)}")
        return name[1:]
    known = registers(program)
    if name not in known:
        raise TrialError(f"no global {name}; there is {', '.join(known) or 'none'}")
    return known[name]


def _written(program: Program, schedules: dict[str, Schedule], run: Run, given: set[Home]) -> set[Home]:
    """What the blocks of a run wrote. ExecutionError where one read what was neither given nor written before it."""
    known, written = set(given), set[Home]()
    names = {home: name for name, home in registers(program).items()}
    for label in run.met:  # in the order in which they were met first
        if label not in schedules:
            continue
        block = schedules[label].block
        for arg in (arg for op in block.ops for arg in op.args if arg.is_source and arg.home and not arg.external):
            for home in arg.allocated.covers():
                if home in names and home not in known:
                    raise ExecutionError(f"{label} reads {names[home]}, which has no value")
        written |= block.written.keys()
        known |= block.written.keys()
    return written


def run(built: Built, simulated: Simulator, values: dict[str, int], entry: str | None = None) -> Outcome:
    """Run the program from a label, by default its first word, on these elements of the field, by the names of globals
    and (@name) of external values. TrialError, ExecutionError."""
    machine, program, schedules, rom = built
    engine = simulated.engine
    if entry is not None and entry not in rom.labels:
        raise TrialError(f"no label {entry}; there is {', '.join(rom.labels) or 'none'}")
    for name, value in values.items():
        if not 0 <= value < engine.p:
            raise TrialError(f"{name} is not below the modulus")
    held: dict[Home | str, int] = {}
    for name, value in values.items():
        place = _place(program, machine, name)
        if place in held:
            raise TrialError(f"{name} has the register of another name that is given")
        held[place] = engine.represent(value)
    given = {home for home in held if isinstance(home, Home)}
    inputs = {name: _constant(value) for name, value in held.items() if isinstance(name, str)}
    environment = Environment(
        _Given("external value", inputs), _Given("condition"), _Given("side unit"), _no_walk,
        registers={(home.bank, home.register): held[home] for home in given})  # fmt: skip
    done = simulated.run(environment, rom.labels[entry] if entry else 0)
    cycles = simulated.settle()
    written = _written(program, schedules, done, given)
    reasons = {number: name for name, number in machine.reasons.items()}
    results = {name: engine.element(engine.banks[home.bank][home.register])
               for name, home in registers(program).items() if home in written}
    return Outcome(reasons[done.reason], cycles, done.products, done.butterflies, results)


def _constant(value: int) -> Callable[[int], int]:
    return lambda _: value


def _no_walk() -> tuple[str, int]:
    raise ExecutionError("a trial has no digit scan to dispatch")
