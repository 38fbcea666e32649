# SPDX-License-Identifier: Apache-2.0
"""pm_mont_chain and pm_mod_sum: x y R^-1 mod p, plain products, sums and differences, in their cycles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from field_common import RTL, counters
from mont_vectors import edges, group, moduli, operand, plain_products

from pointmill import simbuild

TB, BENCH = "dv/lib/field/pm_mont_chain_tb.sv", "dv/lib/field/pm_mont_chain_bench.cpp"
LARGE = 704
AROUND = 14
"""Cycles of a product beside one for each digit: 1 before it, 10 of pm_mont_chain, 3 of pm_mod_sum."""
PRODUCT, PLAIN, SUM, DIFFERENCE = range(4)


def unit(width: int, digit: int, tile: int, segment: int) -> Path:
    return simbuild.build_cpp(
        "pm_mont_chain_tb", [RTL, TB], BENCH,
        {"Width": width, "Digit": digit, "Tile": tile, "Segment": segment},
        cflags=("-Idv/common", f"-DPM_WORDS={-(-width // 32)}"),
        out_dir=f"build/sim/pm_mont_chain_{width}_{digit}_{tile}")  # fmt: skip


def groups(p: int, digit: int, m: int, width: int, pairs: list[tuple[int, int]]) -> Iterator[tuple[bytes, int]]:
    """Groups of vectors of a modulus, with R of m digits, and how many vectors they have: products of the pairs, then
    their sums and differences."""
    r, words = 1 << digit * m, 32 * -(-width // 32)
    inverse, pinv = pow(r, -1, p), -pow(p, -1, r) % r
    head = (p, pinv, 0)
    yield group((m + AROUND, m, PRODUCT), [head, *((x, y, x * y * inverse % p) for x, y in pairs)], words), len(pairs)
    small = [(x % p, y) for x, y in pairs]
    sums = [(x, y, (x + y) % p, int(x + y >= p)) for x, y in small]
    yield group((m + AROUND, m, SUM), [head, *sums], words), len(small)
    yield group((m + AROUND, m, DIFFERENCE), [head, *((x, y, (x - y) % p, 0) for x, y in small)], words), len(small)


def run(sim: Path, parts: list[tuple[bytes, int]]) -> int:
    """The number of vectors, all of which were right."""
    total = sum(count for _, count in parts)
    assert counters(sim, b"".join(data for data, _ in parts)) == {"vectors": total}
    return total


@pytest.mark.parametrize(("per_modulus", "every", "least"), [
    (20, 23, 8_000), pytest.param(30, 7, 24_000, marks=pytest.mark.long),
    pytest.param(600, 1, 24_000, marks=pytest.mark.long)])
def test_large(per_modulus: int, every: int, least: int) -> None:
    """704 bits, R = 2^(32 m) with the digits of p and with all."""
    rng = random.Random(per_modulus)
    parts = []
    for p in moduli(3, LARGE)[::every]:
        least = 2 * -(-p.bit_length() // 32)
        for m in {least, LARGE // 16}:
            r = 1 << 16 * m
            pairs = [(x, y) for x in edges(p, r) for y in edges(p, p)] if m == least else []
            pairs += [(operand(rng, r), operand(rng, p)) for _ in range(per_modulus)]
            parts += groups(p, 16, m, LARGE, pairs)
    assert run(unit(LARGE, 16, 18, 64), parts) > least


@pytest.mark.parametrize("count", [1_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_plain_products(count: int) -> None:
    """Both halves of the product of any two numbers of 704 bits, whatever the modulus."""
    rng = random.Random(count)
    records = plain_products(rng, LARGE, count)
    m = LARGE // 16
    data = group((m + AROUND, m, PLAIN), [((1 << LARGE) - 1, operand(rng, 1 << LARGE), 0), *records], LARGE)
    assert run(unit(LARGE, 16, 18, 64), [(data, len(records))]) > count + 300


@pytest.mark.parametrize(("width", "digit", "tile", "chosen"), [(4, 2, 2, range(3, 16, 2)), (8, 2, 3, (129, 201, 255)),
                                                            (9, 3, 3, (7, 511))])  # fmt: skip
def test_toy(width: int, digit: int, tile: int, chosen: range | tuple[int, ...]) -> None:
    """Every x below R and every y below p."""
    parts = []
    for p in chosen:
        for m in range(-(-p.bit_length() // digit), width // digit + 1):
            pairs = [(x, y) for x in range(1 << digit * m) for y in range(p)]
            parts += groups(p, digit, m, width, pairs)
    assert run(unit(width, digit, tile, 3), parts) > 1_000


def test_illegal_parameters() -> None:
    for params, text in (({"Digit": 20, "Width": 40}, "at most Tile"), ({"Width": 40}, "a multiple of Digit")):
        with pytest.raises(simbuild.BuildError, match=text):
            simbuild.lint("pm_mont_chain", RTL, params)
    for segment in (2, 64):
        with pytest.raises(simbuild.BuildError, match="Segment must be at least 3"):
            simbuild.lint("pm_mod_sum", RTL, {"Segment": segment, "Width": 64})
