# SPDX-License-Identifier: Apache-2.0
"""pm_secret_walk: digits of interleaved digit scans against plain Python; timing, zeroing, protocol."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from functools import cache

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from naf_reference import L
from secret_reference import Digit, comb, comb_value, ladder
from unit_library import loaded

from dv.common.handshake import begin, cycles, pulse, reset
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_secret_walk.sv"]
MAX_DIGITS = 300
LATENCY = 6

Walks = Callable[[Sequence[int], Sequence[tuple[int, int]], int, int],
                 tuple[list[list[Digit]], int]]


def digits_of(mode: int, scalars: tuple[int, int], wg: int = 10) -> list[Digit]:
    """mode: 0 comb of slot 0, 1 comb of both, 2 ladder of slot 0."""
    if mode == 2:
        return ladder(scalars[0])
    return [digit for s in scalars[:mode + 1] for digit in comb(s, wg)]


@cache
def walker(contexts: int, wg: int) -> Walks:
    """Builds the unit; the result walks in all contexts at the same time."""
    call = loaded("pm_secret_walk", SOURCES, {"NumContexts": contexts, "WG": wg}).pm_secret_walk_run
    comb_digits = len(comb(1, wg))

    def run(modes: Sequence[int], scalars: Sequence[tuple[int, int]], seed: int,
            busy: int) -> tuple[list[list[Digit]], int]:
        flat = b"".join(s.to_bytes(32, "little") for pair in scalars for s in pair)
        out = (ctypes.c_uint32 * (contexts * MAX_DIGITS))()
        code = call(contexts, (ctypes.c_int * contexts)(*modes), flat, comb_digits,
                    ctypes.c_uint64(seed), busy, out, MAX_DIGITS)
        assert code >= 0, f"unit misbehaved, code {code}"
        walks = []
        for c, mode in enumerate(modes):
            count = 255 if mode == 2 else (mode + 1) * comb_digits
            walks.append([Digit.unpacked(word)
                          for word in out[c * MAX_DIGITS:c * MAX_DIGITS + count]])
        return walks, code

    return run


EDGES = [0, 1, 2, 3, L - 1, L - 2, L // 2, 2**252, 2**252 - 1, 2**127, 2**127 - 1, 2**128,
         2**128 - 1, 2**126, 2**126 + 1, 2**251, *(L - 2**i for i in range(2, 130, 9))]


def scalar(rng: random.Random, mode: int) -> int:
    """A clamped scalar for a ladder (now and then any of 256 bits), one below L for a comb."""
    if mode == 2:
        k = rng.getrandbits(256)
        return k if rng.random() < 0.2 else (k & (2**254 - 8)) | 2**254
    return rng.choice(EDGES) if rng.random() < 0.3 else rng.randrange(L)


@pytest.mark.parametrize(("contexts", "wg", "rounds", "expected"), [
    (12, 10, 150, 209_400), pytest.param(2, 10, 300, 73_035, marks=pytest.mark.long),
    (5, 8, 60, 37_155), pytest.param(3, 3, 60, 37_692, marks=pytest.mark.long)])
def test_interleaved(contexts: int, wg: int, rounds: int, expected: int) -> None:
    """Rounds of random and edge scalars in all contexts, at full and at random pace."""
    rng = random.Random(contexts)
    count = in_a_row = 0
    for seed in range(rounds):
        modes = [rng.randrange(3) for _ in range(contexts)]
        scalars = [(scalar(rng, mode), scalar(rng, mode)) for mode in modes]
        walks, follow = walker(contexts, wg)(modes, scalars, seed, 256 if seed % 3 else 60)
        for mode, pair, digits in zip(modes, scalars, walks, strict=True):
            assert digits == digits_of(mode, pair, wg), f"mode {mode}, scalars {pair}"
            if mode == 0:
                value = comb_value(digits, wg)
                assert value % 2 == 1 and value in (pair[0], pair[0] + L)
            count += len(digits)
        in_a_row += follow
    assert count == expected
    assert in_a_row > 10 * rounds


def test_edges() -> None:
    """Each edge scalar as comb, alone and first of two, and as ladder."""
    done = 0
    for start in range(0, len(EDGES), 12):
        group = (EDGES[start:] + EDGES)[:12]
        for mode in (0, 1, 2):
            pairs = [(s, (s * 7 + 1) % L) for s in group]
            walks, _ = walker(12, 10)([mode] * 12, pairs, start, 256)
            for pair, digits in zip(pairs, walks, strict=True):
                assert digits == digits_of(mode, pair)
                done += 1
    assert done == 36 * -(-len(EDGES) // 12)


@pytest.mark.parametrize(("params", "said"), [
    ({"NumContexts": 1}, "NumContexts"), ({"NumContexts": 33}, "NumContexts"),
    ({"WG": 2}, "WG must"), ({"WG": 11}, "WG must")])
def test_refused(params: dict[str, int], said: str) -> None:
    with pytest.raises(simbuild.BuildError, match=said):
        simbuild.lint("pm_secret_walk", SOURCES, params)


# ------------------------------------------------------------------------------------- protocol


async def start(dut) -> None:
    await begin(dut, count=3, after=0)


async def write(dut, ctx: int, slot: int, value: int) -> None:
    dut.we_i.value, dut.wctx_i.value, dut.wslot_i.value = 1, ctx, slot
    dut.wdata_i.value = value
    await RisingEdge(dut.clk_i)
    dut.we_i.value = 0


async def read(dut, ctx: int, slot: int) -> int:
    dut.rctx_i.value, dut.rslot_i.value = ctx, slot
    await RisingEdge(dut.clk_i)
    await ReadOnly()
    value = int(dut.rdata_o.value)
    await RisingEdge(dut.clk_i)
    return value


def shown(dut, ctx: int) -> Digit:
    return Digit.unpacked(int(dut.current_o.value) >> (11 * ctx) & 0x7FF)


@cocotb.test()
async def zeros(dut) -> None:
    """zero_i overwrites both slots of its context only, however busy the write port is; it ends the walk
    and clears the digit; reset zeroes everything; a later write stays."""
    contexts = int(dut.NumContexts.value)
    await start(dut)
    ones = 2**256 - 1
    written = {}
    for ctx in range(contexts):  # begins in the cycles in which reset's zeros are written
        for slot in (0, 1):
            written[ctx, slot] = (ones >> ctx) - slot
            await write(dut, ctx, slot, written[ctx, slot])
    await cycles(dut, 3 * contexts)
    for (ctx, slot), value in written.items():
        assert await read(dut, ctx, slot) == value
    await pulse(dut, "init_i", 0b1000)
    await cycles(dut, LATENCY)
    assert shown(dut, 3) == comb(written[3, 0] % 2**255)[0]
    # The write port is busy for 8 cycles with another context, and rewrites slot 1 of context 5.
    dut.zero_i.value = 0b101000
    await write(dut, 1, 0, 77)
    dut.zero_i.value = 0
    for i in range(7):
        await write(dut, 1, 0, 78 + i)
    await write(dut, 5, 1, 99)
    assert shown(dut, 3) == Digit(0, 0, 0, 0)
    await cycles(dut, 4)
    written |= {(1, 0): 84, (3, 0): 0, (3, 1): 0, (5, 0): 0, (5, 1): 99}
    for (ctx, slot), value in written.items():
        assert await read(dut, ctx, slot) == value
    await reset(dut)
    await cycles(dut, 2 * contexts + 1)
    for ctx, slot in written:
        assert await read(dut, ctx, slot) == 0


@cocotb.test()
async def zero_in_flight(dut) -> None:
    """A digit that is on its way when zero_i comes is not shown, and nothing follows."""
    await start(dut)
    for distance in range(LATENCY + 2):
        await write(dut, 2, 0, 12345)
        await write(dut, 2, 1, 54321)
        dut.two_i.value = 1
        await pulse(dut, "init_i", 0b100)
        dut.two_i.value = 0
        await cycles(dut, distance)
        await pulse(dut, "zero_i", 0b100)
        for _ in range(12):
            await ReadOnly()
            assert shown(dut, 2) == Digit(0, 0, 0, 0) and int(dut.more_o.value) == 0
            await RisingEdge(dut.clk_i)


@cocotb.test()
async def latencies(dut) -> None:
    """A step's digit comes 6 cycles later; that of init_i a cycle later for each step between."""
    rng = random.Random(3)
    await start(dut)
    for ctx in range(4):
        await write(dut, ctx, 0, 3 << 253)  # ladder: swaps 1, 0, 1, 0, 0..
    swaps = [digit.swap for digit in ladder(3 << 253)]
    assert swaps[:4] == [1, 0, 1, 0]
    for ctx in (1, 2, 3):
        dut.ladder_i.value = 1
        await pulse(dut, "init_i", 1 << ctx)
    await cycles(dut, 10)
    for busy in range(6):  # cycles with steps from the init_i of context 0 on
        await pulse(dut, "zero_i")
        await write(dut, 0, 0, 3 << 253)
        dut.ladder_i.value, dut.init_i.value = 1, 1
        for cycle in range(LATENCY + busy + 1):
            dut.step_i.value = int(cycle < busy)
            dut.ctx_i.value = 1 + cycle % 3
            await ReadOnly()
            assert shown(dut, 0).swap == int(cycle == LATENCY + busy), (busy, cycle)
            await RisingEdge(dut.clk_i)
            dut.init_i.value, dut.ladder_i.value = 0, rng.randrange(2)
        for want, gap in zip(swaps[1:4], (LATENCY, LATENCY, 9), strict=True):
            before = shown(dut, 0).swap
            dut.ctx_i.value = 0
            await pulse(dut, "step_i", 1)
            for cycle in range(1, gap + 1):
                await ReadOnly()
                assert shown(dut, 0).swap == (before if cycle < LATENCY else want)
                await RisingEdge(dut.clk_i)


@cocotb.test()
async def end_of_a_walk(dut) -> None:
    """Steps after the last digit change nothing; a new walk begins in slot 0 again."""
    await start(dut)
    pair = (L - 5, 4)
    for slot in (0, 1):
        await write(dut, 1, slot, pair[slot])
    for _ in range(2):
        dut.two_i.value = 1
        await pulse(dut, "init_i", 0b10)
        dut.two_i.value = 0
        wanted = [*comb(pair[0]), *comb(pair[1])]
        for i, digit in enumerate([*wanted, wanted[-1], wanted[-1]]):
            await cycles(dut, LATENCY)
            assert shown(dut, 1) == digit
            assert int(dut.more_o.value) == (0b10 if i < len(wanted) // 2 else 0)
            dut.ctx_i.value = 1
            await pulse(dut, "step_i", 1)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_secret_walk", SOURCES, __name__, {"NumContexts": 12}, expect=4)
