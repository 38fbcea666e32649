# SPDX-License-Identifier: Apache-2.0
"""Montgomery products with a scaled modulus, as pm_mont_skew makes them, in plain integers.

The modulus p is replaced by k p with k = -1/p mod 2^digit, so that k p = -1 mod 2^digit and a digit of the quotient is
the low digit of what it is to clear. Numbers below 2 k p stand for their residues; R = 2^(digit digits) >= 4 k p keeps
products there without a final subtraction.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scaled:
    """An odd modulus from 3 up, with the bits of a digit; `ValueError` for another one."""

    p: int
    digit: int

    def __post_init__(self) -> None:
        if self.p < 3 or self.p % 2 == 0:
            raise ValueError("the modulus must be odd and at least 3")

    @property
    def modulus(self) -> int:
        """k p."""
        return -pow(self.p, -1, 1 << self.digit) % (1 << self.digit) * self.p

    @property
    def top(self) -> int:
        """Operands and results are below it."""
        return 2 * self.modulus

    @property
    def digits(self) -> int:
        """The fewest digits of R."""
        return max(2, -(-(2 * self.top - 1).bit_length() // self.digit))

    def product(self, x: int, y: int, digits: int = 0) -> int:
        """The number, below `top`, that stands for x y R^-1; R of `digits` digits, or of the fewest. The quotient is
        the one number below R that makes x y + q k p divisible by R."""
        shift = self.digit * (digits or self.digits)
        quotient = -x * y * pow(self.modulus, -1, 1 << shift) % (1 << shift)
        return (x * y + quotient * self.modulus) >> shift

    def into(self, a: int, digits: int = 0) -> int:
        """The number below p that stands for a in the domain: a R mod p."""
        return (a << self.digit * (digits or self.digits)) % self.p

    def out_of(self, a: int, digits: int = 0) -> int:
        """What a number of the domain stands for: its product with 1, which is at most k p, reduced."""
        return self.product(a, 1, digits) % self.p
