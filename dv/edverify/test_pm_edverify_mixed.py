# SPDX-License-Identifier: Apache-2.0
"""Keys and R of mixed order, half of the signatures forged, under every rule set: all configurations
give the verdicts and reasons of the golden model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from dv.edverify.edverify_core import Core, Job, check, judged
from pointmill.rules import RULES, Reason
from vectors.hostile import MIXED_PAIRS, mixed_order_case

COFACTORED = {name for name, rule in RULES.items() if rule.cofactored}
SAMPLE = 2 * len(MIXED_PAIRS)  # each pair of torsion parts once genuine, once forged
ACCEPTED = {2: 73, 6: 222}
"""Jobs of the sample under so many rules: of all 126 by the cofactored ones, 96 whose torsion vanishes."""
CHUNK = 8 * SAMPLE  # each pair with every kind of forgery, once with a searched message
CHUNKS = 10


@pytest.fixture(scope="module", params=[
    "throughput",
    *(pytest.param(name, marks=pytest.mark.long) for name in (
        "paper", "hardened", "tiles", "tiles_secret"))])
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


@cache
def mixed_jobs(seed: int, first: int, count: int) -> list[Job]:
    """Six jobs for each case, verdicts and reasons from the golden model; it is made sure that they
    are what the construction implies."""
    jobs = judged(mixed_order_case(index, seed) for index in range(first, first + count))
    for job in jobs:
        assert job.reason in (Reason.ok, Reason.equation_fails), job.case.id
        if job.case.category != "genuine":
            assert not job.valid, job.case.id
        elif job.rule in COFACTORED:
            assert job.valid, job.case.id
        else:
            assert job.valid == torsion_vanishes(job), job.case.id
    return jobs


def torsion_vanishes(job: Job) -> bool:
    """Whether ki + j = 0 mod 8 for the i and j in the case's id and its canonical k."""
    _, i, j = job.case.id.replace("A+", "").replace("R+", "").split()
    return (job.case.k * int(i) + int(j)) % 8 == 0


def check_mixed(core: Core, jobs: list[Job]) -> Counter[tuple[bool, bool]]:
    """Every job on the core; how many were (forged, accepted)."""
    results = check(core, jobs)
    return Counter((job.case.category != "genuine", result.valid)
                   for job, result in zip(jobs, results, strict=True))


@pytest.mark.parametrize("rules", [2, pytest.param(6, marks=pytest.mark.long)])
def test_sampled(core: Core, rules: int) -> None:
    """126 signatures, every pair of torsion parts genuine and forged, under six rules or two in turns."""
    jobs = [job for at, job in enumerate(mixed_jobs(1, 0, SAMPLE)) if (at + at // 6) % 6 < rules]
    counts = check_mixed(core, jobs)
    assert (SAMPLE, len(MIXED_PAIRS)) == (126, 63)
    assert {job.rule for job in jobs} == {*RULES}
    accepted = ACCEPTED[rules]
    assert counts == {(True, False): 63 * rules, (False, True): accepted, (False, False): 63 * rules - accepted}


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whole(core: Core, chunk: int) -> None:
    """1,008 of 10,080 signatures, 6,048 of 60,480 jobs in each configuration."""
    assert CHUNK * CHUNKS == 10_080
    counts = check_mixed(core, mixed_jobs(2, chunk * CHUNK, CHUNK))
    assert counts[True, False] == 3024 and counts[True, True] == 0
    assert counts[False, True] + counts[False, False] == 3024
    assert counts[False, False] > 1000 and counts[False, True] > 1500
