# SPDX-License-Identifier: Apache-2.0
"""Golden model of Montgomery curves, x-only: X25519 and X448 (RFC 7748) in plain integers.

Not constant time; for tests.
"""

from __future__ import annotations

from ..curves import MontgomeryCurve


def ladder(curve: MontgomeryCurve, k: int, u: int, bits: int) -> tuple[int, int]:
    """(X, Z) of k times the point with coordinate u by `bits` steps of RFC 7748, section 5; k < 2^bits."""
    p, a24 = curve.p, curve.a24
    x2, z2, x3, z3 = 1, 0, u, 1
    for t in reversed(range(bits)):
        bit = k >> t & 1
        if bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % p, u * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, e * (aa + a24 * e) % p
        if bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
    return x2, z2


def multiply_u(curve: MontgomeryCurve, k: int, u: int) -> int:
    """The coordinate of [k](u, v) on the curve or its twist; 0 also for infinity. k >= 0, u in [0, p)."""
    x, z = ladder(curve, k, u, max(curve.bits, k.bit_length()))
    return x * pow(z, curve.p - 2, curve.p) % curve.p


def decode_scalar(curve: MontgomeryCurve, k: bytes) -> int:
    """The clamped scalar of the curve's number of bytes (RFC 7748, section 5): a multiple of the cofactor, its
    highest bit that of the modulus. ValueError for another number of bytes."""
    if len(k) != curve.bytes:
        raise ValueError(f"a scalar has {curve.bytes} bytes, not {len(k)}")
    high = 1 << (curve.bits - 1)
    return (int.from_bytes(k, "little") & (high - 1) & -curve.cofactor) | high


def decode_u(curve: MontgomeryCurve, u: bytes) -> int:
    """The coordinate mod p; bits above those of p are ignored, values from p on are accepted."""
    if len(u) != curve.bytes:
        raise ValueError(f"a u-coordinate has {curve.bytes} bytes, not {len(u)}")
    return (int.from_bytes(u, "little") & ((1 << curve.bits) - 1)) % curve.p


def xdh(curve: MontgomeryCurve, k: bytes, u: bytes) -> bytes:
    """X25519(k, u) or X448(k, u). All zero for u of small order."""
    product = multiply_u(curve, decode_scalar(curve, k), decode_u(curve, u))
    return product.to_bytes(curve.bytes, "little")
