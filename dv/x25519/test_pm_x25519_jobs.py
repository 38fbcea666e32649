# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_jobs: order, reasons, times and wiping of results, against a receiver, an engine and a
transmitter that pause at random, with soft resets."""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import FallingEdge, RisingEdge

from dv.common import handshake
from pointmill import simbuild
from pointmill.rules import Reason

JOBS, DEPTH = 3, 8
CYCLES = int(os.environ.get("PM_CYCLES", "18000"))


def share(count: int) -> int:
    """What is expected at least where `count` is of 18,000 cycles."""
    return count * CYCLES // 18_000


@dataclass
class Job:
    """What the receiver shows, and what must come out."""

    tag: int
    rule: int
    malformed: bool
    result: int
    start: int
    aborted: bool = False

    @property
    def reason(self) -> Reason:
        if self.aborted:
            return Reason.aborted
        if self.malformed:
            return Reason.malformed_job
        return Reason.secret_refused if self.refused else Reason.ok

    @property
    def refused(self) -> bool:
        """The engine's guard stops it: one in 16."""
        return self.tag % 16 == 5


class Receiver:
    """As pm_edverify_rx: a job is open from the cycle after its header until it is done."""

    def __init__(self, rng: random.Random, malformed: float) -> None:
        self.rng, self.share = rng, malformed
        self.job: Job | None = None
        self.left = 0  # cycles until the packet has ended

    def drive(self, dut, cycle: int) -> Job | None:
        """Inputs of this cycle; the job whose header comes in it."""
        job = self.job
        dut.job_open_i.value = job is not None
        dut.job_end_i.value = job is not None and self.left == 0
        dut.job_malformed_i.value = job is not None and self.left == 0 and job.malformed
        dut.job_tag_i.value = job.tag if job else self.rng.getrandbits(32)
        dut.job_rule_i.value = job.rule if job else self.rng.getrandbits(8)
        dut.job_start_i.value = 0
        if job is None and self.rng.random() < 0.5:
            dut.job_start_i.value = 1
            result = 0 if self.rng.random() < 0.2 else self.rng.getrandbits(255)
            return Job(self.rng.getrandbits(32), self.rng.getrandbits(8), self.rng.random() < self.share, result, cycle)
        return None


async def start(dut) -> None:
    await handshake.begin(dut, after=0)


async def session(dut, seed: int, resets: float, stall: float, malformed: float = 0.2) -> Counter:
    """Jobs at random for CYCLES cycles, every answer compared; how often which reason came, and
    for how many cycles all tickets were in use."""
    rng = random.Random(seed)
    await start(dut)
    receiver = Receiver(rng, malformed)
    inside: deque[list] = deque()  # jobs in the engine, with the cycle of their result
    waiting: deque[Job] = deque()  # jobs that are not on offer yet
    offered: Job | None = None
    seen: Counter = Counter()
    pending = False  # a soft reset that has not said that it is done
    given = False  # the engine took the receiver's job in the cycle before
    for cycle in range(CYCLES):
        await RisingEdge(dut.clk_i)
        started = receiver.drive(dut, cycle)
        reset = rng.random() < resets
        dut.soft_reset_i.value = reset
        dut.engine_ready_i.value = len(inside) < JOBS
        ready = bool(inside) and inside[0][1] <= cycle
        dut.result_valid_i.value = ready
        dut.result_i.value = inside[0][0].result if ready else rng.getrandbits(256)
        dut.result_zero_i.value = inside[0][0].result == 0 if ready else rng.getrandbits(1)
        dut.result_refused_i.value = inside[0][0].refused if ready else cycle % 2
        taking = rng.random() >= stall
        dut.answer_ready_i.value = taking
        await FallingEdge(dut.clk_i)
        # ---- answers
        if dut.answer_valid_o.value:
            if offered is None:
                offered = waiting.popleft()
                assert int(dut.cycles_o.value) == cycle - offered.start
            assert int(dut.tag_o.value) == offered.tag and int(dut.rule_o.value) == offered.rule
            assert int(dut.reason_o.value) == offered.reason
            ok = offered.reason == Reason.ok
            assert int(dut.payload_o.value) == (offered.result if ok else 0)
            assert not ok or bool(dut.all_zero_o.value) == (offered.result == 0)
            if taking:
                seen[offered.reason.name] += 1
                offered = None
        else:
            assert offered is None and int(dut.payload_o.value) == 0
        if dut.reset_done_o.value:
            assert pending and not any(job.aborted for job in (*waiting, *([offered] if offered else [])))
            pending = False
            seen["reset_done"] += 1
        # ---- engine and receiver
        assert dut.busy_o.value or not inside
        assert bool(dut.engine_clear_o.value) == reset
        assert dut.job_done_o.value or not given
        given = False
        if reset:
            assert not (dut.result_ready_o.value and ready)
            inside.clear()
            pending = True
            for job in waiting:
                job.aborted = True
        if dut.engine_valid_o.value and len(inside) < JOBS and not reset:
            assert receiver.job is waiting[-1] and not receiver.job.malformed and receiver.left == 0
            inside.append([receiver.job, cycle + rng.randrange(1, 60)])
            given = True
        if ready and dut.result_ready_o.value and not reset:
            inside.popleft()
        if dut.job_done_o.value:
            assert receiver.job is not None
            receiver.job = None
        elif receiver.job is not None and receiver.left:
            receiver.left -= 1
        if started is not None:
            receiver.job, receiver.left = started, rng.randrange(20)
            waiting.append(started)
        assert len(waiting) <= DEPTH + 2
        seen["full"] += len(waiting) == DEPTH + 2
    return seen


@cocotb.test()
async def answers(dut) -> None:
    seen = await session(dut, 1, 0, 0)
    assert seen["ok"] > share(700) and seen["secret_refused"] > share(30)
    assert seen["malformed_job"] > share(150) and seen["aborted"] == 0


@cocotb.test()
async def back_pressure(dut) -> None:
    seen = await session(dut, 2, 0, 0.97)
    assert seen["ok"] > share(300) and seen["malformed_job"] > share(80)


@cocotb.test()
async def all_tickets(dut) -> None:
    """Malformed packets fill the queue while nothing is taken."""
    seen = await session(dut, 3, 0.001, 0.99, 0.9)
    assert seen["malformed_job"] > share(50) and seen["aborted"] > share(50) and seen["full"] > share(1000)


@cocotb.test()
async def soft_resets(dut) -> None:
    seen = await session(dut, 4, 0.01, 0.5)
    assert seen["ok"] > share(500) and seen["aborted"] > share(300) and seen["reset_done"] > share(100)


@cocotb.test()
async def soft_resets_in_a_row(dut) -> None:
    seen = await session(dut, 5, 0.2, 0.8)
    assert seen["aborted"] > share(1000) and seen["reset_done"] > share(100)


@pytest.mark.parametrize("cycles", [6_000, pytest.param(18_000, marks=pytest.mark.long)])
def test_pm_x25519_jobs(cycles: int) -> None:
    simbuild.run_cocotb("pm_x25519_jobs", [
        "hw/lib/prim/pm_fifo.sv", "hw/edverify/gen/pm_edverify_pkg.sv", "hw/x25519/rtl/pm_x25519_jobs.sv",
    ], __name__, {"Depth": DEPTH}, extra_env={"PM_CYCLES": str(cycles)}, expect=5)  # fmt: skip
