# SPDX-License-Identifier: Apache-2.0
"""Regular digits of secret scalars in plain integers (see docs/scalar-secret.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from naf_reference import L

HALF = 127  # positions of each half of a comb


class Digit(NamedTuple):
    """secret_digit_t."""

    swap: int
    kind: int
    neg: int
    idx: int

    @classmethod
    def unpacked(cls, word: int) -> Digit:
        return cls(word >> 10 & 1, word >> 9 & 1, word >> 8 & 1, word & 0xFF)

    @property
    def multiple(self) -> int:
        """Odd multiple of the base that a comb's digit stands for."""
        return (-1) ** self.neg * (2 * self.idx + 1)


def ladder(k: int) -> list[Digit]:
    """Swaps of the steps 254 to 0 of the Montgomery ladder (RFC 7748, section 5)."""
    bits = [k >> t & 1 for t in range(255)] + [0]
    return [Digit(bits[t] ^ bits[t + 1], 0, 0, 0) for t in reversed(range(255))]


def window(value: int, width: int) -> tuple[int, int]:
    """Sign and index of the odd number 2 value - (2^width - 1), -2^width < it < 2^width."""
    odd = 2 * value - (2**width - 1)
    return int(odd < 0), (abs(odd) - 1) // 2


def comb(s: int, wg: int = 10) -> list[Digit]:
    """Digits of s below L in the order of their use."""
    odd = s if s % 2 else s + L
    b = (odd >> 1) + 2**253
    width = wg - 1
    count = -(-HALF // width)
    digits = []
    for w in reversed(range(count)):
        size = min(width, HALF - w * width)
        for kind in (0, 1):
            value = b >> (kind * HALF + w * width) & (2**size - 1)
            digits.append(Digit(0, kind, *window(value, size)))
    return digits


def comb_value(digits: Sequence[Digit], wg: int = 10) -> int:
    """What the double-and-add of the digits gives: the scalar, plus L if it was even."""
    sums = [0, 0]
    for pair in range(0, len(digits), 2):
        sums = [(total << (wg - 1)) + digit.multiple
                for total, digit in zip(sums, digits[pair:pair + 2], strict=True)]
    assert all(digit.kind == i % 2 for i, digit in enumerate(digits))
    return sums[0] + (sums[1] << HALF)
