# SPDX-License-Identifier: Apache-2.0
"""The command line `pointmill` (page docs/cli.md).

Exit codes: 0 everything asked for holds, 1 something is not valid, 2 usage or device error. An
error is one JSON line {"valid": false, "reason", "error"} on standard output.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from . import __version__
from .client import DeviceError
from .commands import curve, demo, registers, secret, selftest, verify
from .commands.common import EXIT_ERROR, CommandError, write_error
from .simbuild import BuildError
from .usage import Parser

TOOLS = {
    "bench": ("pointmill.bench.report", "measure the core beside the published figures"),
    "measure": ("pointmill.evidence.measure", "make the measurements that the records are missing"),
    "report": ("pointmill.report.page", "write the page of tables and pictures from the committed records"),
    "ratchet": ("pointmill.evidence.ratcheted", "compare the records with the committed counts and areas"),
    "schedule": ("pointmill.ucode.command", "show the schedule of a field program"),
    "sweep": ("pointmill.sweep.command", "measure many settings of one part"),
}
"""Commands that take all their words themselves: module with a `main(words)`, what they do."""


def make_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="pointmill", description="Elliptic-curve cores behind a driver.")
    parser.add_argument("--version", action="version", version=f"pointmill {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    verify.add_parser(commands)
    secret.add_parsers(commands)
    curve.add_parsers(commands)
    registers.add_parsers(commands)
    selftest.add_parser(commands)
    demo.add_parser(commands)
    for name, (_, text) in TOOLS.items():
        commands.add_parser(name, help=text, add_help=False)
    return parser


def _run_tool(module: str, words: list[str]) -> int:
    """Runs a command of TOOLS."""
    try:
        return importlib.import_module(module).main(words)
    except SystemExit as ended:
        return int(ended.code or 0)


def _dispatch(words: list[str]) -> int:
    if words and words[0] in TOOLS:
        return _run_tool(TOOLS[words[0]][0], words[1:])
    args = make_parser().parse_args(words)
    return args.run(args)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. argv: words after the program's name."""
    words = list(sys.argv[1:] if argv is None else argv)
    # Names of files may hold bytes that are no text: they are shown escaped.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except CommandError as error:
        write_error(str(error), error.kind)
    except (DeviceError, BuildError) as error:
        write_error(str(error), "device_error")
    except KeyboardInterrupt:
        write_error("interrupted", "interrupted")
    except BrokenPipeError:
        # The reader went away; keep Python from complaining when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_ERROR


if __name__ == "__main__":
    sys.exit(main())
