# SPDX-License-Identifier: Apache-2.0
"""Prints the schedule of a field program, or of one of its blocks, cycle by cycle.

PROGRAM is a name in hw/*/ucode/, alone or behind its core and machine (`xdh`, `multicurve.xdh`, `multicurve.fast.xdh`),
a block of it (`xdh.ladder_step`) or a block alone (`ladder_step`). Where several have the name, the first one is shown.
With --machine it is a file (`ladder.pmu`). In a machine that interleaves several jobs a cycle is an issue slot of one
job.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentTypeError
from collections.abc import Iterable, Sequence
from pathlib import Path

from pointmill.commands.common import CommandError, explain
from pointmill.report.diagram import draw
from pointmill.ucode import verilog
from pointmill.ucode.assembler import AssemblyError
from pointmill.ucode.build import Built, build, build_file
from pointmill.ucode.images import NOT_IN_ROM, PRODUCT_CYCLES, programs
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule, ScheduleError
from pointmill.ucode.timeline import Timeline, timeline
from pointmill.usage import Parser


class UnknownProgram(KeyError):
    """No program or block of that name; the message lists the known ones."""

    def __str__(self) -> str:
        return self.args[0]


def _names(core: str, config: str, program: str) -> tuple[str, ...]:
    return program, f"{core}.{program}", f"{core}.{config}.{program}"


def _check_length(machine: Machine, length: int | None) -> None:
    """CommandError for the cycles of a multiplication, if given, where no modulus decides them."""
    if length is not None and not machine.lengths:
        raise CommandError(f"{machine.path.name}: no modulus changes the length of a product; leave --length out")


def cycles(text: str) -> int:
    """Cycles of a multiplication, as an argument."""
    if (number := int(text)) < 1:
        raise ArgumentTypeError("a multiplication takes at least one cycle")
    return number


def _timelines(machine: Machine, schedules: Iterable[Schedule], length: int | None) -> list[Timeline]:
    product = length or PRODUCT_CYCLES.get(machine.core)
    return [timeline(machine, schedule, product) for schedule in schedules]


def find(wanted: str, product: int | None = None) -> tuple[str, list[Timeline]]:
    """(core.machine.program, its blocks or the one that is wanted). product: cycles of a multiplication where the
    modulus decides them. CommandError where it does not."""
    known = []
    for core, config, program in sorted([*programs(), *NOT_IN_ROM],
                                        key=lambda found: wanted.split(".")[0] not in found):
        machine, _, schedules, _ = build(core, program, config)
        title, names = f"{core}.{config}.{program}", _names(core, config, program)
        chosen = {block: schedule for block, schedule in schedules.items()
                  if wanted in names or wanted in (block, *(f"{name}.{block}" for name in names))}
        if chosen:
            _check_length(machine, product)
            return title, _timelines(machine, chosen.values(), product)
        known.append(title)
    raise UnknownProgram(f"no program or block {wanted}; programs: {', '.join(known)}")


def read(program: Path, machine: Path, length: int | None = None) -> Built:
    """The program of a file, built for the machine that a file describes. CommandError where one of them is wrong, or
    `length`, the cycles of a multiplication, is given where no modulus decides them."""
    try:
        described = Machine.load(machine)
        _check_length(described, length)
        return build_file(program, described)
    except (AssemblyError, ScheduleError, ValueError) as error:
        raise CommandError(str(error), "input_error") from None


def rom_text(name: str, built: Built) -> str:
    """Module `name`, the ROM of a program."""
    machine, program, _, rom = built
    what = f"Microcode of {program.name}, machine {machine.path.name}."
    return verilog.rom_module(name, f"{program.name}.pmu", what, machine.isa.word_bits, rom.encoded(machine),
                              "pointmill schedule")  # fmt: skip


def _rom_line(path: Path, built: Built) -> str:
    machine, _, _, rom = built
    places = ", ".join(f"{label} at {address}" for label, address in rom.labels.items())
    return f"{path.name}: {len(rom.words)} words of {machine.isa.word_bits} bits; {places}"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise CommandError(explain(error), "output_error") from None


def main(argv: Sequence[str] | None = None) -> int:
    """`pointmill schedule PROGRAM`; exit code 2 for an unknown program or a file that is wrong."""
    parser = Parser(prog="pointmill schedule", description=__doc__)
    parser.add_argument("program", metavar="PROGRAM", help="program, or block of it")
    parser.add_argument("--machine", type=Path, metavar="FILE", help="machine description; PROGRAM is then a file")
    parser.add_argument("--length", type=cycles, metavar="N",
                        help="cycles of a multiplication where the modulus decides them (multicurve: 8 for 256 bits)")
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it as well")
    parser.add_argument("--rom", type=Path, metavar="NAME.sv",
                        help="with --machine: write its ROM as well, module NAME")
    args = parser.parse_args(argv)
    if args.rom and not args.machine:
        parser.error("--rom wants --machine")
    if args.rom and not re.fullmatch(r"[A-Za-z_]\w*\.sv", args.rom.name, re.ASCII):
        parser.error(f"--rom {args.rom}: the file is named NAME.sv after its module")
    built = read(Path(args.program), args.machine, args.length) if args.machine else None
    if built:
        machine, program, schedules, _ = built
        title = f"{program.name}, {machine.path.name}"
        blocks = _timelines(machine, schedules.values(), args.length)
    else:
        try:
            title, blocks = find(args.program, args.length)
        except UnknownProgram as error:
            parser.error(str(error))
    if args.svg and not any(block.works for block in blocks):
        raise CommandError(f"{args.program}: no operations to draw", "input_error")
    if args.svg:
        _write(args.svg, draw(title, blocks, labelled=True).document())
    if args.rom and built:
        _write(args.rom, rom_text(args.rom.stem, built))
    if args.json:
        print(json.dumps({"program": title, "blocks": [block.record() for block in blocks]}))
        return 0
    print("\n".join(block.table() for block in blocks))
    if args.rom and built:
        print(_rom_line(args.rom, built))
    return 0
