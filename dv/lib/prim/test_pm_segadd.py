# SPDX-License-Identifier: Apache-2.0
"""pm_segadd: sums one a cycle, random ones and those whose carry runs through segments."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/prim/pm_segadd.sv"]
SUMS = 4_000


def operand(rng: random.Random, width: int) -> int:
    """Random, or a run of ones between random bits, so that carries go far."""
    low, high = sorted((rng.randrange(width + 1), rng.randrange(width + 1)))
    run = (1 << high) - (1 << low)
    value = rng.getrandbits(width)
    return rng.choice([value, value | run, value & ~run, run, run ^ (1 << width) - 1])


@cocotb.test()
async def sums(dut) -> None:
    """The sum of every enabled cycle's operands a cycle later; all carries into segments occur."""
    rng = random.Random(1)
    width = len(dut.sum_o)
    handshake.clocked(dut)
    expected, far = None, 0
    for _ in range(SUMS):
        a, b, carry = operand(rng, width), operand(rng, width), rng.getrandbits(1)
        if rng.random() < 0.2:
            b = a ^ (1 << width) - 1  # every place propagates
        enabled = rng.random() < 0.9
        dut.en_i.value = enabled
        dut.a_i.value, dut.b_i.value, dut.carry_i.value = a, b, carry
        await ReadOnly()
        assert expected is None or int(dut.sum_o.value) == expected
        await RisingEdge(dut.clk_i)
        expected = (a + b + carry) % (1 << width) if enabled else expected
        far += carry and a ^ b == (1 << width) - 1
    assert far > SUMS // 20


@pytest.mark.parametrize(("width", "segment"), [(257, 86), (386, 65), (16, 3), (7, 7)])
def test_pm_segadd(width: int, segment: int) -> None:
    simbuild.run_cocotb("pm_segadd", SOURCES, __name__,
                        {"Width": width, "SegmentBits": segment}, expect=1)


@pytest.mark.parametrize("segment", [1, 17])
def test_illegal_parameters(segment: int) -> None:
    with pytest.raises(simbuild.BuildError, match="SegmentBits must be 2 to Width"):
        simbuild.lint("pm_segadd", SOURCES, {"Width": 16, "SegmentBits": segment})
