# SPDX-License-Identifier: Apache-2.0
"""pm_skid: order, full throughput, clear, independent sides, rejected parameters."""

from __future__ import annotations

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/lib/prim/pm_skid.sv"
CYCLES = 3000


@cocotb.test()
async def traffic(dut) -> None:
    """Against a queue, with all mixes of offering, taking and clearing."""
    rng = random.Random(5)
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    inside: deque[int] = deque()
    passed = dropped = both = 0
    for cycle in range(CYCLES):
        push, pop = [(1, 1), (0.9, 0.5), (0.4, 0.9)][cycle // 200 % 3]
        clear = push < 1 and rng.random() < 0.03
        item = rng.getrandbits(8)
        dut.clear_i.value = clear
        dut.data_i.value = item
        dut.valid_i.value = offered = rng.random() < push
        dut.ready_i.value = taking = rng.random() < pop
        await ReadOnly()
        ready = int(dut.ready_o.value)
        assert ready == (len(inside) < 2 and not clear)
        assert int(dut.valid_o.value) == (bool(inside) and not clear)
        if inside and not clear:
            assert int(dut.data_o.value) == inside[0]
        if taking and inside and not clear:
            inside.popleft()
            passed += 1
            both += offered and bool(ready)
        if offered and ready:
            inside.append(item)
        if clear:
            dropped += len(inside)
            inside.clear()
        await FallingEdge(dut.clk_i)
    assert passed > CYCLES // 2 and dropped > 20 and both > CYCLES // 3


def test_skid() -> None:
    simbuild.run_cocotb("pm_skid", [RTL], __name__, {}, expect=1, build_dir="build/cocotb/test_pm_skid")


def test_parameters() -> None:
    simbuild.lint("pm_skid", [RTL], {"Stages": 0})
    with pytest.raises(simbuild.BuildError, match="Stages must be 0 or 1"):
        simbuild.lint("pm_skid", [RTL], {"Stages": 2})
