# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve with windows: the multiples of the base point that are kept with a curve. Scalar
multiplications on toy curves, cycles as simulated, and until when they are kept."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import OPERATIONS, Core, job
from dv.multicurve.toy_curves import KINDS, multiples, points, toy
from pointmill.curves import Curve, by_name
from pointmill.model.weierstrass import add, multiply
from pointmill.ucode.multicurve import Device

CONTROL = 2
"""Cycles from the end of the packet to the first word, and from the last word to the answer."""
CTRL = 0x0C
P192, SECP160R1 = by_name("P-192"), by_name("secp160r1")


def received(operation: str) -> int:
    """Cycles of a job besides those of its program."""
    return 1 + 9 * len(OPERATIONS[operation]["operands"]) + CONTROL


@pytest.mark.parametrize("config", ["fast", "throughput"])
@pytest.mark.parametrize(("order", "kind"), [
    *((order, "any") for order in (7, 8, 12, 13, 16)),
    *((order, kind) for order in (19, 199) for kind in KINDS)])  # fmt: skip
@pytest.mark.parametrize(("most", "count"), [(64, 40), pytest.param(512, 200, marks=pytest.mark.long)])
def test_toy_curves(most: int, count: int, order: int, kind: str, config: str) -> None:
    """Every scalar of the base point, or a sample of `most`, also where its multiples are not kept; sums with every
    other multiple, or a sample."""
    curve, rng = toy(order, kind), random.Random(order)
    table, others = multiples(curve, curve.g), points(curve)
    every = range(2 << curve.p.bit_length())
    scalars = every if len(every) <= most else [0, order, order + 1, every[-1], *rng.sample(every, most - 4)]
    sums = [(rng.choice(every), rng.choice(every), rng.choice(others)) for _ in range(count)]
    assert len(scalars) == min(most, len(every))
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        for k in scalars:
            core.push(job(k, "ecmul_base", k))
        for k, answer in zip(scalars, core.answers(len(scalars)), strict=True):
            assert answer.point == table[k % len(table)], (curve, k)
        for tag, (u, v, q) in enumerate(sums):
            core.push(job(tag, "ecmul2", u, *curve.g, v, *q))
        for (u, v, q), answer in zip(sums, core.answers(len(sums)), strict=True):
            assert answer.point == add(curve, table[u % len(table)], multiply(curve, v, q)), (curve, u, v, q)


@pytest.mark.parametrize(("config", "name"), [
    *(("fast", name) for name in ("P-192", "P-256", "sm2p256v1", "secp256k1", "P-521")),
    *(("throughput", name) for name in ("P-192", "brainpoolP256r1"))])  # fmt: skip
def test_cycles(config: str, name: str) -> None:
    """Those of the simulator: loading, scalars of every length, also 0, sums, a verification."""
    curve, rng = by_name(name), random.Random(name)
    device = Device(curve, config)
    n, q = curve.n, multiply(curve, 5, curve.g)
    with Core(config) as core:
        assert core.load(curve).cycles == device.run.cycles + received("load_curve")
        for k in (0, 1, 77, n - 1, 1 << 100, *(rng.randrange(n) >> shift for shift in (0, 5, 40, 90, 130))):
            answer, wanted = core.ask("ecmul_base", k), device.ecmul_base(k)
            assert answer.point == wanted.point == multiply(curve, k, curve.g)
            assert answer.cycles == wanted.run.cycles + received("ecmul_base"), k
        u, v = rng.randrange(n), rng.randrange(n)
        answer, wanted = core.ask("ecmul2", u, *curve.g, v, *q), device.ecmul2(u, curve.g, v, q)
        assert answer.point == wanted.point and wanted.run.times["kept"] == 1
        assert answer.cycles == wanted.run.cycles + received("ecmul2")
        e, r, s = (rng.randrange(1, n) for _ in range(3))
        answer, wanted = core.ask("ecdsa_verify", e, n.bit_length(), *q, r,
                                  s), device.ecdsa_verify(e, n.bit_length(), q, r, s)
        assert answer.reason == wanted.reason == "bad_signature" and wanted.run.times["kept"] == 1
        assert answer.cycles == wanted.run.cycles + received("ecdsa_verify")


@pytest.mark.parametrize("rounds", [80, pytest.param(250, marks=pytest.mark.long)])
def test_until_another_curve(rounds: int) -> None:
    """Jobs, refused and abandoned ones, curves, refused curves and curves without a base point in between: every
    product of the base point is that of the curve loaded last, and takes the cycles with kept multiples."""
    rng, curves = random.Random(8), (P192, SECP160R1, toy(199, "any"), toy(19, "any"))
    devices = {curve: Device(curve, "fast") for curve in curves}
    assert [devices[curve].base_kept for curve in curves] == [True, True, True, False]
    loaded: Curve | None = None
    products = aborted = refused = 0
    with Core("fast") as core:
        for _ in range(rounds):
            what = rng.choice(("load", "other", "reset", "abandoned load", "bad", "no base", "modulus"))
            curve = rng.choice(curves)
            if what == "load" or loaded is None:
                loaded = curve
                assert core.load(curve).cycles == devices[curve].run.cycles + received("load_curve")
            elif what == "other":
                assert core.ask("ecmul2", 5, *loaded.g, 9, *loaded.g).point == multiply(loaded, 14, loaded.g)
                assert core.ask("ecmul", 3, *loaded.g).point == multiply(loaded, 3, loaded.g)
            elif what == "reset":
                core.push(job(1, "ecmul2", rng.randrange(loaded.n), *loaded.g, rng.randrange(loaded.n), *loaded.g))
                core.run(rng.randrange(60, 2_500))
                core.write(CTRL, 1)
                aborted += core.answers(1)[0].reason == "aborted"
            elif what == "abandoned load":
                core.push(job(2, "load_curve", curve.p, curve.a, curve.b, *curve.g, curve.n))
                core.run(rng.randrange(60, devices[curve].run.cycles))
                core.write(CTRL, 1)
                assert core.answers(1)[0].reason == "aborted"
                loaded = None
            elif what == "bad":
                assert core.ask("load_curve", curve.p, curve.a, curve.b, curve.g[0], curve.g[1] ^ 1,
                                curve.n).reason == "invalid_point"
                loaded = None
                refused += 1
            elif what == "no base":
                assert core.ask("load_curve", curve.p, curve.a, curve.b, 0, 0, 0, option="no_base").reason == "ok"
                assert core.ask("ecmul_base", 1).reason == "invalid_point"
                assert core.ask("ecmul", 7, *curve.g).point == multiply(curve, 7, curve.g)
                loaded = None
            elif what == "modulus":
                assert core.ask("modarith", P192.n, 5, 7, option="mul").payload == (35,)
            if loaded is None:
                if what != "no base":
                    assert core.ask("ecmul_base", 1).reason == "no_curve"
                continue
            k = rng.randrange(loaded.n)
            answer, wanted = core.ask("ecmul_base", k), devices[loaded].ecmul_base(k)
            assert answer.point == multiply(loaded, k, loaded.g)
            assert answer.cycles == wanted.run.cycles + received("ecmul_base"), (what, loaded.name, k)
            products += 1
    assert products > 0.48 * rounds and min(aborted, refused) > 0.06 * rounds, (products, aborted, refused)


def test_secret_products() -> None:
    """A product of the base point with a secret scalar takes one time, that of the ladder, with or without
    multiples."""
    with Core("fast") as core:
        core.load(P192)
        cycles = {core.ask("ecmul_base", k, option="ladder", flags=("secret",)).cycles for k in (1, 5, P192.n - 1)}
        cycles |= {core.ask("ecmul", 5, *P192.g, option="ladder", flags=("secret",)).cycles - 18}
        assert len(cycles) == 1
        for k in (0, 1, P192.n - 1):
            assert core.ask("ecmul_base", k, flags=("secret",)).reason == "secret_refused"
