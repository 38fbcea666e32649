# SPDX-License-Identifier: Apache-2.0
"""pm_scalar_serial: every list equals, entry for entry, that of plain integers; jobs overlap."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from halfgcd_reference import M, edges, half_gcd, hostile, multiples_of_eight
from list_reference import Entry, merge, value
from naf_reference import L
from scalar_jobs import Job, random_jobs, runner
from test_pm_scalar_unit import digest_of, unit

UNIT = "pm_scalar_serial"


def wanted(s: int, digest: int) -> list[Entry]:
    """The list, in plain integers."""
    k = digest % L
    half = half_gcd(k)
    sign = -1 if half.d < 0 else 1
    product = abs(half.d) * s % L
    return merge((product % 2**127, product >> 127, sign * half.c, sign * half.d))


def check(jobs: Sequence[Job], stall_seed: int = 0) -> int:
    """Compares all lists of the jobs, which follow each other; cycles."""
    lists, ends = runner(UNIT)(jobs, stall_seed)
    assert len(lists) == len(jobs)
    for (s, digest), entries in zip(jobs, lists, strict=True):
        assert entries == wanted(s, digest), f"S = {s:#x}, k = {digest % L:#x}"
        s0, s1, c, d = value(entries)
        assert d % 2 == 1 and (c - d * digest) % M % L == 0 and (s0 + (s1 << 127) - d * s) % L == 0
    return ends[-1]


@pytest.mark.parametrize(("count", "cycles", "cycles_alone", "most"), [
    (400, 575_987, 117_862, 3_151), pytest.param(2_000, 2_880_729, 588_575, 3_151, marks=pytest.mark.long)])
def test_random(count: int, cycles: int, cycles_alone: int, most: int) -> None:
    """Jobs in a row, and a tenth of them alone; the documentation quotes the cycles of 2,000."""
    jobs = random_jobs(random.Random(1), count)
    assert check(jobs) == cycles
    alone = [check([job]) for job in jobs[: count // 10]]
    assert (sum(alone), max(alone)) == (cycles_alone, most)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_hostile(every: int) -> None:
    """Scalars k whose c or d is long or whose last cofactor is even, edges; S at random."""
    rng = random.Random(2)
    scalars = [*hostile(rng, 1_000 // every), *multiples_of_eight(rng, 300 // every), *edges()[::every]]
    assert sum(abs(half_gcd(k).d) >= 2**129 for k in scalars) > 300 // every
    rng.shuffle(scalars)
    assert len(scalars) == 6_080 // every
    check([(rng.randrange(L), digest_of(rng, k)) for k in scalars])


def test_ends_of_the_ranges() -> None:
    """S and digests at the ends of their ranges; digests and products about multiples of L."""
    rng = random.Random(3)
    digests = [0, 1, L - 1, L, L + 1, 2**252, 2**256 - 1, 2**256, 2**512 - 1, L * (2**512 // L)]
    for _ in range(100):
        multiple = L * rng.getrandbits(rng.randrange(1, 260))
        digests += [multiple, multiple + 1, multiple + L - 1, multiple + 2**252 - 1, multiple + 2**252]
    scalars = [0, 1, 8, 2**16, 2**127 - 1, 2**127, 2**128, 2**240 - 1, 2**252, L - 1, L, L + 1, 2**253 - 1]
    jobs = [(s, digest % 2**512) for s in scalars for digest in digests[:10]]
    jobs += [(rng.choice(scalars), digest % 2**512) for digest in digests]
    # s about 0 and about L, whatever d is: S is a small multiple of 1 / d.
    for _ in range(300):
        digest = rng.getrandbits(512)
        inverse = pow(abs(half_gcd(digest % L).d), -1, L)
        jobs.append((rng.choice([1, -1, 2, -2**16, 2**125, -2**125]) * inverse % L, digest))
    assert len(jobs) == 940
    check(jobs)


def test_pauses() -> None:
    """Jobs offered and entries taken at random times; lists that wait hold up jobs, and lose nothing."""
    for seed in range(1, 9):
        check(random_jobs(random.Random(seed), 40), seed)


def test_same_as_the_unit_with_a_multiplier() -> None:
    """The lists of pm_scalar_unit."""
    jobs = random_jobs(random.Random(4), 100)
    lists, _ = runner(UNIT)(jobs)
    assert lists == [unit()(s, digest).entries for s, digest in jobs]


@pytest.mark.parametrize("every", [9, pytest.param(2, marks=pytest.mark.long)])
def test_clear_at_every_point(every: int) -> None:
    """clear_i in any cycle of three jobs that overlap, in all units: the next job, offered at once, is right."""
    rng = random.Random(5)
    jobs = random_jobs(rng, 3)
    whole = check(jobs)
    others = random_jobs(rng, 50)
    count = 0
    for cycle in range(0, whole, every):
        runner(UNIT)(jobs, clear_after=cycle)
        # A short job, and now and then others.
        check([(rng.randrange(L), digest_of(rng, rng.getrandbits(130)))] if cycle % 60 else [rng.choice(others)])
        count += 1
    assert count > 5_600 // every
