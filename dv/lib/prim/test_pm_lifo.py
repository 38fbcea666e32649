# SPDX-License-Identifier: Apache-2.0
"""pm_lifo against a Python list: random pushes, pops, replacements, clears, full and empty."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/prim/pm_lifo.sv"]


@cocotb.test()
async def random_operations(dut) -> None:
    depth = 5
    await handshake.begin(dut, count=2, after=0)
    stack: list[int] = []
    seen = {"full": 0, "empty": 0, "replace": 0, "refused": 0, "clear": 0}
    for cycle in range(5_000):
        filling = 0.7 if cycle // 50 % 2 else 0.3
        push, pop = random.random() < filling, random.random() < 1 - filling
        clear, data = random.random() < 0.01, random.getrandbits(8)
        dut.push_i.value, dut.pop_i.value = int(push), int(pop)
        dut.clear_i.value, dut.data_i.value = int(clear), data
        await ReadOnly()
        assert dut.empty_o.value == (not stack)
        assert dut.full_o.value == (len(stack) == depth)
        if stack:
            assert dut.top_o.value == stack[-1]
        popped = bool(pop and stack)
        seen["full"] += len(stack) == depth
        seen["empty"] += not stack
        seen["replace"] += push and popped
        seen["refused"] += (push and not popped and len(stack) == depth) or (pop and not stack)
        seen["clear"] += clear
        if popped:
            stack.pop()
        if push and len(stack) < depth:
            stack.append(data)
        if clear:
            stack.clear()
        await RisingEdge(dut.clk_i)
    assert min(seen.values()) >= 20, seen


def test_random() -> None:
    simbuild.run_cocotb("pm_lifo", SOURCES, __name__, {"Width": 8, "Depth": 5}, expect=1)
