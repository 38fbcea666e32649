# SPDX-License-Identifier: Apache-2.0
"""The modular multiplier pm_mulmod: Karatsuba levels, which give the leaves, and depth."""

from __future__ import annotations

from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl
from pointmill.measure.synthesis import slang
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.task import Figure, Measure, Params

SOURCES = ("hw/lib/field/field.f",)
PARAMETERS = {
    "N": "bits of the modulus",
    "C": "the modulus is 2^N - C",
    "W": "bits of the operands",
    "Levels": "Karatsuba steps below the outermost one; 3^(Levels + 1) leaves",
    "OpReg": "register after the sums of halves",
    "PreMask": "bit i: register after the pre-additions of step i",
    "InReg": "registers at the inputs of the leaves",
    "MulReg": "registers at their outputs",
    "RecMask": "bit i: register after the recombination of step i",
    "FoldStages": "registers of the reduction",
}


def unit(params: Params) -> Unit:
    """The multiplier with these parameters."""
    return rtl.as_unit("pm_mulmod", SOURCES, params)


def latency(params: Params) -> int:
    """Cycles from operands to product, as the module itself has them; ValueError where it refuses the parameters."""
    return slang.constants(unit(params), "Latency")[0]


def cycles(params: Params) -> list[Figure]:
    """Of a product."""
    return [Figure("cycles", latency(params), "cycles")]


MEASURES = {
    "cycles": Measure(cycles, lambda params: Inputs([unit(params)], [slang.HERE]), ("pyslang",)),
    **rtl.synthesis(unit),
}
