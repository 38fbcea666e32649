# SPDX-License-Identifier: Apache-2.0
"""pm_ping_pong: order, full throughput, independent sides, nothing left of what was read."""

from __future__ import annotations

import random
from collections import deque

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

CYCLES = 3000


@cocotb.test()
async def traffic(dut) -> None:
    """Against a queue, with all mixes of offering and taking."""
    rng = random.Random(5)
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    inside: deque[int] = deque()
    passed = both = idle = 0
    last = 0
    for cycle in range(CYCLES):
        push, pop = [(1, 1), (0.9, 0.5), (0.4, 0.9)][cycle // 200 % 3]
        item = rng.getrandbits(8)
        dut.data_i.value = item
        dut.valid_i.value = offered = rng.random() < push
        dut.ready_i.value = taking = rng.random() < pop
        await ReadOnly()
        ready = int(dut.ready_o.value)
        assert ready == (len(inside) < 2)
        assert int(dut.valid_o.value) == bool(inside)
        if inside:
            assert int(dut.data_o.value) == inside[0]
        elif cycle:
            assert int(dut.data_o.value) in (0, last)
            idle += 1
        if taking and inside:
            inside.popleft()
            passed += 1
            both += offered and bool(ready)
        if offered and ready:
            inside.append(item)
        last = item
        await FallingEdge(dut.clk_i)
    assert passed > CYCLES // 2 and both > CYCLES // 3 and idle > CYCLES // 20


def test_ping_pong() -> None:
    simbuild.run_cocotb("pm_ping_pong", ["hw/lib/prim/pm_ping_pong.sv"], __name__, {}, expect=1)
