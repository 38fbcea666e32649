# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve, configuration fast: secret scalar multiplications of the base point, and signatures, by the comb that
load_curve makes when it is asked to; cycles as simulated, and until when it is kept."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import Answer, Core, job
from dv.multicurve.test_pm_multicurve_base import received
from dv.multicurve.toy_curves import toy
from pointmill.curves import Curve, by_name
from pointmill.model.weierstrass import multiply
from pointmill.ucode.multicurve import Answer as Simulated, Device
from pointmill.ucode.multicurve_table import Comb

SECRET = {"option": "ladder", "flags": ("secret",)}
CTRL = 0x0C
BLOCK = 50
"""Jobs in the core's queue at a time."""
CURVES = ("P-192", "P-224", "P-256", "sm2p256v1", "secp256k1", "secp160r1", "P-384", "P-521")
QUICK = ("P-192", "P-256", "secp256k1")
"""Those of the normal run."""


def exceptional(curve: Curve, count: int | None = None) -> list[int]:
    """Scalars k for which twice the sum is what is added in the last column, or its negative, of k or of n - k, which
    of most curves are two; and others that end with twice an entry; of all entries, or of `count`."""
    n, comb = curve.n, Comb(curve.n.bit_length())

    def meets(index: int) -> bool:
        """Whether the last column of n less twice the entry is that entry."""
        *_, last = comb.digits(n - 2 * comb.multiple(index))
        return last == (index, True)

    rest = random.Random(n).sample(range(comb.entries), comb.entries)
    indices = sorted(rest, key=meets, reverse=True)[:count]
    assert not curve.name.startswith("P-") or sum(map(meets, indices)) == 1
    doubles = [2 * comb.multiple(i) for i in indices]
    odd = [k for double in doubles for k in (n - double, double - n, double + n, -double - n) if 0 < k < n]
    return [k for one in odd for k in (one, n - one)]


def special(curve: Curve) -> list[int]:
    """Around 0 and n, beyond n, of low weight, long runs."""
    n, bits = curve.n, curve.bits + 1
    return [0, 1, 2, 3, n - 3, n - 2, n - 1, n, n + 1, n + 2, (1 << bits) - 1, (1 << bits) - 2, 1 << bits - 1,
            1 << bits - 2,
            n // 2, n // 2 + 1, (1 << bits // 2) - 1, ((1 << bits // 2) - 1) << bits // 3, int("10" * (bits // 2), 2)]


def same(answer: Answer, wanted: Simulated, operation: str) -> bool:
    """Result and cycles as simulated."""
    return ((answer.reason, answer.cycles) == (wanted.reason, wanted.run.cycles + received(operation))
            and answer.payload == (wanted.x, wanted.y))  # fmt: skip


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in CURVES])
def test_secret_products(name: str, request: pytest.FixtureRequest) -> None:
    """Special scalars, exceptional ones and random ones, each in the cycles of the simulator; signatures in theirs."""
    curve, rng, long = by_name(name), random.Random(name), request.config.getoption("--long")
    device = Device(curve, "fast", comb=True)
    assert device.comb_kept
    n = curve.n
    rare = exceptional(curve, None if long and name == "P-256" else 4)
    assert len(rare) == (256 if long and name == "P-256" else 8)
    scalars = [*special(curve), *rare, *(rng.randrange(n) for _ in range(1000 if long else 5))]
    wanted = device.secret_base(rng.randrange(n)).run.cycles
    with Core("fast") as core:
        assert core.load(curve, "comb").cycles == device.run.cycles + received("load_curve")
        cycles, loops = set(), set()
        for start in range(0, len(scalars), BLOCK):
            part = scalars[start : start + BLOCK]
            for tag, k in enumerate(part):
                core.push(job(tag, "ecmul_base", k, **SECRET))
            for k, answer in zip(part, core.answers(len(part)), strict=True):
                assert answer.point == multiply(curve, k, curve.g), hex(k)
                cycles.add(answer.cycles)
            loops.add(core.loop)
        assert cycles == {wanted + received("ecmul_base")} and len(loops) == 1
        for _ in range(3):
            d, k, e = (rng.randrange(1, n) for _ in range(3))
            assert same(core.ask("ecdsa_sign", d, k, e, n.bit_length()), device.ecdsa_sign(d, k, e, n.bit_length()),
                        "ecdsa_sign")
            assert same(core.ask("sm2_sign", d, k, e), device.sm2_sign(d, k, e), "sm2_sign")
        # Other jobs are as without a comb.
        point, k = multiply(curve, 5, curve.g), rng.randrange(n)
        assert core.ask("ecmul_base", k).point == multiply(curve, k, curve.g)
        assert core.ask("ecmul", k, *point, **SECRET).point == multiply(curve, k, point)
        assert core.ask("ecmul_base", k,
                        option="ladder").cycles == device.ladder(k, *curve.g).run.cycles + received("ecmul_base")
        assert core.ask("ecmul_base", k, flags=("secret",)).reason == "secret_refused"
        assert core.ask("ecmul_base", 1 << curve.bits + 1, **SECRET).reason == "scalar_out_of_range"


@pytest.mark.parametrize("rounds", [40, pytest.param(120, marks=pytest.mark.long)])
def test_until_another_curve(rounds: int) -> None:
    """Curves with and without a comb, also one too small for it, refused and abandoned ones and resets in between:
    every secret product is that of the curve loaded last, in the cycles with its comb or without."""
    rng, curves = random.Random(9), (by_name("P-192"), by_name("secp160r1"), toy(199, "any"))
    devices = {(curve, comb): Device(curve, "fast", comb=comb) for curve in curves for comb in (False, True)}
    assert [devices[curve, True].comb_kept for curve in curves] == [True, True, False]
    loaded: tuple[Curve, bool] | None = None
    products = aborted = combs = 0
    with Core("fast") as core:
        for _ in range(rounds):
            what = rng.choice(("load", "load", "product", "reset", "abandoned load", "bad", "modulus"))
            curve, comb = rng.choice(curves), rng.random() < 0.6
            if what == "load" or loaded is None:
                loaded = curve, comb
                answer = core.load(curve, "comb" if comb else None)
                assert answer.cycles == devices[loaded].run.cycles + received("load_curve")
            elif what == "product":
                k = rng.randrange(loaded[0].n)
                assert core.ask("ecmul_base", k).point == multiply(loaded[0], k, loaded[0].g)
            elif what == "reset":
                core.push(job(1, "ecmul_base", rng.randrange(loaded[0].n), **SECRET))
                core.run(rng.randrange(20, 1_000))
                core.write(CTRL, 1)
                aborted += core.answers(1)[0].reason == "aborted"
            elif what == "abandoned load":
                core.push(job(2, "load_curve", curve.p, curve.a, curve.b, *curve.g, curve.n, option="comb"))
                core.run(rng.randrange(60, devices[curve, True].run.cycles))
                core.write(CTRL, 1)
                assert core.answers(1)[0].reason == "aborted"
                loaded = None
            elif what == "bad":
                answer = core.ask("load_curve", curve.p, curve.a, curve.b, curve.g[0], curve.g[1] ^ 1, curve.n,
                                  option="comb")
                assert answer.reason == "invalid_point"
                loaded = None
            else:
                assert core.ask("modarith", curve.p, 5, 7, option="mul").payload == (35,)
            if loaded is None:
                assert core.ask("ecmul_base", 1, **SECRET).reason == "no_curve"
                continue
            k = rng.randrange(loaded[0].n)
            answer, wanted = core.ask("ecmul_base", k, **SECRET), devices[loaded].secret_base(k)
            assert answer.point == multiply(loaded[0], k, loaded[0].g), (what, loaded, k)
            assert answer.cycles == wanted.run.cycles + received("ecmul_base"), (what, loaded)
            products += 1
            combs += devices[loaded].comb_kept
    assert products > rounds // 2 and aborted > rounds // 24, (products, aborted)
    assert combs > (20 if rounds >= 120 else 4), combs


def test_no_order() -> None:
    """Without the order a curve has no comb, behind another one that had one too; products are exact all the same."""
    curve = by_name("P-192")
    ladder = Device(curve, "fast").secret_base(3).run.cycles + received("ecmul_base")
    with Core("fast") as core:
        assert core.load(curve, "comb").reason == "ok"
        assert core.ask("ecmul_base", 6, **SECRET).cycles < ladder
        assert core.ask("load_curve", curve.p, curve.a, curve.b, *curve.g, 0, option="comb").reason == "ok"
        for k in (6, 7, curve.n + 2):
            answer = core.ask("ecmul_base", k, **SECRET)
            assert answer.point == multiply(curve, k, curve.g) and answer.cycles == ladder
        assert core.ask("ecdsa_sign", 5, 7, 9, 192).reason == "no_order"


@pytest.mark.parametrize("config", ["paper", "throughput"])
def test_without_comb(config: str) -> None:
    """Other configurations take the option, and make none."""
    curve = by_name("P-192")
    with Core(config) as core:
        plain = core.load(curve).cycles
        assert core.load(curve, "comb").cycles == plain
        k = curve.n // 3
        first = core.ask("ecmul_base", k, **SECRET)
        assert first.point == multiply(curve, k, curve.g)
        assert core.ask("ecmul", k, *curve.g, **SECRET).cycles == first.cycles + 18
