# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_inverse_queue: every context gets the inverse of its own number, also while others are dropped."""

from __future__ import annotations

import os
import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

P = 2**255 - 19
CYCLES = 40_000


@cocotb.test()
async def random_traffic(dut) -> None:
    """Numbers come 1 to 19 cycles after they were announced; contexts read their inverses again and again, and
    are cleared in every state."""
    rng = random.Random(1)
    count, clear_rate = len(dut.wait_o), float(os.environ["PM_CLEAR"])
    idle, coming, waiting = range(3)
    state = [idle] * count
    due = [0] * count  # cycle in which the number comes, also after a clear
    since = [0] * count
    number, inverse = [0] * count, [None] * count
    expected: tuple[int, int | None] = (0, None)
    seen: Counter[str] = Counter()
    longest = 0
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    for cycle in range(CYCLES):
        dut.request_i.value = dut.valid_i.value = 0
        free = [c for c in range(count) if state[c] == idle and due[c] < cycle]
        request = rng.choice(free) if free and rng.random() < 0.02 else None
        cleared = (rng.choice([c for c in range(count) if state[c] == coming] or range(count))
                   if rng.random() < clear_rate else None)  # fmt: skip
        if request is not None:
            dut.request_i.value, dut.request_ctx_i.value = 1, request
            due[request] = rng.choice([t for t in range(cycle + 1, cycle + 20) if t not in due])
        soon = [c for c in range(count) if due[c] > cycle and c != request]
        if int(dut.inverse_valid.value) and soon and cycle not in due:
            due[soon[0]] = cycle  # both want to write
            seen["collided"] += 1
        arriving = [c for c in range(count) if due[c] == cycle]
        if arriving:
            value = rng.choice((0, 1, 2, P - 1, P, P + 1, 2**256 - 1, *[rng.getrandbits(256)] * 9))
            dut.valid_i.value, dut.ctx_i.value, dut.a_i.value = 1, arriving[0], value
            number[arriving[0]] = value
        dut.clear_i.value = 1 << cleared if cleared is not None else 0
        read = rng.randrange(count)
        dut.rctx_i.value = read
        await ReadOnly()
        wait = int(dut.wait_o.value)
        for c in range(count):
            if state[c] == waiting and not wait >> c & 1:
                state[c], inverse[c] = idle, pow(number[c], P - 2, P)
                seen["ended"] += 1
                longest = max(longest, cycle - since[c])
            assert (wait >> c & 1) == (state[c] != idle), (cycle, c)
        if expected[1] is not None:
            assert int(dut.inverse_o.value) == expected[1], (cycle, expected[0])
            seen["read"] += 1
        expected = (read, inverse[read] if state[read] == idle and due[read] < cycle else None)
        if arriving and state[arriving[0]] == coming:
            state[arriving[0]], since[arriving[0]] = waiting, cycle
        elif arriving:
            seen["late"] += 1
        if request is not None:
            state[request], inverse[request] = coming, None
        if cleared is not None and state[cleared] != idle:
            seen[f"cleared {state[cleared]}"] += 1
            state[cleared], inverse[cleared] = idle, None
        await FallingEdge(dut.clk_i)
    assert seen["collided"] >= 2
    assert seen["ended"] > 100 and seen["read"] > CYCLES // 20
    if clear_rate:
        assert min(seen[name] for name in ("late", "cleared 1", "cleared 2")) >= 5
    else:
        assert longest < 260 * count  # turns are taken


@pytest.mark.parametrize(("contexts", "clear"), [(5, "0"), (12, "0.005"), (2, "0.01")])
def test_random_traffic(contexts: int, clear: str) -> None:
    simbuild.run_cocotb("pm_edverify_inverse_queue",
                        ["hw/lib/seq/seq.f", "hw/edverify/rtl/pm_edverify_inverse_queue.sv"],
                        __name__, {"NumContexts": contexts}, expect=1, extra_env={"PM_CLEAR": clear},
                        build_dir=f"build/cocotb/test_pm_edverify_inverse_queue/{contexts}")  # fmt: skip
