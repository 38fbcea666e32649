# SPDX-License-Identifier: Apache-2.0
"""pm_list_walk: interleaved digit scans against plain Python, at full pace; clear, full lists."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from functools import cache

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from halfgcd_reference import half_size
from list_reference import Entry, Op, merge, walk
from unit_library import loaded

from dv.common.handshake import begin, cycles, pulse
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_list_walk.sv"]
OPS = ("done", "double", "add")
DEPTH = 256
MAX_OPS = 600

Run = Callable[..., tuple[list[list[Op]], int]]


def unpack(word: int) -> Op:
    return Op(OPS[word >> 12], word >> 11 & 1, word >> 9 & 3, word >> 8 & 1, word & 0xFF)


@cache
def walker(contexts: int) -> Run:
    """Builds the unit; the result walks one list per context, all at the same time."""
    call = loaded("pm_list_walk", SOURCES, {"NumContexts": contexts, "Depth": DEPTH}).pm_list_walk_run

    def run(lists: Sequence[Sequence[Entry]], seed: int, spacing: int,
            busy: int) -> tuple[list[list[Op]], int]:
        flat = (ctypes.c_uint32 * (contexts * DEPTH))()
        for c, entries in enumerate(lists):
            for i, entry in enumerate(entries):
                flat[c * DEPTH + i] = entry.packed()
        counts = (ctypes.c_int * contexts)(*map(len, lists))
        out = (ctypes.c_uint32 * (contexts * MAX_OPS))()
        ops = (ctypes.c_int * contexts)()
        code = call(contexts, flat, DEPTH, counts, ctypes.c_uint64(seed), spacing, busy, out,
                    MAX_OPS, ops)
        assert code >= 0, f"unit misbehaved, code {code}"
        walks = [[unpack(word) for word in out[c * MAX_OPS:c * MAX_OPS + ops[c]]]
                 for c in range(contexts)]
        return walks, code

    return run


def half_size_list(rng: random.Random) -> list[Entry]:
    """List of a verification with half-size scalars."""
    return merge(half_size(rng))


def odd_list(rng: random.Random) -> list[Entry]:
    """Anything from an empty list to the longest, with scalars of any size."""
    kind = rng.randrange(6)
    if kind == 0:
        return []
    if kind == 1:
        return [Entry(rng.randrange(257), rng.randrange(4), rng.randrange(2), 0,
                      rng.randrange(256))]
    if kind == 2:  # full, four entries at each of the lowest positions
        return [Entry(i // 4, i % 4, rng.randrange(2), int(i % 4 > 0), i) for i in range(DEPTH)]
    sizes = (rng.randrange(128), rng.randrange(128), rng.randrange(257), rng.randrange(257))
    return merge([rng.choice([1, -1][:1 + (i > 1)]) * rng.getrandbits(size)
                  for i, size in enumerate(sizes)])


@pytest.mark.parametrize("spacing", [1, 4])
@pytest.mark.parametrize("contexts", [8, pytest.param(2, marks=pytest.mark.long),
                                      pytest.param(5, marks=pytest.mark.long)])
def test_interleaved(contexts: int, spacing: int) -> None:
    """Rounds of half-size lists, and of odd ones, at full and at random pace."""
    rng = random.Random(16)
    additions = in_a_row = 0
    for seed in range(120):
        make = half_size_list if seed % 2 else odd_list
        lists = [make(rng) for _ in range(contexts)]
        walks, follow = walker(contexts)(lists, seed, spacing, 256 if seed % 3 else 60)
        assert walks == [walk(entries) for entries in lists]
        additions += sum(op.op == "add" for ops in walks for op in ops)
        in_a_row += follow
    assert additions == {2: 17_301, 5: 44_113, 8: 72_951}[contexts]
    assert in_a_row > 5_000 * (contexts - 1)  # steps of different contexts in successive cycles


# ------------------------------------------------------------------------------------- protocol


async def load(dut, context: int, entries: Sequence[Entry], pace: float = 0.8) -> None:
    """Pushes in `pace` of the cycles; push_ready_o must be 1 for all entries."""
    for entry in entries:
        while random.random() >= pace:
            await RisingEdge(dut.clk_i)
        dut.push_ctx_i.value = context
        dut.push_entry_i.value = entry.packed()
        dut.push_valid_i.value = 1
        await ReadOnly()
        assert dut.push_ready_o.value == 1
        await RisingEdge(dut.clk_i)
        dut.push_valid_i.value = 0


def shown(dut) -> Op:
    """Next operation of the context of ctx_i."""
    op = OPS[int(dut.op_o.value)]
    point = int(dut.point_o.value) if op == "add" else 0
    return Op(op, int(dut.need_t_o.value), point >> 9, point >> 8 & 1, point & 0xFF)


async def follow(dut, context: int, ops: Sequence[Op]) -> None:
    """Takes the given operations of one context, 6 cycles or more apart, and compares each."""
    for op in ops:
        await cycles(dut, random.choice([3, 3, 4, 8]))
        dut.ctx_i.value = context
        await RisingEdge(dut.clk_i)
        dut.ctx_i.value = random.randrange(4)
        dut.step_i.value = 1
        await ReadOnly()
        assert shown(dut) == op
        await RisingEdge(dut.clk_i)
        dut.step_i.value = 0
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        if op.op == "add":
            point = int(dut.current_o.value) >> 11 * context & 0x7FF
            assert point == op.kind << 9 | op.neg << 8 | op.idx
        await RisingEdge(dut.clk_i)


async def at_end(dut, context: int) -> None:
    await cycles(dut, 3)
    dut.ctx_i.value = context
    await RisingEdge(dut.clk_i)
    await ReadOnly()
    assert shown(dut) == Op("done", 0)
    await RisingEdge(dut.clk_i)


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    """clear_i of one context, also with its next entry under way, leaves the others alone."""
    await begin(dut)
    kept = half_size_list(random)
    await load(dut, 3, kept)
    await pulse(dut, "init_i", 1 << 3)
    await follow(dut, 3, walk(kept)[:20])
    for least in (0, 1, 2, 3, 40, 100, 101):
        entries = half_size_list(random)
        await load(dut, 1, entries)
        if least:
            await pulse(dut, "init_i", 1 << 1)
            ops = walk(entries)
            stop = next(i for i in range(least, len(ops)) if ops[i].op == "add")
            await follow(dut, 1, ops[:stop])
            await cycles(dut, 5)
            dut.ctx_i.value = 1
            await RisingEdge(dut.clk_i)
            dut.step_i.value = 1
            for _ in range(least % 4):  # clear_i from the step of an addition to 3 cycles later
                await RisingEdge(dut.clk_i)
                dut.step_i.value = 0
        await pulse(dut, "clear_i", 1 << 1)
        dut.step_i.value = 0
        single = [Entry(5, 2, 1, 0, 77)]
        await load(dut, 1, single, pace=1.0)  # at once: a late entry must not overwrite it
        await at_end(dut, 1)
        await pulse(dut, "init_i", 1 << 1)
        await follow(dut, 1, walk(single))
        await at_end(dut, 1)
        await pulse(dut, "clear_i", 1 << 1)
        await pulse(dut, "init_i", 1 << 1)  # an empty list
        await at_end(dut, 1)
        await pulse(dut, "clear_i", 1 << 1)
        entries = half_size_list(random)
        await load(dut, 1, entries)
        await pulse(dut, "init_i", 1 << 1)
        await follow(dut, 1, walk(entries))
        await at_end(dut, 1)
        await pulse(dut, "clear_i", 1 << 1)
    await follow(dut, 3, walk(kept)[20:])
    await at_end(dut, 3)


@cocotb.test()
async def full_list_refuses(dut) -> None:
    """push_ready_o falls when the list of push_ctx_i is full; a refused push changes nothing."""
    await begin(dut)
    entries = [Entry(i, i % 4, i % 2, 0, i) for i in range(DEPTH)]
    await load(dut, 2, entries)
    dut.push_ctx_i.value = 2
    dut.push_entry_i.value = 0
    dut.push_valid_i.value = 1
    await ReadOnly()
    assert dut.push_ready_o.value == 0
    await RisingEdge(dut.clk_i)
    dut.push_valid_i.value = 0
    dut.push_ctx_i.value = 0
    await ReadOnly()
    assert dut.push_ready_o.value == 1
    await RisingEdge(dut.clk_i)
    await pulse(dut, "init_i", 1 << 2)
    await follow(dut, 2, walk(entries))
    await at_end(dut, 2)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_list_walk", SOURCES, __name__, {"NumContexts": 4, "Depth": DEPTH},
                        expect=2)
