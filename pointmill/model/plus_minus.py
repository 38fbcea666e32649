# SPDX-License-Identifier: Apache-2.0
"""Steps of the plus-minus algorithm (Brent and Kung 1983), as pm_plus_minus_inverter makes them."""

from __future__ import annotations


def steps(bits: int) -> int:
    """So many are made for a modulus of `bits` bits, more than any operand needs."""
    return 105 * bits // 64 + 2


def steps_needed(p: int, a: int) -> int:
    """Steps until nothing is left of a."""
    f, g, z, count = p, a, 0, 0
    while g:
        if g % 2 == 0:
            g, z = (g // 4, z + 2) if g % 4 == 0 else (g // 2, z + 1)
        else:
            quarter = (g + f if (g + f) % 4 == 0 else g - f) // 4
            f, g, z = (g, quarter, 1 - z) if z >= 0 else (f, quarter, z + 2)
        count += 1
    return count


def inversion_cycles(bits: int, width: int = 704, size: int = 48) -> int:
    """Cycles of pm_plus_minus_inverter for a modulus of `bits` bits: its steps, two passes over the segments."""
    segments = -(-(width + 3) // size)
    return steps(bits) + 2 * (segments + 3) + 1
