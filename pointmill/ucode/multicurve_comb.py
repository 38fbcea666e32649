# SPDX-License-Identifier: Apache-2.0
"""The comb of `multicurve`, configuration `fast`: how a secret scalar of the base point is written, and where
its multiples are kept (docs/multicurve-programs.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TEETH = 8
"""Teeth of the comb; 2^(TEETH - 1) multiples of the base point."""

CHUNK = 32
"""Entries that become affine by one inversion."""


@dataclass(frozen=True)
class Comb:
    """The comb for an order n of `bits` bits; `teeth` may be fewer than in the core, for toy curves."""

    bits: int
    teeth: int = TEETH

    @property
    def columns(self) -> int:
        """Columns, d: an even number, so that teeth d are at least as many digits as n has bits."""
        return 2 * -(-self.bits // (2 * self.teeth))

    @property
    def fits(self) -> bool:
        """Whether an addition can be exceptional in the last column alone."""
        return self.columns >= 4 and self.bits >= (self.teeth - 1) * self.columns + 4

    @property
    def entries(self) -> int:
        """Multiples in the table: the entry i is 2^((teeth - 1) d) + the sum of +-2^(j d), + where bit j of i is set."""
        return 1 << (self.teeth - 1)

    @property
    def chunk(self) -> int:
        """Entries that become affine at a time."""
        return min(CHUNK, self.entries)

    def multiple(self, index: int) -> int:
        """The multiple of the base point that an entry is."""
        signs = [1 if index >> j & 1 else -1 for j in range(self.teeth - 1)] + [1]
        return sum(sign << j * self.columns for j, sign in enumerate(signs))

    def order(self, place: int) -> int:
        """Index of the entry that is made as that of number `place`: from one to the next one tooth changes its sign."""
        return place ^ place >> 1 ^ self.entries - 1

    def step(self, place: int) -> tuple[int, bool]:
        """(tooth, whether it is subtracted) that is added twice to the entry before to make that of `place`, from 1 on."""
        tooth = (place & -place).bit_length() - 1
        return tooth, not self.order(place) >> tooth & 1

    def digits(self, scalar: int, turned: bool = False) -> Iterator[tuple[int, bool]]:
        """(index, whether its negative is added) for each column, the last one first, of an odd scalar below
        2^(teeth columns): its digit of weight 2^i is 1 where bit i + 1 is set, and the highest one is 1. Of an even scalar
        those of the odd one above; turned: those of its negative."""
        d, top = self.columns, self.teeth - 1
        bits = scalar >> 1 | 1 << self.teeth * d - 1
        for column in reversed(range(d)):
            signs = [bits >> column + j * d & 1 for j in range(self.teeth)]
            yield sum((sign == signs[top]) << j for j, sign in enumerate(signs[:top])), turned == bool(signs[top])
