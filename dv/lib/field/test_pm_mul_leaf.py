# SPDX-License-Identifier: Apache-2.0
"""pm_mul_leaf: all pairs of 6-bit operands, signed and unsigned, every register count."""

from __future__ import annotations

import os
import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from field_common import RTL

from dv.common import handshake
from pointmill import simbuild

WIDTH = 6


SLOTS = 18


def latency(slot: int) -> int:
    """Cycles from operands to product of a slot of the test bench."""
    return (slot // 3) % 3 + slot % 3


def product(slot: int, a: int, b: int) -> int:
    """What slot `slot` of the test bench must give for the bit patterns a, b."""
    if slot >= SLOTS // 2:
        a, b = (x - ((x >> (WIDTH - 1)) << WIDTH) for x in (a, b))
    return a * b % (1 << 2 * WIDTH)


def packed(slots: list[int], products: list[int]) -> int:
    """Numbers in the places of slots."""
    return sum(number << 2 * WIDTH * slot for slot, number in zip(slots, products, strict=True))


@cocotb.test()
async def all_products_after_the_stated_cycles(dut: HierarchyObject) -> None:
    handshake.clocked(dut)
    count = 1 << 2 * WIDTH
    pairs = [(i % (1 << WIDTH), i >> WIDTH) for i in range(count)]
    alike = [[slot for slot in range(SLOTS) if latency(slot) == cycles] for cycles in range(5)]
    masks = [packed(slots, [count - 1] * len(slots)) for slots in alike]
    wanted = [[packed(slots, [product(slot, *pair) for slot in slots]) for pair in pairs] for slots in alike]
    checked = steps = cycle = 0
    await FallingEdge(dut.clk_i)
    while steps < count + 4:
        enable = cycle % 4 != 3
        dut.en_i.value = int(enable)
        dut.a_i.value, dut.b_i.value = pairs[steps % count]
        await FallingEdge(dut.clk_i)
        steps += enable
        found = int(dut.p_o.value)
        for cycles, slots in enumerate(alike):
            # The operands of step `steps - 1` went in at the last enabled edge.
            at = steps - cycles if cycles else steps - enable
            if 0 <= at < count:
                assert found & masks[cycles] == wanted[cycles][at], f"slots {slots}, {pairs[at]}"
                checked += enable * len(slots)
        cycle += 1
    assert checked == SLOTS * count


def test_exhaustive() -> None:
    simbuild.run_cocotb("pm_mul_leaf_tb", [RTL, "dv/lib/field/pm_mul_leaf_tb.sv"], __name__, expect=1,
                        testcase="all_products_after_the_stated_cycles")


@cocotb.test()
async def products_of_the_ecp5_leaf(dut: HierarchyObject) -> None:
    """Random and extreme operands through the leaf of place and route, after one register before and the stated ones
    behind."""
    signed, width = bool(int(os.environ["PM_SIGNED"])), len(dut.a_i)
    latency = 1 + int(os.environ["PM_OUT_REG"])
    rng, limit = random.Random(1), 1 << len(dut.a_i)
    edges = [0, 1, limit // 2 - 1, limit // 2, limit - 1]
    jobs = [(a, b) for a in edges for b in edges]
    jobs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(int(os.environ["PM_COUNT"]))]
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    step = checked = 0
    while step < len(jobs) + latency:
        dut.a_i.value, dut.b_i.value = jobs[step % len(jobs)]
        enable = rng.random() < 0.8
        dut.en_i.value = int(enable)
        await FallingEdge(dut.clk_i)
        step += enable
        if enable and latency <= step < len(jobs) + latency:
            a, b = (x - limit if signed and x >= limit // 2 else x for x in jobs[step - latency])
            assert int(dut.p_o.value) == a * b % (1 << 2 * width), f"{a} * {b}"
            checked += 1
    assert checked == len(jobs)


ECP5 = [f"syn/tech/ecp5/{name}.sv" for name in ("MULT18X18D", "pm_mul_leaf")]


@pytest.mark.parametrize("out_reg", [1, 2])
@pytest.mark.parametrize(("width", "signed"), [(17, 0), (18, 1), (18, 0)])
@pytest.mark.parametrize("count", [400, pytest.param(2_000, marks=pytest.mark.long)])
def test_ecp5(count: int, width: int, signed: int, out_reg: int) -> None:
    simbuild.run_cocotb("pm_mul_leaf", ECP5, __name__,
                        {"Width": width, "Signed": signed, "InReg": 1, "OutReg": out_reg},
                        f"build/cocotb/pm_mul_leaf_ecp5_{width}_{signed}_{out_reg}", expect=1,
                        testcase="products_of_the_ecp5_leaf",
                        extra_env={"PM_SIGNED": str(signed), "PM_OUT_REG": str(out_reg), "PM_COUNT": str(count)})


@pytest.mark.parametrize("registers", [{"InReg": 0}, {"InReg": 2}, {"OutReg": 0}])
def test_other_registers_of_the_ecp5_leaf_are_refused(registers: dict[str, int]) -> None:
    with pytest.raises(simbuild.BuildError, match="InReg = 1 and OutReg = 1 or 2"):
        simbuild.lint("pm_mul_leaf", ECP5, registers)


@pytest.mark.parametrize("name", ["InReg", "OutReg"])
def test_three_registers_are_refused(name: str) -> None:
    with pytest.raises(simbuild.BuildError, match=f"{name} must be 0, 1 or 2"):
        simbuild.lint("pm_mul_leaf", RTL, {name: 3})
