# SPDX-License-Identifier: Apache-2.0
"""Figures that follow from those of other records, and of programs, alone.

multicurve.at        area times time of a scalar multiplication, kGE ms, by curve and library: area and clock of
                     pm_multicurve in cells and cycles without inversion, as Liu et al. count, of the configuration
                     that is best for the curve: `contexts` for P-256, `contexts_wide` for P-521.
multicurve.contexts  that of `contexts` on P-256: cycles by which a job makes the next one later where every context has
                     one, mean of seeded scalars, from the program, whose turns
                     dv/multicurve/test_pm_multicurve_contexts.py compares with the RTL; without inversion, and with it.
                     The cycles on secp256k1 without inversion. The cycles of `contexts_wide` on both curves without
                     inversion, and its area times time on P-256.
"""

from __future__ import annotations

import random
from pathlib import Path
from statistics import fmean

from pointmill.curves import weierstrass
from pointmill.measure import store
from pointmill.measure.benches.multicurve import CORE
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.ucode.build import Image, link
from pointmill.ucode.multicurve_contexts import NARROW, WIDE, Form, Job, Shared

CURVES = {"P256": "P-256", "P521": "P-521"}
CONTEXTS, CONTEXTS_WIDE = "asic.pm_multicurve_contexts_core", "asic.pm_multicurve_contexts_wide"
BEST = {"P256": (CONTEXTS, NARROW), "P521": (CONTEXTS_WIDE, WIDE)}
"""For a curve: the record of area and clock of the configuration that is best for it, and the form of its numbers."""
SEED, SCALARS = 29, 50
OTHER = "secp256k1"
"""A curve of as many bits as P-256 of which the multiplier does not know the prime."""


def inputs(one: Measurement) -> Inputs:
    """The figures of the records that are used, this file, and the program."""
    found = [store.load(area) for area, _ in BEST.values()]
    text = repr([entry and entry.figures for entry in found])
    return Inputs(files=[Path(__file__)], text=text + repr(_program().words))


def config(one: Measurement) -> dict[str, object]:
    """The records that are used."""
    return {"area and clock": {name: area for name, (area, _) in BEST.items()},
            "cycles": "hw/multicurve/ucode/contexts.pmu"}


def tools(one: Measurement) -> dict[str, str]:
    """None: the records name theirs."""
    return {}


def area_time(kge: float, mhz: float, cycles: float) -> float:
    """kGE ms of an operation of `cycles`."""
    return kge * cycles / (mhz * 1000)


def _program() -> Image:
    return link(CORE, ("contexts",), "contexts")


def contexts_cycles(name: str, form: Form) -> tuple[float, float]:
    """Mean cycles of a product by the contexts, without inversion and with it: a turn of a job is a slot."""
    curve, rng = weierstrass(CURVES.get(name, name)), random.Random(SEED)
    assert curve.n is not None and curve.g is not None
    shared = Shared(curve, form)
    runs = [Job(shared, rng.randrange(curve.n), curve.g).run().run for _ in range(SCALARS)]
    inversions = [run.met["affine"] - run.met["power"] for run in runs]
    whole = shared.slot * fmean(run.cycles for run in runs)
    return whole - shared.slot * fmean(inversions), whole


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` where a record is missing."""
    return _contexts() if one.words[1] == "contexts" else _at()


def _area(name: str) -> tuple[dict[tuple[str, str], float], list[str]]:
    entry = store.load(name)
    if entry is None:
        raise RuntimeError(f"no record of {name}")
    known = {(figure.config, figure.what): figure.value for figure in entry.figures}
    return known, list(dict.fromkeys(config for config, what in known if what == "mhz"))


def _records(name: str, curve: str, area: str, cycles: float) -> list[Record]:
    known, libraries = _area(area)
    return [Record(name, library, curve, round(area_time(known[library, "kge"], known[library, "mhz"], cycles), 2),
                   "kGE ms") for library in libraries]  # fmt: skip


def _contexts() -> list[Record]:
    cycles = dict(zip((f"{CORE}.contexts", f"{CORE}.contexts_inversion"), contexts_cycles("P256", NARROW), strict=True))
    other = contexts_cycles(OTHER, NARROW)[0]
    wide = {name: contexts_cycles(name, WIDE)[0] for name in CURVES}
    return [*(Record(name, "", "cycles_mean", round(count), "cycles") for name, count in cycles.items()),
            *(one for name, count in cycles.items() for one in _records(name, "P256", CONTEXTS, count)),
            Record(f"{CORE}.contexts_{OTHER}", "", "cycles_mean", round(other), "cycles"),
            *(Record(f"{CORE}.contexts_wide_{name}", "", "cycles_mean", round(count), "cycles")
              for name, count in wide.items()),
            *_records(f"{CORE}.contexts_wide", "P256", CONTEXTS_WIDE, wide["P256"])]  # fmt: skip


def _at() -> list[Record]:
    return [one for name, (area, form) in BEST.items()
            for one in _records(f"{CORE}.at", name, area, contexts_cycles(name, form)[0])]  # fmt: skip
