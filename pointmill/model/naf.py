# SPDX-License-Identifier: Apache-2.0
"""Width-w non-adjacent form and the interleaved double-scalar product built on it.

Source: Xue et al. 2022, J. Commun. 43(3), alg. 5 and table 1, with w1 = 10 for the base point and
w2 = 5 for the public key.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import edwards
from .edwards import Point


def recode(n: int, width: int) -> list[int]:
    """The width-w NAF of n >= 0, lowest digit first, without leading zeros ([] for 0).

    Digits are 0 or odd with |digit| < 2^(width-1); of any `width` consecutive ones at most one is
    not 0; sum(digit[i] * 2^i) = n. At most n.bit_length() + 1 digits. width >= 2.
    """
    if n < 0 or width < 2:
        raise ValueError("the NAF is made of n >= 0 with a width of at least 2")
    digits = []
    while n:
        digit = 0
        if n & 1:
            digit = n & (2**width - 1)
            if digit >> (width - 1):
                digit -= 2**width
            n -= digit
        digits.append(digit)
        n >>= 1
    return digits


@dataclass
class Counts:
    """Point operations of one double-scalar product; loading the first point is not one.

    The table of the fixed point is made beforehand and not counted.
    """

    table_doubles: int = 0
    table_adds: int = 0
    loop_doubles: int = 0
    loop_adds: int = 0

    @property
    def doubles(self) -> int:
        """All doublings."""
        return self.table_doubles + self.loop_doubles

    @property
    def adds(self) -> int:
        """All additions and subtractions."""
        return self.table_adds + self.loop_adds


def odd_multiples(p: Point, width: int) -> list[Point]:
    """[p, 3p, 5p, ..., (2^(width-1) - 1)p]: one doubling and 2^(width-2) - 1 additions."""
    table, twice = [p], edwards.double(p)
    while len(table) < 2 ** (width - 2):
        table.append(edwards.add(table[-1], twice))
    return table


def _pick(table: list[Point], digit: int) -> Point:
    """digit * p from the table of odd multiples of p."""
    entry = table[abs(digit) >> 1]
    return edwards.negate(entry) if digit < 0 else entry


def multiply_subtract(
    s: int,
    k: int,
    a: Point,
    w1: int = 10,
    w2: int = 5,
    fixed: list[Point] | None = None,
) -> tuple[Point, Counts]:
    """([s]B - [k]a, counts) by interleaved NAFs of width w1 (base point B) and w2 (a).

    s, k >= 0, not reduced; a is any point of the curve. `fixed` is odd_multiples(BASE, w1), made
    here if it is not given. Within one digit position the base point comes first.
    """
    counts = Counts()
    if fixed is None:
        fixed = odd_multiples(edwards.BASE, w1)
    moving = odd_multiples(a, w2)
    counts.table_doubles, counts.table_adds = 1, len(moving) - 1
    s_digits, k_digits = recode(s, w1), recode(k, w2)
    length = max(len(s_digits), len(k_digits))
    s_digits += [0] * (length - len(s_digits))
    k_digits += [0] * (length - len(k_digits))
    result = None
    for s_i, k_i in zip(reversed(s_digits), reversed(k_digits), strict=True):
        if result is not None:
            result = edwards.double(result)
            counts.loop_doubles += 1
        addends = [_pick(fixed, s_i)] if s_i else []
        addends += [_pick(moving, -k_i)] if k_i else []
        for addend in addends:
            if result is None:
                result = addend
            else:
                result = edwards.add(result, addend)
                counts.loop_adds += 1
    return edwards.NEUTRAL if result is None else result, counts
