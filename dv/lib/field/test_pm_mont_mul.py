# SPDX-License-Identifier: Apache-2.0
"""pm_mont_mul: x y R^-1 mod p for moduli of all widths, exact cycles, protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from field_common import counters
from mont_vectors import (
    DIGIT,
    HALF,
    PRIMES,
    PRODUCT_CYCLES,
    WIDTH,
    digits,
    hundred_products,
    products,
    wide,
)

from pointmill import simbuild

RTL = ["hw/lib/field/pm_digit_mul.sv", "hw/lib/field/pm_digit_mac.sv", "hw/lib/field/pm_mont_mul.sv"]
BENCH = "dv/lib/field/pm_mont_mul_bench.cpp"
FLAGS = ("-Idv/common",)


def settings(p: int) -> list[tuple[int, int]]:
    """(digits, wide): as narrow as p allows; then more digits and two passes without need."""
    narrow, most = (digits(p), int(wide(p))), WIDTH // DIGIT
    more = {(min(narrow[0] + 1, most), narrow[1]), (most, narrow[1]), (narrow[0], 1)}
    return [narrow, *sorted(more - {narrow})]


def full_width(tile: int = 0) -> Path:
    return simbuild.build_cpp("pm_mont_mul", RTL, BENCH, {"Tile": tile}, cflags=FLAGS,
                              out_dir=f"build/sim/pm_mont_mul_tile_{tile}")


@pytest.mark.parametrize(("stalls", "tile"), [(0, 0), (7, 24)])
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
def test_products(every: int, stalls: int, tile: int) -> None:
    """Edges and random operands; each valid, ready and result in its cycle."""
    data, count, cycles = products(150 if stalls else 300, 1 + stalls, settings,
                                   lambda m, two: m * (1 + two), every)
    assert counters(full_width(tile), "file", data, stalls) == {"vectors": count, "cycles": cycles}
    assert count > 70_000 // every


def test_published_cycles() -> None:
    """The cycles of table 1, measured as the sum over products."""
    for name, published in PRODUCT_CYCLES.items():
        got = counters(full_width(), "file", hundred_products(PRIMES[name]), 0)
        assert got == {"vectors": 100, "cycles": 100 * published}


def toy_count(digit: int, half: int, chosen: tuple[int, ...]) -> int:
    """Products of the exhaustive bench."""
    return sum(p << (digit * m) for p in chosen or range(3, 1 << (2 * half), 2)
               for m in range(1, 2 * half // digit + 1) if 1 << (digit * m) > p
               for two in range(2) if two or p < 1 << half)


@pytest.mark.parametrize(("digit", "half", "chosen"), [
    (1, 2, ()),
    (2, 3, ()),
    (2, 5, (31, 33, 1023)),
    pytest.param(2, 5, (63, 341, 511, 513, 1021), marks=pytest.mark.long),
    pytest.param(4, 6, (63, 4095), marks=pytest.mark.long),
])
def test_toy_exhaustive(digit: int, half: int, chosen: tuple[int, ...]) -> None:
    """Every x below R and every y below p, for every p or the worst ones, in one and two passes."""
    sim = simbuild.build_cpp("pm_mont_mul", RTL, BENCH, {"Digit": digit, "Half": half},
                             cflags=FLAGS, out_dir=f"build/sim/pm_mont_mul_{digit}_{half}")
    got = counters(sim, "all", digit, half, 2 * half, *chosen)
    assert got["vectors"] == toy_count(digit, half, chosen)
    assert got["vectors"] > 100


def test_illegal_parameters() -> None:
    for params in ({"Half": 32}, {"Half": 270, "Digit": 32}):
        with pytest.raises(simbuild.BuildError, match="Half must be more than Digit"):
            simbuild.lint("pm_mont_mul", RTL, params)


def test_protocol() -> None:
    assert HALF * 2 == WIDTH
    simbuild.run_cocotb("pm_mont_mul", RTL, "cocotb_pm_mont_mul", expect=4)
