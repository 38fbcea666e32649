# SPDX-License-Identifier: Apache-2.0
"""The command line `pointmill` (docs/cli.md).

Exit codes: 0 everything asked for holds, 1 something is not valid, 2 usage, device or output error, more
than 128 ended by a signal or a closed pipe (commands/output.py). An error is one JSON line {"valid": false,
"reason", "error"} on standard output; of standard output itself, a line on standard error.
"""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Sequence

from . import __version__
from .client import DeviceError
from .commands import curve, demo, registers, secret, selftest, verify
from .commands.common import EXIT_ERROR, CommandError
from .commands.output import Stopped, run_program, write_error
from .errors import BuildError
from .resources import IN_CHECKOUT
from .usage import Parser

TOOLS = {
    "bench": "measure cycles and compare them with published figures",
    "fleet": "verify files of any size on many devices",
    "measure": "make missing or stale measurements",
    "report": "write a report of the committed records",
    "ratchet": "compare records with those of the last commit",
    "schedule": "print or draw the schedule of a program",
    "serve": "verification service for other programs",
    "simulate": "run a program on given field elements",
    "sweep": "measure a design space: cycles, area, clock",
}
"""Commands that take all their words themselves, by `main(words)` of their module in commands: what they do."""
OF_CHECKOUT = ("bench", "measure", "report", "ratchet", "sweep")
"""Those that measure the sources, or read what was measured."""
EXTRAS = {"cryptography_vectors": "demo", "cryptography": "keys", "nacl": "serve", "opentelemetry": "traces",
          "pyarrow": "fleet", "ray": "fleet",
          **dict.fromkeys(("grpc", "httptools", "prometheus_client", "starlette", "uvicorn", "uvloop"), "serve")}
"""Extras of the package that bring what a command may need; otherwise it is "report"."""


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
    for name, text in TOOLS.items():
        commands.add_parser(name, help=text, add_help=False)
    return parser


def _run_tool(name: str, words: list[str]) -> int:
    """Runs a command of TOOLS."""
    try:
        return importlib.import_module(f".commands.{name}", __package__).main(words)
    except SystemExit as ended:
        return int(ended.code or 0)


def how_to_install(module: str) -> str:
    """What to do where a Python package is missing."""
    return "run `make setup`" if IN_CHECKOUT else f"pip install 'pointmill[{EXTRAS.get(module, 'report')}]'"


def _dispatch(words: list[str]) -> int:
    if words and words[0] in OF_CHECKOUT and not IN_CHECKOUT:
        raise CommandError(f"{words[0]} works in a checkout of Pointmill alone", "device_error")
    if words and words[0] in TOOLS:
        return _run_tool(words[0], words[1:])
    args = make_parser().parse_args(words)
    return args.run(args)


def run(words: list[str]) -> int:
    """Runs one command in this process; its exit code. words: those after the program's name."""
    # Names of files may hold bytes that are no text: they are shown escaped.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _dispatch(words)
    except CommandError as error:
        write_error(str(error), error.kind)
    except (DeviceError, BuildError) as error:
        write_error(str(error), "device_error")
    except ModuleNotFoundError as error:  # of a command that needs more than a core to run
        name = str(error.name)
        write_error(f"the Python package {name} is not installed: {how_to_install(name)}", "device_error")
    except KeyboardInterrupt as stop:
        number = stop.number if isinstance(stop, Stopped) else signal.SIGINT
        write_error(f"ended by {signal.Signals(number).name}", "interrupted")
        return 128 + number
    return EXIT_ERROR


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; its exit code. argv: None for the words, streams and signals of the process."""
    if argv is None:
        return run_program(lambda: run(sys.argv[1:]))
    return run(list(argv))


if __name__ == "__main__":
    sys.exit(main())
