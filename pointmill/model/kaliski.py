# SPDX-License-Identifier: Apache-2.0
"""Steps and cycles of the almost Montgomery inverse (Kaliski) as pm_mont_inverter makes them for public operands."""

from __future__ import annotations


def public_run(a: int, p: int, least: int = 0) -> tuple[int, int]:
    """(steps, cycles from acceptance to the result) for a modulo an odd p, with at least so many steps.

    Each step halves u or v, after a subtraction where both are odd, until v = 0; two steps that only halve behind
    the first one's subtraction share a cycle while v stays above 0. Further steps, if any, take a cycle each.
    """
    u, v = p, a
    steps = cycles = 0
    while v or steps < least:
        if not u & 1:
            u, changed = u // 2, "u"
        elif not v & 1:
            v, changed = v // 2, "v"
        elif u > v:
            u, changed = (u - v) // 2, "u"
        else:
            v, changed = (v - u) // 2, "v"
        steps, cycles = steps + 1, cycles + 1
        if v and changed == "u" and not u & 1:
            u, steps = u // 2, steps + 1
        elif v and changed == "v" and not v & 1:
            v, steps = v // 2, steps + 1
    return steps, cycles + 2
