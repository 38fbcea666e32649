# SPDX-License-Identifier: Apache-2.0
"""The fixed-base comb of `multicurve`, configuration `fast`, on the simulator: its digits, where an addition can be
exceptional, its table, products and signatures against the golden model and OpenSSL, cycles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from pointmill import curves
from pointmill.curves import Curve
from pointmill.model import weierstrass
from pointmill.ucode import multicurve
from pointmill.ucode.multicurve import Device
from pointmill.ucode.multicurve_table import Comb
from simulated_multicurve import good
from test_ucode_multicurve import WrongProduct

TOYS = {"199-m3": (197, 194, 5, 199, None), "2099-m3": (2087, 2084, 3, 2099, (0, 618)),
        "2143-0": (2089, 0, 7, 2143, (1, 777)), "2143-any": (2087, 5, 7, 2143, (2, 5))}  # fmt: skip
"""Curves of prime order, by p, a, b, order, base point (None: the first point)."""

CYCLES = {"P-192": (14_907, 822, 1_608), "P-224": (19_338, 1_169, 2_211), "P-256": (19_870, 1_327, 2_369),
          "sm2p256v1": (19_870, 1_327, 2_369), "P-384": (39_393, 4_258, 5_832),
          "P-521": (66_539, 8_965, 11_249)}  # fmt: skip
"""Cycles of making the comb, of a secret product without inversion, and of an ECDSA signature, both always."""


@cache
def combed(name: str) -> Device:
    loaded = Device(curves.by_name(name), "fast", comb=True)
    assert loaded.reason == "ok" and loaded.comb_kept
    return loaded


def toy(name: str) -> Curve:
    p, a, b, n, g = TOYS[name]
    base = g or next((x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0)
    return Curve(name, p, a, b, n, base)


# ---- digits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "columns", "fits"), [
    (544, 68, True), (521, 66, True), (384, 48, True), (256, 32, True), (225, 30, True), (192, 24, True),
    (161, 22, True),
    (160, 20, True), (145, 20, True), (129, 18, False), (113, 16, False), (64, 8, True), (49, 8, False), (16, 2, False),
    (0, 0, False)])
def test_columns(bits: int, columns: int, fits: bool) -> None:
    comb = Comb(bits)
    assert (comb.columns, comb.fits) == (columns, fits) and comb.columns * comb.teeth >= bits


@pytest.mark.parametrize("bits", [256, 521])
def test_digits_and_entries(bits: int) -> None:
    """The columns of an odd scalar add up to it, of one turned to its negative; each entry is made of the one
    before."""
    comb, rng = Comb(bits), random.Random(bits)
    for k in [1, 3, (1 << bits) - 1, *(rng.getrandbits(bits) | 1 for _ in range(50))]:
        for turned in (False, True):
            total = 0
            for index, negative in comb.digits(k, turned):
                total = 2 * total + (-1 if negative else 1) * comb.multiple(index)
            assert total == (-k if turned else k)
    multiples = [comb.multiple(comb.order(place)) for place in range(comb.entries)]
    assert multiples[0] == sum(1 << j * comb.columns for j in range(comb.teeth)) and len(set(multiples)) == 128
    for place in range(1, comb.entries):
        tooth, negative = comb.step(place)
        assert multiples[place] - multiples[place - 1] == (-2 if negative else 2) << tooth * comb.columns


@pytest.mark.parametrize(("teeth", "orders"), [(2, (*range(129, 256, 2), *range(513, 1024, 32))),
                                               (3, range(2049, 4096, 94)), (4, (2**16 - 15, 2**15 + 3))])
def test_exceptions_are_in_the_last_column(teeth: int, orders: Sequence[int]) -> None:
    """For every odd scalar below the order n, of all of 8 bits or some longer ones: modulo n no sum is 0, and twice
    the sum is the entry to be added, or its negative, in the last column alone, and there never its negative; so for no
    more scalars than there are entries."""
    found: Counter[bool] = Counter()
    for n in orders:
        comb = Comb(n.bit_length(), teeth)
        assert comb.fits
        for k in range(1, n, 2):
            *upper, last = [(-1 if negative else 1) * comb.multiple(index) for index, negative in comb.digits(k)]
            total = upper[0]
            for entry in upper[1:]:
                assert (2 * total - entry) % n and (2 * total + entry) % n
                total = 2 * total + entry
                assert total % n
            assert (2 * total + last) % n
            found[(2 * total - last) % n == 0] += 1
    assert sum(found.values()) == sum(n // 2 for n in orders) and 0 < found[True] <= len(orders) << teeth - 1


# ---- products -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "teeth"), [("199-m3", 2), ("2099-m3", 3), ("2143-0", 3), ("2143-any", 3)])
def test_toy_curve(name: str, teeth: int, request: pytest.FixtureRequest) -> None:
    """With fewer teeth, so that the comb fits: every scalar that the core takes, in one number of cycles (one of
    eleven, and those around the order, of the larger curves in the normal run)."""
    curve = toy(name)
    device = Device(curve, "fast", comb=True, teeth=teeth)
    assert device.comb_kept and len(device.comb_entries) == 1 << teeth - 1
    step = 1 if curve.n < 1000 or request.config.getoption("--long") else 11
    near = [e * sign % curve.n for i in range(1 << teeth - 1) for e in (2 * device.comb.multiple(i),)
            for sign in (1, -1)]
    scalars = sorted({*range(0, 1 << device.bits, step), *near, *range(curve.n - 3, curve.n + 4)})
    multiples: list[weierstrass.Point] = [None]
    for _ in range(curve.n - 1):
        multiples.append(weierstrass.add(curve, multiples[-1], curve.g))
    cycles = set()
    for k in scalars:
        answer = device.secret_base(k)
        assert good(answer, multiples[k % curve.n]), k
        assert answer.run.times["comb"] == 1
        cycles.add(answer.run.cycles)
    assert len(cycles) == 1 and len(scalars) > 300
    assert device.secret_base(1 << device.bits).reason == "scalar_out_of_range"


@pytest.mark.parametrize("name", [
    "P-192", "P-256", "secp256k1", "brainpoolP256r1",
    *(pytest.param(name, marks=pytest.mark.long) for name in (
        "P-224", "sm2p256v1", "P-384", "P-521", "secp160r1", "brainpoolP160r1", "brainpoolP320r1", "brainpoolP512t1",
        "secp224k1"))])  # fmt: skip
def test_products(name: str, request: pytest.FixtureRequest) -> None:
    """All entries; around 0 and the order, beyond it, low weight, long runs, scalars that are exceptional in the last
    column (on P-256 all of them), random ones: all in one number of cycles."""
    device, rng, long = combed(name), random.Random(name), request.config.getoption("--long")
    curve, comb, unit = device.curve, device.comb, pow(2, -32 * device.field.digits, device.p)
    n, bits = curve.n, device.bits
    entries = range(comb.entries) if name == "P-256" or long else range(0, comb.entries, 9)
    for index in entries:
        x, y = (value * unit % device.p for value in device.comb_entries[index])
        assert (x, y) == weierstrass.multiply(curve, comb.multiple(index) % n, curve.g)
    doubles = [2 * abs(comb.multiple(index)) for index in entries]
    exceptional = [*doubles, *(n - double for double in doubles)]
    scalars = [0, 1, 2, 3, n - 2, n - 1, n, n + 1, (1 << bits) - 1, 1 << bits - 1, (1 << bits // 2) - 1,
               int("10" * (bits // 2), 2),
               *exceptional, *(sum(1 << i for i in rng.sample(range(bits - 1), 3)) for _ in range(4)),
               *(rng.randrange(n) for _ in range(10))]  # fmt: skip
    assert len(exceptional) == 2 * len(entries) and (len(entries) == 128 or not long)
    cycles = set()
    for k in scalars:
        answer = device.secret_base(k)
        assert good(answer, weierstrass.multiply(curve, k % n, curve.g)), hex(k)
        assert answer.run.times["comb"] == 1 and answer.infinity == (k % n == 0)
        cycles.add(answer.run.cycles)
    assert len(cycles) == 1


def test_signatures() -> None:
    """ECDSA by OpenSSL; SM2 by the core's verification; all in the same cycles."""
    device, rng, cycles = combed("P-256"), random.Random("fast"), set()
    n = device.curve.n
    for k in (1, 2, n - 1, *(rng.randrange(1, n) for _ in range(5))):
        d, digest = rng.randrange(1, n), rng.getrandbits(256)
        answer = device.ecdsa_sign(d, k, digest, 256)
        assert answer.reason == "ok" and answer.run.times["comb_set"] == 1
        key = ec.derive_private_key(d, ec.SECP256R1()).public_key()
        key.verify(utils.encode_dss_signature(answer.x, answer.y), digest.to_bytes(32, "big"),
                   ec.ECDSA(utils.Prehashed(hashes.SHA256())))
        cycles.add(answer.run.cycles)
    sm2 = combed("sm2p256v1")
    for _ in range(3):
        d, k, e = (rng.randrange(1, sm2.curve.n - 1) for _ in range(3))
        answer = sm2.sm2_sign(d, k, e)
        assert answer.reason == "ok" and answer.run.times["comb_set"] == 1
        assert sm2.sm2_verify(e, weierstrass.multiply(sm2.curve, d, sm2.curve.g), answer.x, answer.y).reason == "ok"
        assert sm2.sm2_verify(e ^ 1, weierstrass.multiply(sm2.curve, d, sm2.curve.g), answer.x,
                              answer.y).reason == "bad_signature"
    assert len(cycles) == 1
    assert device.ecdsa_sign(0, 1, 5, 256).reason == device.ecdsa_sign(1, n, 5, 256).reason == "scalar_out_of_range"


@pytest.mark.parametrize("name", CYCLES)
def test_cycles(name: str) -> None:
    device, plain = combed(name), Device(curves.by_name(name), "fast")
    product = device.secret_base(5).run.cycles - (device.field.steps + 2)
    signature = device.ecdsa_sign(5, 7, 9, 256).run.cycles
    assert (device.run.cycles - plain.run.cycles, product, signature) == CYCLES[name]
    saved = plain.secret_base(5).run.cycles - device.secret_base(5).run.cycles
    assert device.run.cycles < 4 * saved  # commands ask for a comb from four products on


# ---- no comb ------------------------------------------------------------------------------------


def test_no_comb() -> None:
    """Without an order, with one too small, without a base point, or where p is no prime; products are made by the
    ladder."""
    curve = curves.by_name("P-192")
    unknown = Device(Curve("no order", curve.p, curve.a, curve.b, None, curve.g), "fast", comb=True)
    small = Device(toy("2143-any"), "fast", comb=True)
    composite = Device(Curve("p = 3 67", 201, 1, 195, 2**63 + 1, (2, 2)), "fast", comb=True)
    without = Device(Curve("no base", curve.p, curve.a, curve.b, curve.n), "fast", comb=True)
    assert not any(device.comb_kept for device in (unknown, small, composite, without))
    assert all(device.reason == "ok" for device in (unknown, small, composite, without))
    assert unknown.base_kept and unknown.comb.fits is False
    for device, k in ((unknown, 12345), (small, 77)):
        answer = device.secret_base(k)
        assert good(answer, weierstrass.multiply(device.curve, k, device.curve.g)) and answer.run.times["ladder"] == 1


@pytest.mark.parametrize("every", [400, pytest.param(7, marks=pytest.mark.long)])
def test_a_wrong_product_keeps_no_wrong_comb(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One product of the making is wrong: secret products are right, or found off the curve; then the comb is
    forgotten, and the next one is right."""
    curve, seen, rng = curves.by_name("secp160r1"), Counter(), random.Random(every)
    right, plain = Device(curve, "fast", comb=True), Device(curve, "fast")
    monkeypatch.setattr(multicurve, "DualEngine", WrongProduct)
    places = range(plain.run.products, right.run.products, every)
    for place in places:
        monkeypatch.setattr(WrongProduct, "wrong", place)
        loaded = Device(curve, "fast", comb=True)
        monkeypatch.setattr(WrongProduct, "wrong", None)
        for _ in range(3):
            k = rng.randrange(1, curve.n)
            point = weierstrass.multiply(curve, k, curve.g)
            kept, answer = loaded.comb_kept, loaded.secret_base(k)
            seen[answer.reason] += 1
            assert answer.reason == "result_off_curve" or good(answer, point), place
            assert loaded.comb_kept == (kept and answer.reason == "ok"), place
    assert len(places) >= 9 and seen["result_off_curve"] >= len(places) // 2 and seen["ok"] >= len(places)
