# SPDX-License-Identifier: Apache-2.0
"""The core with several contexts (`throughput`, `latency`): rate, order, pauses, damage, queues, resets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import (
    CONTEXTS,
    OKAY,
    SLVERR,
    Core,
    Job,
    Result,
    beats_of_job,
    check,
    damaged,
    judged,
    packet,
    reasons,
)
from pointmill.measure.benches.edverify import signatures
from pointmill.rules import RULES, Reason
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases

CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = 0x0C, 0x10, 0x14, 0x18, 0x1C
JOBS, VALID, ERRORS, CYCLES, BUSY, MULS = 0x20, 0x24, 0x28, 0x30, 0x38, 0x40
JOB_DONE, RESET_DONE = 1, 4
# Cycles in which the registers are wiped after a soft reset, at most.
WIPING = 200
# Jobs by a soft reset, on the average of so many: in `latency` a job is at work for a third of the cycles.
LEAST_ABORTED = {("throughput", 15): 5, ("throughput", 40): 5, ("latency", 15): 2, ("latency", 40): 3}


@pytest.fixture(params=["throughput", pytest.param("latency", marks=pytest.mark.long)])
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


@pytest.fixture
def throughput() -> Iterator[Core]:
    """The configuration that is made for its rate."""
    core = Core("throughput")
    yield core
    core.close()


@pytest.fixture(scope="module")
def jobs() -> list[Job]:
    """One job of every category of hostile signatures, rules taking turns."""
    every = judged(hostile_cases(26, seed=51, max_message=300))
    chosen = [every[6 * i + i % 6] for i in range(26)]
    assert {job.rule for job in chosen} == set(RULES)
    return chosen


def at_work(core: Core) -> int:
    """Jobs that a soft reset may abort: one in each context, and one that waits for a context."""
    return CONTEXTS[core.config] + 1


def by_tag(results: list[Result]) -> list[tuple[int, Reason]]:
    """(tag, reason) of every answer, in the order of the tags."""
    return reasons(sorted(results))


# ---- rate ---------------------------------------------------------------------------------------

STEADY_SAMPLE = 200
MOST_SAMPLED, MOST = 2110, 2100


def honest(count: int, seed: int, rule: str = "rfc8032_cofactorless",
           length: int | None = None) -> list[Job]:
    """Valid signatures by OpenSSL over messages of `length`, else of one SHA-512 block."""
    return [Job(Case(item.pk, item.msg, item.sig, {}, "openssl", str(i)), rule, True, Reason.ok)
            for i, item in enumerate(signatures(count, seed, length))]  # fmt: skip


def steady_cycles(core: Core, queue: list[Job]) -> tuple[int, int]:
    """(cycles, answers) between an early and a late window of a run: the sum over the answers of the
    late one less that of the early one, which does not depend on where in a round a window begins.
    Left out is the time in which contexts fill or run dry."""
    ends = sorted(result.answered_at for result in check(core, queue, len(queue)))
    window = 2 * CONTEXTS[core.config]  # answers at each end, two rounds
    early, late = window, len(queue) - window - 20
    cycles = sum(ends[late : late + window]) - sum(ends[early : early + window])
    return cycles, window * (late - early)


def test_steady_state(throughput: Core) -> None:
    cycles, answers = steady_cycles(throughput, honest(STEADY_SAMPLE, 7))
    assert cycles <= MOST_SAMPLED * answers


@pytest.mark.long
def test_steady_state_of_2000(throughput: Core) -> None:
    cycles, answers = steady_cycles(throughput, honest(2000, 8))
    assert cycles <= MOST * answers


# Three doublings more, or two looks at the order of a point.
MOST_BY_RULE = {"rfc8032_cofactored": 2125, "zip215": 2125, "ref10_bytes": 2110,
                "dalek_strict": 2120, "libsodium": 2120}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("rule", MOST_BY_RULE)
def test_steady_state_of_other_rules(throughput: Core, rule: str) -> None:
    cycles, answers = steady_cycles(throughput, honest(500, 9, rule))
    assert cycles <= MOST_BY_RULE[rule] * answers


def test_cycles_are_honest(core: Core) -> None:
    """Of a lone job a bystander measures what is reported, from its header at the port (one cycle
    in the FIFO) to its last result beat (two cycles after the verdict); and it is the same each
    time."""
    job = honest(1, 43)[0]
    seen = set()
    for pause in (0, 37, 5):
        core.run(pause)
        before = core.cycle
        result = check(core, [job])[0]
        assert result.answered_at - before == result.cycles + 3
        seen.add(result.cycles)
    assert len(seen) == 1


# ---- jobs among each other ----------------------------------------------------------------------


def test_jobs_overtake_each_other(core: Core, jobs: list[Job]) -> None:
    """Refused jobs are answered before verified ones that came earlier; each answer has the tag of
    its job, also when tags repeat or are far apart."""
    slow = honest(6, 44)
    fast = [job for job in jobs if job.reason == Reason.s_out_of_range]
    tags = [0xFFFF_FFFF, 0, 7, 7, 0x8000_0000, 1]
    for tag, job in zip(tags, slow, strict=True):
        core.push(beats_of_job(job, tag))
    core.push(beats_of_job(fast[0], 1234))
    results = core.answers(7)
    assert reasons(results)[0] == (1234, Reason.s_out_of_range)
    assert Counter(reasons(results[1:])) == Counter((tag, Reason.ok) for tag in tags)


def test_a_long_message_delays_nobody_before_it(core: Core) -> None:
    """While 100,000 bytes arrive, the jobs before them are answered (a little later: there is one
    context more at work); those behind them, which share the stream, are verified together with
    the long one."""
    before, behind = honest(10, 45), honest(10, 46)
    long = honest(1, 47, length=100_000)[0]
    alone = {result.tag: result.cycles for result in check(core, before)}
    core.run(100)
    start = core.accepted
    for tag, job in enumerate([*before, long, *behind]):
        core.push(beats_of_job(job, tag))
    results = core.answers(10)
    assert all(result.cycles <= 1.1 * alone[result.tag] for result in results)
    assert core.accepted - start < 13 * 11 + 12_500 // 2  # most of the message is still to come
    results += core.answers(11, 400_000)
    assert by_tag(results) == [(tag, Reason.ok) for tag in range(21)]
    hashing = 80 * ((64 + 100_000 + 17 + 127) // 128)
    cycles = {result.tag: result.cycles for result in results}
    assert hashing < cycles[10] < hashing + 20_000
    assert all(cycles[tag] < 2 * max(alone.values()) for tag in range(11, 21))


@pytest.mark.parametrize(("seed", "idle", "stall"),
                         [(1, 0, 50), (2, 0, 97), (3, 30, 0), (4, 60, 60), (5, 95, 20)])
def test_pauses(core: Core, jobs: list[Job], seed: int, idle: int, stall: int) -> None:
    """Beats offered and results taken at random times: the same verdicts."""
    core.pace(seed, idle, stall)
    assert len(check(core, jobs)) == 26


def test_many_jobs_wait_for_their_results_to_be_taken(core: Core, jobs: list[Job]) -> None:
    """60 jobs offered back to back while nobody takes a result: all contexts fill, the core stops,
    then answers each job once."""
    queue = [jobs[i % len(jobs)] for i in range(60)]
    core.pace(stall=100)
    accepted = core.accepted
    for tag, job in enumerate(queue):
        core.push(beats_of_job(job, tag))
    core.run(120_000)
    assert core.take() == []
    before = core.accepted - accepted
    core.run(60_000)
    assert core.accepted - accepted == before < sum(len(beats_of_job(job, 0)) for job in queue)
    assert before > 13 * CONTEXTS[core.config]
    core.pace()
    results = core.answers(60)
    assert by_tag(results) == [(tag, job.reason) for tag, job in enumerate(queue)]
    core.run(1000)
    assert core.take() == []
    assert core.read(STATUS) == (0, OKAY)


def test_damaged_packets_between_good_ones(core: Core, jobs: list[Job]) -> None:
    """Each is answered once, as malformed and with its tag; its neighbours are right."""
    short = next(job for job in jobs if 16 <= len(job.case.msg) < 64)
    expected = []
    for index, wrong in enumerate(damaged(short, 0)):
        header = int.from_bytes(wrong[0][0], "little") & 0xFFFF_FFFF | index << 32 | 1 << 63
        core.push([(header.to_bytes(8, "little"), wrong[0][1]), *wrong[1:]])
        expected.append((index | 1 << 31, Reason.malformed_job))
        good = jobs[index % len(jobs)]
        core.push(beats_of_job(good, index))
        expected.append((index, good.reason))
    bad = len(expected) // 2
    assert bad == 12 + 6 * (len(beats_of_job(short, 0)) - 1) + 3 + 4 + 16 + 5
    core.pace(6, idle=10, stall=30)
    results = core.answers(len(expected))
    assert by_tag(results) == sorted(expected)
    assert core.read(JOBS) == (len(expected), OKAY)
    assert core.read(ERRORS) == (bad, OKAY)
    assert core.read(VALID) == (sum(reason == Reason.ok for _, reason in expected), OKAY)


# ---- reset --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [15, pytest.param(40, marks=pytest.mark.long)])
def test_reset_at_random_cycles(core: Core, jobs: list[Job], count: int) -> None:
    """So many times: whatever was under way is forgotten; the next jobs are right and take the time that
    they take after power-up."""
    rng = random.Random(71)
    calm = [result.cycles for result in check(core, jobs[:3])]
    points = [*range(count // 5), *(rng.randrange(30_000) for _ in range(count * 4 // 5))]
    for number, point in enumerate(points):
        core.pace(number, idle=rng.choice((0, 0, 50)), stall=rng.choice((0, 0, 50)))
        for tag in range(18):
            core.push(beats_of_job(rng.choice(jobs), tag))
        core.run(point)
        core.reset(rng.choice((1, 3)))
        core.pace()
        assert [result.cycles for result in check(core, jobs[:3])] == calm, point
        core.run(2)
        assert core.read(JOBS) == (3, OKAY)
        assert core.read(STATUS) == (0, OKAY)
    assert len(points) == count


def soft_reset(core: Core, jobs: list[Job], rng: random.Random, point: int) -> int:
    """A soft reset after `point` cycles of 20 jobs; how many were aborted."""
    core.pace(point, idle=rng.choice((0, 0, 70)), stall=rng.choice((0, 0, 70)))
    sent = [rng.choice(jobs) for _ in range(20)]
    for tag, job in enumerate(sent):
        core.push(beats_of_job(job, tag))
    core.run(point)
    assert core.write(IRQ_ENABLE, RESET_DONE) == OKAY
    assert core.write(CTRL, 1) == OKAY
    if again := rng.choice((0, 0, 1)):  # at once
        assert core.write(CTRL, 1) == OKAY
    results = core.answers(20)
    assert [tag for tag, _ in by_tag(results)] == list(range(20))
    aborted = [result for result in results if result.reason == Reason.aborted]
    for result in results:
        assert result.valid == (result.reason == Reason.ok)
        assert result in aborted or result.reason == sent[result.tag].reason, point
    assert len(aborted) <= at_work(core) * (1 + again)
    core.run(WIPING + 50)
    assert core.take() == []
    assert core.irq and core.read(IRQ_STATUS)[0] & RESET_DONE
    assert core.write(IRQ_STATUS, JOB_DONE | RESET_DONE) == OKAY
    assert core.read(STATUS) == (0, OKAY)
    assert len(check(core, rng.sample(jobs, 3))) == 3
    return len(aborted)


@pytest.mark.parametrize("count", [15, pytest.param(40, marks=pytest.mark.long)])
def test_soft_reset_at_random_cycles(core: Core, jobs: list[Job], count: int) -> None:
    """Every accepted job is answered once, with its verdict or aborted; then the core is idle, says
    so, and the next jobs are right."""
    rng = random.Random(72)
    points = [*range(count // 5), *(rng.randrange(40_000) for _ in range(count * 4 // 5))]
    aborted = sum(soft_reset(core, jobs, rng, point) for point in points)
    assert len(points) == count
    assert count * LEAST_ABORTED[core.config, count] < aborted < count * at_work(core)
    assert core.read(ERRORS) == (aborted, OKAY)
    assert core.read(JOBS) == (count * 23, OKAY)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_soft_reset_at_random_cycles_long(core: Core, jobs: list[Job], seed: int) -> None:
    rng = random.Random(seed)
    aborted = sum(soft_reset(core, jobs, rng, rng.randrange(40_000)) for _ in range(150))
    assert aborted > 150 * LEAST_ABORTED[core.config, 40]


def test_soft_reset_with_a_message_still_arriving(core: Core, jobs: list[Job]) -> None:
    """All answers come at once; the rest of the packet is swallowed; the next job is right."""
    job = next(job for job in jobs if job.reason == Reason.ok)
    core.push(beats_of_job(job, 0))
    core.push(packet(1, RULES[job.rule].id, job.case.pk, bytes(50_000), job.case.sig))
    core.push(beats_of_job(job, 2))
    core.run(3000)
    assert core.write(CTRL, 1) == OKAY
    assert by_tag(core.answers(2, 40)) == [(0, Reason.aborted), (1, Reason.aborted)]
    assert reasons(core.answers(1)) == [(2, Reason.ok)]


def test_soft_reset_at_every_stage_of_the_scalars(core: Core) -> None:
    """Reduction, halving, product, recoding of an abandoned job leave nothing behind: the next job,
    whose scalars want the same unit, is right and no later than a job alone."""
    first, second = honest(2, 73)
    alone = check(core, [second])[0].cycles
    stages = range(0, 1200, 40)
    for after in stages:
        sent = core.accepted
        core.push(beats_of_job(first, 0))
        while core.accepted < sent + len(beats_of_job(first, 0)):
            core.run(1)
        core.run(after)
        assert core.write(CTRL, 1) == OKAY
        assert by_tag(core.answers(1, 40)) == [(0, Reason.aborted)]
        core.run(WIPING)
        core.push(beats_of_job(second, 1))
        (result,) = core.answers(1)
        assert (result.tag, result.reason) == (1, Reason.ok) and result.cycles <= alone + 16, after
    assert len(stages) == 30


# ---- registers ----------------------------------------------------------------------------------


def test_registers_and_counters(core: Core, jobs: list[Job]) -> None:
    """Counters agree with the results; COUNT_CLEAR is refused while busy; the interrupt line."""
    def counter(address: int) -> int:
        low, high = core.read(address), core.read(address + 4)
        assert low[1] == high[1] == OKAY
        return high[0] << 32 | low[0]

    assert core.read(STATUS) == (0, OKAY)
    assert core.write(IRQ_ENABLE, JOB_DONE) == OKAY
    started = core.cycle
    for tag, job in enumerate(jobs):
        core.push(beats_of_job(job, tag))
    core.run(300)
    assert core.read(STATUS)[0] & 1 and not core.irq
    assert core.write(COUNT_CLEAR, 1) == SLVERR
    results = core.answers(len(jobs))
    core.run(2)
    assert core.irq
    assert core.write(IRQ_STATUS, JOB_DONE) == OKAY
    assert not core.irq
    assert core.read(JOBS)[0] == len(jobs)
    assert core.read(VALID)[0] == sum(result.valid for result in results)
    assert core.read(ERRORS)[0] == 0
    assert max(result.cycles for result in results) < counter(BUSY) <= core.cycle - started
    full = sum(result.reason in (Reason.ok, Reason.equation_fails) for result in results)
    assert 1800 * full < counter(MULS) < counter(BUSY)
    assert core.write(COUNT_CLEAR, 1) == OKAY
    assert [counter(BUSY), counter(MULS)] == [0, 0]
    assert [core.read(address)[0] for address in (JOBS, VALID, ERRORS)] == [0, 0, 0]
