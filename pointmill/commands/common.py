# SPDX-License-Identifier: Apache-2.0
"""What the commands share: exit codes, errors, options, input and opening of the device."""

from __future__ import annotations

import os
import re
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, BinaryIO

from ..cores import EDVERIFY, MPU, MULTICURVE, X25519
from ..device import Device, DeviceError, X25519Device
from ..simbuild import BuildError
from .output import waiting, write_error

EXIT_OK = 0
"""Everything asked for holds: all signatures valid, all checks passed."""
EXIT_REFUSED = 1
"""The command did its work, and something is not valid."""
EXIT_ERROR = 2
"""Wrong usage, or the device or a tool failed."""

DEVICES = ("sim", "uio", "uart", "litepcie")
FUNCTIONAL = "model"
"""The functional device in place of a back-end, which is not the RTL and is said to be none in every result."""
DEFAULTS = {"edverify": EDVERIFY.default, "multicurve": MULTICURVE.default, "mpu": MPU.default,
            "x25519": X25519.default}
"""Configuration of each core where none is named."""


class CommandError(Exception):
    """Ends a command with exit code 2; its text goes out as one JSON line."""

    def __init__(self, text: str, kind: str = "usage") -> None:
        super().__init__(text)
        self.kind = kind


class DeviceName(str):
    """A back-end by name, with settings that stood behind it: `uart:/dev/ttyUSB1,115200`, `litepcie:/dev/litepcie0`."""

    settings: str = ""


def device_name(text: str, functional: bool = False) -> DeviceName:
    """What the option --device says: a back-end, of `uart` also the line and its rate, of `litepcie` the device, each
    of which may be left out. functional: it may be the functional device too. `ValueError` for anything else."""
    found = re.fullmatch(r"(\w+)(?::([^,]+))?(?:,(\d+))?", text)
    names = (*DEVICES, *([FUNCTIONAL] if functional else []))
    if found is None or found[1] not in names or (found[1] not in ("uart", "litepcie") and found[1] != text) or (
            found[1] == "litepcie" and found[3]):
        raise ValueError(text)
    device = DeviceName(found[1])
    device.settings = ",".join(f"{key}={value}" for key, value in (("port", found[2]), ("baud", found[3])) if value)
    return device


def add_device_options(parser: ArgumentParser, default: str | None = EDVERIFY.default,
                       configs: Collection[str] | None = EDVERIFY.parameters, functional: bool = False) -> None:
    """--config, --device and --settings. default: None where the core decides. configs: None where any name
    is taken here. functional: whether there may be the functional device too."""
    parser.add_argument("--config", default=default, choices=configs and list(configs),
                        help=f"named configuration of the core (default: {default or 'that of the core'})")
    def device(text: str) -> DeviceName:
        return device_name(text, functional)

    names = ("sim", "uio", "uart[:LINE][,BAUD]", "litepcie[:DEVICE]", *([FUNCTIONAL] if functional else []))
    parser.add_argument("--device", default="sim", type=device, metavar=f"{{{','.join(names)}}}",
                        help="back-end of the driver" + ", or model, a functional device" * functional
                             + " (default: %(default)s)")
    parser.add_argument("--settings", default="", metavar="KEY=VALUE,...",
                        help="settings of the back-end, see docs/driver.md")


def explain(error: Exception) -> str:
    """The text of an error; of one of the operating system, the file and what is wrong with it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error)


def count_lines(stream: BinaryIO) -> int | None:
    """Lines of a regular file from its position on, which is kept; None for anything else."""
    file = stream.fileno()
    if not stat.S_ISREG(os.fstat(file).st_mode):
        return None
    position = os.lseek(file, 0, os.SEEK_CUR)
    count = sum(block.count(b"\n") for block in iter(lambda: os.read(file, 1 << 20), b""))
    os.lseek(file, position, os.SEEK_SET)
    return count


@contextmanager
def open_input(name: str | None, *errors: type[Exception]) -> Iterator[tuple[BinaryIO | None, int | None]]:
    """The file of this name, "-" being standard input, and its lines if a progress bar wants them; None of
    both without a name, where the items come from elsewhere. It is closed at the end, standard input is not.

    `CommandError` if it cannot be opened or read; so are other `errors` of whatever the items come from.
    """
    if name == "-" and sys.stdin is None:
        raise CommandError("standard input is closed", "input_error")
    stream: BinaryIO | None = None
    refused: tuple[type[Exception], ...] = (OSError, *errors)
    try:
        if name is not None:
            stream = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115 - closed below
        yield stream, count_lines(stream) if stream is not None and sys.stderr.isatty() else None
    except refused as error:
        raise CommandError(explain(error), "input_error") from error
    finally:
        if stream is not None and name != "-":
            stream.close()


@contextmanager
def open_core(client: Callable[[str, str, str], Any], args: Namespace) -> Iterator[Any]:
    """What `client` opens for configuration, back-end and settings of the options; `CommandError` when it
    does not open."""
    try:
        with waiting("preparing the device (the first time the core is compiled)"):
            settings = filter(None, (args.device.settings, args.settings))
            device = client(args.config, args.device, ",".join(settings))
    except (DeviceError, BuildError, ValueError, OSError) as error:
        raise CommandError(f"{args.device}: {error}", "device_error") from error
    with device:
        yield device


def require_config(args: Namespace, core: str, configs: Collection[str]) -> None:
    """`CommandError` unless the core has the configuration that the options name."""
    if args.config not in configs:
        raise CommandError(f"configuration {args.config} of the core {core} is none; "
                           f"there is {', '.join(configs)}")


def open_device(args: Namespace) -> AbstractContextManager[Device]:
    """The core `edverify` that the options name, likewise."""
    require_config(args, "edverify", EDVERIFY.parameters)
    if args.device == FUNCTIONAL:
        from ..functional.device import FunctionalDevice

        return open_core(FunctionalDevice, args)
    return open_core(Device, args)


def open_x25519_device(args: Namespace) -> AbstractContextManager[X25519Device]:
    """The core `x25519` that the options name, likewise."""
    require_config(args, "x25519", X25519.parameters)
    return open_core(X25519Device, args)


def exit_code(args: Namespace, complete: bool, failure: DeviceError | None) -> int:
    """The exit code of a command that has answered all; the error line if the device failed."""
    if failure is not None:
        write_error(f"{args.device}: {failure}", "device_error")
        return EXIT_ERROR
    return EXIT_OK if complete else EXIT_REFUSED
