# SPDX-License-Identifier: Apache-2.0
"""Field, group law, torsion and encodings of the golden model, by their algebraic properties."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from pointmill.model import edwards, field25519, scalar
from pointmill.model.edwards import BASE, NEUTRAL, SMALL_ORDER_Y, TORSION, D
from pointmill.model.field25519 import SQRT_M1, P, inverse, sqrt_ratio
from pointmill.model.scalar import L

elements = st.one_of(st.integers(0, P - 1), st.sampled_from([0, 1, 2, 19, P - 1, P - 2]))
multipliers = st.integers(0, L - 1)
points = st.builds(
    lambda n, i: edwards.add(edwards.multiply(n, BASE), TORSION[i]),
    multipliers,
    st.integers(0, 7),
)
few = settings(max_examples=40, deadline=None)


def affine_add(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    """The affine addition law of RFC 8032, 5.1, with its two divisions written out."""
    (x1, y1), (x2, y2) = p, q
    t = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * inverse(1 + t) % P,
        (y1 * y2 + x1 * x2) * inverse(1 - t) % P,
    )


def test_constants() -> None:
    assert P == 2**255 - 19
    assert SQRT_M1 * SQRT_M1 % P == P - 1 and SQRT_M1 % 2 == 0
    assert D == 37095705934669439343138083508754565189542113879843219016388785533085940283555
    assert pow(D, (P - 1) // 2, P) == P - 1, "d is not a square, so the law is complete"
    x, y = edwards.to_affine(BASE)
    assert 5 * y % P == 4 and x % 2 == 0
    assert x == 15112221349535400772501151409588531511454012693041857206046113283949847762202
    assert L.bit_length() == 253 and pow(2, L - 1, L) == 1
    assert edwards.equal(edwards.multiply(L, BASE), NEUTRAL)


@given(elements)
def test_inverse(a: int) -> None:
    assert a * inverse(a) % P == (1 if a else 0)


@given(elements, elements.filter(bool))
def test_sqrt_ratio(u: int, v: int) -> None:
    root = sqrt_ratio(u, v)
    is_square = pow(u * inverse(v), (P - 1) // 2, P) in (0, 1)
    assert (root is not None) == is_square
    if root is not None:
        assert 0 <= root < P and (v * root * root - u) % P == 0


@few
@given(points, points)
def test_addition_is_the_affine_law(p: edwards.Point, q: edwards.Point) -> None:
    total = edwards.add(p, q)
    assert edwards.is_on_curve(total)
    expected = affine_add(edwards.to_affine(p), edwards.to_affine(q))
    assert edwards.to_affine(total) == expected
    assert edwards.equal(total, edwards.add(q, p))
    assert edwards.equal(edwards.add(total, edwards.negate(q)), p)


@few
@given(points, points, points)
def test_addition_is_associative(
    p: edwards.Point, q: edwards.Point, r: edwards.Point
) -> None:
    left = edwards.add(edwards.add(p, q), r)
    assert edwards.equal(left, edwards.add(p, edwards.add(q, r)))


@few
@given(points)
def test_special_sums(p: edwards.Point) -> None:
    assert edwards.equal(edwards.double(p), edwards.add(p, p))
    assert edwards.is_on_curve(edwards.double(p))
    assert edwards.equal(edwards.add(p, NEUTRAL), p)
    assert edwards.equal(edwards.add(p, edwards.negate(p)), NEUTRAL)
    for t in TORSION:
        assert edwards.is_on_curve(edwards.add(p, t))


@few
@given(multipliers, multipliers, points)
def test_multiplication_is_linear(m: int, n: int, p: edwards.Point) -> None:
    total = edwards.add(edwards.multiply(m, p), edwards.multiply(n, p))
    assert edwards.equal(edwards.multiply(m + n, p), total)


@few
@given(multipliers, multipliers, points, points)
def test_double_multiply(m: int, n: int, p: edwards.Point, q: edwards.Point) -> None:
    expected = edwards.add(edwards.multiply(m, p), edwards.multiply(n, q))
    assert edwards.equal(edwards.double_multiply(m, p, n, q), expected)


def test_torsion_group() -> None:
    assert len({edwards.encode(t) for t in TORSION}) == 8
    for i, p in enumerate(TORSION):
        assert edwards.is_on_curve(p)
        for j, q in enumerate(TORSION):
            assert edwards.equal(edwards.add(p, q), TORSION[(i + j) % 8])
    assert [edwards.order_class(t) for t in TORSION] == ["1", "8", "4", "8", "2", "8", "4", "8"]
    assert len(SMALL_ORDER_Y) == 5 and {0, 1, P - 1} < SMALL_ORDER_Y
    y8 = min(SMALL_ORDER_Y - {0, 1, P - 1}, key=lambda y: y % 2)
    assert {y8, P - y8} == SMALL_ORDER_Y - {0, 1, P - 1}


@few
@given(multipliers.filter(bool), st.integers(0, 7))
def test_order_class(n: int, i: int) -> None:
    point = edwards.add(edwards.multiply(n, BASE), TORSION[i])
    assert edwards.order_class(point) == ("nL" if i else "L")
    assert not edwards.is_small_order(edwards.encode(point))


def test_small_order_encodings() -> None:
    """14 strings name a small-order point: the 8 canonical ones, and the non-canonical ones of
    y = 0 (two), of y = 1 (-0, and p + 1 with either sign) and of y = -1 (-0)."""
    canonical = {edwards.encode(t) for t in TORSION}
    found = set()
    for y in SMALL_ORDER_Y:
        for value in (y, y + P):
            for sign in (0, 1):
                if value < 2**255:
                    found.add((value | sign << 255).to_bytes(32, "little"))
    assert len(found) == 14 and canonical < found
    for data in found:
        assert edwards.is_small_order(data)
        point = edwards.decode(data, strict=False)
        assert point and edwards.equal(edwards.multiply(8, point), NEUTRAL)
        assert (edwards.decode(data, strict=True) is not None) == (data in canonical)


@few
@given(points)
def test_encoding_round_trip(p: edwards.Point) -> None:
    data = edwards.encode(p)
    for strict in (True, False):
        assert edwards.equal(edwards.decode(data, strict), p)
    flipped = data[:31] + bytes([data[31] ^ 0x80])
    assert edwards.equal(edwards.decode(flipped, strict=False), edwards.negate(p))


@given(st.binary(min_size=32, max_size=32))
def test_decoding_any_bytes(data: bytes) -> None:
    lenient, strict = (edwards.decode(data, s) for s in (False, True))
    if lenient:
        assert edwards.is_on_curve(lenient)
        assert edwards.to_affine(lenient)[1] == edwards.y_field(data) % P
    assert (strict is not None) == (lenient is not None and edwards.encode(lenient) == data)


def test_decoding_beyond_p() -> None:
    """All 38 strings with y >= p: strictly none decodes, leniently as y - p does. 24 of them are
    points, which with the two "-0" below p makes the 26 known non-canonical encodings."""
    decoded = 0
    for y in range(P, 2**255):
        for sign in (0, 1):
            data = (y | sign << 255).to_bytes(32, "little")
            assert edwards.decode(data, strict=True) is None
            lenient = edwards.decode(data, strict=False)
            reduced = edwards.decode((y - P | sign << 255).to_bytes(32, "little"), strict=False)
            assert (lenient is None) == (reduced is None)
            if lenient:
                assert edwards.equal(lenient, reduced)
                decoded += 1
    assert decoded == 24


def test_decode_refuses_other_lengths() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        edwards.decode(bytes(31), strict=True)


@given(st.binary(min_size=64, max_size=64))
def test_scalar_reduction(digest: bytes) -> None:
    value = scalar.reduce(digest)
    assert scalar.in_range(value)
    assert (int.from_bytes(digest, "little") - value) % L == 0


def test_scalar_bytes() -> None:
    assert scalar.to_bytes(258) == b"\2\1" + bytes(30) and scalar.to_bytes(2**256 - 1) == b"\xff" * 32
    with pytest.raises(OverflowError):
        scalar.to_bytes(2**256)


def test_scalar_range() -> None:
    assert [scalar.in_range(v) for v in (0, 1, L - 1, L, L + 1, 2**256 - 1)] == [
        True, True, True, False, False, False
    ]  # fmt: skip
    assert scalar.clamp(b"\xff" * 32) == 2**255 - 8 and scalar.clamp(bytes(32)) == 2**254


def test_square_root_of_minus_one_path() -> None:
    """Both branches of the root are taken: with and without the factor sqrt(-1)."""
    taken = set()
    for u in range(1, 60):
        root = sqrt_ratio(u, 1)
        if root is not None:
            taken.add(pow(u, (P - 1) // 4, P) == 1)
    assert taken == {True, False}
    assert field25519.sqrt_ratio(0, 5) == 0
