# SPDX-License-Identifier: Apache-2.0
"""pm_naf_merge: sums of the entries, order, `more`, cycle counts; handshake, clear."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable, Sequence
from functools import cache

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from halfgcd_reference import half_size
from list_reference import Entry, merge, value
from unit_library import loaded

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_naf_merge.sv"]
WINDOWS = (10, 10, 4, 4)
MAX_ENTRIES = 156

Merge = Callable[..., tuple[list[Entry], int]]


@cache
def merger(wg: int = 10, wa: int = 4) -> Merge:
    """Builds the unit; the result makes the list of (s0, s1, c, d) and gives (entries, cycles)."""
    call = loaded("pm_naf_merge", SOURCES, {"WG": wg, "WA": wa}).pm_naf_merge_run

    def run(scalars: Sequence[int], stall_seed: int = 0) -> tuple[list[Entry], int]:
        words = b"".join(abs(scalar).to_bytes(32, "little") for scalar in scalars)
        signs = int(scalars[2] < 0) | int(scalars[3] < 0) << 1
        out = (ctypes.c_uint32 * MAX_ENTRIES)()
        cycles = ctypes.c_int()
        count = call(words, signs, ctypes.c_uint64(stall_seed), out, MAX_ENTRIES,
                     ctypes.byref(cycles))
        assert count >= 0, f"{scalars}: unit misbehaved, code {count}"
        return [Entry.unpacked(word) for word in out[:count]], cycles.value

    return run


def latency(entries: Sequence[Entry]) -> int:
    """Cycles from acceptance to done_o without back-pressure, as the header of the unit has it."""
    positions = sorted({entry.pos for entry in entries})
    gaps = sum((high - low - 1) // 3 for low, high in itertools.pairwise(positions))
    return (3 if entries else 4) + len(entries) + gaps + -(-min(positions, default=0) // 3)


def check(scalars: Sequence[int], stall_seed: int = 0,
          windows: tuple[int, int, int, int] = WINDOWS) -> tuple[int, int]:
    """Compares one list; returns (entries, cycles)."""
    entries, cycles = merger(windows[0], windows[2])(scalars, stall_seed)
    assert value(entries) == tuple(scalars)
    assert entries == merge(scalars, windows)
    assert stall_seed or cycles == latency(entries)
    for lower, upper in itertools.pairwise(entries):
        assert lower.pos <= upper.pos
        assert upper.more == int(upper.pos == lower.pos)
    assert not entries or entries[0].more == 0
    return len(entries), cycles


def test_half_size() -> None:
    """3,000 verifications; the documentation quotes these figures."""
    rng = random.Random(12)
    runs = [check(half_size(rng)) for _ in range(3_000)]
    entries, cycles = zip(*runs, strict=True)
    assert (sum(entries), max(entries)) == (227_929, 83)
    assert (sum(cycles), max(cycles)) == (264_051, 98)


def test_back_pressure() -> None:
    rng = random.Random(13)
    for seed in range(1, 1_001):
        check(half_size(rng), seed)


def test_full_size() -> None:
    """c and d of any length up to 256 bits, s0 and s1 up to 127."""
    rng = random.Random(14)
    for _ in range(2_000):
        c, d = (rng.choice([1, -1]) * rng.getrandbits(rng.randrange(1, 257)) for _ in range(2))
        check((rng.getrandbits(rng.randrange(1, 128)), rng.getrandbits(127), c, d))


EDGES_S = [0, 1, 2, 511, 512, 513, 2**126, 2**127 - 1, (2**127 - 1) // 3]
EDGES_C = [0, 1, -1, 7, 8, -9, 2**255, 2**256 - 1, 1 - 2**256, 2**128, -(2**256 - 1) // 3]


def test_edges() -> None:
    """All of the edge quadruples, with the empty list, common positions and the longest carries."""
    quadruples = [*itertools.product(EDGES_S, EDGES_S, EDGES_C, EDGES_C)]
    assert len(quadruples) == 9_801
    for scalars in quadruples:
        check(scalars)
    assert check((0, 0, 0, 0)) == (0, 4)
    assert check((2**127 - 1, 0, 0, 2**256 - 1))[0] == 4
    full = [sum(1 << pos for pos in range(0, bits, window))
            for bits, window in zip((127, 127, 256, 256), WINDOWS, strict=True)]
    assert check(full)[0] == 13 + 13 + 64 + 64
    # A last digit at position 256 makes 65: the longest list there can be.
    full[2] = full[3] = sum(1 << pos for pos in range(0, 252, 4)) + 2**256 - 2**252
    assert merge(full)[-1].pos == 256
    assert check(full) == (13 + 13 + 65 + 65, 217)


@pytest.mark.long
@pytest.mark.parametrize("windows", [(4, 4, 4, 4), (7, 7, 5, 5), (10, 10, 10, 10)])
def test_other_windows(windows: tuple[int, int, int, int]) -> None:
    rng = random.Random(15)
    for seed in range(1_000):
        check(half_size(rng), seed, windows)


# ------------------------------------------------------------------------------------- protocol


def drive(dut, s0: int, s1: int, c: int, d: int) -> None:
    dut.s0_i.value, dut.s1_i.value = s0, s1
    dut.c_neg_i.value, dut.c_i.value = int(c < 0), abs(c)
    dut.d_neg_i.value, dut.d_i.value = int(d < 0), abs(d)


async def send(dut, scalars: Sequence[int]) -> None:
    drive(dut, *scalars)
    await handshake.offer(dut)
    drive(dut, *half_size(random))


async def collect(dut, limit: int | None = None) -> list[Entry]:
    return await handshake.take_all(dut, "push", lambda: Entry.unpacked(int(dut.push_entry_o.value)), limit)


@cocotb.test()
async def idle_and_back_pressure(dut) -> None:
    await handshake.begin(dut)
    for _ in range(30):
        await handshake.cycles(dut, random.randrange(4))
        scalars = half_size(random)
        await send(dut, scalars)
        assert await collect(dut) == merge(scalars)
        await ReadOnly()
        assert dut.done_o.value == 1  # a level
        assert dut.push_valid_o.value == 0
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    await handshake.begin(dut)
    for cycles in [*range(30), 60, 90, 120, 150]:
        await send(dut, half_size(random))
        await collect(dut, cycles)
        await handshake.pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.ready_o.value == 1
        assert dut.push_valid_o.value == 0
        assert dut.done_o.value == 0
        await RisingEdge(dut.clk_i)
        if cycles % 5 == 0:
            scalars = half_size(random)
            await send(dut, scalars)
            assert await collect(dut) == merge(scalars)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_naf_merge", SOURCES, __name__, {"WG": 10, "WA": 4}, expect=2)
