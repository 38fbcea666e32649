# SPDX-License-Identifier: Apache-2.0
"""pm_select, generic and for standard cells: every place, enabled and not."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import Timer

from pointmill import simbuild

GENERIC = ["hw/lib/prim/pm_select.sv"]
CELLS = ["syn/tech/cells/pm_select.sv"]
ITEMS, WIDTH = 6, 5
ROUNDS = 50


@cocotb.test()
async def every_place(dut: HierarchyObject) -> None:
    """Random numbers, and every place."""
    rng = random.Random(1)
    for _ in range(ROUNDS):
        items = [rng.getrandbits(WIDTH) for _ in range(ITEMS)]
        dut.items_i.value = sum(item << WIDTH * place for place, item in enumerate(items))
        for place, item in enumerate(items):
            dut.at_i.value = place
            for enabled in (0, 1):
                dut.en_i.value = enabled
                await Timer(1)
                assert int(dut.item_o.value) == enabled * item


@pytest.mark.parametrize("sources", [GENERIC, CELLS], ids=["generic", "cells"])
def test_every_place(sources: list[str]) -> None:
    simbuild.run_cocotb("pm_select", sources, __name__, {"Items": ITEMS, "Width": WIDTH}, expect=1,
                        build_dir=f"build/cocotb/test_pm_select/{sources == CELLS}")
