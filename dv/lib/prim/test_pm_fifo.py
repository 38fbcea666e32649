# SPDX-License-Identifier: Apache-2.0
"""pm_fifo: order, fill level, full throughput, rejected parameters."""

from __future__ import annotations

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/lib/prim/pm_fifo.sv"
CYCLES = 4000


async def run(dut, push: float, pop: float, seed: int) -> tuple[int, int]:
    """Random traffic against a deque; (items passed, highest fill level)."""
    rng = random.Random(seed)
    depth = int(dut.Depth.value)
    await handshake.begin(dut, count=2, after=0)
    inside: deque[int] = deque()
    passed = highest = 0
    item = rng.getrandbits(int(dut.Width.value))
    for _ in range(CYCLES):
        dut.valid_i.value = int(rng.random() < push)
        dut.data_i.value = item
        dut.ready_i.value = int(rng.random() < pop)
        await RisingEdge(dut.clk_i)
        assert int(dut.usage_o.value) == len(inside)
        assert bool(dut.valid_o.value) == bool(inside)
        assert bool(dut.ready_o.value) == (len(inside) < depth)
        if inside:
            assert int(dut.data_o.value) == inside[0]
        if dut.valid_o.value and dut.ready_i.value:
            inside.popleft()
            passed += 1
        if dut.valid_i.value and dut.ready_o.value:
            inside.append(item)
            item = rng.getrandbits(int(dut.Width.value))
        highest = max(highest, len(inside))
    return passed, highest


@cocotb.test()
@cocotb.parametrize(rates=[(0.9, 0.3), (0.5, 0.5), (0.3, 0.9)])
async def traffic(dut, rates: tuple[float, float]) -> None:
    push, pop = rates
    passed, highest = await run(dut, push, pop, seed=1)
    assert passed > CYCLES / 5
    assert push <= pop or highest == int(dut.Depth.value)


@cocotb.test()
async def full_throughput(dut) -> None:
    """One item in and one out in every cycle but the first two."""
    passed, highest = await run(dut, 1, 1, seed=2)
    assert passed >= CYCLES - 2 and highest == 1


@cocotb.test()
async def wiped(dut) -> None:
    """With Wipe every entry of the memory is 0 some cycles after it was read: the empty FIFO shows the next one."""
    depth, ones = int(dut.Depth.value), (1 << int(dut.Width.value)) - 1
    await run(dut, 0.9, 0.5, seed=3)
    shown = []
    for _ in range(depth):
        dut.valid_i.value, dut.ready_i.value = 0, 1
        await handshake.cycles(dut, 3 * depth)
        shown.append(int(dut.data_o.value))
        dut.valid_i.value, dut.data_i.value = 1, ones
        await RisingEdge(dut.clk_i)
    assert (shown == [0] * depth) == bool(dut.Wipe.value)


@pytest.mark.parametrize(("width", "depth", "wipe"), [(1, 2, 1), (73, 16, 0), (73, 16, 1)])
def test_pm_fifo(width: int, depth: int, wipe: int) -> None:
    simbuild.run_cocotb("pm_fifo", RTL, __name__, {"Width": width, "Depth": depth, "Wipe": wipe}, expect=5)


@pytest.mark.parametrize(("width", "depth", "said"), [
    (8, 3, "power of two"), (8, 1, "power of two"), (0, 4, "Width must be at least 1")])
def test_refused(width: int, depth: int, said: str) -> None:
    with pytest.raises(simbuild.BuildError, match=said):
        simbuild.lint("pm_fifo", RTL, {"Width": width, "Depth": depth})
