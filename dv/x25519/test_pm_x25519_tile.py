# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_tile: RFC 7748, random jobs against OpenSSL and the golden model, exact cycles of every job, order, wiping,
clear_i, reset and the guard."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common import handshake
from dv.x25519 import engine_units
from dv.x25519.engine_units import (
    SOURCES,
    Job,
    begin,
    check,
    check_iterated,
    check_published,
    drop_after,
    give,
    hostile,
    job_held,
)
from pointmill import simbuild
from pointmill.model.montgomery import multiply_u
from pointmill.model.x25519 import CURVE, decode_scalar, x25519 as model
from pointmill.ucode.build import build as build_program
from vectors.x25519_edges import P

CONTEXTS = 5
ALONE = 20_481
"""Cycles of a job with no other."""
PACE = 8_000
"""From result to result where jobs wait at all times, at most in the mean."""


def engine() -> Path:
    return simbuild.build_cpp("pm_x25519_tile", SOURCES, "dv/x25519/pm_x25519_tile_bench.cpp",
                              cflags=("-Idv/common", "-Idv/x25519"), out_dir="build/sim/pm_x25519_tile")  # fmt: skip


def multiply(jobs: list[Job], seed: int = 0, alone: bool = False) -> tuple[list[bytes], list[int], int]:
    """`engine_units.multiply` on the tile. seed: of pauses, 0 for none. alone: one job after the other."""
    return engine_units.multiply(engine(), jobs, seed, int(alone))


def test_rfc_7748() -> None:
    check_published(lambda jobs: multiply(jobs)[0])


@pytest.mark.long
def test_rfc_7748_iterated() -> None:
    check_iterated(lambda jobs: multiply(jobs)[0])


def test_alone() -> None:
    """One job after the other: each takes exactly the same cycles."""
    jobs = hostile(30, seed=1)
    results, cycles, _ = multiply(jobs, alone=True)
    check(jobs, results)
    assert cycles == [ALONE] * len(jobs)


def test_together() -> None:
    """Jobs that wait at all times: each takes the cycles that one with other operands takes in its place."""
    jobs = hostile(12 * CONTEXTS, seed=2)
    results, cycles, gap = multiply(jobs)
    check(jobs, results)
    assert gap < PACE * (len(jobs) - 1)
    others = [(bytes(32), bytes(32))] * len(jobs)
    results, same, _ = multiply(others)
    assert (results, same) == ([bytes(32)] * len(jobs), cycles)


@pytest.mark.long
def test_together_long() -> None:
    """The same of many jobs, half of them random ones."""
    jobs = hostile(5_000, seed=3)
    results, cycles, _ = multiply(jobs + jobs[::-1])
    check(jobs, results[:5_000])
    assert results[5_000:] == results[4_999::-1]
    assert multiply(jobs[::-1] + jobs)[1] == cycles


def test_small_results() -> None:
    """Products that come out of the datapath as p + 9: from p on a result is reduced."""
    rng = random.Random(6)
    scalars = [rng.getrandbits(256).to_bytes(32, "little") for _ in range(3)]
    points = [multiply_u(CURVE, pow(decode_scalar(k), -1, CURVE.n), 9) for k in scalars]
    results, _, _ = multiply([(k, u.to_bytes(32, "little")) for k, u in zip(scalars, points, strict=True)])
    assert results == [(9).to_bytes(32, "little")] * 3


def test_pauses() -> None:
    """Jobs that come late and results that wait: nothing is lost or changes places."""
    jobs = hostile(40, seed=4)
    results, _, _ = multiply(jobs, seed=5)
    check(jobs, results)


@pytest.mark.parametrize(("block", "length", "words"), [("ladder_step", 27, 10), ("lone_step", 25, 11)])
def test_schedule(block: str, length: int, words: int) -> None:
    """A ladder step is one word for each product: ten, so that five contexts fill the multiplier; eleven where a job is
    alone and waits for products."""
    step = build_program("x25519", "tile", "tile")[2][block]
    assert sum(op.unit == "mul" for op in step.block.ops) == words
    assert (step.length, len(set(step.start.values()))) == (length, words)
    (digit,) = [slot for op, slot in step.start.items() if op.side_unit == "digit"]
    assert step.length - digit > 2  # slots until the next digit is there


@pytest.mark.parametrize("contexts", [1, 8])
def test_illegal_contexts_are_refused(contexts: int) -> None:
    with pytest.raises(simbuild.BuildError, match="NumContexts must be 2 to 7"):
        simbuild.lint("pm_x25519_tile", SOURCES, {"NumContexts": contexts})


# ------------------------------------------------------------------ wiping, clear_i, reset, guard


def left(dut) -> list[str]:
    """Registers and memory words of the engine that still hold what a job left."""
    found = []
    bank = dut.u_datapath.u_bank
    for copy in range(2):
        for name in ("u_lo_low", "u_lo_high", "u_hi_low", "u_hi_high"):
            memory = getattr(bank.g_copy[copy], name).mem_q
            found += [f"{name}[{copy}][{number}]" for number in range(40 * CONTEXTS) if int(memory[number].value)]
    found += [f"scalar[{number}]" for number in range(16 * CONTEXTS) if int(dut.u_digits.mem_q[number].value)]
    data, inverse = dut.u_datapath, dut.u_inverse
    names = [(dut.u_digits, "bit_q"), (dut.u_digits, "index_q"), (dut.u_result, "part_q"), (dut, "result_o"),
             (dut, "result_zero_o"), (data.u_fold, "lo_o"), (data.u_fold, "hi_o"), (data, "p"), (data, "sum"),
             (inverse, "low_q"), (inverse, "lower_q"), (inverse.u_inverter, "g_q"), (inverse.u_inverter, "d_q")]
    found += ["f_q"] * (int(inverse.u_inverter.f_q.value) != P)
    found += [name for name in ("s_q", "e_q") if int(getattr(inverse.u_inverter, name).value) != 1 << 13]
    return found + [name for scope, name in names if int(getattr(scope, name).value)]


async def wiped(dut) -> None:
    """Until the engine would take a job, and what it wrote last has come to the registers."""
    for _ in range(2000):
        await FallingEdge(dut.clk_i)
        if not int(dut.u_store.state_q.value) and not int(dut.taken_q.value):
            await handshake.cycles(dut, 3, FallingEdge)
            return
    raise AssertionError("never wiped")


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """After a result is taken, after clear_i and after reset at any time, nothing of the jobs is there."""
    await begin(dut)
    rng = random.Random(1)
    await wiped(dut)
    assert left(dut) == []
    times = [0, 1, 2, 3, 9, rng.randrange(ALONE), ALONE - 1200, ALONE - 600, ALONE - 12, ALONE + 50]
    for number, cycles in enumerate(times):
        for _ in range(1 + number % 2):
            await give(dut, rng.getrandbits(256), rng.getrandbits(256))
        await handshake.cycles(dut, cycles, FallingEdge)
        assert len(left(dut)) > 4, "the bench looks at nothing"
        if number % 3 == 2:
            dut.rst_ni.value = 0
        else:
            dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value, dut.clear_i.value = 1, 0
        assert not dut.busy_o.value and not dut.result_valid_o.value
        await wiped(dut)
        assert left(dut) == [], f"after {cycles} cycles"


@cocotb.test()
async def a_job_after_clear(dut) -> None:
    """Jobs that are dropped do not disturb the next; its result is held until taken, then nothing is left."""
    await begin(dut)
    rng = random.Random(2)
    for cycles in (5, 100, 3000):
        await drop_after(dut, rng, cycles)
    await job_held(dut, rng, ALONE)
    await wiped(dut)
    assert left(dut) == []


@cocotb.test()
async def results_that_wait_keep_their_order(dut) -> None:
    """All contexts wait to give their results while the first one is held: they follow in the order of the jobs."""
    await begin(dut)
    rng = random.Random(5)
    jobs = [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(CONTEXTS)]
    for k, u in jobs:
        await give(dut, k, u)
    for _ in range(3 * ALONE):
        await FallingEdge(dut.clk_i)
        if int(dut.inverted_q.value) == (1 << CONTEXTS) - 1:
            break
    else:
        raise AssertionError("never")
    for k, u in jobs:
        await handshake.cycles(dut, 100 + rng.randrange(15), FallingEdge)
        wanted = int.from_bytes(model(k.to_bytes(32, "little"), u.to_bytes(32, "little")), "little")
        assert dut.result_valid_o.value and int(dut.result_o.value) == wanted
        await handshake.pulse(dut, "result_ready_i", edge=FallingEdge)
    await wiped(dut)
    assert left(dut) == []


@cocotb.test()
async def a_word_that_asks_for_data_is_refused(dut) -> None:
    """A dispatch in the program of a job ends that job alone, with no result; the next ones are right."""
    await refuse_second(dut, 3, lambda: True)


@cocotb.test()
async def a_word_beside_an_inversion_is_refused(dut) -> None:
    """The same while the inverter works for that job: its inverse goes nowhere."""
    inverse = dut.u_inverse
    await refuse_second(dut, 4, lambda: not inverse.free_o.value and int(dut.invert_q.value) == 1)


async def refuse_second(dut, seed: int, now: Callable[[], bool]) -> None:
    """Three jobs, of which the second has a dispatch at the time `now`."""
    await begin(dut)
    rng = random.Random(seed)
    control = dut.u_sequencer
    width, delay, operation = len(control.check_word_q), 4, 4
    dispatch = 6 << width - delay - operation
    jobs = [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(3)]
    for k, u in jobs:
        await give(dut, k, u)
    dut.result_ready_i.value = 1
    for _ in range(2 * ALONE):
        await FallingEdge(dut.clk_i)
        if control.check_valid_q.value and int(control.check_ctx_q.value) == 1 and now():
            break
    else:
        raise AssertionError("never")
    control.check_word_q.value = dispatch
    wanted = [model(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in jobs]
    answers = []
    for _ in range(2 * ALONE):
        await FallingEdge(dut.clk_i)
        if dut.result_valid_o.value:
            answers.append((bool(dut.refused_o.value), int(dut.result_o.value).to_bytes(32, "little")))
    assert answers == [(False, wanted[0]), (True, bytes(32)), (False, wanted[2])]
    await wiped(dut)
    assert left(dut) == []


@pytest.mark.long
def test_wiping() -> None:
    simbuild.run_cocotb("pm_x25519_tile", SOURCES, __name__, depth=4, expect=5, plusargs=simbuild.ZERO_START,
                        build_dir="build/cocotb/pm_x25519_tile")
