# SPDX-License-Identifier: Apache-2.0
"""Half-size scalars in plain integers, step by step as pm_halfgcd makes them; hostile scalars."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from dv.lib.scalar.naf_reference import L

M = 8 * L
"""Exponent of the group of the whole curve."""


class Half(NamedTuple):
    """c = d * k mod 8L, and the steps it took."""

    c: int
    d: int
    steps: int


def size(r: int) -> tuple[int, int]:
    """(bit length, bit below the leading one) of |r|, or of a number just below |r| if r < 0."""
    quarters = 4 * abs(r) - (r < 0)
    length = quarters.bit_length()
    return length, (quarters >> (length - 2)) & 1 if quarters else 0


def half_gcd(k: int, stop_bits: int = 128) -> Half:
    """The pair that the unit finds for 0 <= k < L; asserts the bounds its header proves."""
    def small(r: int) -> bool:
        return -2**stop_bits <= r < 2**stop_bits

    r0, t0, r1, t1, steps = M, 0, k, 1, 0
    if small(k):
        return Half(k, 1, 0)
    while True:
        (n0, m0), (n1, m1) = size(r0), size(r1)
        if r0 and (n0, m0) < (n1, m1):
            r0, t0, r1, t1 = r1, t1, r0, t0
            (n0, m0), (n1, m1) = (n1, m1), (n0, m0)
        shift = n0 - n1 - (m1 > m0) if r0 else 0
        sign = 1 if (r0 < 0) == (r1 < 0) else -1
        r0, t0 = r0 - sign * (r1 << shift), t0 - sign * (t1 << shift)
        steps += 1
        assert abs(t0 * r1) + abs(t1 * r0) <= 3 * M
        assert n0 == 0 or size(r0)[0] < n0
        if small(r0) and r0 and t0 % 2:
            return Half(r0, t0, steps)


def half_size(rng: random.Random) -> tuple[int, int, int, int]:
    """Scalars of a verification with half-size scalars: s0, s1, c, d."""
    c, d, _ = half_gcd(rng.randrange(L))
    s = d * rng.randrange(L) % L
    return s % 2**127, s >> 127, c, d


def edges() -> list[int]:
    """Small numbers, the ends of the range, powers of two, fractions of L and 8L, neighbours."""
    found = {*range(64), *(L - i for i in range(1, 64)), (L - 1) // 2, (L + 1) // 2}
    for i in range(254):
        for offset in range(-2, 3):
            found |= {2**i + offset, L - 2**i + offset}
    for q in range(1, 300):
        for p in (1, 2, 3, 4, 5, 8):
            found |= {M * p // q, M * p // q + 1, -M * p // q % M}
    for a in (1, 3, 5, 7, 9, 2**64 + 1, 2**127 - 1, 2**128 + 1):
        inverse = pow(a, -1, M)
        found |= {inverse, M - inverse, pow(2 * a, -1, L), L - pow(2 * a, -1, L)}
        found |= {8 * (b * inverse % (L // 8)) for b in (1, 2, 3)}
    return sorted(k for k in found if 0 <= k < L)


def hostile(rng: random.Random, count: int) -> Iterator[int]:
    """`count` scalars with a short r = t * k mod 8L of unequal sizes, some with even t.

    With t = 2^a t', r = 2^a r' and r' small, a usual search ends at an even cofactor.
    """
    while count:
        t = rng.getrandbits(rng.randrange(1, 253)) | 1
        r = rng.choice([1, -1]) * rng.getrandbits(rng.randrange(1, 140))
        a = rng.choice([0, 0, 0, 1, 2, 3])
        m = M >> a
        if t % L == 0:
            continue
        k = r * pow(t, -1, m) % m + m * rng.randrange(2**a)
        if 0 <= k < L:
            count -= 1
            yield k


def multiples_of_eight(rng: random.Random, count: int) -> Iterator[int]:
    """`count` scalars 8/t mod L, t even: Euclid's last remainder is 8 and its cofactor is even."""
    while count:
        t = rng.choice([1, -1]) * 2 * rng.randrange(1, 2**rng.randrange(1, 252))
        k = 8 * pow(t, -1, L) if t % L else L
        k %= L
        if k % 8 == 0:
            count -= 1
            yield k


def jumps_to_zero(rng: random.Random, count: int, stop_bits: int) -> Iterator[int]:
    """`count` scalars most of whose runs come to r = 8 with even t while the other remainder is
    about 8 * 2^s >= 2^stop_bits: it may then become 0 at once. For this L, stop_bits <= 126.
    """
    while count:
        s = stop_bits - 3 + rng.randrange(3)
        spread = 2 ** max(1, 254 - 2 * stop_bits)
        t = (L >> s) + rng.randrange(-spread, spread) & ~1
        k = 8 * pow(rng.choice([1, -1]) * t, -1, L)
        if k < L:
            count -= 1
            yield k
