# SPDX-License-Identifier: Apache-2.0
"""pm_mpu_scan: what is left in its registers behind a secret scalar. What it computes: test_pm_mpu_points.py."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild
from pointmill.ucode.machine import Machine

UNITS = {name: unit["id"] for name, unit in Machine("mpu", "full").units.items()}
BITS = 20
SPACING = 4
"""Cycles from a bit to the next."""
SETTLED = 8
"""Cycles behind which everything that is looked up of the scalar has followed it."""


async def unit(dut, name: str, operand: int = 0) -> None:
    """Starts a side unit; its operand is there in the next cycle."""
    dut.unit_i.value, dut.unit_start_i.value = 1 << UNITS[name], 1
    await FallingEdge(dut.clk_i)
    dut.unit_start_i.value, dut.operand_i.value = 0, operand
    await FallingEdge(dut.clk_i)
    dut.operand_i.value = 0
    await handshake.cycles(dut, SPACING, FallingEdge)


async def left_behind(dut, scalar: int, digits: int, picked: bool) -> tuple[dict[str, int], dict[str, int]]:
    """All registers so many bits behind the beginning of a scan, and when that was wiped then."""
    dut.start_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.start_i.value = 0
    await unit(dut, "scalar", scalar)
    await unit(dut, "restart_held")
    for _ in range(digits):
        await unit(dut, "digit")
    if picked:
        dut.zero_i.value = scalar & 1
        await unit(dut, "pick")
        dut.zero_i.value = 0
    during = registers(dut)
    dut.wipe_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    await handshake.cycles(dut, SETTLED, FallingEdge)
    return during, registers(dut)


def registers(dut) -> dict[str, int]:
    """By name; the Joye ladder has no secret scalars."""
    return {handle._name: int(handle.value) for handle in dut if handle._name.endswith("_q")}


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """In the middle of a scan, and at its end."""
    rng = random.Random(1)
    for name in handshake.inputs_of(dut):
        getattr(dut, name).value = 0
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    dut.scalar_bits_i.value = dut.bits_i.value = BITS
    for digits in (0, 1, 7, BITS - 1, BITS):
        for picked in (False, True):
            during, after = zip(*[await left_behind(dut, rng.getrandbits(BITS) ^ i & 1, digits, picked)
                                  for i in range(8)], strict=True)
            assert len({tuple(one.values()) for one in during}) > 2
            assert all(one == after[0] for one in after), [
                name for name in after[0] if len({one[name] for one in after}) > 1]


def test_pm_mpu_scan() -> None:
    simbuild.run_cocotb("pm_mpu_scan", "hw/mpu/mpu.f", __name__, expect=1)
