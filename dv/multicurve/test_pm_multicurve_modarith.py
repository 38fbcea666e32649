# SPDX-License-Identifier: Apache-2.0
"""Modular arithmetic of pm_multicurve against Python's integers: any odd modulus, any operands."""

from __future__ import annotations

import math
import random

import pytest

from dv.multicurve.multicurve_core import Core
from pointmill.curves import by_name
from pointmill.model.weierstrass import multiply

TOP = (1 << 544) - 1
OPERATIONS = {
    "add": lambda m, a, b: (a + b) % m,
    "sub": lambda m, a, b: (a - b) % m,
    "mul": lambda m, a, b: a * b % m,
    "inv": lambda m, a, b: pow(a, -1, m) if math.gcd(a, m) == 1 else None,
    "reduce": lambda m, a, b: a % m,
}


def moduli(rng: random.Random) -> list[int]:
    """The smallest, the largest, around 32 and 272 bits, powers, primes and composites."""
    edges = [bits + d for bits in (32, 64, 256, 272, 512, 544) for d in (-1, 0, 1) if bits + d <= 544]
    some = [3, 5, 7, 9, 2**32 - 1, 2**32 + 1, TOP, TOP - 2, 3**343]
    some += [rng.getrandbits(bits) | 1 << (bits - 1) | 1 for bits in edges]
    return some


@pytest.mark.parametrize("name", OPERATIONS)
def test_against_integers(name: str) -> None:
    rng = random.Random(name)
    count = 0
    with Core() as core:
        for modulus in moduli(rng):
            for a, b in ((TOP, TOP), (0, 1), (modulus - 1, modulus), (rng.getrandbits(544), rng.getrandbits(544))):
                answer = core.ask("modarith", modulus, a, b, option=name)
                wanted = OPERATIONS[name](modulus, a, b)
                if wanted is None:
                    assert answer.reason == "not_invertible", (modulus, a)
                else:
                    assert answer.payload == (wanted,), (modulus, a, b)
                count += 1
    assert count == 26 * 4


@pytest.mark.parametrize("modulus", [0, 1, 2, 10, TOP - 1])
def test_refused_moduli(modulus: int) -> None:
    with Core() as core:
        for name in OPERATIONS:
            assert core.ask("modarith", modulus, 5, 6, option=name).reason == "modulus_not_odd"


def test_the_curve_stays_loaded() -> None:
    curve = by_name("P-192")
    with Core() as core:
        core.load(curve)
        assert core.ask("modarith", TOP, TOP - 1, 2, option="mul").payload == (TOP - 2,)
        assert core.ask("ecmul_base", 12345).point == multiply(curve, 12345, curve.g)
