# SPDX-License-Identifier: Apache-2.0
"""pm_cs_mul, generic and for the ECP5: sums of random and extreme products, each exact as the sum of two numbers."""

from __future__ import annotations

import os
import random
from collections import deque

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild

GENERIC = [f"hw/lib/field/{name}.sv" for name in ("pm_csa", "pm_csa_late", "pm_mul_leaf", "pm_cs_mul")]
ECP5 = ["hw/lib/field/pm_csa.sv", *(f"syn/tech/ecp5/{name}.sv" for name in ("MULT18X18D", "pm_mul_leaf", "pm_cs_mul"))]
ROUNDS = int(os.environ.get("PM_ROUNDS", "0"))


@cocotb.test()
async def exact_sums(dut: HierarchyObject) -> None:
    digit, tile, products = (int(os.environ[f"PM_{name}"]) for name in ("DIGIT", "TILE", "PRODUCTS"))
    bias = 0 if tile else products * (2 ** (2 * digit) - 2 ** (digit + 1))
    latency, bits = 3 if tile else 1, 2 * digit + products
    rng = random.Random(1)
    edges = [0, 1, 2 ** (digit - 1), 2**digit - 1, 2**18 - 1, 2**digit - 2**18]

    def factors() -> list[int]:
        return [rng.choice(edges) % 2**digit if rng.random() < 0.3 else rng.getrandbits(digit) for _ in range(products)]

    def packed(numbers: list[int]) -> int:
        return sum(number << digit * at for at, number in enumerate(numbers))

    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    wanted: deque[int] = deque()
    last, checked = factors(), 0
    dut.d_i.value = packed(last)
    for _ in range(ROUNDS + latency):
        await FallingEdge(dut.clk_i)
        if len(wanted) == latency:
            pair = int(dut.pair_o.value)
            assert (pair & (1 << bits) - 1) + (pair >> bits) == wanted.popleft()
            checked += 1
        first, following = factors(), factors()
        dut.a_i.value, dut.d_i.value = packed(first), packed(following)
        wanted.append(sum(a * d for a, d in zip(first, last)) + bias)
        last = following
    assert checked == ROUNDS


@pytest.mark.parametrize(("digit", "tile", "products"), [(45, 0, 2), (45, 0, 1), (42, 0, 2), (36, 18, 2), (9, 5, 1)])
@pytest.mark.parametrize("sources", [GENERIC, ECP5], ids=["generic", "ecp5"])
@pytest.mark.parametrize("rounds", [500, pytest.param(2_000, marks=pytest.mark.long)])
def test_sums(rounds: int, sources: list[str], digit: int, tile: int, products: int) -> None:
    simbuild.run_cocotb("pm_cs_mul", sources, __name__, {"Digit": digit, "Tile": tile, "Products": products}, expect=1,
                        extra_env={"PM_DIGIT": str(digit), "PM_TILE": str(tile), "PM_PRODUCTS": str(products),
                                   "PM_ROUNDS": str(rounds)})
