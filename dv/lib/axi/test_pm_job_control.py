# SPDX-License-Identifier: Apache-2.0
"""pm_job_control: one result a job, whatever comes first; soft resets at every point; cycle figure."""

from __future__ import annotations

import os
import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

INPUTS = ["soft_reset_i", "job_start_i", "job_open_i", "job_valid_i", "job_end_i", "job_refused_i",
          "refusal_i", "engine_finish_i", "engine_reason_i", "result_ready_i"]  # fmt: skip
ABORTED, MALFORMED, UNFIT = 0xA5, 0x5A, 0xC3
VERDICTS = [0, 1, 0x7F, 0xFE]
JOBS = int(os.environ.get("PM_JOBS", "0"))
LEAST = 50 if JOBS >= 600 else 5
"""Of each reason that is no verdict, but for UNFIT."""


class Bench:
    """Plays receiver, engine and transmitter around the control."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.starts = 0

    async def begin(self) -> None:
        dut = self.dut
        await handshake.begin(dut, edge=FallingEdge, count=2, after=0)

    async def cycle(self, **levels: int) -> dict[str, int]:
        """One cycle with the given inputs, the others zero; the outputs in it."""
        dut = self.dut
        for name in INPUTS:
            getattr(dut, name).value = levels.get(name[:-2], 0)
        await ReadOnly()
        names = ("reset_done", "idle", "decided", "job_done", "engine_start", "engine_clear",
                 "result_valid", "reason", "cycles")  # fmt: skip
        seen = {name: int(getattr(dut, f"{name}_o").value) for name in names}
        await FallingEdge(dut.clk_i)
        return seen

    async def job(self, valid: int, end: int, bad: int | None, finish: int, reset: int | None,
                  ready: float, unfit: bool = False) -> int:  # fmt: skip
        """A job that may start after `valid` cycles and whose packet ends after `end`; malformed from
        cycle `bad` on; the engine's verdict comes `finish` cycles after its start; a soft reset in
        cycle `reset`; with `unfit` it is refused whenever the engine is idle. The answer, which must be
        as defined."""
        rng = self.rng
        seen = await self.cycle(job_start=1)
        assert not seen["result_valid"] and not seen["engine_start"]
        verdict = rng.choice(VERDICTS)
        started: int | None = None
        decided = aborted = False
        offer: tuple[int, int] | None = None
        now = 0
        while True:
            now += 1
            malformed = bad is not None and now >= bad
            refused = malformed or (unfit and started is None)
            ended = now > end
            complete = now > valid or ended
            finishing = started is not None and now == started + finish and not decided
            taken = rng.random() < ready
            seen = await self.cycle(
                job_open=1, job_valid=complete, job_end=ended, job_refused=refused,
                refusal=MALFORMED if malformed else UNFIT,
                engine_finish=finishing,
                engine_reason=verdict if finishing else rng.randrange(256),
                soft_reset=now == reset, result_ready=taken,
            )  # fmt: skip
            assert seen["idle"] == (started is None)
            begin = complete and not refused and started is None and not aborted
            assert seen["engine_start"] == begin, now
            if begin:
                started = now
                self.starts += 1
            offered = aborted or (ended and (refused or decided))
            assert seen["result_valid"] == offered, now
            assert seen["decided"] == decided
            assert seen["job_done"] == seen["engine_clear"] == (offered and taken)
            if offered:
                reason = (ABORTED if aborted else MALFORMED if malformed
                          else UNFIT if refused else verdict)  # fmt: skip
                assert seen["reason"] == reason
                offer = offer or (reason, now)
                assert (seen["reason"], seen["cycles"]) == offer
                if taken:
                    return offer[0]
            aborted = aborted or (now == reset and not offered)
            decided = decided or finishing


async def play(bench: Bench, jobs: int, at_once: bool) -> Counter[int]:
    """Answers of random jobs; with `at_once` the engine may start before the packet has ended."""
    rng = bench.rng
    answers: Counter[int] = Counter()
    for _ in range(jobs):
        valid = rng.randrange(1, 14)
        end = valid + rng.choice((0, 1, rng.randrange(60)))
        bad = rng.choice((None, None, rng.randrange(1, end + 1)))
        reset = rng.choice((None, None, rng.randrange(1, 100)))
        unfit = not at_once and rng.random() < 0.2
        answers[await bench.job(valid if at_once else end, end, bad, rng.randrange(1, 60), reset,
                                rng.choice((1, 0.2)), unfit)] += 1  # fmt: skip
        for _ in range(rng.randrange(3)):
            await bench.cycle()
    return answers


@cocotb.test()
async def random_jobs(dut) -> None:
    """Every order of packet end, verdict, damage and soft reset, with transmitter pauses."""
    bench = Bench(dut, 1)
    await bench.begin()
    answers = await play(bench, JOBS, True)
    assert answers.total() == JOBS
    assert answers.keys() == {ABORTED, MALFORMED, *VERDICTS}
    assert answers[ABORTED] > LEAST and answers[MALFORMED] > LEAST
    assert bench.starts > JOBS // 2


@cocotb.test()
async def whole_packets(dut) -> None:
    """The engine starts when the packet has ended; jobs that it has no use for, as its state says."""
    bench = Bench(dut, 4)
    await bench.begin()
    answers = await play(bench, JOBS, False)
    assert answers.total() == JOBS
    assert answers.keys() == {ABORTED, MALFORMED, UNFIT, *VERDICTS}
    assert answers[ABORTED] > LEAST and answers[MALFORMED] > LEAST and answers[UNFIT] > JOBS // 20
    assert JOBS // 3 < bench.starts < 2 * JOBS // 3


@cocotb.test()
async def soft_reset_without_a_job(dut) -> None:
    """It is finished at once, and the next job does not suffer from it."""
    bench = Bench(dut, 2)
    await bench.begin()
    await bench.cycle(soft_reset=1)
    assert (await bench.cycle())["reset_done"] == 1
    assert (await bench.cycle())["reset_done"] == 0
    assert await bench.job(2, 5, None, 9, None, 1) in VERDICTS


@cocotb.test()
async def soft_reset_with_a_job(dut) -> None:
    """It is finished in the cycle after the aborted answer was taken."""
    bench = Bench(dut, 3)
    await bench.begin()
    await bench.cycle(job_start=1)
    await bench.cycle(job_open=1)
    await bench.cycle(job_open=1, soft_reset=1)
    for _ in range(5):
        seen = await bench.cycle(job_open=1)
        assert (seen["result_valid"], seen["reason"], seen["reset_done"]) == (1, ABORTED, 0)
    assert (await bench.cycle(job_open=1, result_ready=1))["job_done"] == 1
    assert (await bench.cycle())["reset_done"] == 1


@pytest.mark.parametrize("jobs", [200, pytest.param(600, marks=pytest.mark.long)])
def test_job_control(jobs: int) -> None:
    simbuild.run_cocotb("pm_job_control", "hw/lib/axi/pm_job_control.sv", __name__,
                        {"Aborted": f"8'h{ABORTED:x}"}, expect=4, extra_env={"PM_JOBS": str(jobs)})
