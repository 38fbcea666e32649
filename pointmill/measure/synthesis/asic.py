# SPDX-License-Identifier: Apache-2.0
"""Standard-cell area in every timing library, a Liberty file, plain or .gz, of the folder PM_LIBERTY. None comes with
the project.

Yosys makes gates of a unit once (`synth -flatten`) and maps them for each library: `dfflibmap`, then `abc` for speed,
with trees of buffers and sizes of cells. Enables of registers are gates, in every library alike: `abc` does not see how
many registers an enable drives. The area is that of the cells, before placement, without clock tree. Units with `quick`
in data/units.yaml are mapped without restructuring their logic before: large multipliers and cores of half a million
gates, of which that has not been seen to end in every library.

area  in the unit of the library, square micrometres      kge  area / area of its smallest NAND2 / 1000
"""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

from pointmill.measure.synthesis.yosys import OUT, Unit, read_command, yosys
from pointmill.simbuild import ROOT, BuildError, locked

_DO_NOT_USE = ("*lpflow*", "*probe*")
COMMAND = "synth -flatten -noabc -top {top}"
_CELLS = "&nf;&put;buffer,-c,-N,16;upsize,-c;dnsize,-c"
SPEED = f"+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dch,-f;strash;&get,-n;&dch,-f;{_CELLS}"
QUICK = f"+strash;&get,-n;{_CELLS}"
_NAND2 = re.compile(r'cell\s*\(\s*"?(\w*nand2_1)"?\s*\)(.*?)\barea\s*:\s*"?([0-9.]+)', re.DOTALL)


def mapping(unit: Unit) -> str:
    """What Yosys runs to map the gates of a unit, with places for the library and cells that are not to be used."""
    script = QUICK if unit.quick else SPEED
    return ("dffunmap -ce-only; dfflibmap {unused} -liberty {path}; "
            f"abc {{unused}} -liberty {{path}} -script {script}; opt_clean -purge")


def liberty_files() -> list[Path]:
    """The libraries in PM_LIBERTY; `BuildError` when there is none."""
    folder = os.environ.get("PM_LIBERTY")
    if not folder:
        raise BuildError("no timing library: set PM_LIBERTY to a folder of them")
    if not (found := sorted([*Path(folder).glob("*.lib"), *Path(folder).glob("*.lib.gz")])):
        raise BuildError(f"no timing library at {folder}")
    return found


def unpacked(library: Path) -> Path:
    """A plain copy of `library` below build/, where Yosys can read it."""
    copy = OUT / "liberty" / library.name.removesuffix(".gz")
    with locked(copy):
        data = library.read_bytes()
        copy.write_bytes(gzip.decompress(data) if library.suffix == ".gz" else data)
    return copy


def nand2_area(text: str) -> float:
    """Area of the smallest two-input NAND of a Liberty file; `BuildError` when it has none."""
    match = _NAND2.search(text)
    if match is None:
        raise BuildError("the timing library has no cell named *nand2_1")
    return float(match[3])


def gates(unit: Unit) -> Path:
    """A netlist of `unit` in gates that no library knows yet."""
    base = (OUT / "asic" / unit.name).relative_to(ROOT)
    with locked(ROOT / base):
        yosys([read_command(unit), "chformal -remove", COMMAND.format(top=unit.top),
               f"write_rtlil {base}.il"], ROOT / f"{base}.log")
    return ROOT / f"{base}.il"


def area(unit: Unit, netlist: Path, library: Path) -> tuple[float, float]:
    """Area of `unit` (`netlist`: its gates) in `library`, a plain file below build/, and its kilo gate equivalents.

    `BuildError` when the library has no flip-flop that the unit needs.
    """
    base = (OUT / "asic" / library.stem / unit.name).relative_to(ROOT)
    path = library.relative_to(ROOT)
    unused = " ".join(f"-dont_use {pattern}" for pattern in _DO_NOT_USE)
    with locked(ROOT / base):
        yosys([f"read_rtlil {netlist.relative_to(ROOT)}",
               mapping(unit).format(unused=unused, path=path),
               f"tee -q -o {base}.stat.json stat -json -liberty {path}",
               "splitnets",
               f"write_verilog -noattr -noexpr -nohex -simple-lhs {base}.v"], ROOT / f"{base}.log")
        total = float(json.loads((ROOT / f"{base}.stat.json").read_text())["design"]["area"])
    return total, total / nand2_area(library.read_text()) / 1000
