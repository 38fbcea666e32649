# SPDX-License-Identifier: Apache-2.0
"""Figures that follow from those of other records alone.

multicurve.at  area times time of a scalar multiplication, kGE ms, by curve and library: area and clock of
               pm_multicurve in cells, cycles of `paper` without inversion, as Liu et al. count.
"""

from __future__ import annotations

from pathlib import Path

from pointmill.measure import store
from pointmill.measure.benches.multicurve import CORE
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record

CURVES = ("P256", "P521")
AREA, CYCLES = "asic.pm_multicurve", f"bench.{CORE}.curves.paper"


def inputs(one: Measurement) -> Inputs:
    """The figures of the records that are used, and this file."""
    found = [store.load(name) for name in (AREA, CYCLES)]
    return Inputs(files=[Path(__file__)], text=repr([entry and entry.figures for entry in found]))


def config(one: Measurement) -> dict[str, object]:
    """The records that are used."""
    return {"area and clock": AREA, "cycles": CYCLES}


def tools(one: Measurement) -> dict[str, str]:
    """None: the records name theirs."""
    return {}


def area_time(kge: float, mhz: float, cycles: float) -> float:
    """kGE ms of an operation of `cycles`."""
    return kge * cycles / (mhz * 1000)


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` where a record is missing."""
    area, cycles = store.load(AREA), store.load(CYCLES)
    if area is None or cycles is None:
        raise RuntimeError(f"no record of {AREA if area is None else CYCLES}")
    known = {(figure.config, figure.what): figure.value for figure in area.figures}
    counts = {figure.id: figure.value for figure in cycles.figures}
    libraries = dict.fromkeys(config for config, what in known if what == "mhz")
    return [Record(f"{CORE}.at", library, curve,
                   round(area_time(known[library, "kge"], known[library, "mhz"], counts[f"{CORE}.{curve}_whole"]), 2),
                   "kGE ms")
            for library in libraries for curve in CURVES]  # fmt: skip
