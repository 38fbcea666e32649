# SPDX-License-Identifier: Apache-2.0
"""pm_mont_setup: bits, digits and -1/p of moduli of all widths; even moduli are rejected."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly
from field_common import RTL as FIELD, counters
from mont_vectors import DIGIT, PRIMES, WIDTH, digits, group, moduli, wide

from dv.common import handshake
from pointmill import simbuild

RTL = ["hw/lib/field/pm_mont_setup.sv"]
BENCH = "dv/lib/field/pm_mont_setup_bench.cpp"
RANDOM = 100_000


@pytest.mark.parametrize(("width", "passes", "count"), [
    (WIDTH, 2, RANDOM), (704, 1, 20_000), pytest.param(704, 1, RANDOM, marks=pytest.mark.long)])
def test_moduli(width: int, passes: int, count: int) -> None:
    """The moduli of the other benches, the same less one, and random numbers of all lengths."""
    rng = random.Random(5)
    values = [q for p in moduli(5, width) for q in (p, p - 1)] + [0, 1, 2, 1 << (width - 1)]
    values += [rng.getrandbits(rng.randrange(1, width + 1)) | (i & 1) for i in range(count)]
    sim = simbuild.build_cpp("pm_mont_setup", RTL, BENCH, {"Half": width // passes, "Passes": passes},
                             cflags=("-Idv/common", f"-DPM_WORDS={width // DIGIT}"),
                             out_dir=f"build/sim/pm_mont_setup_{width}")
    refused = sum(p % 2 == 0 or p == 1 for p in values)
    got = counters(sim, "file", group((), [(p,) for p in values], width), width // passes)
    assert got == {"vectors": len(values), "refused": refused}
    assert count // 5 < refused < count // 2 + 200


@pytest.mark.parametrize(("digit", "half"), [(2, 3), (3, 6), (4, 6)])
def test_toy_exhaustive(digit: int, half: int) -> None:
    sim = simbuild.build_cpp("pm_mont_setup", RTL, BENCH, {"Digit": digit, "Half": half},
                             cflags=("-Idv/common",), out_dir=f"build/sim/pm_mont_setup_{digit}_{half}")
    top = 1 << (2 * half)
    assert counters(sim, "all", digit, half) == {"vectors": top, "refused": top // 2 + 1}


@cocotb.test()
async def idle_and_back_pressure(dut: HierarchyObject) -> None:
    """Results hold until taken; a reset at any time leaves the unit idle."""
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    for number, p in enumerate(PRIMES.values()):
        await handshake.cycles(dut, random.randrange(3), FallingEdge)
        if number % 4 == 3:
            dut.valid_i.value = 1
            await handshake.cycles(dut, random.randrange(1, 40), FallingEdge)
            dut.valid_i.value = dut.rst_ni.value = 0
            await FallingEdge(dut.clk_i)
            dut.rst_ni.value = 1
        dut.p_i.value, dut.valid_i.value = p, 1
        await ReadOnly()
        assert dut.ready_o.value
        assert not dut.valid_o.value
        await FallingEdge(dut.clk_i)
        dut.valid_i.value = random.randrange(2)  # a second offer waits
        for _ in range(DIGIT + 1):
            assert not dut.valid_o.value
            await FallingEdge(dut.clk_i)
        for _ in range(random.randrange(5)):
            assert dut.valid_o.value
            await FallingEdge(dut.clk_i)
        assert dut.valid_o.value
        assert not dut.ready_o.value
        assert int(dut.bits_o.value) == p.bit_length()
        assert (int(dut.digits_o.value), int(dut.wide_o.value)) == (digits(p), int(wide(p)))
        assert int(dut.pinv_o.value) == -pow(p, -1, 1 << DIGIT) % (1 << DIGIT)
        dut.ready_i.value, dut.valid_i.value = 1, 0
        await FallingEdge(dut.clk_i)
        dut.ready_i.value = 0


async def run(dut: HierarchyObject, unit: str) -> int:
    """Starts a unit of pm_mont_units_tb, waits for its result; returns the cycles."""
    valid = getattr(dut, f"{unit}_valid_i")
    while True:  # the first cycle with valid takes the result before, if there is one
        valid.value = 1
        await ReadOnly()
        idle = not getattr(dut, f"{unit}_valid_o").value or unit == "mul"
        await FallingEdge(dut.clk_i)
        if idle:
            break
    valid.value = 0
    cycles = 1
    while not getattr(dut, f"{unit}_valid_o").value:
        await FallingEdge(dut.clk_i)
        cycles += 1
    return cycles


@cocotb.test()
async def constants_of_the_domain(dut: HierarchyObject) -> None:
    """R and R^2 mod p from p alone, R^2 in both ways; an inverse in the domain."""
    await handshake.begin(dut, ("setup_valid_i", "inv_valid_i", "mul_valid_i", "again_i"),
                          FallingEdge, count=1, after=0)
    for p in (*PRIMES.values(), 3**200, (1 << WIDTH) - 1):
        dut.p_i.value = p
        assert await run(dut, "setup") == DIGIT + 2
        assert not dut.error_o.value
        m, bits = int(dut.digits_o.value), int(dut.bits_o.value)
        r = 1 << (DIGIT * m)
        dut.a_i.value = 1
        for steps in (DIGIT * m, 2 * DIGIT * m, (DIGIT + 1) * m):
            dut.steps_i.value = steps
            assert await run(dut, "inv") == steps + 2
            assert not dut.inv_error_o.value
            assert int(dut.inv_o.value) == pow(2, steps, p)
        for square in range(5):
            dut.again_i.value = int(square > 0)
            assert await run(dut, "mul") == m * (1 + int(wide(p)))
        assert int(dut.r_o.value) == r * r % p
        if p % 3:
            x = random.randrange(2, p) if p in PRIMES.values() else 2
            dut.a_i.value = x * r % p
            dut.steps_i.value = 2 * DIGIT * m
            assert await run(dut, "inv") == 2 * DIGIT * m + 2 >= 2 * bits + 2
            assert int(dut.inv_o.value) == pow(x, -1, p) * r % p


def test_protocol() -> None:
    simbuild.run_cocotb("pm_mont_setup", RTL, __name__, expect=1,
                        testcase="idle_and_back_pressure")


def test_constants_of_the_domain() -> None:
    simbuild.run_cocotb("pm_mont_units_tb", [FIELD, "dv/lib/field/pm_mont_units_tb.sv"], __name__,
                        expect=1, testcase="constants_of_the_domain")


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Digit must be at least 2, Half more"):
        simbuild.lint("pm_mont_setup", RTL, {"Half": 270})
