# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_compact_engine: RFC 7748, random jobs against OpenSSL and the golden model, exact cycles of every job,
wiping, clear_i and reset."""

from __future__ import annotations

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.x25519 import engine_units
from dv.x25519.engine_units import (
    SOURCES,
    Job,
    begin,
    check_iterated,
    check_published,
    drop_after,
    give,
    hostile,
    job_held,
)
from pointmill import simbuild
from pointmill.ucode.build import build as build_program
from vectors.x25519_edges import P

CYCLES = 10_237
"""Cycles of a job."""


def engine() -> Path:
    return simbuild.build_cpp(
        "pm_x25519_compact_engine", SOURCES, "dv/x25519/pm_x25519_compact_bench.cpp",
        cflags=("-Idv/common", "-Idv/x25519"), out_dir="build/sim/pm_x25519_compact")  # fmt: skip


def multiply(jobs: list[Job], seed: int = 0) -> tuple[list[bytes], int]:
    """Results of jobs by the engine, and the cycles from the first to the last. Each must take the cycles of the
    engine. seed: of pauses, 0 for none."""
    results, cycles, gap = engine_units.multiply(engine(), jobs, seed)
    assert cycles == [CYCLES] * len(jobs)
    return results, gap


def test_rfc_7748() -> None:
    check_published(lambda jobs: multiply(jobs)[0])


@pytest.mark.long
def test_rfc_7748_iterated() -> None:
    check_iterated(lambda jobs: multiply(jobs)[0])


def check(count: int, seed: int, pauses: int = 0) -> None:
    jobs = hostile(count, seed)
    engine_units.check(jobs, multiply(jobs, pauses)[0])


def test_random() -> None:
    """Any u, below p or not, with or without bit 255; every job takes the same cycles."""
    check(300, seed=1)


@pytest.mark.long
def test_random_long() -> None:
    check(10_000, seed=2)


def test_pauses() -> None:
    """Jobs that come late and results that wait: nothing is lost or changes places."""
    check(40, seed=3, pauses=5)


def test_schedule() -> None:
    """A ladder step as short as the multiplier allows: CP-SAT's proof."""
    step = build_program("x25519", "compact", "compact27")[2]["ladder_step"]
    assert sum(op.unit == "mul" for op in step.block.ops) == 9
    assert (step.length, step.bound) == (38, 38)


def test_rate() -> None:
    """Cycles of an operation in steady state, jobs waiting at all times: exact, and no more than the target."""
    jobs = [(bytes(range(i, i + 32)), (9).to_bytes(32, "little")) for i in range(OPERATIONS + 1)]
    _, gap = multiply(jobs)
    assert gap == GAP <= 13_200 * OPERATIONS


OPERATIONS = 4
GAP = 41_388
"""Cycles from the first to the last of as many operations, where jobs wait."""


# ---------------------------------------------------------------------------- wiping, clear_i, reset

def left(dut) -> list[str]:
    """Registers and memory words of the engine that are not what they are when nothing was computed."""
    data = dut.u_datapath
    found = ["job_q"] if int(dut.job_q.value) else []
    for bank, idle in (("u_mul_bank", 0), ("u_sum_bank", 0), ("u_diff_bank", 4 * P)):
        copies = getattr(data.u_banks.g_banks, bank).g_copy
        for copy in range(4):
            memory = copies[copy].memory
            found += [f"{bank}[{copy}][{number}]" for number in range(32) if int(memory[number].value) != idle]
    multiplier = data.u_mul
    turns = multiplier.gen_turns.u_turns
    names = [(turns, name) for name in ("h_o", "l_o")]
    names += [(multiplier.u_fold, name) for name in ("t_q", "r_q")]
    names += [(data, name) for name in ("port_a", "port_b", "sum")]
    found += [name for scope, name in names if int(getattr(scope, name).value)]
    inverter = dut.u_inverter
    found += [f"inverter {name}" for name in ("u_q", "x2_q") if int(getattr(inverter, name).value)]
    return found


async def ready(dut) -> None:
    for _ in range(2000):
        await FallingEdge(dut.clk_i)
        if dut.job_ready_o.value:
            return
    raise AssertionError("never ready")


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """After a result is taken, after clear_i and after reset at any time, all is as before the first job."""
    await begin(dut)
    rng = random.Random(1)
    await ready(dut)
    assert left(dut) == []
    length = CYCLES
    times = [0, 1, 2, 3, 9, *(rng.randrange(length) for _ in range(6)), length - 300, length - 15, length]
    for number, cycles in enumerate(times):
        k, u = rng.getrandbits(256), rng.getrandbits(256)
        await give(dut, k, u)
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        if cycles > 9:
            assert len(left(dut)) > 4, "the bench looks at nothing"
        if number % 3 == 2:
            dut.rst_ni.value = 0
        else:
            dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value, dut.clear_i.value = 1, 0
        assert not dut.busy_o.value and not dut.result_valid_o.value
        assert not dut.job_ready_o.value
        await ready(dut)
        assert left(dut) == [], f"after {cycles} cycles"


@cocotb.test()
async def a_job_after_clear(dut) -> None:
    """A job that is dropped does not disturb the next; its result is held until taken, then nothing is left."""
    await begin(dut)
    rng = random.Random(2)
    for cycles in (5, 100, CYCLES + 20):
        await drop_after(dut, rng, cycles)
    await job_held(dut, rng, CYCLES)
    assert left(dut) == []
    await ready(dut)


def test_wiping() -> None:
    simbuild.run_cocotb("pm_x25519_compact_engine", SOURCES, __name__, expect=2, plusargs=simbuild.ZERO_START,
                        build_dir="build/cocotb/pm_x25519_compact")  # fmt: skip
