# SPDX-License-Identifier: Apache-2.0
"""Standard cells: area and netlist of a unit in every timing library, a Liberty file, plain or .gz, of the folder
PM_LIBERTY. None comes with the project.

1. Yosys makes gates of a unit (`synth -flatten`), once for all libraries, with modules of syn/tech/cells in place of
   those of the same name; carries of `adders` in data/units.yaml, or Brent and Kung's.
2. `clockgate` puts a clock gate of the library before every GATED registers or more with a common enable, and
   `gating.divide` one for each MOST_GATED of them; other enables are gates. It knows no register whose synchronous
   reset needs no enable, so ENABLED makes the reset a part of the enable first. `dfflibmap` takes registers of the
   library.
   `fanout.plant` puts trees of buffers of the library behind registers and inputs that more than LEAVES gates read:
   `abc` does not do that.
3. `abc`, that of Yosys or the program of PM_ABC (abc.py), maps the gates between them for speed, with buffers and
   sizes, under the wires of data/wires.yaml. Units with `quick` in data/units.yaml are mapped without restructuring
   their logic before: cores of half a million gates. Those with `required` are mapped for area where paths take less
   than so many picoseconds, before their cells are sized; without it all gates that are not on the slowest path are.
   Those with `area` are mapped by area flow.
4. `fanout.plant` and `fanout.resize` once more, for every net of the result: none has more than MOST readers, but those
   of clock and asynchronous reset. A netlist where one has is rejected.

The area is that of the cells, before placement, without clock tree and reset tree, hold buffers and fillers.

area  in the unit of the library, square micrometres      kge  area / area of its smallest NAND2 / 1000
kge_macros  the same with the register arrays of data/macros.yaml as memory macros
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from pointmill.measure.synthesis import abc, fanout, gating, liberty, macros, verilog
from pointmill.measure.synthesis.liberty import Library
from pointmill.measure.synthesis.yosys import OUT, Unit, read_command, yosys
from pointmill.simbuild import ROOT, BuildError, locked, resolve_sources

GATED = 4
"""Registers with a common enable that a clock gate is put before, at least."""
MOST_GATED = 32
"""Registers of a clock gate, at most."""
ENABLED = ["dfflegalize " + " ".join(f"-cell {kind} 01" for kind in (
    "$_DFF_?_", "$_DFFE_??_", "$_DFF_???_", "$_DFFE_????_", "$_SDFF_???_", "$_SDFFCE_????_")), "opt_merge", "opt_clean"]
LEAVES = 12
MOST = 16
TECH = ROOT / "syn" / "tech" / "cells"
_DO_NOT_USE = ("*lpflow*", "*probe*")
COMMAND = "synth -flatten -noabc -top {top}"
_SIZES = f"topo;buffer,-c,-N,{MOST};upsize,-c;dnsize,-c"
LOAD = 6
"""Of a register's input with its wire, femtofarads: what `abc` takes at the ends of its paths."""


@dataclass(frozen=True)
class Cells:
    """A unit in cells: area, kilo gate equivalents, the same with macros and how many bits these have where macros.py
    knows some, the most readers of a net, clock gates, buffers of the trees that were planted, nets that load a cell
    with more than the library allows, and the Verilog netlist."""

    area: float
    kge: float
    kge_macros: float | None
    macro_bits: int
    readers: int
    clock_gates: int
    buffers: int
    overloaded: int
    netlist: Path


def with_tech(unit: Unit) -> Unit:
    """`unit` with the modules of standard cells in place of the generic ones."""
    own = {path.name: path for path in TECH.glob("*.sv")}
    return replace(unit, sources=[str(own.get(path.name, path)) for path in resolve_sources(unit.sources)])


def script(unit: Unit) -> str:
    """What `abc` runs for a unit."""
    if unit.area:
        return f"+strash;&get,-n;&nf,-p;&put;{_SIZES}"
    required = f",-D,{unit.required}" if unit.required else ""
    return f"+strash;{'' if unit.quick else 'dch;'}map,-B,0.9{required};{_SIZES}"


def recipe(unit: Unit) -> str:
    """All that decides how a unit is mapped, beside its sources and the library."""
    return (f"{COMMAND}{_carries(unit)} {unit.libraries} {script(unit)} {ENABLED} {GATED} {MOST_GATED} {LEAVES} {MOST} "
            f"{LOAD} {fanout.SHARE} {liberty.WIRES.read_text()} {macros.recipe(unit.name)}")


def liberty_files() -> list[Path]:
    """The libraries in PM_LIBERTY; `BuildError` when there is none."""
    folder = os.environ.get("PM_LIBERTY")
    if not folder:
        raise BuildError("no timing library: set PM_LIBERTY to a folder of them")
    if not (found := sorted([*Path(folder).glob("*.lib"), *Path(folder).glob("*.lib.gz")])):
        raise BuildError(f"no timing library at {folder}")
    return found


def chosen(unit: Unit) -> list[Path]:
    """The libraries in PM_LIBERTY that a unit is mapped to: all, or those that data/units.yaml names for it."""
    return [path for path in liberty_files() if not unit.libraries or path.name.split(".lib")[0] in unit.libraries]


def unpacked(path: Path) -> Library:
    """The library with the wires of data/wires.yaml: a plain copy below build/, where Yosys can read it."""
    copy = OUT / "liberty" / path.name.removesuffix(".gz")
    wires = liberty.read_wires().get(copy.stem)
    with locked(copy):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        copy.write_text(liberty.with_wires(text, wires) if wires else text)
    return liberty.read(copy, wires)


def _carries(unit: Unit) -> str:
    return f" -extra-map +/choices/{unit.adders}.v" if unit.adders else ""


def gates(unit: Unit) -> Path:
    """A netlist of `unit` in gates that no library knows yet."""
    base = (OUT / "asic" / unit.name).relative_to(ROOT)
    with locked(ROOT / base):
        yosys([read_command(with_tech(unit)), "chformal -remove", COMMAND.format(top=unit.top) + _carries(unit),
               f"write_rtlil {base}.il"], ROOT / f"{base}.log")
    return ROOT / f"{base}.il"


def _module(path: Path, top: str) -> tuple[dict, dict]:
    design = json.loads(path.read_text())
    return design, design["modules"][top]


def checked(module: dict, library: Library) -> int:
    """The most readers of a net; `BuildError` where one has more than MOST."""
    if (most := fanout.most_readers(module, library)) > MOST:
        raise BuildError(f"a net of the netlist has {most} readers, more than {MOST}")
    return most


def mapped(unit: Unit, netlist: Path, library: Library) -> Cells:
    """`unit` (`netlist`: its gates) in cells of `library`.

    `BuildError` when the library has no flip-flop or buffer that the unit needs, or a net has too many readers.
    """
    base = (OUT / "asic" / library.name / unit.name).relative_to(ROOT)
    file = {what: ROOT / f"{base}.{what}" for what in ("log", "in.json", "il", "out.json", "v", "constr")}
    path = library.path.relative_to(ROOT)
    unused = " ".join(f"-dont_use {pattern}" for pattern in _DO_NOT_USE)
    with locked(ROOT / base):
        yosys([f"read_rtlil {netlist.relative_to(ROOT)}", *ENABLED, f"clockgate -liberty {path} -min_net_size {GATED}",
               "dffunmap -ce-only", f"dfflibmap {unused} -liberty {path}",
               "opt_clean -purge", "setattr -unset src -unset hdlname */*", f"write_json {base}.in.json"], file["log"])
        design, module = _module(file["in.json"], unit.top)
        clock_gates = gating.divide(module, library, MOST_GATED)
        buffers = fanout.plant(module, library, LEAVES, fanout.sources(module, library))
        driver = library.buffers[len(library.buffers) // 2]
        file["constr"].write_text(f"set_driving_cell {driver}\nset_load {LOAD}\n")
        if name := abc.program():
            abc.run(name, module, library, script(unit), _DO_NOT_USE, file["constr"])
        else:
            file["in.json"].write_text(json.dumps(design))
            # In two runs, since reading JSON keeps gigabytes.
            yosys([f"read_json {base}.in.json", f"write_rtlil {base}.il"], file["log"])
            yosys([f"read_rtlil {base}.il",
                   f"abc {unused} -liberty {path} -constr {base}.constr -script {script(unit)}",
                   "opt_clean -purge", f"write_json {base}.out.json"], file["log"])  # fmt: skip
            design, module = _module(file["out.json"], unit.top)
        buffers += fanout.plant(module, library, MOST)
        fanout.resize(module, library)
        fanout.name_registers(module, library)
        file["v"].write_text(verilog.netlist(unit.top, module))
        most, over = checked(module, library), fanout.overloaded(module, library)
        for what in ("in.json", "il", "out.json"):
            file[what].unlink(missing_ok=True)
    total = sum(library.cells[cell["type"]].area for cell in module["cells"].values())
    bits, less = macros.saved(unit.name, module, library, macros.read_macros()) or (0, 0.0)
    kilo = library.nand2 * 1000
    return Cells(total, total / kilo, (total - less) / kilo if bits else None, bits, most, clock_gates, buffers,
                 over, file["v"])
