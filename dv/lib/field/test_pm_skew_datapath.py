# SPDX-License-Identifier: Apache-2.0
"""pm_skew_datapath: doublings of points of P-256 from programs that are placed cycle by cycle; their numbers, their
points and their cycles."""

from __future__ import annotations

import random

import pytest
from field_common import counters
from mont_vectors import PRIMES, group
from skew_program import OUTSIDE, PRODUCT, SUM, Formula, Node, Program, place

from pointmill import simbuild
from pointmill.ucode.mont_scaled import Scaled

RTL = [f"hw/lib/field/{name}.sv" for name in
       ("pm_mul_leaf", "pm_mont_skew_pkg", "pm_csa", "pm_csa_late", "pm_cs_mul", "pm_column_sum", "pm_mont_column",
        "pm_mont_named", "pm_mont_skew", "pm_skew_add", "pm_skew_datapath")]
WIDTH = 768  # bits of a value in a vector file
DIGIT, COLUMNS, PERIOD, REGISTERS = 39, 7, 4, 32
P = PRIMES["P-256"]
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
SCALED = Scaled(P, DIGIT)

Point = tuple[int, int]


def some_point(rng: random.Random) -> Point:
    """A point of P-256 by its definition."""
    while True:
        x = rng.randrange(P)
        y = pow(x**3 - 3 * x + B, (P + 1) // 4, P)
        if y * y % P == (x**3 - 3 * x + B) % P:
            return x, y


def doubled(point: Point) -> Point:
    """Twice a point, affine."""
    x, y = point
    slope = 3 * (x * x - 1) * pow(2 * y, -1, P) % P
    x3 = (slope * slope - 2 * x) % P
    return x3, (slope * (x - x3) - y) % P


def word(program: Program, cycle: int) -> tuple[int, int, int]:
    """A microinstruction as the bench takes it, its number from outside and the number that is compared."""
    one = program.words[cycle]
    register, code, outside, compared = program.register, 0, 0, 0
    if (node := one.begins) is not None:
        a, b = node.operands
        code |= register[a] | register[b] << 6 | (node.kind == PRODUCT) << 18 | (node.kind == SUM) << 19
        code |= node.sub << 20 | node.shift << 21 | node.scale << 23
    if (node := one.writes) is not None:
        code |= register[node] << 12 | 1 << 26 | node.kind << 27
        outside = node.value if node.kind == OUTSIDE else 0
    if (node := one.reads) is not None:
        code |= register[node] | 1 << 29
        compared = node.value
    return code, outside, compared


def doublings(points: int, times: int, rng: random.Random) -> tuple[Program, list[tuple[Point, list[Node]]]]:
    """A program that doubles so many points so many times, side by side; what each is to be, and its coordinates."""
    formula, results = Formula(SCALED, SCALED.digits), []
    for _ in range(points):
        x, y = some_point(rng)
        z = rng.randrange(1, P)
        now = [formula.outside(SCALED.into(value)) for value in (x * z**2, y * z**3, z)]
        end = (x, y)
        for _ in range(times):
            now, end = list(formula.double(*now)), doubled(end)
        results.append((end, now))
    return place(formula, PERIOD, [node for _, nodes in results for node in nodes]), results


CYCLES = {1: (169, 843), 2: (183, 890), 3: (200, 1172), 4: (240, 1568)}
"""By points side by side: cycles of one doubling of all of them with their loading, and of the next seven. From three
points on products follow each other without a gap: 56 cycles a doubling."""


@pytest.mark.long
@pytest.mark.parametrize("points", CYCLES)
def test_doublings(points: int) -> None:
    """Every coordinate of one doubling and of eight, as a number and as a point, in the cycles that are stated."""
    flags = ("-Idv/common", f"-DPM_WORDS={WIDTH // 32}", f"-DPM_DIGIT={DIGIT}", f"-DPM_COLUMNS={COLUMNS}")
    sim = simbuild.build_cpp("pm_skew_datapath", RTL, "dv/lib/field/pm_skew_datapath_bench.cpp",
                             {"Digit": DIGIT, "Columns": COLUMNS, "Registers": REGISTERS}, cflags=flags)
    rng, out, lengths, count = random.Random(points), [], [], 0
    for times in (1, 8):
        program, results = doublings(points, times, rng)
        assert max(program.register.values()) < REGISTERS and (points != 3 or max(program.register.values()) < 16)
        for point, (x, y, z) in results:
            inverse = pow(SCALED.out_of(z.value), -1, P)
            assert point == (SCALED.out_of(x.value) * inverse**2 % P, SCALED.out_of(y.value) * inverse**3 % P)
        words = [word(program, i) for i in range(len(program.words))]
        out.append(group((SCALED.digits,), [(SCALED.modulus + 1, 0, 0), *words], WIDTH))
        lengths.append(program.length)
        count += 3 * points
    assert counters(sim, b"".join(out))["compared"] == count
    assert (lengths[0], lengths[1] - lengths[0]) == CYCLES[points]
