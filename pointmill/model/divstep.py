# SPDX-License-Identifier: Apache-2.0
"""Steps of division with half a step to begin with (Bernstein and Yang 2019, TCHES 2019(3); Wuille 2021), as
pm_divstep_inverter makes them."""

from __future__ import annotations


def least_steps(bits: int) -> int:
    """So many are proven to be enough for any operand of a modulus of `bits` bits."""
    return (45907 * bits + 26313) // 19929


def steps(bits: int) -> int:
    """So many are made."""
    return 295 * bits // 128 + 2


def steps_needed(p: int, a: int) -> int:
    """Steps until nothing is left of a."""
    f, g, z, count = p, a, -1, 0
    while g:
        if g & 1 and z < 0:
            f, g, z = g, (g - f) // 2, -z - 2
        else:
            g, z = (g + (g & 1) * f) // 2, z - 1
        count += 1
    return count


def inversion_cycles(bits: int, width: int = 704, size: int = 48) -> int:
    """Cycles of pm_divstep_inverter for a modulus of `bits` bits: its steps, halvings that make up for the powers of
    two it began with, two passes over the segments."""
    spare = (295 * width // 256 + 5).bit_length()
    segments = -(-(width + spare + 3) // size)
    return steps(bits) + spare + 2 * (segments + 3) + 1
