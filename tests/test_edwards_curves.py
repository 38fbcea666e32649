# SPDX-License-Identifier: Apache-2.0
"""Edwards and Montgomery curves of the table and their short Weierstrass forms: the maps both ways, against
python-ecdsa's Edwards arithmetic and published points."""

from __future__ import annotations

import hashlib
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import ed448, ed25519

from pointmill import curves
from pointmill.curves import Curve, EdwardsCurve, MontgomeryCurve, by_name
from pointmill.model import montgomery
from pointmill.model.weierstrass import add, multiply
from vectors import ec_pure

EDWARDS = [curve for curve in map(by_name, curves.known()) if isinstance(curve, EdwardsCurve)]


def is_square(number: int, p: int) -> bool:
    return pow(number, (p - 1) // 2, p) == 1


def toy(p: int, a: int, d: int) -> EdwardsCurve:
    """A small curve with its form, by the textbook maps; the base point is the first without a coordinate of 0."""
    big_a, b = 2 * (a + d) * pow(a - d, -1, p) % p, 4 * pow(a - d, -1, p) % p

    def image(x: int, y: int) -> tuple[int, int]:
        u = (1 + y) * pow(1 - y, -1, p) % p
        return (u + big_a * pow(3, -1, p)) * pow(b, -1, p) % p, u * pow(x * b, -1, p) % p

    x, y, g = next((x, y, image(x, y)) for x in range(1, p) for y in range(2, p - 1)
                   if (a * x * x + y * y - 1 - d * x * x * y * y) % p == 0 and all(image(x, y)))
    form = Curve("form", p, (3 - big_a**2) * pow(3 * b * b, -1, p) % p,
                 (2 * big_a**3 - 9 * big_a) * pow(27 * b**3, -1, p) % p, None, g)
    return EdwardsCurve("toy", p, a, d, (x, y), form)


def edwards_add(curve: EdwardsCurve, one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    """The addition law of a complete Edwards curve."""
    (x1, y1), (x2, y2), p = one, two, curve.p
    product = curve.d * x1 * x2 * y1 * y2
    return ((x1 * y2 + y1 * x2) * pow(1 + product, -1, p) % p,
            (y1 * y2 - curve.a * x1 * x2) * pow(1 - product, -1, p) % p)


def test_the_table() -> None:
    assert [(curve.name, curve.bits, curve.form.name, curve.form.cofactor) for curve in EDWARDS] == [
        ("Ed25519", 255, "W-25519", 8), ("Ed448", 448, "W-Ed448", 4), ("Curve41417", 414, "W-41417", 8)]


@pytest.mark.parametrize("curve", EDWARDS, ids=lambda curve: curve.name)
def test_edwards_curve(curve: EdwardsCurve) -> None:
    """Complete; the base point; the form is the one of the textbook but for the scale of its coordinates."""
    p, form = curve.p, curve.form
    assert is_square(curve.a, p) and not is_square(curve.d, p) and curve.source
    assert curve.contains(*curve.g) and curve.to_form(*curve.g) == form.g and curve.from_form(form.g) == curve.g
    big_a, b = 2 * (curve.a + curve.d) * pow(curve.a - curve.d, -1, p) % p, 4 * pow(curve.a - curve.d, -1, p) % p
    third, u_scale, v_scale = curve._map
    assert 3 * third % p == big_a
    assert form.a == (3 - big_a**2) * pow(3, -1, p) * u_scale**2 % p
    assert form.b == (2 * big_a**3 - 9 * big_a) * pow(27, -1, p) * u_scale**3 % p
    assert v_scale**2 % p == u_scale**3 * b % p


@pytest.mark.parametrize("curve", EDWARDS, ids=lambda curve: curve.name)
def test_map_of_products(curve: EdwardsCurve) -> None:
    """Multiples of the base point by python-ecdsa on the Edwards curve, by the model on the form."""
    rng, n = random.Random(curve.name), curve.form.n
    scalars = [1, 2, 3, n - 1, *(rng.randrange(n) for _ in range(8))]
    assert len(scalars) == 12
    for k in scalars:
        theirs, ours = ec_pure.edwards_product(curve.name, k), multiply(curve.form, k, curve.form.g)
        assert curve.contains(*theirs) and curve.to_form(*theirs) == ours and curve.from_form(ours) == theirs


@pytest.mark.parametrize("curve", EDWARDS, ids=lambda curve: curve.name)
def test_map_of_exceptional_points(curve: EdwardsCurve) -> None:
    p, form = curve.p, curve.form
    assert curve.from_form(None) == (0, 1) and curve.to_form(0, 1) is None
    half = curve.to_form(0, p - 1)
    assert form.contains(*half) and multiply(form, 2, half) is None and curve.from_form(half) == (0, p - 1)
    mixed = add(form, form.g, half)
    x, y = curve.g
    assert curve.from_form(mixed) == (p - x, p - y) and curve.to_form(p - x, p - y) == mixed
    for off in ((0, 5), (5, 1), (5, p - 1), (x + p, y), (x, y + p), (-1, y)):
        assert not curve.contains(*off) and curve.to_form(*off) is None
    for off in ((x, y + 1), (x + 1, y), (y, x + 2)):
        assert not curve.contains(*off) and not form.contains(*curve.to_form(*off))


@pytest.mark.parametrize(("p", "a", "d", "order"), [
    (13, 1, 2, 8), (13, 12, 2, 16), (17, 1, 3, 24), (19, 1, 2, 20), (31, 1, 3, 36), (101, 100, 2, 108)])
def test_every_pair_of_coordinates(p: int, a: int, d: int, order: int) -> None:
    """Small complete curves in full: points and only points go to points, and sums to sums."""
    curve = toy(p, a, d)
    assert is_square(a, p) and not is_square(d, p)
    images = {}
    for x in range(p + 2):
        for y in range(p + 2):
            image = curve.to_form(x, y)
            if curve.contains(x, y):
                assert curve.from_form(image) == (x, y) and (image is not None or (x, y) == (0, 1))
                images[x, y] = image
            else:
                assert image is None or not curve.form.contains(*image), (x, y)
    assert len(images) == len(set(images.values())) == order
    assert set(images.values()) == {None, *((x, y) for x in range(p) for y in range(p) if curve.form.contains(x, y))}
    for one, image in images.items():
        for two in list(images)[:: max(1, order // 16)]:
            assert images[edwards_add(curve, one, two)] == add(curve.form, image, images[two])


def test_published_points() -> None:
    """Public keys of OpenSSL (RFC 8032, 5.1.5 and 5.2.5); of Curve41417 the multiple of 31415 that its first author had
    computed with Sage (github.com/wernerd/ZRTPCPP, its test of Curve41417)."""
    rng = random.Random(3)
    for name, size, hashed, keys in (
            ("Ed25519", 32, lambda seed: hashlib.sha512(seed).digest(), ed25519.Ed25519PrivateKey),
            ("Ed448", 57, lambda seed: hashlib.shake_256(seed).digest(114), ed448.Ed448PrivateKey)):
        curve = by_name(name)
        assert isinstance(curve, EdwardsCurve)
        for _ in range(4):
            seed = rng.randbytes(size)
            k, top = int.from_bytes(hashed(seed)[:curve.bytes], "little"), 1 << curve.bits - 1
            x, y = curve.from_form(multiply(curve.form, k & top - curve.form.cofactor | top, curve.form.g))
            encoded = (y | (x & 1) << 8 * size - 1).to_bytes(size, "little")
            assert keys.from_private_bytes(seed).public_key().public_bytes_raw() == encoded
    curve = by_name("Curve41417")
    assert isinstance(curve, EdwardsCurve)
    assert curve.from_form(multiply(curve.form, 31415, curve.form.g)) == (
        0x2E381D4526F05330CAEF549FD754A6CCE4E27136060111EF1EE9A88DDA7CC31FEAAD2B9C28D01E7B7C2AEEC23C1A67D218664F91,
        0x2C4853EEE25DB622DB04EF54C064E082278F2FBC8199DB01CE57D2B1F6E5328D5FD547F5D9041D5D8C320990C0F6A7B45005884B)


@pytest.mark.parametrize("name", ["X25519", "X448"])
def test_montgomery_curves(name: str) -> None:
    """u-coordinates of multiples by the ladder, x - A / 3 of those of the form."""
    curve = by_name(name)
    assert isinstance(curve, MontgomeryCurve)
    form, third = curves.weierstrass(curve.form), curve.A * pow(3, -1, curve.p)
    assert (form.p, form.n, form.cofactor) == (curve.p, curve.n, curve.cofactor)
    assert (form.g[0] - third) % curve.p == curve.u
    rng = random.Random(name)
    for k in (1, 2, curve.n - 1, *(rng.randrange(curve.n) for _ in range(5))):
        x, _ = multiply(form, k, form.g)
        assert montgomery.multiply_u(curve, k, curve.u) == (x - third) % curve.p


def test_forms_with_another_base_point() -> None:
    """Wei25519 is W-25519 with the negative of its base point."""
    one, other = by_name("W-25519"), by_name("Wei25519")
    assert (one.p, one.a, one.b, one.n) == (other.p, other.a, other.b, other.n)
    assert other.g == (one.g[0], one.p - one.g[1])


def test_curve_in_edwards_coordinates() -> None:
    """What commands take for an Edwards curve's name."""
    curve = curves.weierstrass("edwards448")
    assert (curve.name, curve.edwards) == ("Ed448", by_name("Ed448"))
    assert (curve.p, curve.a, curve.b, curve.n, curve.g) == (lambda form: (
        form.p, form.a, form.b, form.n, form.g))(by_name("W-Ed448"))
    assert curves.weierstrass("W-Ed448").edwards is None and curves.listed(curve)
