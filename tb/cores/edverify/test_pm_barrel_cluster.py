# SPDX-License-Identifier: Apache-2.0
"""Several engines behind one stream: rate, verdicts and reasons, soft resets, counters."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from cores.edverify.edverify_core import (
    CONTEXTS, OKAY, Core, beats_of_job, check, judged,
)  # fmt: skip
from cores.edverify.test_pm_barrel_engine import CTRL, MULS, by_tag, honest, steady_cycles

from pointmill import simbuild
from pointmill.hostile import hostile_cases
from pointmill.rules import Reason

CONFIG = "two_engines"
SAMPLE, STEADY_CYCLES = 300, 9_268_338


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    core = Core(CONFIG)
    yield core
    core.close()


def test_two_engines_answer_twice_as_often(core: Core) -> None:
    """Exact, and nearly twice the rate of one engine."""
    cycles, answers = steady_cycles(core, honest(SAMPLE, 7))
    assert cycles == STEADY_CYCLES
    assert cycles <= 1060 * answers


def test_both_engines_work(core: Core) -> None:
    """Two jobs alone take as long as one: the second finds the idle engine."""
    pair = honest(2, 8)
    alone = [check(core, [job])[0].cycles for job in pair]
    together = [result.cycles for result in check(core, pair)]
    assert together[0] == alone[0]
    assert together[1] <= alone[1] + 250  # it waits for the scalars of the first


def test_verdicts(core: Core) -> None:
    """Hostile signatures under all rules, verdict and reason, with pauses on both sides."""
    core.pace(5, idle=10, stall=50)
    jobs = judged(hostile_cases(78, seed=61, max_message=300))
    random.Random(3).shuffle(jobs)
    assert len(check(core, jobs, 100)) == len(jobs) == 468
    core.pace()


def test_soft_reset(core: Core) -> None:
    """All contexts of both engines are abandoned; what comes afterwards is right."""
    jobs = honest(60, 9)
    rng = random.Random(4)
    aborted = 0
    for _ in range(6):
        for tag, job in enumerate(jobs):
            core.push(beats_of_job(job, tag))
        core.run(rng.randrange(8_000, 60_000))
        assert core.write(CTRL, 1) == OKAY
        answers = by_tag(core.answers(len(jobs)))
        assert [tag for tag, _ in answers] == list(range(len(jobs)))
        count = sum(reason == Reason.aborted for _, reason in answers)
        assert {reason for _, reason in answers} <= {Reason.ok, Reason.aborted}
        assert 12 < count <= CONTEXTS[CONFIG] + 1
        aborted += count
    assert aborted > 100


def test_every_product_is_counted(core: Core) -> None:
    """The counter adds those of both engines: more than one a cycle."""
    before, start = core.read(MULS)[0], core.cycle
    check(core, honest(60, 10), 60)
    assert core.read(MULS)[0] - before > 1.3 * (core.cycle - start)


def test_refused_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="`paper` has one engine"):
        simbuild.lint("pm_edverify", "rtl/cores/edverify/edverify.f", {"Contexts": 1, "Engines": 2})
