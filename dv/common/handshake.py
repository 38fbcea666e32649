# SPDX-License-Identifier: Apache-2.0
"""What benches of small units begin with: clock, reset, and an operand offered until it is taken.

Inputs change after an `edge` of the clock: the rising one, or the falling one where a bench looks at outputs in the
same cycle.
"""

from __future__ import annotations

from collections.abc import Iterable

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

Edge = type[RisingEdge] | type[FallingEdge]


async def begin(dut, inputs: Iterable[str], edge: Edge = RisingEdge) -> None:
    """All `inputs` 0, clock, three cycles of reset; returns with the first edge behind it."""
    for name in inputs:
        getattr(dut, name).value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    dut.rst_ni.value = 0
    for _ in range(3):
        await edge(dut.clk_i)
    dut.rst_ni.value = 1
    await edge(dut.clk_i)


async def offer(dut, edge: Edge = RisingEdge) -> None:
    """valid_i until ready_o; the caller has set the operand, and sets the next one."""
    dut.valid_i.value = 1
    while True:
        await ReadOnly()
        taken = bool(dut.ready_o.value)
        await edge(dut.clk_i)
        if taken:
            break
    dut.valid_i.value = 0
