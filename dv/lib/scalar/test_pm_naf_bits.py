# SPDX-License-Identifier: Apache-2.0
"""pm_naf_bits: the digits of the NAF in a fixed number of cycles, with and without back-pressure; clear."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from naf_reference import Digit, L, naf

from dv.common.handshake import begin, cycles, offer, pulse, take_all
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_naf_bits.sv"]
MODULE = "pm_naf_bits"


def shape(dut) -> tuple[int, int]:
    """Bits and Window."""
    return len(dut.scalar_i), len(dut.digit_idx_o) + 2


def largest(bits: int, window: int) -> int:
    """The largest operand."""
    return 2 ** (bits - 1) + 2 ** (bits - 1 - window)


async def recode(dut, scalar: int, hold: bool) -> list[Digit]:
    """Digits of `scalar`; without `hold` they are taken at once, and the cycles counted."""
    dut.scalar_i.value = scalar
    await offer(dut)
    if hold:
        return await take_all(dut, "digit", lambda: digit(dut))
    digits = []
    dut.digit_ready_i.value = 1
    for _ in range(shape(dut)[0]):
        await ReadOnly()
        assert dut.done_o.value == 0
        if dut.digit_valid_o.value == 1:
            digits.append(digit(dut))
        await RisingEdge(dut.clk_i)
    await ReadOnly()
    assert dut.done_o.value == 1 and dut.digit_valid_o.value == 0 and dut.ready_o.value == 1
    await RisingEdge(dut.clk_i)
    dut.digit_ready_i.value = 0
    return digits


def digit(dut) -> Digit:
    return Digit(*(int(getattr(dut, f"digit_{field}_o").value) for field in ("pos", "neg", "idx")))


@cocotb.test()
async def digits_and_cycles(dut) -> None:
    """All operands of a small unit; of a large one edges and random ones below L."""
    await begin(dut)
    bits, window = shape(dut)
    most = largest(bits, window)
    rng = random.Random(7)
    if bits < 12:
        scalars = list(range(most + 1))
    else:
        scalars = [0, 1, L - 1, L, most, most - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1]
        scalars += [rng.randrange(L) for _ in range(60)]
    for scalar in scalars:
        assert await recode(dut, scalar, False) == naf(scalar, window), hex(scalar)
    for scalar in rng.sample(scalars, 20):
        assert await recode(dut, scalar, True) == naf(scalar, window), hex(scalar)


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    await begin(dut)
    bits, window = shape(dut)
    rng = random.Random(8)
    for _ in range(10):
        dut.scalar_i.value = rng.randrange(largest(bits, window))
        await offer(dut)
        dut.digit_ready_i.value = 1
        await cycles(dut, rng.randrange(bits))
        await pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.ready_o.value == 1 and dut.digit_valid_o.value == 0 and dut.done_o.value == 0
        await RisingEdge(dut.clk_i)
        scalar = rng.randrange(largest(bits, window))
        assert await recode(dut, scalar, False) == naf(scalar, window)
    await ReadOnly()
    assert dut.done_o.value == 1
    await RisingEdge(dut.clk_i)
    await pulse(dut, "clear_i")
    await ReadOnly()
    assert dut.done_o.value == 0


@pytest.mark.parametrize(("bits", "window"), [(253, 5), (253, 10), (8, 3)])
def test_pm_naf_bits(bits: int, window: int) -> None:
    simbuild.run_cocotb(MODULE, SOURCES, __name__, {"Bits": bits, "Window": window}, expect=2)
