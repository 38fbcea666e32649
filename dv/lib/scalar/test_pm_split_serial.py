# SPDX-License-Identifier: Apache-2.0
"""pm_split_serial: every list has the digits of plain integers; jobs overlap; cycle counts; clear."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from naf_reference import L
from scalar_jobs import Job, random_jobs, runner
from test_pm_scalar_unit import digest_of
from test_pm_split_list import EDGES, MAX_ENTRIES, check_list, full

UNIT = "pm_split_serial"


def check(jobs: Sequence[Job], stall_seed: int = 0) -> list[int]:
    """Compares all lists of the jobs, which follow each other; cycles from the first offer to the end of each."""
    lists, ends = runner(UNIT)(jobs, stall_seed)
    assert len(lists) == len(jobs)
    for (s, digest), entries in zip(jobs, lists, strict=True):
        check_list(entries, s, digest % L)
    return ends


def intervals(ends: Sequence[int]) -> list[int]:
    """Cycles from each list to the next."""
    return [later - sooner for sooner, later in itertools.pairwise(ends)]


def test_random() -> None:
    """3,000 jobs in a row, and 300 alone; the documentation quotes their cycles."""
    jobs = random_jobs(random.Random(1), 3_000)
    between = intervals(check(jobs))
    assert (sum(between), max(between)) == (1_452_974, 503)
    alone = [check([job])[0] for job in jobs[:300]]
    assert (sum(alone), max(alone)) == (268_594, 909)


def test_edges() -> None:
    """All pairs of edge scalars, with the empty list, the longest one and all digits at one position; every S below
    2^253."""
    rng = random.Random(2)
    scalars = [k for k in EDGES if k < L]
    jobs = [(s, digest_of(rng, k)) for s, k in itertools.product(EDGES, scalars)]
    assert len(jobs) == 850
    assert max(intervals(check(jobs))) == 518
    assert max(check([job])[0] for job in jobs) == 929
    longest, empty = (full(8), full(5)), (0, 0)
    assert [len(entries) for entries in runner(UNIT)([longest, empty, longest])[0]] == [MAX_ENTRIES, 0, MAX_ENTRIES]


def test_ends_of_the_ranges() -> None:
    """Digests about multiples of L and about powers of two; S of any size, up to 2^253 - 1."""
    rng = random.Random(3)
    digests = [0, 1, L - 1, L, L + 1, 2**512 - 1, L * (2**512 // L), *(1 << bit for bit in range(512)),
               *((1 << bit) - 1 for bit in range(512))]
    for _ in range(100):
        multiple = L * rng.getrandbits(rng.randrange(1, 260))
        digests += [multiple, multiple + 1, multiple + L - 1, multiple + 2**252 - 1, multiple + 2**252]
    jobs = [(rng.choice([rng.getrandbits(253), 2**253 - 1 - rng.getrandbits(rng.randrange(253)), rng.getrandbits(8)]),
             digest % 2**512) for digest in digests]
    assert len(jobs) == 1_531
    check(jobs)


def test_pauses() -> None:
    """Jobs offered and entries taken at random times; lists that wait hold up jobs, and lose nothing."""
    for seed in range(1, 9):
        check(random_jobs(random.Random(seed), 40), seed)


def test_clear_at_every_point() -> None:
    """clear_i in every cycle of three jobs that overlap: the next jobs, offered at once, are right."""
    rng = random.Random(4)
    jobs = random_jobs(rng, 3)
    whole = check(jobs)[-1]
    for cycle in range(whole):
        runner(UNIT)(jobs, clear_after=cycle)
        check(random_jobs(rng, 1 if cycle % 10 else 2))
    assert whole == 1_859
