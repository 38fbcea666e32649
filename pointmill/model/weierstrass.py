# SPDX-License-Identifier: Apache-2.0
"""Golden model of short-Weierstrass curves: points, ECDSA, SM2 and ECDH in plain integers.

Affine arithmetic with the textbook case distinction (SEC 1, 2.2.1), so that every product [k]P is exact:
k = 0, k >= the order, order unknown, infinity on the way. Not constant time; for tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from ..curves import Curve

Point = tuple[int, int] | None
"""Affine coordinates in [0, p); None is the point at infinity."""


class Reason(StrEnum):
    """Why an operation has no result, or a verification no valid verdict."""

    OK = "ok"
    NO_ORDER = "order_unknown"
    COORDINATE = "coordinate_out_of_range"
    NOT_ON_CURVE = "not_on_curve"
    INFINITY = "infinity"
    WRONG_ORDER = "wrong_order"
    KEY = "key_out_of_range"
    NONCE = "nonce_out_of_range"
    NONCE_UNFIT = "nonce_unfit"
    R_RANGE = "r_out_of_range"
    S_RANGE = "s_out_of_range"
    EQUATION = "equation_fails"


class Refused(ValueError):
    """An input that an operation refuses; `reason` says why."""

    def __init__(self, reason: Reason):
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class Verdict:
    """Outcome of a verification."""

    valid: bool
    reason: Reason


# ---- points -------------------------------------------------------------------------------------


def negate(curve: Curve, p: Point) -> Point:
    """-p."""
    return None if p is None else (p[0], -p[1] % curve.p)


def add(curve: Curve, p: Point, q: Point) -> Point:
    """p + q for any two points of the curve, also equal, opposite or infinite ones."""
    if p is None or q is None:
        return q if p is None else p
    (x1, y1), (x2, y2), m = p, q, curve.p
    if x1 == x2:
        if (y1 + y2) % m == 0:
            return None
        slope = (3 * x1 * x1 + curve.a) * pow(2 * y1, -1, m) % m
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, m) % m
    x3 = (slope * slope - x1 - x2) % m
    return x3, (slope * (x1 - x3) - y1) % m


def multiply(curve: Curve, k: int, p: Point) -> Point:
    """[k]p for every k >= 0; the order of p is not used."""
    result = None
    for bit in bin(k)[2:]:
        result = add(curve, result, result)
        if bit == "1":
            result = add(curve, result, p)
    return result


def check_point(curve: Curve, x: int, y: int) -> Reason:
    """Whether (x, y) is a point of the curve: COORDINATE, NOT_ON_CURVE or OK."""
    if not (0 <= x < curve.p and 0 <= y < curve.p):
        return Reason.COORDINATE
    return Reason.OK if curve.contains(x, y) else Reason.NOT_ON_CURVE


def check_public_key(curve: Curve, x: int, y: int) -> Reason:
    """As `check_point`; and WRONG_ORDER unless n (x, y) is infinity, where n is known (SEC 1, 3.2.2.1)."""
    reason = check_point(curve, x, y)
    if reason == Reason.OK and curve.n and multiply(curve, curve.n, (x, y)) is not None:
        return Reason.WRONG_ORDER
    return reason


def _point(curve: Curve, p: Point) -> Point:
    """A base point if none is given, else p, which has to be on the curve."""
    if p is None:
        if curve.g is None:
            raise Refused(Reason.NOT_ON_CURVE)
        return curve.g
    if (reason := check_point(curve, *p)) != Reason.OK:
        raise Refused(reason)
    return p


def ecmul(curve: Curve, k: int, p: tuple[int, int] | None = None) -> Point:
    """[k]p, p absent: of the base point. Refused where p is not on the curve, or not there."""
    return multiply(curve, k, _point(curve, p))


def ecmul2(curve: Curve, u: int, p: tuple[int, int], v: int, q: tuple[int, int]) -> Point:
    """[u]p + [v]q. Refused where a point is not on the curve."""
    return add(curve, ecmul(curve, u, p), ecmul(curve, v, q))


# ---- keys and agreement -------------------------------------------------------------------------


def _order(curve: Curve) -> int:
    """The order; Refused where it or the base point is unknown."""
    if not curve.n or not curve.g:
        raise Refused(Reason.NO_ORDER)
    return curve.n


def _scalar(value: int, n: int, reason: Reason) -> int:
    """A scalar in [1, n)."""
    if not 1 <= value < n:
        raise Refused(reason)
    return value


def public_key(curve: Curve, d: int) -> tuple[int, int]:
    """[d]g for d in [1, n); Refused for another d."""
    return _base_multiple(curve, _scalar(d, _order(curve), Reason.KEY))


def _base_multiple(curve: Curve, k: int) -> tuple[int, int]:
    """[k]g for k in [1, n), which is never infinity."""
    return cast(tuple[int, int], multiply(curve, k, curve.g))


def ecdh(curve: Curve, d: int, q: tuple[int, int]) -> int:
    """The x-coordinate of [d]q (SEC 1, 3.3.1; cofactor 1). Refused for d outside [1, n) where n is known (else
    d = 0), a q that is not on the curve, and where the product is infinity."""
    _scalar(d, curve.n or 1 << d.bit_length(), Reason.KEY)
    product = multiply(curve, d, _point(curve, q))
    if product is None:
        raise Refused(Reason.INFINITY)
    return product[0]


# ---- ECDSA --------------------------------------------------------------------------------------


def bits2int(digest: bytes, n: int) -> int:
    """The leftmost bits(n) bits of a digest as an integer (SEC 1, 4.1.3, step 5; RFC 6979, 2.3.2)."""
    excess = 8 * len(digest) - n.bit_length()
    value = int.from_bytes(digest, "big")
    return value >> excess if excess > 0 else value


def ecdsa_sign(curve: Curve, digest: bytes, d: int, k: int) -> tuple[int, int]:
    """(r, s) with nonce k (SEC 1, 4.1.3). Refused for d or k outside [1, n), or where r or s is 0."""
    n = _order(curve)
    _scalar(d, n, Reason.KEY)
    r = _base_multiple(curve, _scalar(k, n, Reason.NONCE))[0] % n
    s = pow(k, -1, n) * (bits2int(digest, n) + r * d) % n
    if r == 0 or s == 0:
        raise Refused(Reason.NONCE_UNFIT)
    return r, s


def _verify_inputs(curve: Curve, q: tuple[int, int], r: int, s: int, n: int) -> Reason:
    if not 1 <= r < n:
        return Reason.R_RANGE
    if not 1 <= s < n:
        return Reason.S_RANGE
    return check_point(curve, *q)


def ecdsa_verify(curve: Curve, digest: bytes, q: tuple[int, int], r: int, s: int) -> Verdict:
    """SEC 1, 4.1.4. Reasons in the order r, s, q, equation."""
    n = _order(curve)
    reason = _verify_inputs(curve, q, r, s, n)
    if reason != Reason.OK:
        return Verdict(False, reason)
    w = pow(s, -1, n)
    u, v = bits2int(digest, n) * w % n, r * w % n
    point = add(curve, multiply(curve, u, curve.g), multiply(curve, v, q))
    valid = point is not None and point[0] % n == r
    return Verdict(valid, Reason.OK if valid else Reason.EQUATION)


# ---- SM2 ----------------------------------------------------------------------------------------


def sm2_sign(curve: Curve, e: int, d: int, k: int) -> tuple[int, int]:
    """(r, s) for e = SM3(ZA || M) as an integer (GB/T 32918.2, 6.1). Refused for d outside [1, n - 1), k
    outside [1, n), and where r = 0, r + k = n or s = 0."""
    n = _order(curve)
    _scalar(d, n - 1, Reason.KEY)
    r = (e + _base_multiple(curve, _scalar(k, n, Reason.NONCE))[0]) % n
    s = pow(1 + d, -1, n) * (k - r * d) % n
    if r == 0 or r + k == n or s == 0:
        raise Refused(Reason.NONCE_UNFIT)
    return r, s


def sm2_verify(curve: Curve, e: int, q: tuple[int, int], r: int, s: int) -> Verdict:
    """GB/T 32918.2, 7.1. Reasons as `ecdsa_verify`; r + s = 0 mod n is EQUATION."""
    n = _order(curve)
    reason = _verify_inputs(curve, q, r, s, n)
    if reason != Reason.OK:
        return Verdict(False, reason)
    t = (r + s) % n
    point = add(curve, multiply(curve, s, curve.g), multiply(curve, t, q))
    valid = t != 0 and point is not None and (e + point[0]) % n == r
    return Verdict(valid, Reason.OK if valid else Reason.EQUATION)
