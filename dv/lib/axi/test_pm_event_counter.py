# SPDX-License-Identifier: Apache-2.0
"""pm_event_counter: counts, wraps, and loses no event in the cycle of a clear."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

WIDTH = 5


@cocotb.test()
async def random_events(dut) -> None:
    rng = random.Random(1)
    await handshake.begin(dut, count=2, after=0)
    want = wraps = both = 0
    for _ in range(5000):
        clear, event = int(rng.random() < 0.01), int(rng.random() < 0.7)
        dut.clear_i.value, dut.event_i.value = clear, event
        await RisingEdge(dut.clk_i)
        assert int(dut.count_o.value) == want
        both += clear and event
        wraps += want == 2**WIDTH - 1 and event and not clear
        want = ((0 if clear else want) + event) % 2**WIDTH
    assert both > 10 and wraps > 10


def test_pm_event_counter() -> None:
    simbuild.run_cocotb("pm_event_counter", "hw/lib/axi/pm_event_counter.sv", __name__,
                        {"Width": WIDTH}, expect=1)
