# SPDX-License-Identifier: Apache-2.0
"""Runs a field program on the simulator of its datapath, on given elements of the field.

PROGRAM is a file (`double.pmu`), NAME=HEX a global of it, or, with @, an external value of the machine. What the
program wrote comes out in the same form. There is nothing around the datapath: no digit scan, no side units, no
conditions but its own flags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pointmill.commands.common import EXIT_OK, EXIT_REFUSED, CommandError
from pointmill.commands.schedule import cycles, read
from pointmill.ucode import trial
from pointmill.ucode.simulator import ExecutionError
from pointmill.usage import Parser

_VALUE = re.compile(r"(@?[A-Za-z_]\w*(?:\[\d+\])?)=(.*)", re.ASCII)
_HEX = re.compile(r"(?:0x)?([0-9a-fA-F]+)", re.ASCII)


def _number(parser: Parser, name: str, text: str) -> int:
    digits = _HEX.fullmatch(text)
    if not digits:
        parser.error(f"{name}: {text!r} is no hex number")
    return int(digits[1], 16)


def _values(parser: Parser, words: Sequence[str]) -> dict[str, int]:
    values: dict[str, int] = {}
    for word in words:
        value = _VALUE.fullmatch(word)
        if not value:
            parser.error(f"{word!r} is not NAME=HEX")
        if value[1] in values:
            parser.error(f"{value[1]} is there twice")
        values[value[1]] = _number(parser, value[1], value[2])
    return values


def main(argv: Sequence[str] | None = None) -> int:
    """`pointmill simulate PROGRAM`; exit code 1 if the program refuses, 2 for wrong usage, files or words."""
    parser = Parser(prog="pointmill simulate", description=__doc__)
    parser.add_argument("program", type=Path, metavar="PROGRAM", help="file of a program")
    parser.add_argument("values", nargs="*", metavar="NAME=HEX",
                        help="element of the field for a global, or @external value")
    parser.add_argument("--machine", type=Path, metavar="FILE", required=True, help="machine description")
    parser.add_argument("--modulus", metavar="HEX", required=True, help="of the field")
    parser.add_argument("--length", type=cycles, metavar="N",
                        help="cycles of a multiplication where the modulus decides them")
    parser.add_argument("--entry", metavar="LABEL", help="where to begin (default: with the first word)")
    parser.add_argument("--json", action="store_true", help="machine-readable")
    args = parser.parse_intermixed_args(argv)
    modulus, values = _number(parser, "--modulus", args.modulus), _values(parser, args.values)
    built = read(args.program, args.machine, args.length)
    try:
        outcome = trial.run(built, trial.simulator(built, modulus, args.length), values, args.entry)
    except trial.TrialError as error:
        parser.error(str(error))
    except ExecutionError as error:
        raise CommandError(f"{args.program}: {error}", "input_error") from None
    digits = -(-modulus.bit_length() // 4)
    shown = {name: f"{value:0{digits}x}" for name, value in outcome.values.items()}
    if args.json:
        print(json.dumps({**asdict(outcome), "values": shown}))
    else:
        print(f"{outcome.reason}, {outcome.cycles} cycles, {outcome.products} products, {outcome.sums} sums")
        print("".join(f"{name}={value}\n" for name, value in shown.items()), end="")
    return EXIT_OK if outcome.reason == "ok" else EXIT_REFUSED
