# SPDX-License-Identifier: Apache-2.0
"""pm_scalar_serial: every list equals, entry for entry, that of plain integers; jobs overlap."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from functools import cache

from halfgcd_reference import M, edges, half_gcd, hostile, multiples_of_eight
from list_reference import Entry, merge, value
from naf_reference import L
from test_pm_scalar_unit import digest_of, unit

from pointmill import simbuild

SOURCES = ["hw/lib/scalar/scalar_serial.f"]
MAX_ENTRIES = 160

Job = tuple[int, int]
"""S and digest."""


@cache
def library() -> Callable[..., tuple[list[list[Entry]], int]]:
    """Builds the unit; the result runs jobs one after the other and gives lists and cycles."""
    call = ctypes.CDLL(str(simbuild.build_shared(
        "pm_scalar_serial", SOURCES, "dv/lib/scalar/pm_scalar_serial_api.cpp",
        cflags=("-std=c++17", "-Idv/common")))).pm_scalar_serial_run

    def run(jobs: Sequence[Job], stall_seed: int = 0, clear_after: int = -1) -> tuple[list[list[Entry]], int]:
        words = b"".join(digest.to_bytes(64, "little") + s.to_bytes(32, "little") for s, digest in jobs)
        out = (ctypes.c_uint32 * (MAX_ENTRIES * len(jobs)))()
        entries = (ctypes.c_int * len(jobs))()
        cycles = ctypes.c_int64()
        done = call(words, len(jobs), ctypes.c_uint64(stall_seed), ctypes.c_int64(clear_after), out, entries,
                    ctypes.byref(cycles))
        assert done >= 0, f"{len(jobs)} jobs from {jobs[0]}: unit misbehaved, code {done}"
        return [[Entry.unpacked(word) for word in out[MAX_ENTRIES * i:MAX_ENTRIES * i + entries[i]]]
                for i in range(done)], cycles.value

    return run


def wanted(s: int, digest: int) -> list[Entry]:
    """The list, in plain integers."""
    k = digest % L
    half = half_gcd(k)
    sign = -1 if half.d < 0 else 1
    product = abs(half.d) * s % L
    return merge((product % 2**127, product >> 127, sign * half.c, sign * half.d))


def check(jobs: Sequence[Job], stall_seed: int = 0) -> int:
    """Compares all lists of the jobs, which follow each other; cycles."""
    lists, cycles = library()(jobs, stall_seed)
    assert len(lists) == len(jobs)
    for (s, digest), entries in zip(jobs, lists, strict=True):
        assert entries == wanted(s, digest), f"S = {s:#x}, k = {digest % L:#x}"
        s0, s1, c, d = value(entries)
        assert d % 2 == 1 and (c - d * digest) % M % L == 0 and (s0 + (s1 << 127) - d * s) % L == 0
    return cycles


def random_jobs(rng: random.Random, count: int) -> list[Job]:
    """Jobs of uniform S and digest."""
    return [(rng.randrange(L), rng.getrandbits(512)) for _ in range(count)]


def test_random() -> None:
    """2,000 jobs in a row, and 200 alone; the documentation quotes their cycles."""
    jobs = random_jobs(random.Random(1), 2_000)
    assert check(jobs) == 2_880_729
    alone = [check([job]) for job in jobs[:200]]
    assert (sum(alone), max(alone)) == (588_575, 3_151)


def test_hostile() -> None:
    """Scalars k whose c or d is long or whose last cofactor is even, edges; S at random."""
    rng = random.Random(2)
    scalars = [*hostile(rng, 1_000), *multiples_of_eight(rng, 300), *edges()]
    assert sum(abs(half_gcd(k).d) >= 2**129 for k in scalars) > 300
    rng.shuffle(scalars)
    assert len(scalars) == 6_080
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
    lists, _ = library()(jobs)
    assert lists == [unit()(s, digest).entries for s, digest in jobs]


def test_clear_at_every_point() -> None:
    """clear_i in any cycle of three jobs that overlap, in all units: the next job, offered at once, is right."""
    rng = random.Random(5)
    jobs = random_jobs(rng, 3)
    whole = check(jobs)
    others = random_jobs(rng, 50)
    count = 0
    for cycle in range(0, whole, 2):
        library()(jobs, clear_after=cycle)
        # A short job, and now and then others.
        check([(rng.randrange(L), digest_of(rng, rng.getrandbits(130)))] if cycle % 60 else [rng.choice(others)])
        count += 1
    assert count > 2_800
