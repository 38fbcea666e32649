# SPDX-License-Identifier: Apache-2.0
"""Golden model of hw/lib/field/pm_limb_unit: numbers modulo p = 2^255 - 19 as 17 redundant limbs of 16 bits, limb i of
weight 2^(15 i) (Hu et al. 2024, J. Hefei Univ. Technol. 47(11), algorithm 5).

Every operation is written once and works on any kind of limb that has `+ - * & >>`: on integers it gives the unit's
result bit by bit, on arrays many of them, and on `Range` the exact least and greatest value of
every intermediate one, which proves for all operands that nothing overflows a register and no limb is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

P = 2**255 - 19
LIMBS, LIMB_BITS, DIGIT_BITS = 17, 16, 15
WRAP = 19
SMALL_DIGITS = 2
PRODUCT_BITS, WRAPPED_BITS, CARRIED_BITS = 41, 21, 26
PRODUCT_PASSES, SUM_PASSES = 2, 1
MULTIPLE = 3
"""Of p, added before a subtraction."""

CYCLES = {"mul": 22, "small": 7, "add": 4, "sub": 5}
"""Cycles of an operation; `small` is a product whose second factor has only SMALL_DIGITS limbs."""


class RangeError(ValueError):
    """A value that its register cannot hold."""


@dataclass(frozen=True)
class Range:
    """All integers from lo to hi."""

    lo: int
    hi: int

    def __add__(self, other: Range | int) -> Range:
        other = _range(other)
        return Range(self.lo + other.lo, self.hi + other.hi)

    __radd__ = __add__

    def __sub__(self, other: Range | int) -> Range:
        other = _range(other)
        return Range(self.lo - other.hi, self.hi - other.lo)

    def __mul__(self, other: Range | int) -> Range:
        other = _range(other)
        corners = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Range(min(corners), max(corners))

    __rmul__ = __mul__

    def __rshift__(self, bits: int) -> Range:
        return Range(self.lo >> bits, self.hi >> bits)

    def __and__(self, mask: int) -> Range:
        """The lower bits; `mask` is 2^n - 1."""
        if self.lo & ~mask == self.hi & ~mask:
            return Range(self.lo & mask, self.hi & mask)
        return Range(0, mask)


def _range(value: Range | int) -> Range:
    return value if isinstance(value, Range) else Range(value, value)


def fits(value: Any, bits: int, what: str) -> Any:
    """The value. RangeError where it, or some value of a Range or an array, is negative or has more bits."""
    if isinstance(value, Range):
        lo, hi = value.lo, value.hi
    elif isinstance(value, int):
        lo = hi = value
    else:
        lo, hi = int(value.min()), int(value.max())
    if lo < 0 or hi >> bits:
        raise RangeError(f"{what}: {lo} to {hi} does not fit {bits} bits")
    return value


def limbs_of(number: int) -> list[int]:
    """The digits of a number below 2^255."""
    return [number >> DIGIT_BITS * i & (1 << DIGIT_BITS) - 1 for i in range(LIMBS)]


def value_of(limbs: Sequence[int]) -> int:
    """The integer that limbs stand for."""
    return sum(limb << DIGIT_BITS * i for i, limb in enumerate(limbs))


def multiple_of_p() -> list[int]:
    """Limbs of MULTIPLE * p, each the same multiple of a limb of p."""
    return [MULTIPLE * ((1 << DIGIT_BITS) - (1 if i else WRAP)) for i in range(LIMBS)]


def carry(columns: Sequence[Any]) -> list[Any]:
    """One pass: every column keeps its digit and takes what the one below has above it."""
    over = [column >> DIGIT_BITS for column in columns]
    over = [over[-1] * WRAP, *over[:-1]]
    return [fits((column & (1 << DIGIT_BITS) - 1) + more, CARRIED_BITS, "carried column")
            for column, more in zip(columns, over, strict=True)]  # fmt: skip


def columns_of_product(x: Sequence[Any], y: Sequence[Any], digits: int) -> list[Any]:
    """The sums in the accumulators, of which the last `digits` - 1 steps wrapped limbs of x."""
    x = list(x)
    columns = [a * 0 for a in x]
    for digit in y[:digits]:
        columns = [fits(c + a * digit, PRODUCT_BITS, "column") for c, a in zip(columns, x, strict=True)]
        x = [fits(x[-1] * WRAP, WRAPPED_BITS, "wrapped limb"), *x[:-1]]
    return columns


def operate(op: str, x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    """Result of `mul`, `small`, `add` or `sub`, every limb below 2^16. RangeError where a register would overflow."""
    if op in ("mul", "small"):
        columns = columns_of_product(x, y, LIMBS if op == "mul" else SMALL_DIGITS)
        passes = PRODUCT_PASSES
    elif op == "add":
        columns, passes = [a + b for a, b in zip(x, y, strict=True)], SUM_PASSES
    else:
        lifted = [a + b for a, b in zip(x, multiple_of_p(), strict=True)]
        columns, passes = [a - b for a, b in zip(lifted, y, strict=True)], SUM_PASSES
    columns = [fits(column, PRODUCT_BITS, "column") for column in columns]
    for _ in range(passes):
        columns = carry(columns)
    return [fits(column, LIMB_BITS, "limb of a result") for column in columns]


def canonical(limbs: Sequence[int]) -> int:
    """What pm_limb_canon makes of limbs whose value is below 2p: that value in [0, p)."""
    value = fits(value_of(limbs), LIMBS * DIGIT_BITS + 1, "value")
    if value >= 2 * P:
        raise RangeError(f"{value} is not below 2p")
    return value - P if value >= P else value
