# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_tile: RFC 7748, random jobs against OpenSSL and the golden model, exact cycles of every job, order, wiping,
clear_i, reset and the guard."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from dv.common import handshake
from pointmill import simbuild
from pointmill.model.x25519 import x25519 as model
from pointmill.ucode.build import build as build_program
from vectors.secret_vectors import ITERATED, rfc7748_cases

SOURCES = "hw/x25519/x25519.f"
P = 2**255 - 19
CONTEXTS = 5
ALONE = 34_106
"""Cycles of a job with no other."""
TOGETHER = [46_328, 46_343, 46_346, 46_349, 46_355]
"""Cycles of a job by its context where jobs wait at all times."""
LOW_ORDER = [0, 1, P - 1, P, P + 1,
             325606250916557431795983626356110631294008115727848805560023387167927233504,
             39382357235489614581723060781553021112529911719440698176882885853963445705823]  # fmt: skip
"""u of the points of order 1, 2, 4, 8 on the curve and its twist, some of them plus p."""
EDGES = [*LOW_ORDER, 2**255 - 1, 2**255 - 19 + 9, 9, 2, P - 2, 2**255 | 9, 2**256 - 1]
SCALARS = [0, 2**256 - 1, 7, 2**255, int("10" * 128, 2), int("01" * 128, 2)]
Job = tuple[bytes, bytes]


def engine() -> Path:
    return simbuild.build_cpp("pm_x25519_tile", SOURCES, "dv/x25519/pm_x25519_tile_bench.cpp",
                              cflags=("-Idv/common", "-Idv/x25519"), out_dir="build/sim/pm_x25519_tile")  # fmt: skip


def openssl(k: bytes, u: bytes) -> bytes:
    """X25519 by OpenSSL, which refuses a result of zero."""
    try:
        return X25519PrivateKey.from_private_bytes(k).exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)


def multiply(jobs: list[Job], seed: int = 0, alone: bool = False) -> tuple[list[bytes], list[int], int]:
    """Results of jobs by the engine, the cycles of each, and those from the first result to the last. Each must say
    whether it is zero."""
    lines = "".join(f"{k[::-1].hex()} {u[::-1].hex()}\n" for k, u in jobs)
    done = subprocess.run([engine(), str(seed), str(int(alone))], input=lines, text=True, capture_output=True,
                          check=False)  # fmt: skip
    if done.returncode:
        pytest.fail("the engine stopped:\n" + done.stdout.replace("%", "")[-500:], pytrace=False)
    *rows, gap = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == len(jobs) and gap[0] == "gap"
    results, cycles = [], []
    for value, zero, taken in rows:
        results.append(bytes.fromhex(value)[::-1])
        cycles.append(int(taken))
        assert int(value, 16) < P
        assert int(zero) == (not any(results[-1]))
    return results, cycles, int(gap[1])


def hostile(count: int, seed: int) -> list[Job]:
    """Edge values, then random ones: any u, below p or not, with or without bit 255."""
    rng = random.Random(seed)
    numbers = [(rng.getrandbits(256), u) for u in EDGES] + [(k, 9) for k in SCALARS]
    numbers += [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(count - len(numbers))]
    assert len(numbers) == count
    return [(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in numbers]


def check(jobs: list[Job], results: list[bytes]) -> None:
    """Engine, OpenSSL and golden model say the same."""
    for (k, u), result in zip(jobs, results, strict=True):
        assert result == openssl(k, u) == model(k, u)
    assert sum(not any(result) for result in results) == len(LOW_ORDER)


def test_rfc_7748() -> None:
    cases = rfc7748_cases()
    assert len(cases) == 7
    assert multiply([(case.k, case.u) for case in cases])[0] == [case.out for case in cases]


@pytest.mark.long
def test_rfc_7748_iterated() -> None:
    """Each round begins with the result of the one before, so the model goes ahead; the engine repeats all."""
    k = u = (9).to_bytes(32, "little")
    jobs = []
    for number in range(1, 1001):
        jobs.append((k, u))
        k, u = openssl(k, u), k
        if number in ITERATED:
            assert k.hex() == ITERATED[number]
    results = multiply(jobs)[0]
    assert [job[0] for job in jobs[1:]] == results[:-1]
    assert results[0].hex() == ITERATED[1] and results[-1].hex() == ITERATED[1000]


def test_alone() -> None:
    """One job after the other: each takes exactly the same cycles."""
    jobs = hostile(30, seed=1)
    results, cycles, _ = multiply(jobs, alone=True)
    check(jobs, results)
    assert cycles == [ALONE] * len(jobs)


def test_together() -> None:
    """Jobs that wait at all times: each takes exactly the cycles of its context, whatever is in it and the others."""
    jobs = hostile(12 * CONTEXTS, seed=2)
    results, cycles, gap = multiply(jobs)
    check(jobs, results)
    full = cycles[:-CONTEXTS]
    assert full == TOGETHER * (len(full) // CONTEXTS)
    assert gap < 9_500 * (len(jobs) - 1)


@pytest.mark.long
def test_together_long() -> None:
    jobs = hostile(10_000, seed=3)
    results, cycles, _ = multiply(jobs)
    check(jobs, results)
    assert cycles[:-CONTEXTS] == TOGETHER * (len(jobs) // CONTEXTS - 1)


def test_pauses() -> None:
    """Jobs that come late and results that wait: nothing is lost or changes places."""
    jobs = hostile(40, seed=4)
    results, _, _ = multiply(jobs, seed=5)
    check(jobs, results)


def test_schedule() -> None:
    """A ladder step is ten words, one for each product, so that five contexts fill the multiplier."""
    step = build_program("x25519", "tile", "tile")[2]["ladder_step"]
    assert sum(op.unit == "mul" for op in step.block.ops) == 10
    assert (step.length, len(set(step.start.values()))) == (34, 10)


@pytest.mark.parametrize("contexts", [1, 8])
def test_illegal_contexts_are_refused(contexts: int) -> None:
    with pytest.raises(simbuild.BuildError, match="NumContexts must be 2 to 7"):
        simbuild.lint("pm_x25519_tile", SOURCES, {"NumContexts": contexts})


# ------------------------------------------------------------------ wiping, clear_i, reset, guard


async def begin(dut) -> None:
    await handshake.begin(dut, ("clear_i", "job_valid_i", "result_ready_i"), FallingEdge, count=2, after=0)


async def give(dut, k: int, u: int) -> None:
    """Offer a job until it is taken."""
    dut.job_k_i.value, dut.job_u_i.value, dut.job_valid_i.value = k, u, 1
    for _ in range(2000):
        taken = bool(dut.job_ready_o.value)
        await FallingEdge(dut.clk_i)
        if taken:
            break
    else:
        raise AssertionError("never ready")
    dut.job_valid_i.value = 0
    dut.job_k_i.value = dut.job_u_i.value = 0


def left(dut) -> list[str]:
    """Registers and memory words of the engine that still hold what a job left."""
    found = []
    bank = dut.u_datapath.u_bank
    for copy in range(2):
        for name in ("u_lo_low", "u_lo_high", "u_hi_low", "u_hi_high"):
            memory = getattr(bank.g_copy[copy], name).mem_q
            found += [f"{name}[{copy}][{number}]" for number in range(40 * CONTEXTS) if int(memory[number].value)]
    found += [f"scalar[{number}]" for number in range(16 * CONTEXTS) if int(dut.u_digits.mem_q[number].value)]
    data = dut.u_datapath
    names = [(dut.u_digits, "bit_q"), (dut.u_digits, "index_q"), (dut.u_result, "part_q"), (dut, "result_o"),
             (dut, "result_zero_o"), (data.u_fold, "lo_o"), (data.u_fold, "hi_o"), (data, "p"), (data, "sum")]
    return found + [name for scope, name in names if int(getattr(scope, name).value)]


async def wiped(dut) -> None:
    """Until the engine would take a job."""
    for _ in range(2000):
        await FallingEdge(dut.clk_i)
        if not int(dut.u_store.state_q.value) and not int(dut.taken_q.value):
            return
    raise AssertionError("never wiped")


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """After a result is taken, after clear_i and after reset at any time, nothing of the jobs is there."""
    await begin(dut)
    rng = random.Random(1)
    await wiped(dut)
    assert left(dut) == []
    times = [0, 1, 2, 3, 9, *(rng.randrange(ALONE) for _ in range(2)), ALONE - 12, ALONE + 50]
    for number, cycles in enumerate(times):
        for _ in range(1 + number % 2):
            await give(dut, rng.getrandbits(256), rng.getrandbits(256))
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
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
        await give(dut, rng.getrandbits(256), rng.getrandbits(256))
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
    k, u = rng.getrandbits(256), rng.getrandbits(256)
    await give(dut, k, u)
    for _ in range(ALONE - 1):
        assert not dut.result_valid_o.value and dut.busy_o.value
        await FallingEdge(dut.clk_i)
    expected = int.from_bytes(model(k.to_bytes(32, "little"), u.to_bytes(32, "little")), "little")
    for _ in range(600):
        assert dut.result_valid_o.value and int(dut.result_o.value) == expected
        await FallingEdge(dut.clk_i)
    dut.result_ready_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.result_ready_i.value = 0
    assert not dut.busy_o.value and not dut.result_valid_o.value
    await wiped(dut)
    assert left(dut) == []


@cocotb.test()
async def a_word_that_asks_for_data_is_refused(dut) -> None:
    """A dispatch in the program of a job ends that job alone, with no result; the next ones are right."""
    await begin(dut)
    rng = random.Random(3)
    control = dut.u_sequencer
    width, delay, operation = len(control.check_word_q), 4, 4
    dispatch = 6 << width - delay - operation
    jobs = [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(3)]
    for k, u in jobs:
        await give(dut, k, u)
    for _ in range(3000):
        await FallingEdge(dut.clk_i)
        if control.check_valid_q.value and int(control.check_ctx_q.value) == 1:
            break
    control.check_word_q.value = dispatch
    wanted = [model(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in jobs]
    dut.result_ready_i.value = 1
    answers = []
    for _ in range(2 * ALONE):
        await FallingEdge(dut.clk_i)
        if dut.result_valid_o.value:
            answers.append((bool(dut.refused_o.value), int(dut.result_o.value).to_bytes(32, "little")))
    assert answers == [(False, wanted[0]), (True, bytes(32)), (False, wanted[2])]
    await wiped(dut)
    assert left(dut) == []


def test_wiping() -> None:
    simbuild.run_cocotb("pm_x25519_tile", SOURCES, __name__, expect=3, build_dir="build/cocotb/pm_x25519_tile")
