# SPDX-License-Identifier: Apache-2.0
"""Descriptions of the cores: what they name is there, and what is wrong in one is said."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
import yaml

from pointmill.cores import CORES, HW, parse


def test_configurations() -> None:
    """Sixteen in four cores, each with a purpose; every published design is reproduced, or is the only one."""
    assert sum(len(core.configurations) for core in CORES.values()) == 15
    for core in CORES.values():
        assert all(one.purpose for one in core.configurations.values())
        assert core.configurations[core.default].status == "supported"
    assert [core for core in CORES if "paper" in CORES[core].configurations] == ["edverify", "multicurve", "x25519"]
    assert all(CORES[core].configurations["paper"].status == "reproduction"
               for core in ("edverify", "multicurve", "x25519"))


@pytest.mark.parametrize("name", CORES)
def test_parameters(name: str) -> None:
    """Every parameter is one of the top module; ROM, package and programs exist."""
    core = CORES[name]
    text = (core.files.parent / "rtl" / f"{core.top}.sv").read_text()
    known = set(re.findall(r"^ *parameter [a-z ]+(\w+) =", text, re.MULTILINE))
    for one in core.configurations.values():
        assert set(one.parameters) <= known, one.name
    for rom in core.roms.values():
        assert (core.files.parent / "gen" / f"{rom.module}_rom.sv").is_file()
        assert (core.files.parent / "gen" / f"{rom.module}_ucode_pkg.sv").is_file()
        assert all((HW / name / "ucode" / f"{program}.pmu").is_file() for program in rom.programs)


@pytest.mark.parametrize("name", CORES)
def test_rtl_defaults(name: str) -> None:
    """The top module without parameters is the default configuration: each parameter that it sets has that value
    there."""
    core = CORES[name]
    text = (core.files.parent / "rtl" / f"{core.top}.sv").read_text()
    found = dict(re.findall(r"^ *parameter [a-z ]+(\w+) = ([^,/\n]+?),? *(?://.*)?$", text, re.MULTILINE))
    constants = dict(re.findall(r"(Form\w+) = (\d+)",
                                "".join(file.read_text() for file in core.files.parent.glob("rtl/*_pkg.sv"))))
    for parameter, value in core.parameters[core.default].items():
        text = constants.get(found[parameter], found[parameter])
        assert int(text.rpartition("'b")[2] if "'b" in text else text) == value, parameter


def test_units_of_configurations() -> None:
    """What is synthesised under the name of a configuration has its parameters."""
    units, compared = yaml.safe_load((HW.parent / "data" / "units.yaml").read_text())["units"], 0
    for core in CORES.values():
        for config, parameters in core.parameters.items():
            whole = [core.top] if config in ("paper", "full") else []
            named = (f"{core.top}_{config}_core", f"{core.top}_{config}", *whole)
            unit = next((units[name] for name in named if name in units), None)
            if unit is not None:
                assert unit.get("params", {}).items() >= parameters.items(), (core.name, config)
                compared += 1
    assert compared == 15


def test_measured_configurations() -> None:
    """What is measured are configurations of the core."""
    plan = yaml.safe_load((HW.parent / "data" / "measurements.yaml").read_text())["bench"]
    named = [(core, config) for core, parts in plan.items() for configs in parts.values() for config in configs]
    assert len(named) == 28 and all(config in CORES[core].configurations for core, config in named)


@pytest.mark.parametrize("where, value, text", [
    (("default",), "fastest", "the default fastest is no configuration"),
    (("configurations", "paper", "status"), "good", "status good is none of supported"),
    (("configurations", "paper", "machine"), "none", "machine none has no ROM"),
    (("configurations", "paper", "colour"), "red", "colour"),
    (("roms",), None, "core edverify"),
])  # fmt: skip
def test_errors(where: tuple[str, ...], value: Any, text: str) -> None:
    """A description that is not in order is refused with what is wrong."""
    data = copy.deepcopy(yaml.safe_load((HW / "edverify" / "core.yaml").read_text()))
    *path, last = where
    place = data
    for key in path:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    with pytest.raises(ValueError, match=text):
        parse("edverify", data)
