# SPDX-License-Identifier: Apache-2.0
"""Soak of the core: random jobs at random pace with soft resets, against the golden model.

`make soak PM_SOAK_SECONDS=...`; the count of verdicts is printed and asserted to be what was asked.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import pytest
from edverify_core import CONTEXTS, CYCLES_PER_JOB, Core, Job, Result, beats_of_job, judged

from pointmill.hostile import hostile_cases
from pointmill.rules import RULES, Reason

CTRL, SOFT_RESET = 0x0C, 1
CASES = 24  # a round has each of them under six rule sets


def run_round(core: Core, jobs: list[Job], rng: random.Random) -> Counter[Reason]:
    """One round in random order and pace, with at most one soft reset."""
    rng.shuffle(jobs)
    contexts = CONTEXTS[core.config]
    core.pace(rng.getrandbits(32), *rng.choice([(0, 0), (30, 0), (0, 60), (20, 40)]))
    for tag, job in enumerate(jobs):
        core.push(beats_of_job(job, tag))
    reset = rng.random() < 0.5
    taken: list[Result] = []
    if reset:
        core.run(rng.randrange(len(jobs) * (7000 if contexts == 1 else 2100)))
        taken = core.take()
        core.write(CTRL, SOFT_RESET)
    limit = sum(2 * CYCLES_PER_JOB + 4 * job.message_cycles for job in jobs)
    taken += core.answers(len(jobs) - len(taken), limit)
    if contexts > 1:
        taken.sort()
    assert [result.tag for result in taken] == list(range(len(jobs)))
    aborted = sum(result.reason == Reason.aborted for result in taken)
    assert aborted <= reset * (contexts + (contexts > 1))
    for job, result in zip(jobs, taken, strict=True):
        assert result.rule == RULES[job.rule].id
        if result.reason != Reason.aborted:
            assert (result.valid, result.reason) == (job.valid, job.reason), job.case.id
    return Counter(Reason(result.reason) for result in taken)


@pytest.mark.soak
@pytest.mark.parametrize("config", CONTEXTS)
def test_soak(config: str) -> None:
    """Rounds until this configuration's share of the time is over; every verdict is compared."""
    seconds = float(os.environ.get("PM_SOAK_SECONDS", "600"))
    end = time.monotonic() + seconds / len(CONTEXTS)
    seed = random.SystemRandom().getrandbits(32)
    core, reasons, rounds = Core(config), Counter[Reason](), 0
    while not rounds or time.monotonic() < end:
        jobs = judged(hostile_cases(CASES, seed=seed + rounds))
        reasons += run_round(core, jobs, random.Random(seed + rounds))
        rounds += 1
    core.close()
    print(f"soak of {config}: seed {seed}, {rounds} rounds, {reasons.total()} verdicts: {dict(reasons)}")
    assert reasons.total() == rounds * CASES * len(RULES)
