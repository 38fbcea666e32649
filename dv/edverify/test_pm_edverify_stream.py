# SPDX-License-Identifier: Apache-2.0
"""pm_edverify as a stream component: pauses, back-pressure, damaged packets, queues, resets."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import (
    OKAY,
    SLVERR,
    Core,
    Job,
    beats_of_job as beats,
    check,
    damaged,
    judged,
    packet,
    reasons,
)
from pointmill.rules import RULES, Reason
from vectors.hostile import hostile_cases

CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = 0x0C, 0x10, 0x14, 0x18, 0x1C
JOBS, VALID, ERRORS, CYCLES, BUSY, MULS = 0x20, 0x24, 0x28, 0x30, 0x38, 0x40
JOB_DONE, JOB_MALFORMED, RESET_DONE = 1, 2, 4


@pytest.fixture
def core() -> Iterator[Core]:
    core = Core()
    yield core
    core.close()


@pytest.fixture(scope="module")
def jobs() -> list[Job]:
    """One job of every category of hostile signatures, rules taking turns."""
    every = judged(hostile_cases(26, seed=51, max_message=300))
    chosen = [every[6 * i + i % 6] for i in range(26)]
    assert {job.rule for job in chosen} == set(RULES)
    return chosen


# ---- pauses and back-pressure -------------------------------------------------------------------


def test_back_pressure_changes_nothing_but_time(core: Core, jobs: list[Job]) -> None:
    """Results taken at random times: same verdicts and, job by job, the same cycles."""
    calm = [result.cycles for result in check(core, jobs)]
    for seed, stall in ((1, 50), (2, 97)):
        core.pace(seed, stall=stall)
        assert [result.cycles for result in check(core, jobs)] == calm


@pytest.mark.parametrize(("seed", "idle", "stall"), [(3, 30, 0), (4, 60, 60), (5, 95, 20)])
def test_pauses(core: Core, jobs: list[Job], seed: int, idle: int, stall: int) -> None:
    """Beats at random times: the same verdicts."""
    core.pace(seed, idle, stall)
    assert len(check(core, jobs)) == 26


def test_many_jobs_wait_for_their_results_to_be_taken(core: Core, jobs: list[Job]) -> None:
    """40 jobs offered back to back while nobody takes a result: the core stops, then answers all
    in order and with the cycles of jobs that were never stopped."""
    queue = [jobs[i % len(jobs)] for i in range(40)]
    calm = [result.cycles for result in check(core, queue)]
    core.pace(stall=100)
    accepted = core.accepted
    for tag, job in enumerate(queue):
        core.push(beats(job, tag))
    core.run(60_000)
    assert core.take() == []
    before = core.accepted - accepted
    core.run(60_000)
    assert core.accepted - accepted == before < sum(len(beats(job, 0)) for job in queue)
    core.pace()
    results = core.answers(40)
    assert reasons(results) == [(tag, job.reason) for tag, job in enumerate(queue)]
    # The second answer waited in the control, whose counter stands still meanwhile.
    assert [result.cycles for result in results] == calm


# ---- damaged packets ----------------------------------------------------------------------------


def test_damaged_packets_between_good_ones(core: Core, jobs: list[Job]) -> None:
    """Each is answered once, as malformed and with its tag; its neighbours are right."""
    short = next(job for job in jobs if 16 <= len(job.case.msg) < 64)
    refused = next(job for job in jobs if job.reason == Reason.s_out_of_range)
    bad = list(damaged(short, 0xDEAD))
    assert len(bad) == 12 + 6 * (len(beats(short, 0)) - 1) + 3 + 4 + 16 + 5
    expected = []
    for index, wrong in enumerate(bad):
        core.push(wrong)
        expected.append((0xDEAD, Reason.malformed_job))
        good = refused if index % 8 else jobs[index // 8 % len(jobs)]  # mostly the fast one
        core.push(beats(good, index))
        expected.append((index, good.reason))
    results = core.answers(len(expected))
    assert reasons(results) == expected
    assert core.read(JOBS) == (len(expected), OKAY)
    assert core.read(ERRORS) == (len(bad), OKAY)
    assert core.read(VALID) == (sum(reason == Reason.ok for _, reason in expected), OKAY)
    assert core.read(IRQ_STATUS) == (JOB_DONE | JOB_MALFORMED, OKAY)


def test_damage_that_shows_after_the_verdict(core: Core, jobs: list[Job]) -> None:
    """A bad beat of a message whose job was decided long ago still makes the job malformed."""
    refused = next(job for job in jobs if job.reason == Reason.s_out_of_range)
    long = packet(7, RULES[refused.rule].id, refused.case.pk, bytes(20_000), refused.case.sig)
    core.push(long)
    core.push([*long[:-2], (long[-2][0], 0x7F), long[-1]])
    core.push(beats(refused, 8))
    assert reasons(core.answers(3, 100_000)) == [
        (7, Reason.s_out_of_range), (7, Reason.malformed_job), (8, Reason.s_out_of_range)
    ]  # fmt: skip


def test_tail_without_bytes(core: Core, jobs: list[Job]) -> None:
    """A last message beat may hold no byte."""
    job = next(job for job in jobs if job.reason == Reason.ok and len(job.case.msg) % 8 == 0)
    core.push([*beats(job, 5), (b"\xff" * 8, 0)])
    assert reasons(core.answers(1)) == [(5, Reason.ok)]


# ---- reset --------------------------------------------------------------------------------------


def test_reset_at_random_cycles(core: Core, jobs: list[Job]) -> None:
    """60 times: whatever was under way is forgotten, the next job is right and takes its time."""
    rng = random.Random(71)
    calm = [result.cycles for result in check(core, jobs)]
    points = [*range(12), *(rng.randrange(8200) for _ in range(48))]
    for number, point in enumerate(points):
        core.pace(number, idle=rng.choice((0, 0, 50)), stall=rng.choice((0, 0, 50)))
        for tag in range(3):
            core.push(beats(rng.choice(jobs), tag))
        core.run(point)
        core.reset(rng.choice((1, 3)))
        core.pace()
        next_job = number % len(jobs)
        result = check(core, [jobs[next_job]])[0]
        assert result.cycles == calm[next_job], point
        assert core.read(JOBS) == (1, OKAY)
        assert core.read(STATUS) == (0, OKAY)
    assert len(points) == 60


def test_soft_reset_at_random_cycles(core: Core, jobs: list[Job]) -> None:
    """80 times: every job that was sent is answered once, in order, with its verdict or aborted;
    then the core is idle, says so, and the next job is right."""
    rng = random.Random(72)
    calm = [result.cycles for result in check(core, jobs)]
    aborted = 0
    answered = len(jobs)
    points = [*range(20), *(rng.randrange(16_000) for _ in range(60))]
    for number, point in enumerate(points):
        core.pace(number, idle=rng.choice((0, 0, 70)), stall=rng.choice((0, 0, 70)))
        sent = rng.choices(range(len(jobs)), k=2)
        for tag, job in enumerate(sent):
            core.push(beats(jobs[job], tag))
        core.run(point)
        assert core.write(CTRL, 1) == OKAY
        for _ in range(rng.choice((0, 0, 1))):  # again, at once
            assert core.write(CTRL, 1) == OKAY
        results = core.answers(2)
        assert [result.tag for result in results] == [0, 1]
        for result, job in zip(results, sent):
            if result.reason == Reason.aborted:
                aborted += 1
                assert not result.valid
            else:
                assert result.reason == jobs[job].reason
        core.run(50)
        status, _ = core.read(IRQ_STATUS)
        assert status & RESET_DONE
        assert core.write(IRQ_STATUS, status) == OKAY
        core.pace()
        next_job = number % len(jobs)
        assert check(core, [jobs[next_job]])[0].cycles == calm[next_job], point
        answered += 3
        assert core.read(JOBS) == (answered, OKAY)
        assert core.read(ERRORS) == (aborted, OKAY)
    assert len(points) == 80
    assert 40 <= aborted < 160


def test_soft_reset_with_a_message_still_arriving(core: Core, jobs: list[Job]) -> None:
    """The answer comes at once; the rest of the packet is swallowed; the next job is right."""
    job = next(job for job in jobs if job.reason == Reason.ok)
    core.push(packet(1, RULES[job.rule].id, job.case.pk, bytes(50_000), job.case.sig))
    core.push(beats(job, 2))
    core.run(9000)
    assert core.write(CTRL, 1) == OKAY
    assert reasons(core.answers(1, 20)) == [(1, Reason.aborted)]
    assert reasons(core.answers(1)) == [(2, Reason.ok)]


# ---- registers while jobs run -------------------------------------------------------------------


def test_registers_and_counters(core: Core, jobs: list[Job]) -> None:
    """Counters agree with the results; COUNT_CLEAR is refused while busy; the interrupt line."""
    def counter(address: int) -> int:
        low, high = core.read(address), core.read(address + 4)
        assert low[1] == high[1] == OKAY
        return high[0] << 32 | low[0]

    assert core.read(STATUS) == (0, OKAY)
    assert core.write(IRQ_ENABLE, JOB_DONE) == OKAY
    assert not core.irq
    started = core.cycle
    short = sorted(jobs, key=lambda job: len(job.case.msg))[:8]
    for tag, job in enumerate(short):
        core.push(beats(job, tag))
    core.run(300)
    status = core.read(STATUS)[0]
    assert status & 1 and status >> 8 >= 1
    assert core.write(COUNT_CLEAR, 1) == SLVERR
    assert core.write(JOBS, 0) == SLVERR
    assert core.read(0x2C)[1] == SLVERR
    assert core.read(0xFC) == (0, SLVERR)
    results = core.answers(8)
    core.run(2)
    assert core.irq
    assert core.read(IRQ_STATUS) == (JOB_DONE, OKAY)
    assert core.write(IRQ_STATUS, JOB_DONE) == OKAY
    assert not core.irq
    assert core.read(JOBS)[0] == 8
    assert core.read(VALID)[0] == sum(result.valid for result in results)
    assert core.read(ERRORS)[0] == 0
    busy = counter(BUSY)
    assert busy <= core.cycle - started
    # Busy from the cycle after each header to the cycle before the last beat of its answer.
    assert busy == sum(result.cycles + 1 for result in results)
    full = sum(result.reason in (Reason.ok, Reason.equation_fails) for result in results)
    assert 2800 * full < counter(MULS) < 3400 * len(results)
    now = counter(CYCLES)
    assert core.write(COUNT_CLEAR, 1) == OKAY
    assert counter(CYCLES) < now
    assert [counter(BUSY), counter(MULS)] == [0, 0]
    assert [core.read(address)[0] for address in (JOBS, VALID, ERRORS)] == [0, 0, 0]
