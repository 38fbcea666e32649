# SPDX-License-Identifier: Apache-2.0
"""pm_mont_inverter: a^-1 2^steps mod p for moduli of all widths, errors, exact cycles, protocol."""

from __future__ import annotations

import math
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly
from field_common import counters
from mont_vectors import (
    DIGIT,
    INVERSION_CYCLES,
    PRIMES,
    WIDTH,
    digits,
    edges,
    group,
    moduli,
    operand,
)

from dv.common.handshake import begin, cycles, offer, take
from pointmill import simbuild

RTL = ["hw/lib/field/pm_mont_inverter.sv"]
BENCH = "dv/lib/field/pm_mont_inverter_bench.cpp"


def sim() -> Path:
    return simbuild.build_cpp("pm_mont_inverter", RTL, BENCH, cflags=("-Idv/common",),
                              out_dir="build/sim/pm_mont_inverter")


def inverse(a: int, steps: int, p: int) -> int:
    """a^-1 2^steps mod p, 0 if there is none."""
    return pow(a, -1, p) * pow(2, steps, p) % p if math.gcd(a, p) == 1 else 0


def vectors(per_modulus: int, seed: int) -> tuple[bytes, dict[str, int]]:
    """A file of vectors, and what the bench must count: vectors, errors, cycles."""
    rng = random.Random(seed)
    out, count, errors, cycles = [], 0, 0, 0
    for p in moduli(seed):
        bits, r_bits = p.bit_length(), DIGIT * digits(p)
        reduced = [operand(rng, p) for _ in range(per_modulus)]
        cases = [(2 * bits, edges(p, p)[:8] + reduced[::2]),
                 (2 * r_bits, [p - 1, *reduced[1::2]]),
                 (bits + r_bits, [1, p, p + 1 if p + 1 < 1 << r_bits else 0, (1 << r_bits) - 1]),
                 (bits, [1]), (r_bits, [1]), (2 * r_bits, [1])]
        for steps, operands in cases:
            wanted = [inverse(a, steps, p) for a in operands]
            out.append(group((steps,), [(p, 0), *zip(operands, wanted, strict=True)]))
            count += len(operands)
            errors += wanted.count(0)
            cycles += len(operands) * (steps + 2)
    return b"".join(out), {"vectors": count, "errors": errors, "cycles": cycles}


@pytest.mark.parametrize("per_modulus", [4, pytest.param(700, marks=pytest.mark.long)])
def test_inverses(per_modulus: int) -> None:
    """Edges and random operands of all widths, also beyond p, composite moduli, and powers of two."""
    data, wanted = vectors(per_modulus, seed=per_modulus)
    assert counters(sim(), "file", data) == wanted
    assert wanted["vectors"] > (2_500 if per_modulus == 4 else 100_000)
    assert wanted["errors"] > 300


@pytest.mark.parametrize("width", [5, 6, pytest.param(8, marks=pytest.mark.long)])
def test_toy_exhaustive(width: int) -> None:
    """Every modulus and operand of a small unit; also even moduli, which must end with an error."""
    small = simbuild.build_cpp("pm_mont_inverter", RTL, BENCH, {"Width": width},
                               cflags=("-Idv/common",),
                               out_dir=f"build/sim/pm_mont_inverter_{width}")
    got = counters(small, "all", width)
    top = 1 << width
    pairs = (top - 2) * top
    bad = sum(p % 2 == 0 or math.gcd(a, p) > 1 for p in range(2, top) for a in range(top))
    short = (top - 3) * top
    assert got["vectors"] == 2 * pairs + (top - 2) + short
    assert got["errors"] == 2 * bad + (top - 2) // 2 + short


def test_published_cycles() -> None:
    """Twice the bits of p, and two: the cycles of table 1."""
    for name, published in INVERSION_CYCLES.items():
        p = PRIMES[name]
        steps = 2 * p.bit_length()
        operands = (1, 2, p // 3, p - 1)
        data = group((steps,), [(p, 0), *((a, inverse(a, steps, p)) for a in operands)])
        assert counters(sim(), "file", data) == {"vectors": 4, "errors": 0, "cycles": 4 * published}


# ------------------------------------------------------------------------------------- protocol


async def start(dut: HierarchyObject) -> None:
    """Starts the clock and resets; returns after a falling edge, as every step below."""
    await begin(dut, ("clear_i", "valid_i", "ready_i", "a_i", "steps_i"), FallingEdge)


async def send(dut: HierarchyObject, p: int, steps: int, a: int) -> None:
    dut.p_i.value, dut.steps_i.value, dut.a_i.value = p, steps, a
    await offer(dut, FallingEdge)
    dut.a_i.value = random.getrandbits(WIDTH)
    dut.steps_i.value = random.getrandbits(11)


async def receive(dut: HierarchyObject, pause: float) -> tuple[int, int]:
    """(inverse, error)"""
    return await take(dut, lambda: (int(dut.inv_o.value), int(dut.error_o.value)), 1500, pause, FallingEdge)


@cocotb.test()
async def idle_and_back_pressure(dut: HierarchyObject) -> None:
    await start(dut)
    for name, p in PRIMES.items():
        steps = 2 * p.bit_length()
        for a in (random.randrange(1, p), 0 if name == "P-256" else p - 1):
            await cycles(dut, random.randrange(4), FallingEdge)
            await send(dut, p, steps, a)
            want = inverse(a, steps, p)
            assert await receive(dut, random.choice((0.0, 0.8))) == (want, int(want == 0))


@cocotb.test()
async def clear_and_reset(dut: HierarchyObject) -> None:
    """clear_i and rst_ni during the steps, at the end and with the result waiting."""
    await start(dut)
    p = PRIMES["P-192"]
    for name in ("clear_i", "rst_ni"):
        idle = dut.rst_ni.value if name == "rst_ni" else 0
        for wait in (0, 1, 100, 384, 385, 386, 390):
            await send(dut, p, 384, random.randrange(p))
            await cycles(dut, wait, FallingEdge)
            getattr(dut, name).value = int(name == "clear_i")
            await FallingEdge(dut.clk_i)
            getattr(dut, name).value = int(idle)
            await ReadOnly()
            assert not dut.valid_o.value
            assert dut.ready_o.value
            await FallingEdge(dut.clk_i)
            a = random.randrange(1, p)
            await send(dut, p, 384, a)
            assert await receive(dut, 0.2) == (inverse(a, 384, p), 0)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_mont_inverter", RTL, __name__, expect=2)


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Width must be at least 2"):
        simbuild.lint("pm_mont_inverter", RTL, {"Width": 1})
