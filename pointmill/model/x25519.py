# SPDX-License-Identifier: Apache-2.0
"""X25519 (RFC 7748) in plain integers; for tests, not constant time."""

from __future__ import annotations

from .field25519 import P, inverse

A24 = 121665
"""(486662 - 2) / 4, section 5."""

BASE = (9).to_bytes(32, "little")
"""The u-coordinate of the base point."""


def decode_scalar(k: bytes) -> int:
    """The clamped scalar of 32 bytes: bits 0 to 2 and 255 cleared, bit 254 set (section 5)."""
    if len(k) != 32:
        raise ValueError(f"a scalar has 32 bytes, not {len(k)}")
    return (int.from_bytes(k, "little") & (2**254 - 8)) | 2**254


def decode_u(u: bytes) -> int:
    """The u-coordinate of 32 bytes mod p; bit 255 is ignored, values from p on are accepted."""
    if len(u) != 32:
        raise ValueError(f"a u-coordinate has 32 bytes, not {len(u)}")
    return (int.from_bytes(u, "little") & (2**255 - 1)) % P


def ladder(k: int, u: int) -> tuple[int, int]:
    """(X, Z) of k times the point with coordinate u, by the steps of section 5; k below 2^255."""
    x2, z2, x3, z3 = 1, 0, u, 1
    swap = 0
    for t in reversed(range(255)):
        k_t = k >> t & 1
        if swap ^ k_t:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = k_t
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + A24 * e) % P
    if swap:
        x2, z2 = x3, z3
    return x2, z2


def x25519(k: bytes, u: bytes) -> bytes:
    """The 32 bytes of X25519(k, u), k and u of 32 bytes. All zero for u of small order."""
    x, z = ladder(decode_scalar(k), decode_u(u))
    return (x * inverse(z) % P).to_bytes(32, "little")
