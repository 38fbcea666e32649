# SPDX-License-Identifier: Apache-2.0
"""Protocol of pm_mulmod (default parameters): latency, throughput, stalls, taps, reset."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from field_common import weak_product

from dv.common import handshake

W = 258
HALF = W // 2


def operand(rng: random.Random) -> int:
    return rng.choice([rng.getrandbits(W), (1 << W) - 1 - rng.getrandbits(8), rng.getrandbits(255),
                       1 << rng.randrange(W)])


async def start(dut: HierarchyObject) -> None:
    """Starts the clock and resets; returns after a falling edge, as every step below."""
    dut.ready_i.value = 1
    await handshake.begin(dut, ("valid_i", "a_i", "b_i"), FallingEdge, count=2, after=0)


async def transfer(dut: HierarchyObject, jobs: list[tuple[int, int]],
                   offer: Callable[[], bool], take: Callable[[], bool]) -> int:
    """Runs all `jobs`; every result bit by bit, in order. Returns the cycles it took.

    offer, take: whether to raise valid_i, ready_i in a cycle. An offered operand pair stays until
    it is taken. A result that is not taken must stay, and so must the taps.
    """
    todo = deque(jobs)
    expected: deque[int] = deque()
    held: tuple[int, int, int, int] | None = None
    offering = False
    done = cycles = 0
    while done < len(jobs):
        offering = bool(todo) and (offering or offer())
        dut.valid_i.value = int(offering)
        if offering:
            dut.a_i.value, dut.b_i.value = todo[0]
        else:
            dut.a_i.value = dut.b_i.value = (1 << W) - 1
        dut.ready_i.value = int(take())
        await RisingEdge(dut.clk_i)
        valid, ready = bool(dut.valid_o.value), bool(dut.ready_i.value)
        assert bool(dut.ready_o.value) == (not valid or ready)
        state = (int(valid), int(dut.part_valid_o.value), int(dut.part_h_o.value),
                 int(dut.part_l_o.value)) if valid else None
        if held is not None:
            assert state == held, "the pipeline moved while it was stalled"
        held = state if valid and not ready else None
        if valid:
            assert int(dut.r_o.value) == expected[0]
            if ready:
                expected.popleft()
                done += 1
        if offering and bool(dut.ready_o.value):
            expected.append(weak_product(*todo.popleft()))
            offering = False
        cycles += 1
        await FallingEdge(dut.clk_i)
    assert not expected and not todo
    dut.valid_i.value = 0
    dut.ready_i.value = 1
    await ReadOnly()
    await FallingEdge(dut.clk_i)
    assert int(dut.valid_o.value) == 0
    return cycles


@cocotb.test()
async def latency_is_four_to_the_taps_and_six_to_the_result(dut: HierarchyObject) -> None:
    await start(dut)
    rng = random.Random(1)
    a, b = rng.getrandbits(W), rng.getrandbits(W)
    dut.valid_i.value = 1
    dut.a_i.value = a
    dut.b_i.value = b
    for cycle in range(1, 9):
        await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        dut.a_i.value = dut.b_i.value = 0
        assert int(dut.part_valid_o.value) == (cycle == 4)
        assert int(dut.valid_o.value) == (cycle == 6)
        if cycle == 4:
            mask = (1 << HALF) - 1
            assert int(dut.part_h_o.value) == (a >> HALF) * (b >> HALF)
            assert int(dut.part_l_o.value) == (a & mask) * (b & mask)
        if cycle == 6:
            assert int(dut.r_o.value) == weak_product(a, b)


@cocotb.test()
async def one_product_a_cycle(dut: HierarchyObject) -> None:
    await start(dut)
    rng = random.Random(2)
    jobs = [(operand(rng), operand(rng)) for _ in range(300)]
    assert await transfer(dut, jobs, lambda: True, lambda: True) == 300 + 6


@cocotb.test()
async def idle_and_back_pressure(dut: HierarchyObject) -> None:
    await start(dut)
    rng = random.Random(3)
    for offered, taken in [(0.5, 0.5), (1.0, 0.2), (0.2, 1.0), (0.9, 0.9)]:
        jobs = [(operand(rng), operand(rng)) for _ in range(150)]
        await transfer(dut, jobs, lambda p=offered: rng.random() < p,
                       lambda p=taken: rng.random() < p)


@cocotb.test()
async def a_factor_used_twice_gives_both_partial_products(dut: HierarchyObject) -> None:
    await start(dut)
    rng = random.Random(4)
    jobs = [(rng.getrandbits(HALF), rng.getrandbits(W)) for _ in range(200)]
    seen = 0
    for cycle in range(len(jobs) + 4):
        if cycle < len(jobs):
            t, b = jobs[cycle]
            dut.a_i.value = (t << HALF) | t
            dut.b_i.value = b
        dut.valid_i.value = int(cycle < len(jobs))
        await FallingEdge(dut.clk_i)
        if dut.part_valid_o.value:
            t, b = jobs[seen]
            assert int(dut.part_h_o.value) == t * (b >> HALF)
            assert int(dut.part_l_o.value) == t * (b & ((1 << HALF) - 1))
            seen += 1
    assert seen == len(jobs)


@cocotb.test()
async def reset_drops_what_is_under_way(dut: HierarchyObject) -> None:
    await start(dut)
    rng = random.Random(5)
    for filled in range(1, 8):
        dut.valid_i.value = 1
        dut.ready_i.value = 0
        for _ in range(filled):
            dut.a_i.value, dut.b_i.value = operand(rng), operand(rng)
            await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        dut.rst_ni.value = 0
        await FallingEdge(dut.clk_i)
        assert (int(dut.valid_o.value), int(dut.part_valid_o.value)) == (0, 0)
        dut.rst_ni.value = 1
        jobs = [(operand(rng), operand(rng)) for _ in range(10)]
        await transfer(dut, jobs, lambda: True, lambda: True)
