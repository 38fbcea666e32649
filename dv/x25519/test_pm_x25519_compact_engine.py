# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_compact_engine: RFC 7748, random jobs against OpenSSL and the golden model, exact cycles of every job,
wiping, clear_i and reset."""

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

CYCLES = 10_237
"""Cycles of a job."""


def engine() -> Path:
    return simbuild.build_cpp(
        "pm_x25519_compact_engine", SOURCES, "dv/x25519/pm_x25519_compact_bench.cpp",
        cflags=("-Idv/common", "-Idv/x25519"), out_dir="build/sim/pm_x25519_compact")  # fmt: skip


def openssl(k: bytes, u: bytes) -> bytes:
    """X25519 by OpenSSL, which refuses a result of zero."""
    try:
        return X25519PrivateKey.from_private_bytes(k).exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)


def multiply(jobs: list[tuple[bytes, bytes]], seed: int = 0) -> tuple[list[bytes], int]:
    """Results of jobs by the engine, and the cycles from the first to the last. Each must take the cycles of the
    engine, and say whether it is zero."""
    lines = "".join(f"{k[::-1].hex()} {u[::-1].hex()}\n" for k, u in jobs)
    done = subprocess.run([engine(), str(seed)], input=lines, text=True, capture_output=True, check=False)
    if done.returncode:
        pytest.fail("the engine stopped:\n" + done.stdout.replace("%", "")[-500:], pytrace=False)
    *rows, gap = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == len(jobs) and gap[0] == "gap"
    results = []
    for value, zero, taken in rows:
        result = bytes.fromhex(value)[::-1]
        assert int(value, 16) < P
        assert int(zero) == (not any(result))
        assert int(taken) == CYCLES
        results.append(result)
    return results, int(gap[1])


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
    results, _ = multiply(jobs)
    assert [job[0] for job in jobs[1:]] == results[:-1]
    assert results[0].hex() == ITERATED[1] and results[-1].hex() == ITERATED[1000]


# u of the points of order 1, 2, 4, 8 on the curve and its twist, some of them plus p.
LOW_ORDER = [0, 1, P - 1, P, P + 1,
             325606250916557431795983626356110631294008115727848805560023387167927233504,
             39382357235489614581723060781553021112529911719440698176882885853963445705823]  # fmt: skip
EDGES = [*LOW_ORDER, 2**255 - 1, 2**255 - 19 + 9, 9, 2, P - 2, 2**255 | 9, 2**256 - 1]
SCALARS = [0, 2**256 - 1, 7, 2**255, int("10" * 128, 2), int("01" * 128, 2)]


def check(count: int, seed: int, pauses: int = 0) -> None:
    """Edge values, then random ones: engine, OpenSSL and golden model say the same."""
    rng = random.Random(seed)
    numbers = [(rng.getrandbits(256), u) for u in EDGES] + [(k, 9) for k in SCALARS]
    numbers += [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(count - len(numbers))]
    jobs = [(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in numbers]
    results, _ = multiply(jobs, pauses)
    for (k, u), result in zip(jobs, results, strict=True):
        assert result == openssl(k, u) == model(k, u)
    assert len(jobs) == count
    assert sum(not any(result) for result in results) == len(LOW_ORDER)


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
        await give(dut, rng.getrandbits(256), rng.getrandbits(256))
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
    k, u = rng.getrandbits(256), rng.getrandbits(256)
    await give(dut, k, u)
    for _ in range(CYCLES - 1):
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
    assert left(dut) == []
    await ready(dut)


def test_wiping() -> None:
    simbuild.run_cocotb("pm_x25519_compact_engine", SOURCES, __name__, expect=2,
                        build_dir="build/cocotb/pm_x25519_compact")  # fmt: skip
