# SPDX-License-Identifier: Apache-2.0
"""Table of odd multiples of the base point, as the fixed-base additions read it.

Computed here from the curve's definition and not taken from the golden model, which checks it.
"""

from __future__ import annotations

from pointmill.ucode.machine import P

BASE_Y = 4 * pow(5, -1, P) % P
D = -121665 * pow(121666, -1, P) % P
ENTRY_BITS = 3 * 255


def _base_x() -> int:
    square = (BASE_Y * BASE_Y - 1) * pow(D * BASE_Y * BASE_Y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    return root if root % 2 == 0 else P - root


def _add(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    """Affine addition on -x^2 + y^2 = 1 + d x^2 y^2."""
    cross = D * p[0] * q[0] * p[1] * q[1] % P
    x = (p[0] * q[1] + p[1] * q[0]) * pow(1 + cross, -1, P) % P
    return x, (p[1] * q[1] + p[0] * q[0]) * pow(1 - cross, -1, P) % P


def base_table(window: int, doublings: int = 0) -> list[tuple[int, int, int]]:
    """(y + x, y - x, 2 d x y) mod p of B, 3B, ..., (2^(window-1) - 1)B, B = 2^doublings G."""
    point = (_base_x(), BASE_Y)
    for _ in range(doublings):
        point = _add(point, point)
    twice = _add(point, point)
    table = []
    for _ in range(1 << (window - 2)):
        x, y = point
        table.append(((y + x) % P, (y - x) % P, 2 * D * x * y % P))
        point = _add(point, twice)
    return table


def packed(window: int, doublings: int = 0) -> list[int]:
    """Entries as ROM words {y + x, y - x, 2dxy} of 255 bits each."""
    return [(yp << 510) | (ym << 255) | t2d for yp, ym, t2d in base_table(window, doublings)]
