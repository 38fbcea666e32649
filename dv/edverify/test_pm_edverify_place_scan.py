# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_place_scan: every free context is found, of each tile in turn, and no other."""

from __future__ import annotations

import os
import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/edverify/rtl/pm_edverify_place_scan.sv"
SEARCHES = 500


@cocotb.test()
async def searches(dut) -> None:
    """The first free context from where the last search ended, after as many cycles as contexts were looked at."""
    tiles, contexts = int(os.environ["SCAN_TILES"]), int(os.environ["SCAN_CONTEXTS"])
    rng = random.Random(tiles * 8 + contexts)
    await handshake.begin(dut, count=2, after=0)
    order = [(tile, ctx) for ctx in range(contexts) for tile in range(tiles)]
    place, found = 0, 0
    for _ in range(SEARCHES):
        free = {one for one in order if rng.random() < rng.choice([0.1, 0.5, 1.0])}
        used = [[(tile, ctx) not in free for ctx in range(8)] for tile in range(tiles)]
        dut.used_i.value = sum(bit << 8 * tile + ctx for tile in range(tiles) for ctx, bit in enumerate(used[tile]))
        dut.search_i.value = 1
        for _ in order:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            here, place = order[place], (place + 1) % len(order)
            assert dut.found_o.value == (here in free) and not dut.placed_o.value
            if here in free:
                break
        await RisingEdge(dut.clk_i)
        dut.search_i.value = 0
        await ReadOnly()
        assert dut.placed_o.value == (here in free)
        if here in free:
            found += 1
            assert divmod(int(dut.place_o.value), 8) == here
        else:  # it went on: all are used
            place = (place + 1) % len(order)
        for _ in range(1 + rng.randrange(3)):
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            assert not dut.found_o.value and not dut.placed_o.value
        await RisingEdge(dut.clk_i)
    assert found > SEARCHES // 2


@pytest.mark.parametrize(("tiles", "contexts"), [(3, 7), (1, 2)])
def test_pm_edverify_place_scan(tiles: int, contexts: int) -> None:
    simbuild.run_cocotb("pm_edverify_place_scan", RTL, __name__, {"NumTiles": tiles, "NumContexts": contexts},
                        extra_env={"SCAN_TILES": str(tiles), "SCAN_CONTEXTS": str(contexts)}, expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_place_scan/{tiles}_{contexts}")
