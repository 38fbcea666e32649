# SPDX-License-Identifier: Apache-2.0
"""Golden model of the modified Joye algorithm in affine coordinates (Tanaka 2020, algorithm 1), and of its inversions.

The program that runs without an inverter takes the inverses from a table in the order in which it needs them; here
that order is found. As printed the algorithm gives [k mod 2^(n-1) + 2^(n-1)]P; with n above the length of k, and
[2^(n-1)]P subtracted at the end, it is exact.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..curves import Curve
from .weierstrass import Point, add, negate

WORD_BITS = 32


def length(bits: int) -> int:
    """The smallest n that is even, at least 4 and above `bits`."""
    return max(4, (bits + 2) // 2 * 2)


def montgomery_power(p: int) -> int:
    """R = 2^(32 m) for the m words of p."""
    return 1 << -(-p.bit_length() // WORD_BITS) * WORD_BITS


@dataclass
class Walk:
    """One product: what was inverted, in order, and how often each special case occurred: "infinity" (an operand),
    "equal", "opposite", "order 2" and "order 4" (of the point to double)."""

    curve: Curve
    inverted: list[int] = field(default_factory=list)
    special: Counter[str] = field(default_factory=Counter)

    def sum(self, p: Point, q: Point) -> Point:
        """p + q."""
        if p is None or q is None:
            self.special["infinity"] += 1
        elif p[0] != q[0]:
            self.inverted.append((q[0] - p[0]) % self.curve.p)
        elif p != q or p[1] == 0:
            self.special["opposite"] += 1
        else:
            self.special["equal"] += 1
            self.inverted.append(2 * p[1] % self.curve.p)
        return add(self.curve, p, q)

    def double_quadruple(self, p: Point) -> tuple[Point, Point]:
        """2 p and 4 p: one inversion, of 2 y when 2 p has order 2, otherwise of (2 y)^4 times the ordinate of 2 p times
        2."""
        twice = add(self.curve, p, p)
        if p is None or twice is None:
            self.special["infinity" if p is None else "order 2"] += 1
            return None, None
        if twice[1] == 0:
            self.special["order 4"] += 1
            self.inverted.append(2 * p[1] % self.curve.p)
        else:
            self.inverted.append(pow(2 * p[1], 4, self.curve.p) * 2 * twice[1] % self.curve.p)
        return twice, add(self.curve, twice, twice)

    def multiply(self, k: int, n: int, p: Point) -> Point:
        """[k]p for 0 <= k < 2^(n-1), n even and at least 4."""
        if n % 2 or n < 4 or not 0 <= k < 1 << n - 1:
            raise ValueError("n has to be even, at least 4 and above the length of k")
        sums = [negate(self.curve, p), p]
        low, high = first, _ = self.double_quadruple(p)
        for i in range(1, n - 1, 2):
            if i > 1:
                low, high = self.double_quadruple(high)
            for bit, multiple in ((k >> i & 1, low), (k >> i + 1 & 1, high)):
                sums[bit] = self.sum(sums[bit], multiple)
        result = self.sum(sums[0], self.double_quadruple(sums[1])[0])
        result = self.sum(result, first if k & 1 else p)
        return self.sum(result, negate(self.curve, self.double_quadruple(high)[0]))

    def table(self) -> list[int]:
        """The inverses in the order of their use, in Montgomery's domain."""
        p = self.curve.p
        return [pow(value, -1, p) * montgomery_power(p) % p for value in self.inverted]
