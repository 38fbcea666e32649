# SPDX-License-Identifier: Apache-2.0
"""pm_modl_bits: values against plain integers, exact latency, results that wait, clear."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from naf_reference import L

from dv.common.handshake import begin, offer, pulse
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_modl_bits.sv"]
LATENCY = 514
RANDOM = 40


async def reduce(dut, x: int, wait: int) -> None:
    """Reduces `x`; the result waits."""
    dut.x_i.value = x
    await offer(dut)
    await ClockCycles(dut.clk_i, LATENCY - 2)
    await ReadOnly()
    assert dut.valid_o.value == 0
    await RisingEdge(dut.clk_i)
    for _ in range(wait + 1):
        await ReadOnly()
        assert dut.valid_o.value == 1 and dut.ready_o.value == 0
        assert int(dut.r_o.value) == x % L, hex(x)
        await RisingEdge(dut.clk_i)
    await pulse(dut, "ready_i")


@cocotb.test()
async def values_and_latency(dut) -> None:
    await begin(dut)
    rng = random.Random(5)
    most = (2**512 - 1) // L
    numbers = [0, 1, 2**512 - 1, 2**252, 2**253 - 1]
    numbers += [m * L + d for m in (1, 2, 2**259, most) for d in (-1, 0, 1)]
    numbers += [rng.getrandbits(512) for _ in range(RANDOM)]
    for x in numbers:
        await reduce(dut, x, rng.randrange(3))


@cocotb.test()
async def clear_at_any_time(dut) -> None:
    await begin(dut)
    rng = random.Random(6)
    for cycles in (0, 1, 511, 512, 513, 514, *(rng.randrange(512) for _ in range(6))):
        dut.x_i.value = rng.getrandbits(512)
        await offer(dut)
        await ClockCycles(dut.clk_i, cycles)
        await pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.ready_o.value == 1 and dut.valid_o.value == 0
        await RisingEdge(dut.clk_i)
        await reduce(dut, rng.getrandbits(512), 0)


def test_pm_modl_bits() -> None:
    simbuild.run_cocotb("pm_modl_bits", SOURCES, __name__, expect=2)
