# SPDX-License-Identifier: Apache-2.0
"""pm_event_counter: counts, wraps, and loses no event in the cycle of a clear."""

from __future__ import annotations

import json
import os
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

# (bits, kinds of events, cycles): one part that is not full; three, of which the middle one passes carries on
CASES = [(5, 1, 5_000), (18, 15, 60_000)]


@cocotb.test()
async def random_events(dut) -> None:
    width, events, cycles = json.loads(os.environ["PM_CASE"])
    rng = random.Random(1)
    await handshake.begin(dut, ("clear_i", "event_i"), count=2, after=0)
    want = wraps = both = clears = 0
    for cycle in range(cycles):
        # The second half counts on, so that it comes to the highest bit.
        clear = int(cycle < cycles // 2 and rng.random() < 0.01)
        event = rng.getrandbits(events) | rng.getrandbits(events)
        dut.clear_i.value, dut.event_i.value = clear, event
        await RisingEdge(dut.clk_i)
        assert int(dut.count_o.value) == want
        more = event.bit_count()
        clears += clear
        both += clear and event > 0
        wraps += not clear and want + more >= 2**width
        want = ((0 if clear else want) + more) % 2**width
    assert clears > 10 and both > 10 and wraps > 0


@pytest.mark.parametrize(("width", "events", "cycles"), CASES, ids=["part", "parts"])
def test_pm_event_counter(width: int, events: int, cycles: int) -> None:
    simbuild.run_cocotb("pm_event_counter", "hw/lib/axi/pm_event_counter.sv", __name__,
                        {"Width": width, "Events": events}, expect=1,
                        extra_env={"PM_CASE": json.dumps([width, events, cycles])})
