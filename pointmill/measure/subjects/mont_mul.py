# SPDX-License-Identifier: Apache-2.0
"""The Montgomery multipliers pm_mont_mul and pm_mont_mul_packed by digit, width of the arrays and form: cycles of a
product modulo a prime of NIST, in the verilated unit, and what the unit takes."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from pointmill import curves
from pointmill.gen import named_prime
from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.task import Figure, Measure, Params
from pointmill.simbuild import build_cpp

SOURCES = ("hw/lib/field/field.f",)
BENCH = Path(__file__).with_suffix(".cpp")
PARAMETERS = {
    "bits": "of the modulus, the prime of NIST of that size: 192, 224, 256 (default), 384 or 521",
    "packed": "0: pm_mont_mul, 1: pm_mont_mul_packed",
    "Digit": "bits of a digit",
    "Half": "bits of the product arrays",
    "Tile": "24: the arrays in DSP48E1, 0: in standard cells",
    "Named": "pm_mont_mul_packed knows primes by name, and this one",
}
DEFAULTS = {"Digit": 32, "Half": 272}


def unit(params: Params) -> Unit:
    """The multiplier with these parameters."""
    own = {name: value for name, value in params.items() if name not in ("bits", "packed")}
    return rtl.as_unit("pm_mont_mul_packed" if params.get("packed") else "pm_mont_mul", SOURCES, own)


def cycles(params: Params) -> list[Figure]:
    """Of a product. ValueError if the modulus does not fit, `BuildError` where the module refuses its parameters,
    `RuntimeError` if the product is wrong."""
    name = f"P-{params.get('bits', 256)}"
    p = curves.by_name(name).p
    digit, half = (int(params.get(key, value)) for key, value in DEFAULTS.items())
    wide = int(p.bit_length() > half)
    digits = -(-p.bit_length() // digit)
    if digits * digit > 2 * half:
        raise ValueError(f"{digits} digits of {digit} bits are more than 2 x {half} bits")
    named = named_prime.CURVES.index(name) + 1 if params.get("Named") else 0
    width = named_prime.DIGIT * -(-p.bit_length() // named_prime.DIGIT) if named else digits * digit
    rng = random.Random(1)
    x, y = rng.randrange(p), rng.randrange(p)
    chosen = unit(params)
    program = build_cpp(chosen.top, SOURCES, BENCH, chosen.params, name="one_product", opt="-O0",
                        cflags=["-DPM_PACKED"] if params.get("packed") else [])
    words = [str(named), str(digits), str(wide), *(f"{n:x}" for n in (-pow(p, -1, 1 << digit) % (1 << digit), p, x, y))]
    done = subprocess.run([program, *words], check=False, capture_output=True, text=True)
    lines = done.stdout.split()
    if done.returncode or int(lines[1], 16) != x * y * pow(1 << width, -1, p) % p:
        raise RuntimeError(f"the product is wrong (exit {done.returncode})")
    return [Figure("cycles", int(lines[0]), "cycles")]


def _inputs(params: Params) -> Inputs:
    return Inputs([unit(params)], [BENCH, Path(curves.__file__), Path(named_prime.__file__)])


MEASURES = {"cycles": Measure(cycles, _inputs, ("verilator",)), **rtl.synthesis(unit)}
