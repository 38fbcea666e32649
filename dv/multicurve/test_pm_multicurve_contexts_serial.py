# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_contexts_serial: quotients, products and halves of random and special numbers, with pauses between
bits; cycles."""

from __future__ import annotations

import random
from collections import Counter

import cocotb
from cocotb.triggers import FallingEdge

from dv.common.handshake import begin
from pointmill import simbuild

DIGIT, DIGITS = 39, 8
ONES = (1 << DIGIT) - 1
DIVIDE, SCALE, HALVE = range(3)
NUMBERS = 240
PART = 14  # bits of a part of the adder


async def digit(dut, rng: random.Random, value: int, pauses: float) -> int:
    """The digit that comes of one; a bit a cycle, but for pauses."""
    dut.digit_i.value, dut.start_i.value, dut.step_i.value = value, 1, rng.getrandbits(1)
    await FallingEdge(dut.clk_i)
    dut.start_i.value, dut.digit_i.value = 0, rng.getrandbits(DIGIT)
    bits, steps = 0, 0
    while dut.busy_o.value:
        step = rng.random() >= pauses
        dut.step_i.value = step
        if step:
            bits |= int(dut.bit_o.value) << steps
            assert bool(dut.last_o.value) == (steps == DIGIT - 1)
            steps += 1
        await FallingEdge(dut.clk_i)
    dut.step_i.value = 0
    assert steps == DIGIT and int(dut.digit_o.value) == bits
    return bits


async def number(dut, rng: random.Random, mode: int, factor: int, digits: list[int], pauses: float) -> int:
    """The number that comes of one."""
    dut.mode_i.value, dut.factor_i.value = mode, factor
    result = 0
    for j, value in enumerate(digits):
        dut.first_i.value = j == 0
        result |= await digit(dut, rng, value, pauses) << DIGIT * j
    return result


def parts(value: int, count: int) -> list[int]:
    """Digits of a number."""
    return [value >> DIGIT * j & ONES for j in range(count)]


def some(rng: random.Random, count: int) -> int:
    """A number of so many digits, random or special."""
    bits = DIGIT * count
    return rng.choice((0, 1, (1 << bits) - 1, rng.getrandbits(bits), rng.getrandbits(rng.randint(1, bits))))


@cocotb.test()
async def numbers(dut) -> None:
    rng, seen = random.Random(1), Counter()
    await begin(dut, edge=FallingEdge)
    assert not dut.busy_o.value
    for _ in range(NUMBERS):
        count, pauses = rng.randint(1, DIGITS - 1), rng.choice((0, 0, 0.5))
        factor = rng.choice((1, 3, ONES, rng.getrandbits(DIGIT) | 1, rng.getrandbits(rng.randint(1, DIGIT)) | 1))
        kind = rng.choice(("exact", "any", "rest", "rest", "rest", "inverse", "scale", "halve"))
        seen[kind] += 1
        if kind == "exact":
            want = some(rng, count)
            got = await number(dut, rng, DIVIDE, factor, parts(want * factor, count + 1), pauses)
            assert got == want and dut.clear_o.value
        elif kind == "any":
            value = some(rng, count)
            got = await number(dut, rng, DIVIDE, factor, parts(value, count), pauses)
            assert got == value * pow(factor, -1, 1 << DIGIT * count) % (1 << DIGIT * count)
            assert bool(dut.clear_o.value) == (value % factor == 0)
            seen["divides" if value % factor == 0 else "divides not"] += 1
        elif kind == "rest":
            low, bits = rng.choice((0, PART, 2 * PART)), rng.choice((PART, 2 * PART, DIGIT))
            left = rng.getrandbits(bits) % factor >> low << low  # what is less than 0 of the number, at its end
            digits = parts(-left * (1 << DIGIT * count) % factor, count)
            await number(dut, rng, DIVIDE, factor, digits, pauses)
            assert bool(dut.clear_o.value) == (left == 0)
        elif kind == "inverse":
            got = await number(dut, rng, DIVIDE, factor, [ONES], pauses)
            assert (got * factor + 1) % (1 << DIGIT) == 0
        elif kind == "scale":
            factor = rng.choice((0, ONES, rng.getrandbits(DIGIT)))
            value = some(rng, count)
            assert await number(dut, rng, SCALE, factor, parts(value, count + 1), pauses) == value * factor + 1
            assert value == 0 or int(dut.top_o.value) == value.bit_length() - 1
        else:
            value = some(rng, count) | 3
            assert await number(dut, rng, HALVE, factor, parts(value, count + 1), pauses) == (value - 3) // 2 << DIGIT
            assert int(dut.top_o.value) == value.bit_length() - 1
    assert len(seen) == 8 and min(seen.values()) > 5, seen


@cocotb.test()
async def cycles(dut) -> None:
    """A digit takes as many cycles as it has bits, and the one of its start."""
    rng = random.Random(2)
    await begin(dut, edge=FallingEdge)
    dut.step_i.value = 1
    for _ in range(3):
        dut.digit_i.value, dut.start_i.value, dut.first_i.value = rng.getrandbits(DIGIT), 1, 1
        for cycle in range(1, 2 * DIGIT):
            await FallingEdge(dut.clk_i)
            dut.start_i.value = 0
            assert bool(dut.busy_o.value) == (cycle <= DIGIT)


def test_pm_multicurve_contexts_serial() -> None:
    simbuild.run_cocotb("pm_multicurve_contexts_serial",
                        ["hw/lib/field/pm_named_prime_pkg.sv", "hw/multicurve/rtl/pm_multicurve_contexts_pkg.sv",
                         "hw/multicurve/rtl/pm_multicurve_contexts_serial.sv"], __name__, {"Digit": DIGIT}, expect=2)
