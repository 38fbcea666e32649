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
    """2,000 jobs in a row; the documentation quotes their cycles."""
    assert check(random_jobs(random.Random(1), 2_000)) == 2_886_962
