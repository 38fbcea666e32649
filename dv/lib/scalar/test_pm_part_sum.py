# SPDX-License-Identifier: Apache-2.0
"""pm_part_sum: half products added up at both places, exact latency, clear in every cycle."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/prim/prim.f", "hw/lib/scalar/pm_part_sum.sv"]
LATENCY = 4
JOBS = 300


async def start(dut) -> random.Random:
    await handshake.begin(dut, ("clear_i", "load_i", "part_valid_i"), count=2, after=0)
    return random.Random(1)


async def load(dut, value: int) -> None:
    dut.load_i.value, dut.value_i.value = 1, value
    await RisingEdge(dut.clk_i)
    dut.load_i.value = 0


async def add(dut, rng: random.Random, low: int, high: int, upper: bool, cycles: int) -> None:
    """Half products for one cycle, then `cycles` cycles with others on the ports."""
    dut.part_valid_i.value, dut.high_i.value = 1, upper
    dut.l_i.value, dut.h_i.value = low, high
    await RisingEdge(dut.clk_i)
    dut.part_valid_i.value, dut.high_i.value = 0, rng.getrandbits(1)
    dut.l_i.value, dut.h_i.value = rng.getrandbits(258), rng.getrandbits(258)
    for _ in range(cycles):
        await ReadOnly()
        assert dut.busy_o.value == 1
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def products(dut) -> None:
    """value + t * b for t of 258 bits in two parts, b and value as large as they may be."""
    rng = await start(dut)
    for _ in range(JOBS):
        t = rng.choice([rng.getrandbits(255), 2**255 - 1, rng.getrandbits(129)])
        b = rng.choice([rng.getrandbits(256), 2**256 - 1])
        value = rng.choice([0, rng.getrandbits(255), 2**255 - 1])
        await load(dut, value)
        for upper in (False, True):
            part = t >> 129 if upper else t % 2**129
            await add(dut, rng, part * (b % 2**129), part * (b >> 129), upper, LATENCY)
        await ReadOnly()
        assert dut.busy_o.value == 0
        assert int(dut.x_o.value) == value + t * b
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def clear(dut) -> None:
    """After clear_i in any cycle of a sum the next one is right."""
    rng = await start(dut)
    for cycles in range(LATENCY):
        await add(dut, rng, rng.getrandbits(258), rng.getrandbits(258), False, cycles)
        await handshake.pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.busy_o.value == 0
        await RisingEdge(dut.clk_i)
        await load(dut, 5)
        low, high = rng.getrandbits(258), rng.getrandbits(258)
        await add(dut, rng, low, high, False, LATENCY)
        await ReadOnly()
        assert int(dut.x_o.value) == 5 + low + (high << 129)
        await RisingEdge(dut.clk_i)


@pytest.mark.parametrize("segment", [86, 512])
def test_pm_part_sum(segment: int) -> None:
    simbuild.run_cocotb("pm_part_sum", SOURCES, __name__, {"SegmentBits": segment}, expect=2)
