# SPDX-License-Identifier: Apache-2.0
"""pm_barrel_control: contexts for jobs, one answer each, whatever comes first; soft resets."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from pointmill import simbuild
from pointmill.rules import Reason

VERDICTS = [r for r in Reason if r not in (Reason.malformed_job, Reason.aborted)]
SOURCES = ["rtl/bus/pm_ed_pkg.sv", "rtl/cores/edverify/pm_barrel_control.sv"]
JOBS = 500


@dataclass
class Job:
    """A job: cycles after its header until S, R, A are complete and until its packet ends, in which
    it turns out malformed; then what has become of it."""

    tag: int
    rule: int
    valid: int
    end: int
    bad: int | None
    header: int = 0
    context: int | None = None
    started: bool = False
    verdict: Reason | None = None
    must_abort: bool = False
    may_abort: bool = False
    answer: Reason | None = None

    def malformed_before(self, now: int) -> bool:
        """Whether a malformed packet has ended: its answer may be due already."""
        return self.bad is not None and now - self.header > self.end


class Bench:
    """Plays receiver, hash, engine, scalar unit and transmitter, and keeps the score."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.contexts = len(dut.list_ready_i)
        self.now = 0
        self.jobs: list[Job] = []
        self.job: Job | None = None  # in the receiver
        self.pause = 0  # cycles before the next header
        self.digest_in = 0  # cycles until the digest is there
        self.running: dict[int, tuple[Job, int]] = {}  # context: job, cycle of its verdict
        self.ready: set[int] = set()  # contexts whose list is complete
        self.halving: tuple[int, int] | None = None  # context, cycle of its end
        self.at_work: dict[int, Job] = {}  # by context, until answered
        self.waiting: set[int] = set()  # headers accepted, without a context
        self.offer: tuple | None = None
        self.reasons: Counter[Reason] = Counter()
        self.resetting = False
        self.resets = self.resets_done = self.starts = self.most = 0

    async def begin(self) -> None:
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        dut.rst_ni.value = 0
        for name in ("soft_reset", "job_start", "job_open", "job_valid", "job_end",
                     "job_malformed", "job_rule", "job_tag", "engine_finish",
                     "engine_reason", "list_ready", "digest_valid", "half_ready",
                     "result_ready"):  # fmt: skip
            getattr(dut, f"{name}_i").value = 0
        for _ in range(2):
            await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    def reason_bits(self, finishing: int | None, verdict: Reason) -> int:
        """The reasons of all engines, of which only that of the finishing context counts."""
        engines = len(self.dut.engine_reason_i) // 8
        bits = self.rng.getrandbits(8 * engines)
        if finishing is not None:
            shift = 8 * (finishing % engines)
            bits = bits & ~(0xFF << shift) | int(verdict) << shift
        return bits

    def next_job(self) -> Job:
        rng = self.rng
        valid = rng.randrange(1, 14)
        end = valid + rng.choice((0, 1, rng.randrange(60)))
        bad = rng.choice((None, None, None, rng.randrange(end + 1)))
        job = Job(rng.getrandbits(32), rng.randrange(256), valid, end, bad, self.now)
        self.jobs.append(job)
        return job

    async def cycle(self, more: bool, reset: bool, ready: float) -> None:
        """One clock cycle: a header if there is none and `more`; a soft reset if `reset`."""
        dut, rng, now = self.dut, self.rng, self.now
        header = None
        if self.job is None and more and self.pause <= 0:
            header = self.next_job()
        job = self.job
        age = now - job.header if job else 0
        malformed = bool(job and job.bad is not None and age > job.bad)
        ended = bool(job and age > job.end)
        dut.soft_reset_i.value = reset
        dut.job_start_i.value = header is not None
        dut.job_open_i.value = job is not None
        dut.job_end_i.value = ended
        dut.job_malformed_i.value = malformed if job else rng.randrange(2)
        complete = job is not None and ((age > job.valid and not (malformed and not job.started))
                                        or ended)  # fmt: skip
        dut.job_valid_i.value = complete
        dut.job_rule_i.value = job.rule if job else rng.getrandbits(8)
        dut.job_tag_i.value = job.tag if job else rng.getrandbits(32)
        digest = ended and not malformed and self.digest_in <= 0
        dut.digest_valid_i.value = digest
        self.digest_in -= ended
        due = [c for c, (_, at) in self.running.items() if at <= now]
        finishing = rng.choice(due) if due else None
        verdict = rng.choice(VERDICTS)
        dut.engine_finish_i.value = 0 if finishing is None else 1 << finishing
        dut.engine_reason_i.value = self.reason_bits(finishing, verdict)
        dut.list_ready_i.value = sum(1 << c for c in self.ready)
        half_free = self.halving is None and rng.random() < 0.9
        dut.half_ready_i.value = half_free
        take = rng.random() < ready
        dut.result_ready_i.value = take
        await ReadOnly()
        self.observe(job, header, complete, malformed, ended, digest, half_free, finishing, verdict,
                     reset, take)  # fmt: skip
        self.now += 1
        await FallingEdge(dut.clk_i)

    def observe(self, job, header, complete, malformed, ended, digest, half_free, finishing, verdict,
                reset, take) -> None:  # fmt: skip
        dut, now = self.dut, self.now
        start, clear = int(dut.engine_start_o.value), int(dut.engine_clear_o.value)
        done = bool(int(dut.job_done_o.value))
        busy = int(dut.busy_o.value)
        assert busy or not self.at_work
        assert not busy or any(job.answer is None for job in self.jobs)
        self.most = max(self.most, len(self.at_work))
        self.answers(take)
        if finishing is not None and not clear >> finishing & 1:
            self.running.pop(finishing)[0].verdict = verdict
        hand_over = bool(int(dut.half_valid_o.value)) and half_free
        if int(dut.half_valid_o.value):
            assert job and digest and job.started and int(dut.half_ctx_o.value) == job.context
        if start:
            context = start.bit_length() - 1
            assert start == 1 << context and job and complete and not malformed and not job.started
            assert context not in self.at_work and context not in self.running
            assert not job.may_abort, "an aborted job must not begin"
            assert not self.halving or self.halving[0] != context
            job.started, job.context = True, context
            self.at_work[context] = job
            self.ready.discard(context)
            self.starts += 1
            if not clear >> context & 1:
                self.running[context] = (job, now + self.rng.choice((1, 3, self.rng.randrange(400))))
        for c in range(self.contexts):
            if clear >> c & 1:
                self.running.pop(c, None)
                self.ready.discard(c)
        assert bool(int(dut.half_clear_o.value)) == reset
        if self.halving and self.halving[1] <= now:
            self.ready |= {self.halving[0]} if not clear >> self.halving[0] & 1 else set()
            self.halving = None
        if hand_over:
            self.halving = (job.context, now + self.rng.randrange(1, 60))
        if reset:
            self.halving = None
            assert clear == (1 << self.contexts) - 1
            self.resets += 1
            self.resetting = True
            for other in self.jobs:
                open_now = other.answer is None and other is not header
                offered = self.offer and self.offer[0] == other.tag
                other.may_abort |= open_now or other is header
                other.must_abort |= open_now and not offered and not other.malformed_before(now)
        elif int(dut.reset_done_o.value):
            assert self.resetting and all(
                other.answer is not None for other in self.jobs if other.may_abort)
            self.resetting = False
            self.resets_done += 1
        if done:
            assert job and (hand_over or (malformed and ended) or job.may_abort)
            self.job, self.pause = None, self.rng.choice((0, 0, 1, 30))
        elif header is not None:
            self.job, self.digest_in = header, self.rng.randrange(40)
        self.pause -= self.job is None

    def answers(self, take: bool) -> None:
        """The offer, which must not change before it is taken."""
        dut = self.dut
        if not int(dut.result_valid_o.value):
            assert self.offer is None
            return
        seen = (int(dut.tag_o.value), int(dut.rule_o.value), Reason(int(dut.reason_o.value)),
                int(dut.cycles_o.value))  # fmt: skip
        if self.offer is None:
            job = next(job for job in self.jobs if job.tag == seen[0])
            assert job.answer is None and seen[1] == job.rule
            assert seen[3] == self.now - job.header
            age = self.now - job.header
            if seen[2] == Reason.aborted:
                assert job.may_abort
            elif seen[2] == Reason.malformed_job:
                assert job.bad is not None and age > job.end and not job.must_abort
            else:
                assert seen[2] == job.verdict and job.bad is None and not job.must_abort
                assert job.context in self.ready
            self.offer = seen
        assert seen == self.offer
        if take:
            job = next(job for job in self.jobs if job.tag == seen[0])
            job.answer = seen[2]
            self.reasons[seen[2]] += 1
            if job.context is not None:
                assert self.at_work.pop(job.context) is job
            self.offer = None

    async def finish(self) -> None:
        """All jobs that are left are answered, and nothing more comes."""
        for _ in range(3000):
            if all(job.answer is not None for job in self.jobs) and self.job is None:
                break
            await self.cycle(False, False, 1)
        assert all(job.answer is not None for job in self.jobs)
        for _ in range(100):
            await self.cycle(False, False, 0.5)
        assert int(self.dut.busy_o.value) == 0 and self.reasons.total() == len(self.jobs)


@cocotb.test()
async def random_jobs(dut) -> None:
    """Every order of packet end, verdict, list and damage, with transmitter pauses."""
    bench = Bench(dut, 1)
    await bench.begin()
    while len(bench.jobs) < JOBS:
        await bench.cycle(True, False, (1, 0.3, 0.02)[bench.now // 3000 % 3])
    await bench.finish()
    assert bench.most >= min(bench.contexts - 1, 9)
    assert bench.reasons.keys() == set(Reason) - {Reason.aborted}
    assert bench.starts > JOBS // 2


@cocotb.test()
async def soft_resets(dut) -> None:
    """In any cycle, also twice in a row, with jobs in every state."""
    bench = Bench(dut, 2)
    await bench.begin()
    last = False
    while len(bench.jobs) < JOBS:
        last = bench.rng.random() < (0.3 if last else 0.006)
        await bench.cycle(True, last, (1, 0.2)[bench.now // 2000 % 2])
    await bench.finish()
    assert bench.reasons.keys() == set(Reason)
    assert bench.reasons[Reason.aborted] > JOBS // 10
    assert bench.resets > 20 and 10 < bench.resets_done <= bench.resets and not bench.resetting


@cocotb.test()
async def soft_reset_without_a_job(dut) -> None:
    """It is finished at once, and the next job does not suffer from it."""
    bench = Bench(dut, 3)
    await bench.begin()
    await bench.cycle(False, True, 1)
    for _ in range(4):
        await bench.cycle(False, False, 1)
    assert bench.resets_done == 1
    while len(bench.jobs) < 20:
        await bench.cycle(True, False, 1)
    await bench.finish()
    assert not bench.reasons[Reason.aborted]


@pytest.mark.parametrize(("contexts", "engines"), [(2, 1), (5, 1), (12, 1), (24, 2)])
def test_control(contexts: int, engines: int) -> None:
    simbuild.run_cocotb("pm_barrel_control", SOURCES, __name__,
                        {"NumContexts": contexts, "Engines": engines}, expect=3,
                        build_dir=f"build/cocotb/test_pm_barrel_control/{contexts}")  # fmt: skip


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="NumContexts must be 2 to 64"):
        simbuild.lint("pm_barrel_control", SOURCES, {"NumContexts": 65})
    with pytest.raises(simbuild.BuildError, match="every engine must have as many contexts"):
        simbuild.lint("pm_barrel_control", SOURCES, {"NumContexts": 12, "Engines": 5})
