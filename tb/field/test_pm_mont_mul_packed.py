# SPDX-License-Identifier: Apache-2.0
"""pm_mont_mul_packed: x y R^-1 mod p for moduli of all widths, exact cycles, protocol."""

from __future__ import annotations

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from cocotb_pm_mont_mul import Modulus, receive, send, start
from field_common import counters
from mont_vectors import DIGIT, PRIMES, WIDTH, digits, group, packed_cycles, products, wide

from pointmill import simbuild

RTL = ["rtl/field/pm_digit_mul.sv", "rtl/field/pm_mont_mul_packed.sv"]
BENCH = "tb/field/pm_mont_mul_bench.cpp"
FLAGS = ("-Itb/common", "-DPM_PACKED")

CYCLES = {"P-192": 6, "P-224": 7, "P-256": 8, "curve25519": 8, "brainpoolP320r1": 13, "P-384": 18,
          "curve448": 25, "brainpoolP512r1": 32, "P-521": 34}


def settings(p: int) -> list[tuple[int, int]]:
    """(digits, wide): as narrow as p allows; then every legal pair."""
    narrow = (digits(p), int(wide(p)))
    every = [(m, two) for m in range(narrow[0], WIDTH // DIGIT + 1) for two in range(narrow[1], 2)]
    return [narrow, *(pair for pair in every if pair != narrow)]


def full_width(tile: int = 0) -> Path:
    return simbuild.build_cpp("pm_mont_mul_packed", RTL, BENCH, {"Tile": tile}, cflags=FLAGS,
                              out_dir=f"build/sim/pm_mont_mul_packed_tile_{tile}")


def play(tmp_path: Path, per_modulus: int, seed: int, stalls: int, tile: int) -> int:
    """Plays products, compares their number and cycles; returns the number."""
    data, count, cycles = products(per_modulus, seed, settings, packed_cycles)
    (tmp_path / "vectors").write_bytes(data)
    assert counters(full_width(tile), "file", tmp_path / "vectors", stalls) == {
        "vectors": count, "cycles": cycles}
    return count


@pytest.mark.parametrize(("stalls", "tile"), [(0, 0), (7, 24)])
def test_products(stalls: int, tile: int, tmp_path: Path) -> None:
    """Edges and random operands, every number of digits; each valid, ready and result in its cycle."""
    assert play(tmp_path, 100 if stalls else 300, 1 + stalls, stalls, tile) > 100_000


@pytest.mark.long
def test_many_products(tmp_path: Path) -> None:
    assert sum(play(tmp_path, 500, seed, seed % 2, 0) for seed in range(100, 107)) > 1_000_000


def test_cycles(tmp_path: Path) -> None:
    """The cycles of the documentation, measured as the sum over products."""
    sim = full_width()
    for name, expected in CYCLES.items():
        p = PRIMES[name]
        inverse = pow(1 << (DIGIT * digits(p)), -1, p)
        pinv = -pow(p, -1, 1 << DIGIT) % (1 << DIGIT)
        data = group((digits(p), int(wide(p)), pinv),
                     [(p, 0, 0), *((x, p - 1, x * (p - 1) * inverse % p) for x in range(100))])
        (tmp_path / name).write_bytes(data)
        assert counters(sim, "file", tmp_path / name, 0) == {"vectors": 100,
                                                             "cycles": 100 * expected}


def toy_digits(p: int, digit: int, half: int, extra: int) -> range:
    narrow = -(-p.bit_length() // digit)
    return range(narrow, min(narrow + extra, 2 * half // digit) + 1)


@pytest.mark.parametrize(("digit", "half", "extra", "chosen"), [
    (1, 8, 0, (257, 509, 511)),
    (1, 8, 12, (3, 5, 7)),
    (1, 8, 5, (15, 17, 31)),
    (2, 12, 1, (127, 511)),
    pytest.param(1, 8, 1, (1021, 1023), marks=pytest.mark.long),
    pytest.param(1, 8, 3, tuple(range(3, 128, 2)), marks=pytest.mark.long),
    pytest.param(2, 12, 0, (4093, 4095), marks=pytest.mark.long),
])
def test_toy_exhaustive(digit: int, half: int, extra: int, chosen: tuple[int, ...]) -> None:
    """Every x below R and every y below p, for the moduli named, up to `extra` digits more."""
    sim = simbuild.build_cpp("pm_mont_mul_packed", RTL, BENCH, {"Digit": digit, "Half": half},
                             cflags=FLAGS, out_dir=f"build/sim/pm_mont_mul_packed_{digit}_{half}")
    got = counters(sim, "all", digit, half, extra, *chosen)
    each = [(p << (digit * m), packed_cycles(m, two, digit, half)) for p in chosen
            for m in toy_digits(p, digit, half, extra) for two in range(int(p >> half > 0), 2)]
    assert got == {"vectors": sum(n for n, _ in each), "cycles": sum(n * c for n, c in each)}
    assert got["vectors"] > 10_000


def test_illegal_parameters() -> None:
    for params in ({"Half": 128}, {"Half": 270}):
        with pytest.raises(simbuild.BuildError, match="Half / 4 must be more than Digit"):
            simbuild.lint("pm_mont_mul_packed", RTL, params)


@cocotb.test()
async def wipe(dut: HierarchyObject) -> None:
    """Clears every register that holds data, at any time; the next product is right."""
    await start(dut)
    m = Modulus("P-384")
    m.set(dut)
    for cycles in range(m.latency(dut) + 2):
        await send(dut, random.randrange(m.r), random.randrange(m.p))
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        dut.x_i.value = dut.y_i.value = 0
        dut.wipe_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.wipe_i.value = 0
        for name in ("x_q", "y_q", "v_q", "digit_q", "q_q", "over_q", "carry_q"):
            assert int(getattr(dut, name).value) == 0, name
        await receive(dut, 0.0)
        x, y = random.randrange(m.r), random.randrange(m.p)
        await send(dut, x, y)
        assert await receive(dut, 0.3) == m.product(x, y)


def test_wipe() -> None:
    simbuild.run_cocotb("pm_mont_mul_packed", RTL, __name__, expect=1, testcase="wipe")


def test_protocol() -> None:
    simbuild.run_cocotb("pm_mont_mul_packed", RTL, "cocotb_pm_mont_mul", expect=4)
