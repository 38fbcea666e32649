# SPDX-License-Identifier: Apache-2.0
"""pm_naf_walk against algorithm 5 in plain Python; stacks, read-ahead, clear in the middle."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from functools import cache

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from naf_reference import Digit, L, Step, evaluate, naf, walk
from unit_library import loaded

from dv.common.handshake import begin, pulse
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/prim/pm_lifo.sv", "hw/lib/scalar/pm_naf_walk.sv"]
WG, WA = 10, 5
OPS = ("done", "double", "add_g", "add_a")
EDGES = [0, 1, 2, 15, 16, 17, 31, 511, 512, 513, L - 1, 2**252, 2**252 - 1, 2**253 - 1, 2**253 - 2]
FULL_G = sum(1 << pos for pos in range(0, 253, WG))  # as many digits as there can be
FULL_A = sum(1 << pos for pos in range(0, 253, WA))
MAX_OPS = 600


@cache
def walker() -> Callable[[list[Digit], list[Digit], int], list[Step]]:
    """Builds the unit; the result runs one job on it."""
    call = loaded("pm_naf_walk", SOURCES, {"WG": WG, "WA": WA}).pm_naf_walk_run

    def run(g: list[Digit], a: list[Digit], seed: int) -> list[Step]:
        flat = [(ctypes.c_uint32 * max(1, 3 * len(d)))(*itertools.chain(*d)) for d in (g, a)]
        out = (ctypes.c_uint32 * (3 * MAX_OPS))()
        count = call(flat[0], len(g), flat[1], len(a), ctypes.c_uint64(seed), out, MAX_OPS)
        assert count >= 0, f"unit misbehaved, code {count}"
        return [Step(OPS[out[3 * i]], out[3 * i + 1], out[3 * i + 2]) for i in range(count)]

    return run


def check(s: int, k: int, seed: int) -> list[Step]:
    g, a = naf(s, WG), naf(k, WA)
    steps = walker()(g, a, seed)
    assert steps == walk(g, a)
    assert evaluate(steps) == (s, k)
    return steps


def test_edges() -> None:
    """All pairs of edge scalars, among them those with no digit and with the most digits."""
    scalars = [*EDGES, FULL_G, FULL_A]
    pairs = list(itertools.product(scalars, repeat=2))
    assert len(pairs) == 289
    for seed, (s, k) in enumerate(pairs):
        check(s, k, seed)
    assert check(0, 0, 0) == []
    assert check(1, 0, 0) == [Step("add_g")]
    assert check(0, 1, 0) == [Step("add_a")]
    assert check(1, 1, 0) == [Step("add_g"), Step("add_a")]


def test_random() -> None:
    rng = random.Random(6)
    additions = doublings = 0
    for seed in range(3_000):
        steps = check(rng.randrange(L), rng.randrange(L), seed)
        doublings += sum(step.op == "double" for step in steps)
        additions += sum(step.op != "double" for step in steps)
    # 65.9 additions and 250.0 doublings a job; table 1 of the paper expects 65 and 253.
    assert (additions, doublings) == (197_683, 749_994)


# ------------------------------------------------------------------------------------- protocol


async def load(dut, side: str, digits: list[Digit]) -> None:
    for digit in digits:
        while random.random() < 0.3:
            await RisingEdge(dut.clk_i)
        for field in Digit._fields:
            getattr(dut, f"{side}_{field}_i").value = getattr(digit, field)
        getattr(dut, f"{side}_valid_i").value = 1
        await ReadOnly()
        assert getattr(dut, f"{side}_ready_o").value == 1
        await RisingEdge(dut.clk_i)
        getattr(dut, f"{side}_valid_i").value = 0


async def load_both(dut, s: int, k: int) -> None:
    first = cocotb.start_soon(load(dut, "g", naf(s, WG)))
    await load(dut, "a", naf(k, WA))
    await first


async def follow(dut, steps: list[Step]) -> None:
    """Takes the given steps at random times and compares each."""
    for step in steps:
        while random.random() < 0.3:
            await RisingEdge(dut.clk_i)
        await ReadOnly()
        assert OPS[int(dut.op_o.value)] == step.op
        assert int(dut.op_neg_o.value) == step.neg
        await RisingEdge(dut.clk_i)
        await pulse(dut, "step_i")
        await ReadOnly()
        if step.op == "add_g":
            assert int(dut.g_idx_o.value) == step.idx
        if step.op == "add_a":
            assert int(dut.a_idx_o.value) == step.idx
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    """clear_i during loading and during walks; the next job is whole."""
    await begin(dut)
    for stop in (0, 1, 2, 3, 40, 150, 310):
        s, k = random.randrange(L), random.randrange(L)
        await load_both(dut, s, k)
        if stop > 0:
            await pulse(dut, "init_i")
            await follow(dut, walk(naf(s, WG), naf(k, WA))[:stop])
        await pulse(dut, "clear_i")
        await ReadOnly()
        assert OPS[int(dut.op_o.value)] == "done"
        await RisingEdge(dut.clk_i)
        await pulse(dut, "init_i")  # nothing is left: still the end
        await ReadOnly()
        assert OPS[int(dut.op_o.value)] == "done"
        await RisingEdge(dut.clk_i)
        await pulse(dut, "clear_i")
        s, k = random.randrange(L), random.randrange(L)
        await load_both(dut, s, k)
        await pulse(dut, "init_i")
        await follow(dut, walk(naf(s, WG), naf(k, WA)))
        await ReadOnly()
        assert OPS[int(dut.op_o.value)] == "done"
        await RisingEdge(dut.clk_i)
        await pulse(dut, "clear_i")


@cocotb.test()
async def full_stacks_refuse(dut) -> None:
    """ready_o falls when a stack holds as many digits as a scalar can have."""
    await begin(dut)
    await load_both(dut, FULL_G, FULL_A)
    await ReadOnly()
    assert dut.g_ready_o.value == 0
    assert dut.a_ready_o.value == 0
    await RisingEdge(dut.clk_i)
    dut.g_valid_i.value = 1  # refused: changes nothing
    dut.a_valid_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.g_valid_i.value = 0
    dut.a_valid_i.value = 0
    await pulse(dut, "init_i")
    await follow(dut, walk(naf(FULL_G, WG), naf(FULL_A, WA)))


def test_protocol() -> None:
    simbuild.run_cocotb("pm_naf_walk", SOURCES, __name__, {"WG": WG, "WA": WA}, expect=2)
