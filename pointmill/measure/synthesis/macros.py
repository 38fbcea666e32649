# SPDX-License-Identifier: Apache-2.0
"""What the register arrays of a unit would save as memory macros, an estimate by data/macros.yaml.

A bit of an array is a flip-flop; as a macro it takes the area that the file states. The clock gates and the
multiplexers that read the array count in both cases: a macro has two ports, the arrays more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from pointmill.measure.synthesis.fanout import REGISTER
from pointmill.measure.synthesis.liberty import Library
from pointmill.simbuild import ROOT

FILE = ROOT / "data" / "macros.yaml"


@dataclass(frozen=True)
class Macros:
    """By library the area of a bit, by unit the patterns of the names of its arrays."""

    bits: dict[str, float]
    units: dict[str, list[str]]


@lru_cache(maxsize=2)
def read_macros(path: Path = FILE) -> Macros:
    """The entries of the file."""
    found = yaml.safe_load(path.read_text())
    return Macros({name: entry["area"] for name, entry in found["bits"].items()}, found["units"])


def recipe(name: str) -> str:
    """What the file says that concerns a unit; nothing where it has no array."""
    known = read_macros()
    return repr((known.units[name], known.bits)) if name in known.units else ""


def saved(name: str, module: dict, library: Library, macros: Macros) -> tuple[int, float] | None:
    """Bits of the arrays of the unit `name` that are in its netlist, and the area that macros save; None where the file
    says nothing of the unit or the library. `ValueError` for an array that is not there."""
    patterns, bit = macros.units.get(name), macros.bits.get(library.name)
    if patterns is None or bit is None:
        return None
    registers = {cell: entry["type"] for cell, entry in module["cells"].items() if library.register(entry["type"])}
    bits, area = 0, 0.0
    for pattern in patterns:
        whole = re.compile(rf"{pattern}\.\d+{re.escape(REGISTER)}")
        kinds = [kind for cell, kind in registers.items() if whole.fullmatch(cell)]
        if not kinds:
            raise ValueError(f"{FILE.name}: {name} has no register {pattern}")
        bits += len(kinds)
        area += sum(library.cells[kind].area - bit for kind in kinds)
    return bits, area
