# SPDX-License-Identifier: Apache-2.0
"""pm_halfgcd: congruence, oddness, sizes, exact steps against plain integers; handshake, clear."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from functools import cache

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from halfgcd_reference import Half, M, edges, half_gcd, hostile, jumps_to_zero, multiples_of_eight
from naf_reference import L
from unit_library import loaded

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/prim/prim.f", "hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_halfgcd.sv"]


@cache
def unit(stop_bits: int = 128) -> Callable[..., list[tuple[int, int, int]]]:
    """Builds the unit; the result runs scalars on it and gives (c, d, cycles) for each."""
    call = loaded("pm_halfgcd", SOURCES, {"StopBits": stop_bits}).pm_halfgcd_run

    def run(scalars: Sequence[int], hold_seed: int = 0) -> list[tuple[int, int, int]]:
        words = b"".join(k.to_bytes(32, "little") for k in scalars)
        out = ctypes.create_string_buffer(72 * len(scalars))
        code = call(words, len(scalars), ctypes.c_uint64(hold_seed), out)
        assert code == 0, f"unit misbehaved, code {code}"
        results = []
        for i in range(len(scalars)):
            c, d, signs, cycles = (int.from_bytes(out.raw[72 * i + low:72 * i + high], "little")
                                   for low, high in ((0, 32), (32, 64), (64, 68), (68, 72)))
            results.append((-c if signs & 1 else c, -d if signs & 2 else d, cycles))
        return results

    return run


def check(k: int, c: int, d: int, cycles: int, stop_bits: int = 128) -> None:
    """What a user of the unit relies on."""
    assert (c - d * k) % M == 0
    assert d % 2 == 1
    assert d % L != 0
    assert abs(c) <= 2**stop_bits
    assert (c == 0) == (k == 0)
    assert cycles <= 7 * (510 - 2 * stop_bits) + 9


def check_exactly(scalars: Sequence[int], hold_seed: int = 0) -> list[Half]:
    halves = [half_gcd(k) for k in scalars]
    for k, half, (c, d, cycles) in zip(scalars, halves, unit()(scalars, hold_seed), strict=True):
        check(k, c, d, cycles)
        assert (c, d, cycles) == (half.c, half.d, 7 * half.steps + 9), f"k = {k:#x}"
    return halves


@pytest.mark.long
def test_random() -> None:
    """20,000 scalars: properties, sizes, and the cycle counts that the documentation quotes."""
    rng = random.Random(8)
    scalars = [rng.randrange(L) for _ in range(20_000)]
    results = unit()(scalars)
    for k, (c, d, cycles) in zip(scalars, results, strict=True):
        check(k, c, d, cycles)
    assert max(abs(c).bit_length() for c, _, _ in results) == 128
    assert max(abs(d).bit_length() for _, d, _ in results) == 142
    assert sum(abs(d).bit_length() for _, d, _ in results) == 2_536_596  # 126.8 a scalar
    cycles = [cycles for _, _, cycles in results]
    assert (sum(cycles), min(cycles), max(cycles)) == (12_765_979, 485, 779)


def test_random_exactly() -> None:
    rng = random.Random(9)
    halves = check_exactly([rng.randrange(L) for _ in range(2_000)], hold_seed=1)
    assert sum(half.c < 0 for half in halves) > 800
    assert sum(half.d < 0 for half in halves) > 800


def test_edges() -> None:
    scalars = edges()
    assert len(scalars) == 4_780
    check_exactly(scalars)
    assert half_gcd(0) == Half(0, 1, 0)
    assert half_gcd(1) == Half(1, 1, 0)


@pytest.mark.parametrize(("count", "bits", "long_ones", "steps"), [
    (2_000, 254, 429, 107), pytest.param(8_000, 254, 1_801, 108, marks=pytest.mark.long)])
def test_hostile(count: int, bits: int, long_ones: int, steps: int) -> None:
    """Short remainders with long, even or or even and short, cofactors; d up to 254 bits, exact."""
    rng = random.Random(10)
    halves = check_exactly([*hostile(rng, 3 * count // 4), *multiples_of_eight(rng, count // 4)])
    assert len(halves) == count
    assert max(abs(half.d).bit_length() for half in halves) == bits
    assert sum(abs(half.d).bit_length() > 142 for half in halves) == long_ones
    assert max(half.steps for half in halves) == steps


def test_remainder_jumps_to_zero() -> None:
    """The step after r0 = 0, which 2^126 as the bound brings about and 2^128 hardly can."""
    scalars = [*jumps_to_zero(random.Random(17), 500, 126)]
    results = unit(126)(scalars)
    for k, (c, d, cycles) in zip(scalars, results, strict=True):
        check(k, c, d, cycles, 126)
        assert Half(c, d, (cycles - 9) // 7) == half_gcd(k, 126)
    assert sum(abs(c) == 8 and abs(d) > L // 2 for c, d, _ in results) == 254


@pytest.mark.long
@pytest.mark.parametrize("stop_bits", [100, 127, 160])
def test_other_bounds(stop_bits: int) -> None:
    rng = random.Random(11)
    scalars = [*edges(), *hostile(rng, 2_000), *(rng.randrange(L) for _ in range(2_000))]
    for k, (c, d, cycles) in zip(scalars, unit(stop_bits)(scalars), strict=True):
        check(k, c, d, cycles, stop_bits)
        assert Half(c, d, (cycles - 9) // 7) == half_gcd(k, stop_bits)


# ------------------------------------------------------------------------------------- protocol


async def send(dut, k: int) -> None:
    dut.k_i.value = k
    await handshake.offer(dut)
    dut.k_i.value = random.getrandbits(253)


async def receive(dut) -> tuple[int, ...]:
    def result() -> tuple[int, ...]:
        assert dut.ready_o.value == 0
        return tuple((1 - 2 * int(getattr(dut, f"{name}_neg_o").value)) * int(getattr(dut, f"{name}_o").value)
                     for name in "cd")  # fmt: skip

    return await handshake.take(dut, result, 2000)


async def job(dut, k: int) -> None:
    await send(dut, k)
    assert await receive(dut) == half_gcd(k)[:2]


@cocotb.test()
async def idle_and_back_pressure(dut) -> None:
    await handshake.begin(dut)
    for _ in range(30):
        await handshake.cycles(dut, random.randrange(4))
        await job(dut, random.choice([random.randrange(L), random.getrandbits(128), 0]))


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    """clear_i in each of the first cycles of a job, later, and while a result waits."""
    await handshake.begin(dut)
    for cycles in [*range(24), 100, 200, 300, 500]:
        await send(dut, random.randrange(L))
        await handshake.cycles(dut, cycles)
        await handshake.pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.valid_o.value == 0
        assert dut.ready_o.value == 1
        await RisingEdge(dut.clk_i)
        if cycles % 4 == 0:
            await job(dut, random.randrange(L))


def test_protocol() -> None:
    simbuild.run_cocotb("pm_halfgcd", SOURCES, __name__, {"StopBits": 128}, expect=2)
