# SPDX-License-Identifier: Apache-2.0
"""pm_plus_minus_inverter: inverses modulo odd numbers, in their cycles; no inverse; jobs abandoned; its steps are
enough."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from pathlib import Path

import pytest
from field_common import RTL, counters
from mont_vectors import edges, group, moduli, operand

from pointmill import simbuild
from pointmill.model.plus_minus import inversion_cycles, steps, steps_needed

BENCH = "dv/lib/field/pm_plus_minus_inverter_bench.cpp"
LARGE = 704


def unit(width: int, size: int) -> Path:
    return simbuild.build_cpp("pm_plus_minus_inverter", RTL, BENCH, {"Width": width, "Size": size},
                              cflags=("-Idv/common", f"-DPM_WORDS={-(-width // 32)}"),
                              out_dir=f"build/sim/pm_plus_minus_inverter_{width}_{size}")  # fmt: skip


def vectors(p: int, width: int, size: int, operands: list[int]) -> tuple[bytes, int]:
    """A group, and how many of its operands have no inverse."""
    records = [(a, pow(a, -1, p) if math.gcd(a, p) == 1 else 0) for a in operands]
    words = 32 * -(-width // 32)
    head = (p.bit_length(), inversion_cycles(p.bit_length(), width, size))
    return group(head, [(p, 0), *records], words), sum(not inverse for _, inverse in records)


def run(sim: Path, parts: list[tuple[bytes, int]]) -> dict[str, int]:
    """What the bench counted."""
    got = counters(sim, b"".join(data for data, _ in parts))
    assert got["errors"] == sum(errors for _, errors in parts)
    return got


@pytest.mark.parametrize(("per_modulus", "every"), [
    (2, 37), *(pytest.param(*case, marks=pytest.mark.long) for case in [(3, 15), (200, 1)])])
def test_large(per_modulus: int, every: int) -> None:
    rng = random.Random(per_modulus)
    parts = []
    for p in moduli(3, LARGE)[::every]:
        some = [*edges(p, p)[:: 1 if every == 1 else 4], *(operand(rng, p) for _ in range(per_modulus))]
        common = math.gcd(p, 3 * 5 * 7 * 11 * 13)
        some += [common * rng.randrange(p // common) for _ in range(2)]
        parts.append(vectors(p, LARGE, 48, some))
    assert run(unit(LARGE, 48), parts)["vectors"] > 1_000 // every


@pytest.mark.parametrize(("width", "size"), [(5, 5), (9, 5), (8, 6)])
def test_toy(width: int, size: int) -> None:
    """Every operand of every odd modulus."""
    parts = [vectors(p, width, size, list(range(p))) for p in range(3, min(1 << width, 400), 2)]
    assert run(unit(width, size), parts)["vectors"] == sum(range(3, min(1 << width, 400), 2))


Points = list[tuple[int, int]]


def hull(points: Points) -> Points:
    """Corners of the convex hull (Andrew's monotone chain)."""
    def chain(ordered: Points) -> Points:
        corners: Points = []
        for x, y in ordered:
            while len(corners) > 1:
                (x0, y0), (x1, y1) = corners[-2:]
                if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                    break
                corners.pop()
            corners.append((x, y))
        return corners[:-1]

    ordered = sorted(set(points))
    return ordered if len(ordered) < 3 else chain(ordered) + chain(ordered[::-1])


def bound(bits: int) -> int:
    """Steps behind which g is 0, whatever p below 2^bits and a below p are. All pairs (f, g) that a number of steps can
    leave behind, scaled by 4^steps, lie in convex hulls, one for each z and for g that is known to be odd, as it is
    behind a step that halves it. Hulls are mapped as their corners are (Wuille 2021, "Computing the bounds of
    safegcd"); one with |g| below 1 holds no g but 0, and is dropped."""
    start = 1 << bits
    hulls: dict[tuple[int, bool], Points] = {(0, False): [(0, 0), (start, 0), (start, start)]}
    count = 0
    while hulls:
        count += 1
        behind: defaultdict[tuple[int, bool], Points] = defaultdict(list)
        for (z, odd), corners in hulls.items():
            if not odd:
                behind[z + 2, False] += [(4 * f, g) for f, g in corners]
                behind[z + 1, True] += [(4 * f, 2 * g) for f, g in corners]
            sums = [(f, g, g + sign * f) for f, g in corners for sign in (1, -1)]
            if z >= 0:
                behind[1 - z, False] += [(4 * g, total) for _, g, total in sums]
            else:
                behind[z + 2, False] += [(4 * f, total) for f, _, total in sums]
        hulls = {key: hull(points) for key, points in behind.items() if max(abs(g) for _, g in points) >= 4**count}
    return count


@pytest.mark.parametrize("bits", [3, 17, 64, pytest.param(256, marks=pytest.mark.long),
                                  pytest.param(LARGE, marks=pytest.mark.long)])
def test_bound(bits: int) -> None:
    """The steps that are made are proven to be enough."""
    assert bound(bits) <= steps(bits)


def test_steps() -> None:
    """Every operand of small moduli keeps the bound, and none comes near the steps without need."""
    for bits in range(2, 10):
        moduli_of = range((1 << (bits - 1)) | 1, 1 << bits, 2)
        assert max(steps_needed(p, a) for p in moduli_of for a in range(p)) <= bound(bits) <= steps(bits)


def test_illegal_parameters() -> None:
    for params in ({"Size": 4, "Width": 9}, {"Width": 1}):
        with pytest.raises(simbuild.BuildError, match="Size at least 5"):
            simbuild.lint("pm_plus_minus_inverter", RTL, params)
