# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_wipe: after each soft reset the program that wipes starts once in every context, one a cycle, and
the unit waits for the last end; a soft reset begins again."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from pointmill import simbuild

CYCLES = 20_000


@cocotb.test()
async def random_resets(dut) -> None:
    rng = random.Random(1)
    contexts = len(dut.finish_i)
    running: dict[int, int] = {}  # context: cycle of its end
    waits: set[int] = set()  # contexts to be started
    resets = again = wiped = 0
    await begin(dut, edge=FallingEdge)
    for now in range(CYCLES):
        busy = bool(waits or running)
        reset = rng.random() < (0.01 if busy else 0.05)
        due = [c for c, end in running.items() if end <= now]
        ending = rng.choice(due) if due else None
        # An end in the cycle of the soft reset, and others before it, are those of jobs.
        foreign = not busy and rng.random() < 0.2
        dut.soft_reset_i.value = reset
        dut.finish_i.value = 1 << rng.randrange(contexts) if foreign else 0 if ending is None else 1 << ending
        await ReadOnly()
        assert int(dut.wiping_o.value) == busy
        start = int(dut.start_o.value)
        assert start == (1 << min(waits) if waits else 0)
        if ending is not None:
            del running[ending]
        if waits:
            running[min(waits)] = now + rng.choice((6, 20, rng.randrange(6, 200)))
            waits.remove(min(waits))
        if reset:
            resets, again = resets + 1, again + busy
            waits, running = set(range(contexts)), {}
        else:
            wiped += busy and not waits and not running
        await FallingEdge(dut.clk_i)
    assert wiped > 30 and again > 10 and resets == wiped + again + bool(waits or running)


@pytest.mark.parametrize("contexts", [2, 12])
def test_wipe(contexts: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_wipe", ["hw/edverify/rtl/pm_edverify_barrel_wipe.sv"], __name__,
                        {"NumContexts": contexts}, expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_barrel_wipe/{contexts}")  # fmt: skip
