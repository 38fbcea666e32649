# SPDX-License-Identifier: Apache-2.0
"""Points of edwards25519 as their canonical encodings, of any order; libsodium computes.

Scalar multiplication in libsodium takes points of the subgroup of prime order alone. A point P = P' + T, T of an order
that divides 8, is taken apart: P' = [1/8 mod L][8]P. Doublings and sums work for all points.
"""

from __future__ import annotations

from functools import cache

from nacl import bindings as sodium

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
IDENTITY = (1).to_bytes(32, "little")
_LOW = 2**255 - 1
_EIGHTH = pow(8, -1, L)
_ROOT = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_Y = frozenset({0, 1, P - 1, _ROOT, P - _ROOT})
"""The y of the eight points whose order divides 8; _ROOT that of two of order 8."""
SOME_SMALL = _ROOT.to_bytes(32, "little")
"""A point of order 8."""


def canonical(data: bytes) -> bytes:
    """The canonical encoding of what 32 bytes stand for: y mod p, and no sign where x is 0."""
    number = int.from_bytes(data, "little")
    y = (number & _LOW) % P
    sign = 0 if y in (1, P - 1) else number >> 255
    return (y | sign << 255).to_bytes(32, "little")


def has_small_order(data: bytes) -> bool:
    """Whether the point of these 32 bytes, if there is one, has an order that divides 8."""
    return (int.from_bytes(data, "little") & _LOW) % P in _SMALL_Y


def is_point(encoded: bytes) -> bool:
    """Whether a canonical encoding is one of a point."""
    try:
        sodium.crypto_core_ed25519_add(encoded, IDENTITY)
    except RuntimeError:
        return False
    return True


def add(p: bytes, q: bytes) -> bytes:
    """p + q."""
    return sodium.crypto_core_ed25519_add(p, q)


def subtract(p: bytes, q: bytes) -> bytes:
    """p - q."""
    return sodium.crypto_core_ed25519_sub(p, q)


def times_eight(p: bytes) -> bytes:
    """[8]p."""
    for _ in range(3):
        p = add(p, p)
    return p


def _scalar(n: int) -> bytes:
    return n.to_bytes(32, "little")


def multiply_base(n: int) -> bytes:
    """[n] of the base point, n in [0, L)."""
    return sodium.crypto_scalarmult_ed25519_base_noclamp(_scalar(n)) if n else IDENTITY


def _multiply_prime(n: int, p: bytes) -> bytes:
    """[n]p for n in [0, L) and p of the subgroup of order L."""
    return IDENTITY if n == 0 or p == IDENTITY else sodium.crypto_scalarmult_ed25519_noclamp(_scalar(n), p)


@cache
def _small_multiples(t: bytes) -> tuple[bytes, ...]:
    """[0]t to [7]t of one of the eight points t of small order."""
    found = [IDENTITY]
    for _ in range(7):
        found.append(add(found[-1], t))
    return tuple(found)


def multiply(n: int, p: bytes) -> bytes:
    """[n]p for n in [0, L) and any point p."""
    prime = _multiply_prime(_EIGHTH, times_eight(p))
    small = subtract(p, prime)
    return add(_multiply_prime(n, prime), _small_multiples(small)[n % 8])
