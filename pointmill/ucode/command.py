# SPDX-License-Identifier: Apache-2.0
"""Prints the schedule of a field program, or of one of its blocks, cycle by cycle.

PROGRAM is a name in ucode/, alone or behind its core and machine (`xdh`, `multicurve.xdh`, `multicurve.fast.xdh`), a block of
it (`xdh.ladder_step`) or a block alone (`ladder_step`). Where several have the name, the first one is shown. In a machine that
interleaves several jobs a cycle is an issue slot of one job.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pointmill.ucode.build import build
from pointmill.ucode.diagram import draw
from pointmill.ucode.images import NOT_IN_ROM, PRODUCT_CYCLES, programs
from pointmill.ucode.timeline import Timeline, timeline
from pointmill.usage import Parser


class UnknownProgram(KeyError):
    """No program or block of that name; the message lists the known ones."""

    def __str__(self) -> str:
        return self.args[0]


def _names(core: str, config: str, program: str) -> tuple[str, ...]:
    return program, f"{core}.{program}", f"{core}.{config}.{program}"


def find(wanted: str, product: int | None = None) -> tuple[str, list[Timeline]]:
    """(core.machine.program, its blocks or the one that is wanted). product: cycles of a multiplication where the modulus
    decides them."""
    known = []
    for core, config, program in sorted([*programs(), *NOT_IN_ROM], key=lambda found: wanted.split(".")[0] not in found):
        machine, _, schedules, _ = build(core, program, config)
        title, names = f"{core}.{config}.{program}", _names(core, config, program)
        chosen = {block: schedule for block, schedule in schedules.items()
                  if wanted in names or wanted in (block, *(f"{name}.{block}" for name in names))}
        if chosen:
            return title, [timeline(machine, schedule, product or PRODUCT_CYCLES.get(core)) for schedule in chosen.values()]
        known.append(title)
    raise UnknownProgram(f"no program or block {wanted}; programs: {', '.join(known)}")


def main(argv: Sequence[str] | None = None) -> int:
    """`pointmill schedule PROGRAM`; exit code 2 for an unknown program."""
    parser = Parser(prog="pointmill schedule", description=__doc__)
    parser.add_argument("program", metavar="PROGRAM", help="program, or block of it")
    parser.add_argument("--length", type=int, metavar="N",
                        help="cycles of a multiplication where the modulus decides them (multicurve: 8 for 256 bits)")
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it as well")
    args = parser.parse_args(argv)
    if args.length is not None and args.length < 1:
        parser.error("a multiplication takes at least one cycle")
    try:
        title, blocks = find(args.program, args.length)
    except UnknownProgram as error:
        parser.error(str(error))
    if args.json:
        print(json.dumps({"program": title, "blocks": [block.record() for block in blocks]}))
    else:
        print("\n".join(block.table() for block in blocks))
    if args.svg:
        args.svg.write_text(draw(title, blocks, labelled=True).document())
    return 0
