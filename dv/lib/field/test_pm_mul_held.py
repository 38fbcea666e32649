# SPDX-License-Identifier: Apache-2.0
"""pm_mul_held: products with a factor that stays, of the generic module and of the one of place and route."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from field_common import RTL

from dv.common import handshake
from pointmill import simbuild

PRODUCTS = 4_000
LATENCY = 2
ECP5 = [f"syn/tech/ecp5/{name}.sv" for name in ("MULT18X18D_HELD", "pm_mul_held")]


@cocotb.test()
async def products_with_the_latest_factor(dut: HierarchyObject) -> None:
    """A factor a cycle, the other one taken in about every third: edges and random ones."""
    rng, limit = random.Random(1), 1 << len(dut.a_i)
    edges = [0, 1, limit // 2, limit - 1]
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    kept, due, loads, checked = 0, [], 0, 0
    for cycle in range(PRODUCTS + LATENCY):
        a, b = (rng.choice(edges) if rng.random() < 0.2 else rng.randrange(limit) for _ in range(2))
        load = cycle == 0 or rng.random() < 0.3
        dut.a_i.value, dut.b_i.value, dut.load_i.value = a, b, int(load)
        kept, loads = b if load else kept, loads + load
        due.append(a * kept)
        await FallingEdge(dut.clk_i)
        if cycle + 1 >= LATENCY:
            assert int(dut.p_o.value) == due[cycle + 1 - LATENCY]
            checked += 1
    assert checked == PRODUCTS + 1
    assert PRODUCTS / 4 < loads < PRODUCTS / 2


@pytest.mark.parametrize("width", [3, 18])
@pytest.mark.parametrize("technology", ["generic", "ecp5"])
def test_products(technology: str, width: int) -> None:
    simbuild.run_cocotb("pm_mul_held", ECP5 if technology == "ecp5" else RTL, __name__, {"Width": width},
                        f"build/cocotb/pm_mul_held_{technology}_{width}", expect=1,
                        testcase="products_with_the_latest_factor")


def test_wide_operands_of_the_ecp5_module_are_refused() -> None:
    with pytest.raises(simbuild.BuildError, match="Width must be at most 18"):
        simbuild.lint("pm_mul_held", ECP5, {"Width": 19})
