# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_contexts_scan: operations and indices for every scalar of few digits, and for random ones of as many
as the engine has, with both ways of adding, the exact one when the digits come again; then for exponents. Steps are as
near to each other as they may be."""

from __future__ import annotations

import os
import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common.handshake import begin, cycles, pulse
from pointmill import simbuild
from pointmill.ucode.multicurve_contexts import signed_digits

NOTHING, DOUBLE, ADD, DOUBLE_ADD, END, POWER_ONE, POWER_ZERO, POWER_END = range(8)
DIGITS = int(os.environ.get("PM_SCAN_DIGITS", "0"))
STEP = 4
"""Cycles from a step to the next operation."""


async def load(dut, rng: random.Random, value: int, digits: int, exponent: bool) -> None:
    """A number, until its first operation may begin."""
    size = len(dut.digit_i)
    dut.exponent_i.value = exponent
    for j in range(digits):
        dut.digit_valid_i.value, dut.digit_index_i.value, dut.digit_last_i.value = 1, j, j == digits - 1
        dut.digit_i.value = value >> size * j & (1 << size) - 1
        await FallingEdge(dut.clk_i)
        assert bool(dut.ready_o.value) == (exponent and j == digits - 1)
    dut.digit_valid_i.value, dut.digit_last_i.value = 0, 0
    dut.digit_i.value, dut.exponent_i.value = rng.getrandbits(size), rng.getrandbits(1)
    await ready(dut)


async def again(dut) -> None:
    """The digits of the scalar come once more."""
    await pulse(dut, "again_i", edge=FallingEdge)
    assert not dut.ready_o.value
    await ready(dut)


async def ready(dut) -> None:
    """Until the first operation is known; it stays."""
    for _ in range(len(dut.digit_i) * DIGITS):
        if dut.ready_o.value:
            break
        await FallingEdge(dut.clk_i)
    assert dut.ready_o.value
    operation = int(dut.op_o.value)
    await cycles(dut, STEP, FallingEdge)
    assert int(dut.op_o.value) == operation


async def step(dut) -> tuple[int, int]:
    """The operation that is begun, and its index."""
    operation = int(dut.op_o.value)
    await pulse(dut, "step_i", edge=FallingEdge)
    index = int(dut.index_o.value)
    await cycles(dut, STEP - 1, FallingEdge)
    return operation, index


def wanted(k: int, exact: bool) -> tuple[list[tuple[int, int]], int]:
    """Operations with what their index has to be, and the sign that the sum is left with."""
    digits, found, sign = signed_digits(k), list[tuple[int, int]](), 1
    for i, digit in enumerate(digits[1:]):
        apart = exact or i == 0
        if digit == 0 or apart:
            found.append((DOUBLE, 0))
        if digit:
            found.append((ADD if apart else DOUBLE_ADD, int(sign != digit)))
            sign = digit
    return [*found, (END, int(sign < 0))], int(sign < 0)


@cocotb.test()
async def numbers(dut) -> None:
    size = len(dut.digit_i)
    rng, seen = random.Random(1), Counter[int]()
    await begin(dut, edge=FallingEdge)
    top = size * DIGITS - 2
    for k in range(1 << top) if size < 10 else [rng.getrandbits(rng.choice((top, top, 256))) for _ in range(12)]:
        for exact in (False, True):
            dut.exact_i.value = False
            digits = DIGITS - (k < 1 << size * (DIGITS - 1) and rng.getrandbits(1))
            await load(dut, rng, k, digits, False)
            if k == 0:
                assert int(dut.op_o.value) == NOTHING
                continue
            operations, negative = wanted(k, False)
            assert [await step(dut) for _ in operations] == operations, k
            if exact:
                dut.exact_i.value = True
                await again(dut)
                operations, _ = wanted(k, True)
                assert [await step(dut) for _ in operations] == operations, k
            seen.update(operation for operation, _ in operations)
            bits = rng.randint(1, size * digits)
            dut.exponent_bits_i.value = bits
            exponent = rng.getrandbits(bits)
            await load(dut, rng, exponent, digits, True)
            powers = [*(POWER_ONE if exponent >> i & 1 else POWER_ZERO for i in range(bits)), POWER_END]
            assert [await step(dut) for _ in powers] == [(power, negative) for power in powers], (k, exponent)
    assert len(seen) == 4 and min(seen.values()) > 10, seen


@pytest.mark.parametrize(("digit", "digits"), [(3, 3), (45, 7)])
def test_pm_multicurve_contexts_scan(digit: int, digits: int) -> None:
    simbuild.run_cocotb("pm_multicurve_contexts_scan",
                        ["hw/lib/field/pm_named_prime_pkg.sv", "hw/multicurve/rtl/pm_multicurve_contexts_pkg.sv",
                         "hw/multicurve/rtl/pm_multicurve_contexts_scan.sv"], __name__,
                        {"Digit": digit, "Digits": digits}, extra_env={"PM_SCAN_DIGITS": str(digits)}, expect=1)
