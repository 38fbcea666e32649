# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_sign_order: second phases in the order of the first ones, whatever program ends first; soft resets."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from pointmill import simbuild

CYCLES = 20_000


@cocotb.test()
async def random_order(dut) -> None:
    rng = random.Random(1)
    contexts = len(dut.wants_i)
    under_way: list[int] = []  # contexts in the order of their first phases
    wants: set[int] = set()
    overtaken = resets = 0
    await begin(dut, edge=FallingEdge)
    for _ in range(CYCLES):
        free = sorted(set(range(contexts)) - set(under_way))
        reset = rng.random() < 0.002
        first = bool(free) and not reset and rng.random() < 0.3
        ctx = rng.choice(free) if first else rng.randrange(contexts)
        wants |= {c for c in under_way if rng.random() < 0.1}
        ready = rng.random() < 0.5
        dut.soft_reset_i.value, dut.first_i.value, dut.first_ctx_i.value = reset, first, ctx
        dut.wants_i.value, dut.ready_i.value = sum(1 << c for c in wants), ready
        await ReadOnly()
        due = bool(under_way) and under_way[0] in wants
        assert int(dut.valid_o.value) == due
        assert not due or int(dut.ctx_o.value) == under_way[0]
        overtaken += bool(wants) and not due
        if due and ready:
            wants.discard(under_way.pop(0))
        under_way += [ctx] * first
        if reset:
            under_way, wants, resets = [], set(), resets + 1
        await FallingEdge(dut.clk_i)
    assert overtaken > 1000 and resets > 10


@pytest.mark.parametrize("contexts", [2, 12])
def test_sign_order(contexts: int) -> None:
    simbuild.run_cocotb("pm_edverify_sign_order", ["hw/edverify/rtl/pm_edverify_sign_order.sv"], __name__,
                        {"NumContexts": contexts}, expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_sign_order/{contexts}")  # fmt: skip
