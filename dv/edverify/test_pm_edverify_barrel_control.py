# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_control: contexts for jobs of all operations, one result each, whatever comes first; soft
resets."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from dv.common.packed import Struct
from pointmill import simbuild
from pointmill.rules import OPERATIONS, Reason

VERIFY, X25519, KEYGEN, SIGN, LOAD, CACHED, BATCH = (
    OPERATIONS[name].opcode
    for name in ("verify", "x25519", "keygen", "sign", "load_key", "verify_cached", "verify_batch"))
VERIFICATIONS = (VERIFY, CACHED, BATCH)
KEYS = 4
OUTSIDE = (Reason.malformed_job, Reason.aborted, Reason.message_too_long)  # not said by an engine
VERDICTS = [r for r in Reason if r not in OUTSIDE]
SOURCES = "hw/edverify/edverify.f"
JOB = Struct(start=1, open=1, valid=1, ended=1, malformed=1, op=8, secret=1, rule=8, tag=32, slot=16, s=256, r=256,
             a=256)
PROGRAM = Struct(op=8, batch=2, slot=8, flags=6, s=256, r=256, a=256)
VERDICT = Struct(reason=8, zero=1)
HALF = Struct(valid=1, spread=1)
SIGN_REQUEST, SIGN_STATUS = Struct(drop=1, phase1=1, phase2=1), Struct(too_long=1, phase1=1, phase2=1)
RESULT = Struct(op=8, tag=32, rule=8, reason=8, zero=1, cycles=32)
JOBS = int(os.environ.get("PM_JOBS", "800"))


@dataclass
class Job:
    """A job: cycles after its header until its operands are complete and until its packet ends, in which
    it turns out malformed; then what has become of it."""

    op: int
    too_long: bool
    tag: int
    rule: int
    valid: int
    end: int
    bad: int | None
    slot: int = 0
    hit: bool = False  # its slot keeps its key
    header: int = 0
    context: int | None = None
    started: bool = False
    verdict: Reason | None = None
    zero: bool = False
    complete: bool = False  # nothing but its verdict is waited for
    must_abort: bool = False
    may_abort: bool = False
    answer: Reason | None = None

    @property
    def uses_slot(self) -> bool:
        """Whether its program reads or writes the slot."""
        return self.op == LOAD or (self.op == CACHED and self.hit)

    def refused_before(self, now: int) -> bool:
        """Whether a malformed packet, or one too long, has ended: its answer may be due already."""
        return (self.bad is not None or self.too_long) and now - self.header > self.end


class Bench:
    """Plays receiver, hash, engine, scalar unit, sign server and transmitter, and keeps the score."""

    def __init__(self, dut, seed: int, wipes: tuple[int, ...] = (0, 1, 30, 200)) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.contexts, self.wipes = len(dut.list_ready_i), wipes
        self.placed = self.held = False  # in the last cycle: the job had a context, registers were wiped
        self.now = 0
        self.jobs: list[Job] = []
        self.job: Job | None = None  # in the receiver
        self.valid_for = 0  # cycles since its operands are complete
        self.loads_held = 0  # cycles in which a load waited for a slot in use
        self.pause = 0  # cycles before the next header
        self.digest_in = 0  # cycles until the digest is there
        self.running: dict[int, tuple[Job, int]] = {}  # context: job, cycle of its verdict
        self.ready: set[int] = set()  # contexts whose list is complete
        self.halving: tuple[int, int] | None = None  # context, cycle of its end
        self.server: tuple[Job, int, int] | None = None  # job, phase, cycle of its end
        self.seeded: set[int] = set()  # contexts whose scalars are there, not started
        self.signatures: list[Job] = []  # between the phases, in the order of the first
        self.answered: int | None = None  # context answered in the last cycle
        self.at_work: dict[int, Job] = {}  # by context, until answered
        self.waiting: set[int] = set()  # headers accepted, without a context
        self.offer: tuple | None = None
        self.reasons: Counter[Reason] = Counter()
        self.resetting = False
        self.wiped = 0  # the cycle in which registers are wiped that a soft reset wipes
        self.resets = self.resets_done = self.starts = self.most = 0

    async def begin(self) -> None:
        dut = self.dut
        names = ("soft_reset", "wiping", "job", "key_hit", "engine_finish", "verdict", "list_ready", "digest_valid",
                 "half_ready", "walk_ready", "sign", "phase1_done", "phase2_done", "result_ready")
        await handshake.begin(dut, [f"{name}_i" for name in names], FallingEdge, count=2, after=0)

    def next_job(self) -> Job:
        rng = self.rng
        valid = rng.randrange(1, 14)
        end = valid + rng.choice((0, 1, rng.randrange(60)))
        bad = rng.choice((None, None, None, rng.randrange(end + 1)))
        op = rng.choice((VERIFY, CACHED, BATCH, X25519, KEYGEN, SIGN, SIGN, LOAD))
        too_long = op == SIGN and rng.random() < 0.2
        job = Job(op, too_long, rng.getrandbits(32), rng.randrange(256), valid, end, bad,
                  rng.randrange(KEYS), rng.random() < 0.5, self.now)
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
        dut.wiping_i.value = now < self.wiped
        shown = {"start": header is not None, "open": job is not None, "ended": ended,
                 "malformed": malformed if job else rng.randrange(2)}
        complete = job is not None and ((age > job.valid and not (malformed and not job.started))
                                        or ended)  # fmt: skip
        dut.job_i.value = JOB.pack(
            **shown, valid=complete, op=job.op if job else rng.getrandbits(8),
            rule=job.rule if job else rng.getrandbits(8), tag=job.tag if job else rng.getrandbits(32),
            slot=job.slot if job else rng.randrange(KEYS))
        # Known two cycles after the key.
        dut.key_hit_i.value = job.hit if job and self.valid_for >= 2 else rng.randrange(2)
        digest = ended and not malformed and self.digest_in <= 0 and job.op in VERIFICATIONS
        dut.digest_valid_i.value = digest
        self.digest_in -= ended
        due = [c for c, (_, at) in self.running.items() if at <= now]
        finishing = rng.choice(due) if due else None
        verdict = rng.choice(VERDICTS)
        dut.engine_finish_i.value = 0 if finishing is None else 1 << finishing
        noise = rng.getrandbits(8)
        dut.list_ready_i.value = sum(1 << c for c in self.ready)
        zero = rng.getrandbits(1)
        dut.verdict_i.value = VERDICT.pack(reason=noise if finishing is None else verdict, zero=zero)
        half_free = self.halving is None and rng.random() < 0.9
        dut.half_ready_i.value = half_free
        phase = rng.randrange(3) if self.server is None else 0  # the one that would be served
        free = (rng.random() < 0.8, phase == 1, phase == 2)
        dut.walk_ready_i.value = free[0]
        too_long = job is not None and job.too_long and ended
        dut.sign_i.value = SIGN_STATUS.pack(too_long=too_long, phase1=free[1], phase2=free[2])
        served = self.server if self.server and self.server[2] <= now else None
        for phase in (1, 2):
            done = served is not None and served[1] == phase
            getattr(dut, f"phase{phase}_done_i").value = 1 << served[0].context if done else 0
        take = rng.random() < ready
        dut.result_ready_i.value = take
        await ReadOnly()
        self.observe(job, header, complete, malformed, ended, digest, half_free, finishing, verdict,
                     reset, take, zero, free, served)  # fmt: skip
        self.now += 1
        self.valid_for = self.valid_for + 1 if complete and self.job is job else 0
        await FallingEdge(dut.clk_i)

    def observe(self, job, header, complete, malformed, ended, digest, half_free, finishing, verdict,
                reset, take, zero, free, served) -> None:  # fmt: skip
        dut, now = self.dut, self.now
        half, sign = HALF.unpack(int(dut.half_o.value)), SIGN_REQUEST.unpack(int(dut.sign_o.value))
        whole = ended and not malformed and not reset and job.op not in VERIFICATIONS
        written = bool(int(dut.walk_we_o.value)) and free[0]
        phase1 = bool(sign.phase1) and free[1]
        phase2 = bool(sign.phase2) and free[2]
        wiped = int(dut.walk_zero_o.value)
        start, clear = int(dut.engine_start_o.value), int(dut.engine_clear_o.value)
        done = bool(int(dut.job_done_o.value))
        busy = int(dut.busy_o.value)
        wiping, placed = now < self.wiped, bool(int(dut.job_placed_o.value))
        assert busy or not (self.at_work or wiping)
        assert not busy or wiping or any(job.answer is None for job in self.jobs)
        assert not placed or self.placed or not self.held, "a job gets a context while registers are wiped"
        self.placed, self.held = placed, wiping
        self.most = max(self.most, len(self.at_work))
        self.answers(take)
        if finishing is not None and not clear >> finishing & 1:
            ending = self.running.pop(finishing)[0]
            ending.verdict, ending.zero = verdict, zero
        hand_over = bool(half.valid) and half_free
        if half.valid:
            assert job and digest and job.started and int(dut.job_ctx_o.value) == job.context
            assert bool(half.spread) == (job.op == CACHED and job.hit)
        if int(dut.walk_we_o.value):
            assert whole and job.op == X25519 and not job.may_abort
        if sign.phase1:
            assert whole and job.op in (KEYGEN, SIGN) and not job.may_abort and not job.too_long
        if phase1:
            job.context = int(dut.job_ctx_o.value)
            assert job.context not in self.at_work
            self.at_work[job.context] = job
            job.complete = job.op == KEYGEN
            self.signatures += [job] if job.op == SIGN else []
            self.server = (job, 1, now + self.rng.randrange(1, 60))
        if sign.phase2:
            head = self.signatures[0]
            assert head.verdict is not None and int(dut.phase2_ctx_o.value) == head.context
        if phase2:
            self.server = (self.signatures.pop(0), 2, now + self.rng.randrange(1, 60))
        self.loads_held += bool(whole and job.op == LOAD and not start and self.in_use(job.slot))
        if start:
            context = start.bit_length() - 1
            assert start == 1 << context and context not in self.running
            if context in self.seeded:
                self.seeded.discard(context)
                starting = self.at_work[context]
            else:
                assert job and complete and not malformed and not job.started
                assert context not in self.at_work
                assert not job.may_abort, "an aborted job must not begin"
                assert not self.halving or self.halving[0] != context
                assert job.op in VERIFICATIONS or (job.op == X25519 and written) or (job.op == LOAD and whole)
                job.context = context
                self.at_work[context] = starting = job
                self.ready.discard(context)
            starting.started = True
            starting.complete |= starting.op in (X25519, LOAD)
            program = VERIFY if starting.op in VERIFICATIONS and not starting.uses_slot else starting.op
            assert PROGRAM.unpack(int(dut.program_o.value)).op == program
            assert starting.op != LOAD or not self.in_use(starting.slot)
            assert starting.op != CACHED or self.valid_for >= 2
            self.starts += 1
            if not clear >> context & 1:
                self.running[context] = (
                    starting, now + self.rng.choice((1, 3, self.rng.randrange(400))))  # fmt: skip
        assert not written or (start and job.started)
        if served:
            if served[1] == 1:
                self.seeded.add(served[0].context)
            else:
                served[0].complete = True
            if self.server is served:
                self.server = None
        wanted = (1 << self.contexts) - 1 if reset else 0
        assert wiped == wanted | (0 if self.answered is None else 1 << self.answered)
        for c in range(self.contexts):
            if clear >> c & 1:
                self.running.pop(c, None)
                self.ready.discard(c)
        if self.halving and self.halving[1] <= now:
            self.ready |= {self.halving[0]} if not clear >> self.halving[0] & 1 else set()
            self.halving = None
        if hand_over:
            job.complete = True
            self.halving = (job.context, now + self.rng.randrange(1, 60))
        if reset:
            self.halving = self.server = None
            self.seeded.clear()
            self.signatures.clear()
            assert clear == (1 << self.contexts) - 1
            self.wiped = now + 1 + self.rng.choice(self.wipes)
            self.resets += 1
            self.resetting = True
            for other in self.jobs:
                open_now = other.answer is None and other is not header
                offered = self.offer and self.offer[0] == other.tag
                other.may_abort |= open_now or other is header
                other.must_abort |= open_now and not offered and not other.refused_before(now)
        elif int(dut.reset_done_o.value):
            assert self.resetting and not wiping and all(
                other.answer is not None for other in self.jobs if other.may_abort)
            self.resetting = False
            self.resets_done += 1
        too_long = whole and job.too_long
        refused = too_long or (malformed and ended)
        loaded = start and whole and job.op == LOAD
        if done:
            assert job and (hand_over or written or loaded or phase1 or refused or job.may_abort)
            assert sign.drop or not refused
            self.job, self.pause = None, self.rng.choice((0, 0, 1, 30))
        elif header is not None:
            self.job, self.digest_in = header, self.rng.randrange(40)
        self.pause -= self.job is None

    def in_use(self, slot: int) -> bool:
        """Whether a program that runs uses the slot."""
        return any(job.uses_slot and job.slot == slot for job, _ in self.running.values())

    def answers(self, take: bool) -> None:
        """The offer, which must not change before it is taken."""
        dut = self.dut
        self.answered = None
        if not int(dut.result_valid_o.value):
            assert self.offer is None
            return
        result = RESULT.unpack(int(dut.result_o.value))
        seen = (result.tag, result.rule, Reason(result.reason), result.cycles, result.op, int(dut.result_ctx_o.value))
        if self.offer is None:
            job = next(job for job in self.jobs if job.tag == seen[0])
            assert job.answer is None and seen[1] == job.rule and seen[4] == job.op
            assert seen[3] == self.now - job.header
            age = self.now - job.header
            if seen[2] == Reason.aborted:
                assert job.may_abort
            elif seen[2] == Reason.malformed_job:
                assert job.bad is not None and age > job.end and not job.must_abort
            elif seen[2] == Reason.message_too_long:
                assert job.too_long and job.bad is None and age > job.end and not job.must_abort
            else:
                assert seen[2] == job.verdict and job.bad is None and not job.must_abort
                assert job.complete and (job.op not in VERIFICATIONS or job.context in self.ready)
                assert result.zero == job.zero and seen[5] == job.context
            self.offer = seen
        assert seen == self.offer
        if take:
            job = next(job for job in self.jobs if job.tag == seen[0])
            job.answer = seen[2]
            self.reasons[seen[2]] += 1
            self.answered = seen[5]
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
    assert bench.loads_held > JOBS // 8


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
    assert bench.resets > JOBS // 40 and JOBS // 80 < bench.resets_done <= bench.resets and not bench.resetting


@cocotb.test()
async def soft_reset_without_a_job(dut) -> None:
    """It is finished as soon as registers are wiped, and the next job does not suffer from it."""
    bench = Bench(dut, 3, (0,))
    await bench.begin()
    await bench.cycle(False, True, 1)
    for _ in range(4):
        await bench.cycle(False, False, 1)
    assert bench.resets_done == 1
    bench.wipes = (20,)
    await bench.cycle(False, True, 1)
    for passed in range(26):
        assert bench.resets_done == 1 + (passed > 21), passed
        await bench.cycle(False, False, 1)
    while len(bench.jobs) < 20:
        await bench.cycle(True, False, 1)
    await bench.finish()
    assert not bench.reasons[Reason.aborted]


@pytest.mark.parametrize(("contexts", "jobs"), [
    (12, 300), *(pytest.param(contexts, 800, marks=pytest.mark.long) for contexts in (2, 5, 12, 32))])
def test_control(contexts: int, jobs: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_control", SOURCES, __name__,
                        {"NumContexts": contexts, "Keys": KEYS}, expect=3, extra_env={"PM_JOBS": str(jobs)},
                        build_dir=f"build/cocotb/test_pm_edverify_barrel_control/{contexts}")  # fmt: skip


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="NumContexts must be 2 to 32"):
        simbuild.lint("pm_edverify_barrel_control", SOURCES, {"NumContexts": 33})
