# SPDX-License-Identifier: Apache-2.0
"""Cycles of the programs of `multicurve` on the simulator, those of Liu et al. 2023, table 1, beside them."""

from __future__ import annotations

import random

import pytest

from pointmill.model import montgomery, weierstrass
from pointmill.ucode.build import build
from pointmill.ucode.dual import product_cycles, retime
from pointmill.ucode.multicurve import MACHINES, PRODUCTS
from pointmill.ucode.multicurve_table import window, window_operations
from simulated_multicurve import device, good

# Liu et al. 2023, table 1: NAF and ladder multiplication, inversion.
NAF = {"P-192": 8345, "P-224": 11229, "P-256": 14539, "P-384": 62817, "P-521": 119967}
LADDER = {"X25519": 10471, "X448": 63224}
INVERSION = {"P-192": 386, "P-224": 450, "P-256": 514, "X25519": 512, "P-384": 770, "X448": 898,
             "P-521": 1044}  # fmt: skip

WINDOWS = {
    "fast": {"P-192": 3_432, "P-224": 5_037, "P-256": 5_732, "sm2p256v1": 5_721, "brainpoolP256r1": 11_366,
             "P-384": 18_145, "P-521": 37_328},
    "throughput": {"P-192": 5_913, "P-224": 9_111, "P-256": 10_385, "P-384": 34_356, "P-521": 71_741},
}  # fmt: skip
"""Cycles of a product by windows in one engine, with conversion and coordinates, without inversion: mean of 100 seeded
scalars."""

BASE = {
    "fast": {"P-192": (3_098, 3_017), "P-224": (3_814, 4_443), "P-256": (3_814, 5_116), "sm2p256v1": (3_814, 5_115),
             "P-384": (6_495, 16_542), "P-521": (9_569, 34_485)},
    "throughput": {"P-192": (3_749, 5_273), "P-224": (4_853, 8_182), "P-256": (4_853, 9_433),
                   "sm2p256v1": (4_853, 9_431),
                   "P-384": (9_225, 31_892), "P-521": (13_924, 67_351)},
}  # fmt: skip
"""Cycles of loading a curve, and of a product of its base point without inversion, in one engine: mean of 20 seeded
scalars."""


@pytest.mark.parametrize("name", NAF)
def test_cycles_of_a_naf_multiplication(name: str) -> None:
    """Exact by the operations of the walk; for a third of the digits not 0, as published, fewer than
    published, with conversion and coordinates, inversion excluded as it was published."""
    loaded, rng = device(name), random.Random(7)
    curve, schedules = loaded.curve, build("multicurve", "ecmul", "paper")[2]
    length = product_cycles(curve.bits)
    double, both, last = (retime(schedules[block], length)[1]
                          for block in ("walk_double_m3", "walk_add_m3", "walk_last"))  # fmt: skip
    rest = set()
    for _ in range(4):
        run = loaded.ecmul(rng.randrange(1, curve.n), *curve.g).run
        boths = run.times["walk_add_m3"] + run.times["walk_sub_m3"]
        walked = run.times["walk_double_m3"] * double + boths * both + run.times["walk_last"] * last
        rest.add(run.cycles - walked - (loaded.field.steps + 2))
    assert len(rest) == 1 and loaded.field.steps + 2 == INVERSION[name]
    mean = curve.bits * (2 * double + both) / 3 - both + last + rest.pop()
    assert mean < NAF[name]


@pytest.mark.parametrize(("config", "name"), [(c, name) for c, means in WINDOWS.items() for name in means])
def test_cycles_by_windows(config: str, name: str, request: pytest.FixtureRequest) -> None:
    """The mean over 100 scalars (long run; else the first three of them) is that of the operations walked."""
    loaded, rng = device(name, config), random.Random(name)
    curve, schedules = loaded.curve, build("multicurve", PRODUCTS[config], MACHINES[config])[2]
    scalars = [rng.randrange(1, curve.n) for _ in range(100)]
    timed = {block: retime(schedule, loaded.field.length) for block, schedule in schedules.items()}
    loops = []
    for k in scalars:
        *walked, last = [name for name, *_ in window_operations([k], window(curve.bits), loaded.kind)][1:-1]
        # With the word behind the last block, which is issued even if a product is in flight.
        issued, total = timed[last]
        loops.append(sum(timed[name][1] for name in walked) + max(issued[-1] + 2, total))
    rest = set()
    for k, loop in zip(scalars[: 100 if request.config.getoption("--long") else 3], loops):
        rest.add(loaded.ecmul(k, *curve.g).run.cycles - loop - (loaded.field.steps + 2))
    assert len(rest) == 1
    assert round(sum(loops) / 100 + rest.pop()) == WINDOWS[config][name]


@pytest.mark.parametrize(("config", "other", "base"), [
    ("paper", 29_225, 29_225), ("fast", 7_706, 7_000),
    ("throughput", 13_430, 12_375)])
def test_cycles_of_two_products(config: str, other: int, base: int) -> None:
    """Mean of four seeded sums on P-256, inversion included; `base`: the first point is the base point, else the
    second."""
    loaded, rng = device("P-256", config), random.Random(2)
    curve, totals = loaded.curve, [0, 0]
    for _ in range(4):
        u, v = rng.randrange(curve.n), rng.randrange(curve.n)
        point = weierstrass.multiply(curve, rng.randrange(1, curve.n), curve.g)
        for which, (p, q) in enumerate(((point, curve.g), (curve.g, point))):
            answer = loaded.ecmul2(u, p, v, q)
            wanted = weierstrass.add(curve, weierstrass.multiply(curve, u, p), weierstrass.multiply(curve, v, q))
            assert good(answer, wanted) and not answer.run.times["ladder"]
            totals[which] += answer.run.cycles
    assert [round(total / 4) for total in totals] == [other, base]


@pytest.mark.parametrize(("config", "name"), [
    pytest.param(c, name, marks=() if name in ("P-192", "P-256") else pytest.mark.long) for c, found in BASE.items()
    for name in found])
def test_cycles_of_the_base_point(config: str, name: str) -> None:
    """Of loading the curve from its first word on, and of its base point's products without inversion: mean of 20
    scalars."""
    loaded, rng = device(name, config), random.Random(name)
    runs = [loaded.ecmul_base(rng.randrange(1, loaded.curve.n)).run for _ in range(20)]
    assert all(run.times["kept_alone"] == 1 and not run.times["ladder"] for run in runs)
    mean = sum(run.cycles for run in runs) / 20 - (loaded.field.steps + 2)
    assert (loaded.run.cycles, round(mean)) == BASE[config][name]


@pytest.mark.parametrize("name", LADDER)
def test_cycles_of_a_ladder(name: str) -> None:
    loaded = device(name)
    answer = loaded.xdh(1 << (loaded.curve.bits - 1), loaded.curve.u)
    assert answer.run.times["ladder_step"] == loaded.curve.bits - 1
    assert loaded.field.steps + 2 == INVERSION[name]
    assert answer.run.cycles - INVERSION[name] == {"X25519": 10463, "X448": 63177}[name] < LADDER[name]


@pytest.mark.parametrize(("config", "name", "cycles"), [
    ("fast", "X25519", 5_363), ("fast", "X448", 25_097),
    ("throughput", "X25519", 9_128),
    ("throughput", "X448", 44_210)])
def test_cycles_of_a_fast_ladder(config: str, name: str, cycles: int) -> None:
    loaded = device(name, config)
    rng, high = random.Random(name), 1 << (loaded.curve.bits - 1)
    for k in (high, rng.getrandbits(loaded.curve.bits - 1) & -loaded.curve.cofactor | high):
        answer = loaded.xdh(k, loaded.curve.u)
        assert answer.x == montgomery.multiply_u(loaded.curve, k, loaded.curve.u)
        assert answer.run.cycles - INVERSION[name] == cycles


def test_lengths_of_products() -> None:
    lengths = {192: 6, 224: 7, 255: 8, 256: 8, 272: 9, 273: 18, 384: 24, 448: 28, 521: 34, 544: 34, 3: 1}
    for bits, cycles in lengths.items():
        assert product_cycles(bits) == cycles
