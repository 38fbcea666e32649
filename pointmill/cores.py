# SPDX-License-Identifier: Apache-2.0
"""The cores: their configurations and what is in their ROMs, read from hw/<core>/core.yaml, the one place that names
them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .resources import ROOT
from .yaml_file import read_yaml

HW = ROOT / "hw"
STATUSES = ("supported", "reproduction", "experimental")


@dataclass(frozen=True)
class Configuration:
    """A named configuration: parameters of the top module, and the machine description of its programs."""

    name: str
    purpose: str
    status: str
    """`supported`, `reproduction` (of a published design) or `experimental`."""
    machine: str
    parameters: dict[str, int]


@dataclass(frozen=True)
class Rom:
    """The programs of one machine description in one ROM."""

    core: str
    machine: str
    title: str
    """What its microcode is of."""
    entries: dict[str, str]
    """Label at which a job enters, `program` or `program.label`, by the name of the entry."""
    wipe: str = ""
    """Label from which on registers are wiped; none if empty."""
    columns: int = 0
    """At most so many columns of memory hold the bits of a word; one each if 0."""
    logic: bool = False
    """All bits are logic behind the address: for a program too short for a memory."""

    @property
    def module(self) -> str:
        """What the names of the generated modules begin with."""
        return f"pm_{self.core}_{self.machine}"

    @property
    def programs(self) -> tuple[str, ...]:
        """In the order of the ROM."""
        return tuple(dict.fromkeys(label.partition(".")[0] for label in self.entries.values()))


@dataclass(frozen=True)
class Core:
    """A core: its top module is pm_<name>."""

    name: str
    default: str
    """Configuration where none is named."""
    configurations: dict[str, Configuration]
    roms: dict[str, Rom]

    @property
    def top(self) -> str:
        """Name of the top module."""
        return f"pm_{self.name}"

    @property
    def files(self) -> Path:
        """File list of the RTL."""
        return HW / self.name / f"{self.name}.f"

    @property
    def parameters(self) -> dict[str, dict[str, int]]:
        """Parameters of the top module by configuration."""
        return {name: one.parameters for name, one in self.configurations.items()}


def parse(name: str, data: dict[str, Any]) -> Core:
    """The core that `data` describes. `ValueError` for an unknown status or key, a default that is no configuration,
    or a configuration whose machine has no ROM."""
    try:
        roms = {machine: Rom(name, machine, **rom) for machine, rom in data["roms"].items()}
        configurations = {
            config: Configuration(name=config, **({"machine": config, "parameters": {}} | fields))
            for config, fields in data["configurations"].items()
        }
        default = data["default"]
    except (TypeError, KeyError) as error:
        raise ValueError(f"core {name}: {error}") from error
    if default not in configurations:
        raise ValueError(f"core {name}: the default {default} is no configuration")
    for one in configurations.values():
        if one.status not in STATUSES:
            raise ValueError(f"core {name}, {one.name}: status {one.status} is none of {', '.join(STATUSES)}")
        if one.machine not in roms:
            raise ValueError(f"core {name}, {one.name}: machine {one.machine} has no ROM")
    return Core(name, default, configurations, roms)


def load(name: str) -> Core:
    """The core of hw/<name>/core.yaml."""
    return parse(name, read_yaml(HW / name / "core.yaml"))


EDVERIFY, MULTICURVE, X25519, MPU = (load(name) for name in ("edverify", "multicurve", "x25519", "mpu"))
CORES = {core.name: core for core in (EDVERIFY, MULTICURVE, X25519, MPU)}
