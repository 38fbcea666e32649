# SPDX-License-Identifier: Apache-2.0
"""pm_addsub_select: edges and random operands, with long runs of carries, and with stalls."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from field_common import RTL

from dv.common import handshake
from pointmill import simbuild

W, K, SEGMENT, LATENCY, COUNT = 258, (1 << 257) - 76, 42, 2, 4000
MASK = (1 << W) - 1


def operands(rng: random.Random) -> list[tuple[int, int]]:
    """Edges, and pairs of which carries run through several segments."""
    edges = [0, 1, 75, 76, K, K + 75, MASK, *((1 << SEGMENT * i) + d for i in range(1, 6)
                                              for d in (-1, 0, 1))]
    pairs = [(x, y) for x in edges for y in edges]
    while len(pairs) < COUNT:
        x, run = rng.getrandbits(W), rng.randrange(W)
        y = rng.choice([rng.getrandbits(W), ~x & MASK, (1 << run) - x & MASK, x])
        pairs.append((x, y))
    return pairs


@cocotb.test()
async def sums_and_differences(dut: HierarchyObject) -> None:
    rng = random.Random(1)
    jobs = operands(rng)
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    step = checked = 0
    while step < COUNT + LATENCY:
        x, y = jobs[step % COUNT]
        dut.x_i.value, dut.y_i.value = x, y
        enable = rng.random() < 0.9
        dut.en_i.value = int(enable)
        await FallingEdge(dut.clk_i)
        step += enable
        if enable and LATENCY <= step < COUNT + LATENCY:
            x, y = jobs[step - LATENCY]
            assert int(dut.sum_o.value) == (x + y) & MASK, f"{x:#x} + {y:#x}"
            assert int(dut.diff_o.value) == (x - y + K) & MASK, f"{x:#x} - {y:#x}"
            checked += 1
    assert checked == COUNT


def test_random() -> None:
    simbuild.run_cocotb("pm_addsub_select", RTL, __name__, {"Segment": SEGMENT},
                        "build/cocotb/pm_addsub_select", expect=1)
