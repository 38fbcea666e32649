# SPDX-License-Identifier: Apache-2.0
"""pm_skew_add: sums and differences of skewed numbers with every shift and multiple of the modulus, exact values and
cycles."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from field_common import counters
from mont_vectors import group, moduli, operand

from pointmill import simbuild
from pointmill.ucode.mont_scaled import Scaled

RTL = [f"hw/lib/field/{name}.sv" for name in ("pm_csa", "pm_column_sum", "pm_skew_add")]
WIDTH = 768  # bits of a value in a vector file


def build(digit: int, columns: int) -> Path:
    """The bench of one form."""
    flags = ("-Idv/common", f"-DPM_WORDS={WIDTH // 32}", f"-DPM_DIGIT={digit}", f"-DPM_COLUMNS={columns}")
    return simbuild.build_cpp("pm_skew_add", RTL, "dv/lib/field/pm_skew_add_bench.cpp",
                              {"Digit": digit, "Columns": columns}, cflags=flags,
                              out_dir=f"build/sim/pm_skew_add_{digit}_{columns}")


def operands(rng: random.Random, code: int, modulus: int, limit: int) -> tuple[int, int, int] | None:
    """x, y and the result of an operation (sub, shift, scale from bit 0 up) in its ranges below `limit`; None where
    there are none."""
    sub, shift, scale = code & 1, code >> 1 & 3, code >> 3
    extra = modulus << scale - 1 if scale else 0
    if extra >= limit:
        return None
    if sub:
        y = operand(rng, min(extra >> shift, limit - 1) + 1)
        x = operand(rng, limit - extra) if rng.randrange(4) else limit - 1 - extra + (y << shift)
        x = min(x, limit - 1)
        return x, y, x - (y << shift) + extra
    y = operand(rng, max(1, limit - extra >> shift))
    most = limit - 1 - extra - (y << shift)
    x = operand(rng, most + 1) if rng.randrange(4) else most
    return x, y, x + (y << shift) + extra


def vectors(digit: int, columns: int, chosen: list[int], each: int, seed: int) -> tuple[bytes, int]:
    """A file of `each` times all operations modulo `chosen`, in random order, and their number."""
    rng, out, total = random.Random(seed), [], 0
    for p in chosen:
        scaled = Scaled(p, digit)
        for wide in (False, True):
            limit = 1 << digit * ((2 * columns if wide else columns) + 1)
            codes = [code for code in range(7 << 3) for _ in range(each)]
            rng.shuffle(codes)
            found = [(code, *values) for code in codes
                     if (values := operands(rng, code, scaled.modulus, limit)) is not None]
            if found:
                out.append(group((int(wide),), [(scaled.modulus + 1, 0, 0, 0), *found], WIDTH))
                total += len(found)
    return b"".join(out), total


@pytest.mark.parametrize("stalls", [0, 5])
@pytest.mark.parametrize(("digit", "columns", "width", "every", "least"), [
    (39, 7, 544, 12, 5_000), (36, 10, 704, 24, 2_500), (7, 3, 30, 1, 7_000), *(
        pytest.param(*case, marks=pytest.mark.long)
        for case in [(39, 7, 544, 3, 20_000), (36, 10, 704, 6, 10_000), (39, 7, 544, 1, 50_000)]),
])
def test_operations(digit: int, columns: int, width: int, every: int, least: int, stalls: int) -> None:
    """All operations, with operands at the ends of their ranges, in one lap and in two."""
    chosen = [p for p in moduli(6 + stalls, 704) if p.bit_length() <= width][::every]
    data, count = vectors(digit, columns, chosen, 6, 6 + stalls)
    assert counters(build(digit, columns), data, stalls)["vectors"] == count >= least


def test_rate() -> None:
    """An operation a cycle, and with two laps as many in twice the cycles."""
    record, sim = (0, 5, 6, 11), build(39, 7)
    for wide, cycles in ((0, 699), (1, 1392)):
        data = group((wide,), [(1 << 39, 0, 0, 0), *[record] * 700], WIDTH)
        assert counters(sim, data, 0) == {"vectors": 700, "cycles": cycles + 2}


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Digit must be at least 7"):
        simbuild.lint("pm_skew_add", RTL, {"Digit": 6})
