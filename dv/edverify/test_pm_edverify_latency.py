# SPDX-License-Identifier: Apache-2.0
"""Configuration `latency`: a sample of what the other benches ask of it in the long tests, and its time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import CONTEXTS, Core, Job, check, judged, stated
from dv.edverify.test_pm_edverify_barrel_engine import honest, soft_reset
from pointmill.rules import VERDICTS, Reason
from vectors import ed25519_vectors
from vectors.hostile import CATEGORIES, hostile_case, hostile_cases

MOST_ALONE = 5650  # cycles of a job alone, in the mean over a sample
ALONE = 24


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    core = Core("latency")
    yield core
    core.close()


@pytest.fixture(scope="module")
def hostile() -> list[Job]:
    """Every category of hostile signatures twice, under every rule."""
    assert len(CATEGORIES) == 26
    return judged(hostile_case(index, 61) for index in range(52))


def test_rfc8032(core: Core) -> None:
    assert len(check(core, stated(ed25519_vectors.rfc8032_cases()))) == 30


def test_hostile_side_by_side(core: Core, hostile: list[Job]) -> None:
    """Words of eight jobs among each other, later than scheduled: verdict and reason are the same."""
    assert len(check(core, hostile)) == 312
    assert {job.reason for job in hostile} == VERDICTS - {Reason.malformed_job, Reason.aborted}


def test_hostile_one_by_one(core: Core, hostile: list[Job]) -> None:
    """Words of a job alone, as scheduled; each rule comes with every second category or so."""
    assert len(check(core, hostile[::7], chunk=1)) == 45


def test_a_job_alone_is_fast(core: Core) -> None:
    """Whatever ran before it."""
    jobs = honest(ALONE, 62)
    results = check(core, jobs, chunk=1)
    assert sum(result.cycles for result in results) <= ALONE * MOST_ALONE
    assert [result.cycles for result in check(core, jobs[:3], chunk=1)] == [
        result.cycles for result in results[:3]
    ]


def test_a_list_that_is_late(core: Core) -> None:
    """A list that is not complete when the program comes for it: the message is long."""
    jobs = honest(3, 63, length=20_000)
    results = check(core, jobs, chunk=1)
    hashing = 80 * ((64 + 20_000 + 17 + 127) // 128)
    assert all(0 < result.cycles - hashing < MOST_ALONE for result in results)


@pytest.mark.parametrize(("seed", "idle", "stall"), [(1, 0, 50), (2, 60, 60), (3, 95, 20)])
def test_pauses(core: Core, hostile: list[Job], seed: int, idle: int, stall: int) -> None:
    core.pace(seed, idle, stall)
    assert len(check(core, random.Random(seed).sample(hostile, 40))) == 40
    core.pace()


def test_soft_reset_at_random_cycles(core: Core) -> None:
    """Every job is answered once, then the core is idle and the next jobs are right."""
    rng = random.Random(64)
    jobs = judged(hostile_cases(13, 65, 200))
    points = [0, 3, *(rng.randrange(30_000) for _ in range(10))]
    aborted = sum(soft_reset(core, jobs, rng, point) for point in points)
    assert 0 < aborted <= len(points) * 2 * (CONTEXTS["latency"] + 1)
