# SPDX-License-Identifier: Apache-2.0
"""pm_delay: a wire, and delay lines of one and several cycles."""

from __future__ import annotations

import os
import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

DEPTH = int(os.environ.get("PM_DEPTH", "0"))


@cocotb.test()
async def random_data(dut) -> None:
    """Every cycle; now and then a reset, after which zeros come out for `Depth` cycles."""
    handshake.clocked(dut)
    rng = random.Random(1)
    line: deque[int] = deque()
    await FallingEdge(dut.clk_i)
    for cycle in range(2000):
        reset = cycle == 0 or rng.random() < 0.02
        dut.rst_ni.value = not reset
        data = rng.getrandbits(len(dut.data_i))
        dut.data_i.value = data
        if reset:
            line = deque([0] * DEPTH)
        await ReadOnly()
        line.append(data)
        assert int(dut.data_o.value) == line.popleft(), cycle
        if reset:
            line = deque([0] * DEPTH)
        await FallingEdge(dut.clk_i)


@pytest.mark.parametrize(("width", "depth"), [(8, 0), (1, 1), (100, 2), (13, 5)])
def test_delay(width: int, depth: int) -> None:
    simbuild.run_cocotb("pm_delay", ["hw/lib/seq/pm_delay.sv"], __name__,
                        {"Width": width, "Depth": depth}, expect=1,
                        extra_env={"PM_DEPTH": str(depth)},
                        build_dir=f"build/cocotb/test_pm_delay/{width}-{depth}")
