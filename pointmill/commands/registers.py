# SPDX-License-Identifier: Apache-2.0
"""`pointmill info` and `pointmill regs`: what a core says of itself, by the register map of each."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, cast

from rich.markup import escape
from rich.table import Table

from ..client import DeviceError
from ..curve_device import CurveDevice
from ..device import Device
from ..register_map import Field, address, fields
from ..rules import RULES
from ..simbuild import ROOT
from .common import DEFAULTS, EXIT_OK, add_device_options, open_device, open_x25519_device
from .curve import open_curve_core
from .output import output, write_json

OPEN = {"edverify": open_device, "multicurve": open_curve_core, "mpu": open_curve_core,
        "x25519": open_x25519_device}
"""What opens each core."""


@dataclass(frozen=True)
class Register:
    """A register of the map, at a byte address."""

    name: str
    title: str
    address: int
    fields: tuple[Field, ...]
    readable: bool


def register_map(core: str = "edverify") -> list[Register]:
    """The registers of hw/<core>/regs.rdl in the order of their addresses. `ModuleNotFoundError` without its compiler,
    which no other command needs."""
    from systemrdl import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(ROOT / "hw" / core / "regs.rdl"))
    return [Register(reg.inst_name, reg.get_property("name"), reg.absolute_address,
                     tuple(Field(f.inst_name, f.high, f.low) for f in reg.fields()),
                     reg.has_sw_readable)
            for reg in compiler.elaborate().top.registers()]


def add_parsers(commands: Any) -> None:
    """Adds the two commands to the sub-parsers of argparse."""
    for name, text, run in (("info", "show core, version and configuration", run_info),
                            ("regs", "show all registers with their fields", run_regs)):
        parser: ArgumentParser = commands.add_parser(name, help=text, description=text)
        parser.add_argument("--core", default="edverify", choices=list(OPEN), help="the core (default: %(default)s)")
        parser.add_argument("--json", action="store_true", help="JSON lines")
        add_device_options(parser, None, None)  # which there are, the core decides
        parser.set_defaults(run=run)


def _opened(args: Namespace) -> AbstractContextManager[Device | CurveDevice]:
    """The core that the options name; its configuration is filled in."""
    args.config = args.config or DEFAULTS[args.core]
    return cast(AbstractContextManager[Device | CurveDevice], OPEN[args.core](args))


def run_info(args: Namespace) -> int:
    """Shows name, version, configuration, of `edverify` the rule sets; exit code."""
    with _opened(args) as device:
        values = {name: device.read(address(args.core, name)) for name in ("NAME", "VERSION", "CONFIG")}
        identity = device.identity() if isinstance(device, Device) else None
    parts = {name: {field.name: field.of(value) for field in fields(args.core, name)} for name, value in values.items()}
    record = {"device": args.device, "core": args.core, "config": args.config,
              "name": values["NAME"].to_bytes(4, "little").decode("latin-1"),
              "version": ".".join(str(parts["VERSION"][part]) for part in ("major", "minor", "patch")),
              **parts["CONFIG"]}
    if identity is not None:
        record |= {"config": identity.configuration, "board": identity.board, "clock_mhz": identity.clock_khz / 1000,
                   "revision": identity.revision + (" and changes" if identity.modified else "")}
    if args.core == "edverify":
        record["rules"] = list(RULES)
    if args.json:
        write_json(record)
        return EXIT_OK
    table = Table(show_header=False)
    for name, value in record.items():
        table.add_row(name, ", ".join(value) if isinstance(value, list) else escape(str(value)))
    output().print(table)
    return EXIT_OK


def _read(device: Device | CurveDevice, register: Register) -> dict[str, Any]:
    """What a register holds; numbers in hex."""
    record: dict[str, Any] = {"register": register.name, "address": f"{register.address:02x}"}
    try:
        value = device.read(register.address)
    except DeviceError as error:
        return {**record, "error": str(error)}
    return {**record, "value": f"{value:08x}",
            "fields": {field.name: f"{field.of(value):x}" for field in register.fields}}


def run_regs(args: Namespace) -> int:
    """Reads all registers that can be read; exit code."""
    with _opened(args) as device:
        records = [(register, _read(device, register)) for register in register_map(args.core)
                   if register.readable]
    if args.json:
        for _, record in records:
            write_json(record)
        return EXIT_OK
    table = Table("address", "register", "value", "fields", "what it is")
    for register, record in records:
        content = " ".join(f"{name}={value}" for name, value in record.get("fields", {}).items())
        table.add_row(record["address"], register.name, record.get("value", "-"),
                      content or record.get("error", ""), escape(register.title))
    output().print(table)
    return EXIT_OK
