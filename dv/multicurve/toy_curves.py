# SPDX-License-Identifier: Apache-2.0
"""Curves so small that all points and scalars can be tried."""

from __future__ import annotations

from functools import cache

from pointmill.curves import Curve, is_prime

SHORT_ORDER = Curve("short-order", 0x10000000F, 0x10000000C, 284, 0xFFFF4DE3, (0x10000000C, 67675845))
"""A prime order with a digit of 32 bits less than p, and x of the base point, have."""

KINDS = ("m3", "0", "any")
"""What a may be, as the programs distinguish it: -3, 0, anything else."""


@cache
def points(curve: Curve) -> list[tuple[int, int]]:
    """All points but infinity."""
    p = curve.p
    roots: dict[int, list[int]] = {}
    for y in range(p):
        roots.setdefault(y * y % p, []).append(y)
    return [(x, y) for x in range(p) for y in roots.get((x**3 + curve.a * x + curve.b) % p, [])]


def _kind(p: int, a: int) -> str:
    return "m3" if a == p - 3 else "0" if a == 0 else "any"


@cache
def toy(order: int, kind: str) -> Curve:
    """A curve of `order` points, infinity included, over the smallest field that has one."""
    for p in range(5, 2 * order + 20):
        if not is_prime(p) or (p + 1 - order) ** 2 > 4 * p:
            continue
        for a in range(p):
            for b in range(p):
                if _kind(p, a) != kind or (4 * a**3 + 27 * b * b) % p == 0:
                    continue
                curve = Curve(f"toy-{order}-{kind}", p, a, b)
                if len(points(curve)) == order - 1:
                    return Curve(curve.name, p, a, b, order, points(curve)[0])
    raise ValueError(f"no curve of order {order} with a of kind {kind}")


@cache
def multiples(curve: Curve, point: tuple[int, int]) -> list[tuple[int, int] | None]:
    """0, P, 2P, ... to the last one before infinity comes again, by plain affine additions."""
    p, found = curve.p, [None, point]
    while (last := found[-1]) is not None:
        (x1, y1), (x2, y2) = last, point
        if x1 == x2 and (y1 + y2) % p == 0:
            found.append(None)
            continue
        slope = ((3 * x1 * x1 + curve.a) * pow(2 * y1, -1, p) if last == point
                 else (y2 - y1) * pow(x2 - x1, -1, p))  # fmt: skip
        x3 = (slope * slope - x1 - x2) % p
        found.append((x3, (slope * (x1 - x3) - y1) % p))
    return found[:-1]
