# SPDX-License-Identifier: Apache-2.0
"""pm_karatsuba_skew: a stream of edges and random factors, with stalls, each segment of a product in its cycle."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from field_common import RTL

from dv.common import handshake
from pointmill import simbuild

COUNT = 3000
LATENCIES = {130: 10, 12: 7}
"""Cycles to segment 0 of the product by width."""


def factors(rng: random.Random, width: int) -> list[tuple[int, int]]:
    """Edges around every place where a factor is cut, and random numbers, many of them with long runs of ones."""
    ones = (1 << width) - 1
    cuts = {width, width // 2, (width + 1) // 2, width // 4, width // 4 + 1}
    edges = sorted({x & ones for cut in cuts for d in (-1, 0, 1) for x in ((1 << cut) + d, ones - (1 << cut) + d)})
    pairs = [(a, b) for a in edges for b in edges]
    while len(pairs) < COUNT:
        a, b = rng.getrandbits(width), rng.getrandbits(width)
        pairs.append(rng.choice([(a, b), (a | ones >> rng.randrange(width), b), (a, ones ^ b >> rng.randrange(width))]))
    return pairs


@cocotb.test()
async def products(dut: HierarchyObject) -> None:
    rng = random.Random(1)
    width, segment = len(dut.a_i), int(dut.Segment.value)
    jobs, latency = factors(rng, width), LATENCIES[width]
    # The last segment may be a sixth longer.
    starts = [0, *range(segment, 2 * width - segment // 6, segment)]
    bounds = list(zip(starts, [*starts[1:], 2 * width], strict=True))
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    step = checked = 0
    while step < len(jobs) + latency + len(starts):
        dut.a_i.value, dut.b_i.value = jobs[step % len(jobs)]
        enable = rng.random() < 0.9
        dut.en_i.value = int(enable)
        await FallingEdge(dut.clk_i)
        step += enable
        product = int(dut.p_o.value)
        for i, (low, high) in enumerate(bounds):
            which = step - latency - i
            if enable and 0 <= which < len(jobs):
                a, b = jobs[which]
                part = (1 << high - low) - 1
                assert product >> low & part == a * b >> low & part, f"segment {i} of {a:#x} * {b:#x}"
                checked += 1
    assert checked == len(jobs) * len(starts) == 4 * COUNT


@pytest.mark.parametrize("params", [{}, {"W": 12, "Levels": 2, "Segment": 6}])
def test_products(params: dict[str, int]) -> None:
    simbuild.run_cocotb("pm_karatsuba_skew_tb", [RTL, "dv/lib/field/pm_karatsuba_skew_tb.sv"], __name__, params,
                        expect=1, build_dir=f"build/cocotb/test_pm_karatsuba_skew/{params.get('W', 130)}")  # fmt: skip


@pytest.mark.parametrize(("params", "sentence"), [
    ({"Segment": 40}, "a half must fit one segment"), ({"W": 7}, "W must be at least 2\\^Levels")])
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_karatsuba_skew", RTL, params)
