# SPDX-License-Identifier: Apache-2.0
"""pm_modl: values against plain integers, latency, handshake, clear with a result under way."""

from __future__ import annotations

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from naf_reference import L

from dv.common.handshake import begin, cycles, offer, pulse, take
from pointmill import simbuild

SOURCES = ["hw/lib/prim/pm_segadd.sv", "hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_modl.sv"]
EDGES = 7_400  # of the C++ bench: powers of two, multiples of L and their neighbours
OUTSIDE = 944  # of these, left outside [0, L) by the folds as printed
COUNTS = [20_000, pytest.param(100_000, marks=pytest.mark.long)]


def bench(response_reg: bool, segment_bits: int = 0) -> Path:
    return simbuild.build_cpp("pm_modl", SOURCES, "dv/lib/scalar/pm_modl_bench.cpp",
                              {"ResponseReg": response_reg, "SegmentBits": segment_bits},
                              cflags=("-Idv/common",))


def run(exe: Path, count: int, latency: int, jitter: bool) -> list[int]:
    """Counters of one run: vectors, results >= 2^252, outside, shortest and longest latency."""
    words = [exe, str(count), "1", str(latency), str(int(jitter))]
    return [int(word) for word in simbuild.run_tool(words).split()]


@pytest.mark.parametrize("count", COUNTS)
def test_values_and_latency(count: int) -> None:
    """Random and all edge values with a multiplier of 4 cycles: exactly 19 cycles each."""
    vectors, high, outside, shortest, longest = run(bench(True), count, 4, False)
    assert vectors == count + EDGES
    assert (high, outside) == (1083, OUTSIDE)
    assert (shortest, longest) == (19, 19)


@pytest.mark.parametrize("latency", [1, 4, 5, 7])
@pytest.mark.parametrize("response_reg", [True, False])
def test_any_multiplier_latency(response_reg: bool, latency: int) -> None:
    vectors, _, outside, shortest, longest = run(bench(response_reg), 1_000, latency, False)
    assert (vectors, outside) == (1_000 + EDGES, OUTSIDE)
    assert shortest == longest == 3 * (latency + 1 + response_reg) + 1


@pytest.mark.parametrize("segment_bits", [65, pytest.param(386, marks=pytest.mark.long)])
@pytest.mark.parametrize("count", COUNTS)
def test_segments(count: int, segment_bits: int) -> None:
    """The same values with sums in segments: 37 cycles with a multiplier of 4."""
    vectors, high, outside, shortest, longest = run(bench(True, segment_bits), count, 4, False)
    assert vectors == count + EDGES
    assert (high, outside) == (1083, OUTSIDE)
    assert (shortest, longest) == (37, 37)
    for latency in (1, 7):
        _, _, _, shortest, longest = run(bench(True, segment_bits), count // 100, latency, False)
        assert shortest == longest == 3 * (latency + 8) + 1
    assert run(bench(True, segment_bits), count // 10, 4, True)[3] == 37


@pytest.mark.parametrize("response_reg", [True, False])
def test_busy_multiplier(response_reg: bool) -> None:
    """Requests refused and answers delayed at random."""
    vectors, _, outside, shortest, longest = run(bench(response_reg), 10_000, 4, True)
    assert (vectors, outside) == (10_000 + EDGES, OUTSIDE)
    assert shortest == 16 + 3 * response_reg
    assert longest > 30


# ------------------------------------------------------------------------------------- protocol


class Multiplier:
    """Shared multiplier with random acceptance and 1 to 7 cycles; its pipeline may be flushed."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.answers: list[tuple[int, int, int]] = []
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut = self.dut
        while True:
            due = [a for a in self.answers if a[0] == 0]
            self.answers = [(wait - 1, h, low) for wait, h, low in self.answers if wait > 0]
            dut.mul_part_valid_i.value = int(bool(due))
            dut.mul_h_i.value = due[0][1] if due else random.getrandbits(258)
            dut.mul_l_i.value = due[0][2] if due else random.getrandbits(258)
            dut.mul_ready_i.value = int(random.random() < 0.7)
            await ReadOnly()
            if dut.mul_valid_o.value and dut.mul_ready_i.value:
                a, b = int(dut.mul_a_o.value), int(dut.mul_b_o.value)
                mask = 2**129 - 1
                self.answers.append((random.randrange(7), (a >> 129) * (b >> 129),
                                     (a & mask) * (b & mask)))
            await RisingEdge(dut.clk_i)


async def start(dut) -> Multiplier:
    await begin(dut, ("clear_i", "valid_i", "ready_i", "x_i"))
    return Multiplier(dut)


async def send(dut, x: int) -> None:
    dut.x_i.value = x
    await offer(dut)
    dut.x_i.value = random.getrandbits(512)


async def receive(dut) -> int:
    return await take(dut, lambda: int(dut.r_o.value), 200)


@cocotb.test()
async def idle_and_back_pressure(dut) -> None:
    await start(dut)
    for _ in range(60):
        await cycles(dut, random.randrange(4))
        x = random.choice([random.getrandbits(512), random.getrandbits(259) * L - 1])
        x %= 2**512
        await send(dut, x)
        assert await receive(dut) == x % L


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    """clear_i at every moment; the late answer arrives, or the multiplier is flushed as well."""
    multiplier = await start(dut)
    for flush in (False, True):
        for wait in range(60):
            await send(dut, random.getrandbits(512))
            await cycles(dut, wait)
            await pulse(dut, "clear_i")
            if flush:
                multiplier.answers.clear()
            await ReadOnly()
            assert dut.valid_o.value == 0
            assert dut.mul_valid_o.value == 0
            await RisingEdge(dut.clk_i)
            x = random.getrandbits(512)
            await send(dut, x)
            if wait % 5 == 0:  # cleared again at once
                await pulse(dut, "clear_i")
                await send(dut, x)
            assert await receive(dut) == x % L


@pytest.mark.parametrize("response_reg, segment_bits",
                         [(True, 0), (True, 65),
                          pytest.param(False, 0, marks=pytest.mark.long)])
def test_protocol(response_reg: bool, segment_bits: int) -> None:
    simbuild.run_cocotb("pm_modl", SOURCES, __name__,
                        {"ResponseReg": response_reg, "SegmentBits": segment_bits}, expect=2)
