# SPDX-License-Identifier: Apache-2.0
"""pm_naf_recoder: defining properties of the NAF, cycle counts, handshake."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from functools import cache

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from hypothesis import given, settings, strategies as st
from naf_reference import Digit, L, longest_recoding, naf
from unit_library import loaded

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_naf_recoder.sv"]
MAX_DIGITS = 128
EDGES = [0, 1, 2, 3, L - 1, L, 2**252, 2**252 - 1, 2**253 - 1, 2**253 - 2, (2**253 - 1) // 3]

Recode = Callable[..., tuple[list[Digit], int]]


@cache
def recoder(bits: int, window: int) -> Recode:
    """Builds the unit; the result recodes a scalar on it and gives (digits, cycles)."""
    call = loaded("pm_naf_recoder", SOURCES, {"Bits": bits, "Window": window}).pm_naf_recode

    def recode(scalar: int, stall_seed: int = 0) -> tuple[list[Digit], int]:
        words = (ctypes.c_uint32 * 8)(*[scalar >> 32 * i & 0xFFFFFFFF for i in range(8)])
        out = (ctypes.c_uint32 * (3 * MAX_DIGITS))()
        cycles = ctypes.c_int()
        count = call(words, ctypes.c_uint64(stall_seed), out, MAX_DIGITS, ctypes.byref(cycles))
        assert count >= 0, f"scalar {scalar:#x}: unit misbehaved, code {count}"
        return [Digit(*out[3 * i:3 * i + 3]) for i in range(count)], cycles.value

    return recode


def check(digits: list[Digit], scalar: int, bits: int, window: int) -> None:
    """The properties that define the width-w NAF (which is unique)."""
    assert sum(d.value << d.pos for d in digits) == scalar
    assert all(d.idx < 2 ** (window - 2) for d in digits)  # |d| < 2^(w-1), odd by construction
    positions = [d.pos for d in digits]
    assert all(high - low >= window for low, high in itertools.pairwise(positions))
    assert all(0 <= pos <= bits for pos in positions)


@pytest.mark.parametrize("window", [5, 10])
@pytest.mark.parametrize("examples", [400, pytest.param(2_000, marks=pytest.mark.long)])
def test_properties(examples: int, window: int) -> None:
    recode = recoder(253, window)
    ran = 0

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(st.one_of(st.integers(0, 2**253 - 1), st.sampled_from(EDGES)),
           st.integers(0, 2**64 - 1))
    def holds(scalar: int, stall_seed: int) -> None:
        nonlocal ran
        ran += 1
        digits, cycles = recode(scalar)
        check(digits, scalar, 253, window)
        assert digits == naf(scalar, window)
        assert cycles <= 254
        assert recode(scalar, stall_seed | 1)[0] == digits  # the same under back-pressure

    holds()
    assert ran >= examples // 2


@pytest.mark.parametrize("window", [5, 10])
def test_edges(window: int) -> None:
    recode = recoder(253, window)
    for scalar in [*EDGES, *(2**i for i in range(253)), *(2**i - 1 for i in range(254)),
                   *(2**253 - 2**i for i in range(253))]:
        digits, cycles = recode(scalar)
        check(digits, scalar, 253, window)
        assert cycles <= 254
    assert recode(2**253 - 1)[0] == [Digit(0, 1, 0), Digit(253, 0, 0)]
    assert recode(0)[0] == []


@pytest.mark.parametrize(("bits", "window"), [
    (8, 3), (13, 5), pytest.param(10, 10, marks=pytest.mark.long)])
def test_every_small_scalar(bits: int, window: int) -> None:
    recode = recoder(bits, window)
    for scalar in range(2**bits):
        digits, _ = recode(scalar)
        check(digits, scalar, bits, window)
    assert len({tuple(recode(scalar)[0]) for scalar in range(2**bits)}) == 2**bits


# Cycles from acceptance to done_o; the documentation quotes these figures.
CYCLES = {5: (1_342_528, 87), 10: (757_615, 66)}
WORST = int("1" + 20 * "861" + "862", 16)
"""Of window 5, a digit beyond the scalar's bits: a cycle more than of any with positive digits (dv/formal)."""


@pytest.mark.parametrize("window", [5, 10])
def test_cycles(window: int) -> None:
    """Sum over 20,000 seeded scalars, the longest run there can be of positive digits, and of any."""
    recode = recoder(253, window)
    rng = random.Random(5)
    total = sum(recode(rng.randrange(L))[1] for _ in range(20_000))
    longest, positions = longest_recoding(253, window)
    assert recode(sum(1 << pos for pos in positions))[1] == longest
    assert (total, longest) == CYCLES[window]
    assert window != 5 or recode(WORST)[1] == longest + 1


# ------------------------------------------------------------------------------------- protocol


async def send(dut, scalar: int) -> None:
    dut.scalar_i.value = scalar
    await handshake.offer(dut)
    dut.scalar_i.value = random.getrandbits(253)


async def collect(dut, limit: int | None = None) -> list[Digit]:
    def digit() -> Digit:
        return Digit(*(int(getattr(dut, f"digit_{field}_o").value) for field in ("pos", "neg", "idx")))

    return await handshake.take_all(dut, "digit", digit, limit)


@cocotb.test()
async def idle_and_back_pressure(dut) -> None:
    await handshake.begin(dut)
    for _ in range(30):
        await handshake.cycles(dut, random.randrange(4))
        scalar = random.getrandbits(253)
        await send(dut, scalar)
        assert await collect(dut) == naf(scalar, 5)
        await ReadOnly()
        assert dut.done_o.value == 1  # a level
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    await handshake.begin(dut)
    for cycles in range(60):
        await send(dut, random.getrandbits(253))
        await collect(dut, cycles)
        await handshake.pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.ready_o.value == 1
        assert dut.digit_valid_o.value == 0
        assert dut.done_o.value == 0
        await RisingEdge(dut.clk_i)
        if cycles % 6 == 0:
            scalar = random.getrandbits(253)
            await send(dut, scalar)
            assert await collect(dut) == naf(scalar, 5)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_naf_recoder", SOURCES, __name__, {"Bits": 253, "Window": 5}, expect=2)
