# SPDX-License-Identifier: Apache-2.0
"""What the commands share: output, errors, progress and opening of the device."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.progress import TimeElapsedColumn

from ..device import Device, DeviceError
from ..library import CONFIGS, DEFAULT_CONFIG
from ..simbuild import BuildError

EXIT_OK = 0
"""Everything asked for holds: all signatures valid, all checks passed."""
EXIT_REFUSED = 1
"""The command did its work, and something is not valid."""
EXIT_ERROR = 2
"""Wrong usage, or the device or a tool failed."""

DEVICES = ("sim", "uio")


class CommandError(Exception):
    """Ends a command with exit code 2; its text goes out as one JSON line."""

    def __init__(self, text: str, kind: str = "usage") -> None:
        super().__init__(text)
        self.kind = kind


def write_json(record: dict[str, Any]) -> None:
    """One JSON line on standard output; plain ASCII, so that any encoding can carry it."""
    sys.stdout.write(json.dumps(record) + "\n")


def write_error(text: str, kind: str) -> None:
    """The error line of a command: a JSON line that also says `valid` false."""
    write_json({"valid": False, "reason": kind, "error": text})
    sys.stdout.flush()


def output() -> Console:
    """Console for people on standard output."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def messages() -> Console:
    """Console on standard error."""
    return Console(stderr=True, highlight=False)


@contextmanager
def progress_bar(text: str, total: int | None) -> Iterator[Any]:
    """A bar on standard error, on a terminal only; yields a function that advances it by n."""
    if not sys.stderr.isatty():
        yield lambda n=1: None
        return
    columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TextColumn("{task.fields[rate]}"), TimeElapsedColumn()]
    with Progress(*columns, console=messages(), transient=True) as progress:
        task = progress.add_task(text, total=total, rate="")

        def advance(n: int = 1) -> None:
            progress.advance(task, n)
            speed = progress.tasks[0].speed
            if speed:
                progress.update(task, rate=f"{speed:.1f}/s")

        yield advance


def add_device_options(parser: ArgumentParser) -> None:
    """--config, --device and --settings."""
    parser.add_argument("--config", default=DEFAULT_CONFIG, choices=list(CONFIGS),
                        help="named configuration of the core (default: %(default)s)")
    parser.add_argument("--device", default="sim", choices=DEVICES,
                        help="back-end of the driver (default: %(default)s)")
    parser.add_argument("--settings", default="", metavar="KEY=VALUE,...",
                        help="settings of the back-end, see docs/driver.md")


@contextmanager
def open_device(args: Namespace) -> Iterator[Device]:
    """The device that the options name; `CommandError` when it does not open."""
    try:
        if sys.stderr.isatty():
            with messages().status("preparing the device (the first time the core is compiled)"):
                device = Device(args.config, args.device, args.settings)
        else:
            device = Device(args.config, args.device, args.settings)
    except (DeviceError, BuildError, ValueError, OSError) as error:
        raise CommandError(f"{args.device}: {error}", "device_error") from error
    with device:
        yield device
