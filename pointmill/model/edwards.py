# SPDX-License-Identifier: Apache-2.0
"""edwards25519: -x^2 + y^2 = 1 + d*x^2*y^2 over the field of 2^255 - 19.

A point is a tuple (X, Y, Z, T) of ints in [0, p): extended coordinates x = X/Z, y = Y/Z,
T = XY/Z, Z not 0. The addition law is complete: d is not a square, so it has no exceptions,
neither for doubling nor for points of small order.
"""

from __future__ import annotations

from typing import cast

from .field25519 import P, inverse, sqrt_ratio
from .scalar import L

Point = tuple[int, int, int, int]

D = -121665 * inverse(121666) % P
_D2 = 2 * D % P

NEUTRAL: Point = (0, 1, 1, 0)


def from_affine(x: int, y: int) -> Point:
    """The point (x, y), coordinates in [0, p); it is not checked to lie on the curve."""
    return x, y, 1, x * y % P


def to_affine(point: Point) -> tuple[int, int]:
    """(x, y), both in [0, p)."""
    z_inv = inverse(point[2])
    return point[0] * z_inv % P, point[1] * z_inv % P


def is_on_curve(point: Point) -> bool:
    """Whether the coordinates satisfy the curve equation and T = XY/Z."""
    x, y, z, t = point
    on_curve = (y * y - x * x - z * z - D * t * t) % P == 0
    return z % P != 0 and on_curve and (x * y - z * t) % P == 0


def add(p: Point, q: Point) -> Point:
    """p + q (Hisil et al. 2008, 3.1; Xue et al. 2022, J. Commun. 43(3), alg. 3)."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = t1 * _D2 % P * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p: Point) -> Point:
    """2p (Hisil et al. 2008, 3.3; Xue et al. 2022, J. Commun. 43(3), alg. 4)."""
    x, y, z, _ = p
    a, b, c = x * x % P, y * y % P, 2 * z * z % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p: Point) -> Point:
    """-p."""
    return -p[0] % P, p[1], p[2], -p[3] % P


def equal(p: Point, q: Point) -> bool:
    """Whether p and q are the same point, whatever their Z."""
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def multiply(n: int, p: Point) -> Point:
    """n*p by double-and-add, n >= 0 and not reduced (p may have any order)."""
    result = NEUTRAL
    for bit in bin(n)[2:]:
        result = double(result)
        if bit == "1":
            result = add(result, p)
    return result


def double_multiply(m: int, p: Point, n: int, q: Point) -> Point:
    """m*p + n*q, one binary digit of both at a time (Shamir); m, n >= 0 and not reduced."""
    table = (None, p, q, add(p, q))
    result = NEUTRAL
    for i in reversed(range(max(m.bit_length(), n.bit_length()))):
        result = double(result)
        addend = table[(m >> i & 1) + 2 * (n >> i & 1)]
        if addend:
            result = add(result, addend)
    return result


def encode(p: Point) -> bytes:
    """The 32-byte canonical encoding: y in bits 0..254, the lowest bit of x in bit 255."""
    x, y = to_affine(p)
    return (y | (x & 1) << 255).to_bytes(32, "little")


def y_field(data: bytes) -> int:
    """Bits 0..254 of a 32-byte encoding, not reduced."""
    return int.from_bytes(data, "little") & (2**255 - 1)


def decode(data: bytes, strict: bool) -> Point | None:
    """The point of a 32-byte encoding, or None.

    strict (RFC 8032, 5.1.3): y < p is required, and x = 0 with the sign bit set is refused.
    Otherwise y is taken mod p and such an encoding stands for x = 0. ValueError unless 32 bytes.
    """
    if len(data) != 32:
        raise ValueError(f"an encoded point has 32 bytes, not {len(data)}")
    y, sign = y_field(data), data[31] >> 7
    if strict and y >= P:
        return None
    y %= P
    x = sqrt_ratio(y * y - 1, D * y * y + 1)
    if x is None or (strict and x == 0 and sign):
        return None
    return from_affine(-x % P if x & 1 != sign else x, y)


BASE = cast(Point, decode((4 * inverse(5) % P).to_bytes(32, "little"), strict=True))
"""The base point: y = 4/5, x even."""


def _find_torsion() -> tuple[Point, ...]:
    """The subgroup of order 8 as T[i] = i*T[1], T[1] the L-multiple of the first curve point
    (y = 2, 3, ...; x even) that gives order 8."""
    y = 2
    while True:
        point = decode(y.to_bytes(32, "little"), strict=True)
        if point:
            t = multiply(L, point)
            if not equal(multiply(4, t), NEUTRAL):
                return tuple(from_affine(*to_affine(multiply(i, t))) for i in range(8))
        y += 1


TORSION: tuple[Point, ...] = _find_torsion()

SMALL_ORDER_Y = frozenset(to_affine(t)[1] for t in TORSION)
"""The five y of the points of order 1, 2, 4 and 8: 1, -1, 0, y8, -y8. Each belongs to small-order
points only, so that "y mod p is in this set" is the whole test for small order."""


def is_small_order(data: bytes) -> bool:
    """Whether a 32-byte encoding (canonical or not, any sign bit) names a point of small order."""
    return y_field(data) % P in SMALL_ORDER_Y


def order_class(p: Point) -> str:
    """'1', '2', '4' or '8' (small order), 'L' (prime order) or 'nL' (mixed)."""
    if equal(multiply(8, p), NEUTRAL):
        return next(str(n) for n in (1, 2, 4, 8) if equal(multiply(n, p), NEUTRAL))
    return "L" if equal(multiply(L, p), NEUTRAL) else "nL"
