# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve, configuration fast: products with many secret scalars, by the ladders and the comb, all in one number
of cycles."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import Core, job
from pointmill.curves import Curve, MontgomeryCurve, by_name
from pointmill.model import montgomery
from pointmill.model.weierstrass import multiply

CURVES = ("P-192", "P-224", "P-256", "P-384", "P-521", "secp256k1", "sm2p256v1", "brainpoolP256r1", "X25519",
          "X448")  # fmt: skip
COMBS = tuple(f"{name} by the comb" for name in ("P-192", "P-256", "secp256k1", "sm2p256v1", "P-384", "P-521"))
FEW = 13
COUNTS = (FEW, pytest.param(1_000, marks=pytest.mark.long), pytest.param(10_000, marks=pytest.mark.soak))
QUICK = 272
"""Bits of the widest curve of the normal run."""
BLOCK = 50
"""Jobs in the core's queue at a time."""


def secrets(curve: Curve | MontgomeryCurve, count: int) -> list[int]:
    """Special scalars, those of low weight, and random ones."""
    rng, bits, n = random.Random(curve.name), curve.bits, curve.n
    found = [0, 1, 2, n - 1, n, n + 1, (1 << bits) - 1]
    if isinstance(curve, Curve):  # a bit more than p has
        found += [1 << bits, (1 << (bits + 1)) - 1]
    low = {sum(1 << i for i in rng.sample(range(bits), weight)) for weight in (1, 2, 3) for _ in range(count // 12)}
    found = list(dict.fromkeys(found + sorted(low)))
    while len(found) < count:
        found.append(rng.randrange(n))
    return found


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", (*CURVES, *COMBS))
def test_one_time_for_all(name: str, count: int) -> None:
    """Of any point by the ladder; of the base point by the comb, where the name says so."""
    plain, comb, _ = name.partition(" by the comb")
    curve = by_name(plain)
    if count == FEW and curve.bits > QUICK:
        count = 11
    some = secrets(curve, count)
    assert len(some) >= count and {0, 1, curve.n - 1, curve.n, (1 << curve.bits) - 1} <= set(some)
    montgomery_form = isinstance(curve, MontgomeryCurve)
    cycles, loops = set(), set()
    with Core("fast") as core:
        assert core.load(curve, "comb" if comb else None).reason == "ok"
        for start in range(0, len(some), BLOCK):
            part = some[start : start + BLOCK]
            for tag, k in enumerate(part):
                core.push(job(tag, "ladder", k, curve.u, option="plain", flags=("secret",)) if montgomery_form
                          else job(tag, "ecmul_base", k, option="ladder", flags=("secret",)) if comb
                          else job(tag, "ecmul", k, *curve.g, option="ladder", flags=("secret",)))
            for k, answer in zip(part, core.answers(len(part)), strict=True):
                assert answer.reason == "ok", hex(k)
                if montgomery_form:
                    assert answer.payload[0] == montgomery.multiply_u(curve, k, curve.u), hex(k)
                else:
                    assert answer.point == multiply(curve, k, curve.g), hex(k)
                cycles.add(answer.cycles)
            loops.add(core.loop)
    assert len(cycles) == len(loops) == 1, (cycles, loops)
