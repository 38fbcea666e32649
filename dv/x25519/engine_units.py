# SPDX-License-Identifier: Apache-2.0
"""What the benches of X25519 engines with the ports of pm_x25519_engine_bench.h share: jobs, their run, checks; and for
cocotb the begin of a run and a job that is taken."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cocotb.triggers import FallingEdge, First, RisingEdge, Timer
from cocotb.utils import get_sim_time

from dv.common import handshake
from pointmill.model.x25519 import x25519 as model
from vectors.secret_vectors import ITERATED, rfc7748_cases
from vectors.x25519_edges import EDGES, LOW_ORDER, P, openssl

SOURCES = "hw/x25519/x25519.f"
SCALARS = [0, 2**256 - 1, 7, 2**255, int("10" * 128, 2), int("01" * 128, 2)]
Job = tuple[bytes, bytes]


def multiply(engine: Path, jobs: list[Job], *options: int) -> tuple[list[bytes], list[int], int]:
    """Results of jobs by an engine, the cycles of each, and those from the first result to the last. Each must say
    whether it is zero. options: of the program."""
    lines = "".join(f"{k[::-1].hex()} {u[::-1].hex()}\n" for k, u in jobs)
    done = subprocess.run([engine, *map(str, options)], input=lines, text=True, capture_output=True, check=False)
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
    """Engine, OpenSSL and golden model say the same of `hostile` jobs."""
    for (k, u), result in zip(jobs, results, strict=True):
        assert result == openssl(k, u) == model(k, u)
    assert sum(not any(result) for result in results) == len(LOW_ORDER)


def check_published(products: Callable[[list[Job]], list[bytes]]) -> None:
    """The products of RFC 7748. products: results of jobs by the engine."""
    cases = rfc7748_cases()
    assert len(cases) == 7
    assert products([(case.k, case.u) for case in cases]) == [case.out for case in cases]


def check_iterated(products: Callable[[list[Job]], list[bytes]]) -> None:
    """1,000 iterations of RFC 7748. Each begins with the result of the one before, so the model goes ahead; the engine
    repeats all."""
    k = u = (9).to_bytes(32, "little")
    jobs = []
    for number in range(1, 1001):
        jobs.append((k, u))
        k, u = openssl(k, u), k
        if number in ITERATED:
            assert k.hex() == ITERATED[number]
    results = products(jobs)
    assert [job[0] for job in jobs[1:]] == results[:-1]
    assert results[0].hex() == ITERATED[1] and results[-1].hex() == ITERATED[1000]


# ------------------------------------------------------------------------------ cocotb


async def begin(dut) -> None:
    """Reset, nothing offered."""
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


async def drop_after(dut, rng: random.Random, cycles: int) -> None:
    """Gives a job, and drops it so many cycles later."""
    await give(dut, rng.getrandbits(256), rng.getrandbits(256))
    await handshake.cycles(dut, cycles, FallingEdge)
    await handshake.pulse(dut, "clear_i", edge=FallingEdge)


async def job_held(dut, rng: random.Random, cycles: int) -> None:
    """A job alone: after exactly so many cycles its result is there, right, and holds until it is taken."""
    k, u = rng.getrandbits(256), rng.getrandbits(256)
    await give(dut, k, u)
    assert not dut.result_valid_o.value and dut.busy_o.value
    begin = get_sim_time("step")
    await First(RisingEdge(dut.result_valid_o), FallingEdge(dut.busy_o), Timer(10 * cycles, "ns"))
    await FallingEdge(dut.clk_i)
    assert get_sim_time("step") - begin == 10_000 * (cycles - 1) and dut.busy_o.value
    expected = int.from_bytes(model(k.to_bytes(32, "little"), u.to_bytes(32, "little")), "little")
    for _ in range(600):
        assert dut.result_valid_o.value and int(dut.result_o.value) == expected
        await FallingEdge(dut.clk_i)
    await handshake.pulse(dut, "result_ready_i", edge=FallingEdge)
    assert not dut.busy_o.value and not dut.result_valid_o.value
