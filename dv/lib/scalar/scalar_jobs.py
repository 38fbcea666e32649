# SPDX-License-Identifier: Apache-2.0
"""Units that make the list of a verification from S and a digest, verilated: jobs one after the other."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from functools import cache

from list_reference import Entry
from naf_reference import L
from unit_library import loaded

SOURCES = ["hw/lib/scalar/scalar_serial.f"]
MAX_ENTRIES = 160

Job = tuple[int, int]
"""S and digest."""


@cache
def runner(name: str) -> Callable[..., tuple[list[list[Entry]], list[int]]]:
    """Builds the unit; the result runs jobs and gives their lists and the cycles from the first offer to the end of
    each list."""
    call = getattr(loaded(name, SOURCES), f"{name}_run")

    def run(jobs: Sequence[Job], stall_seed: int = 0, clear_after: int = -1) -> tuple[list[list[Entry]], list[int]]:
        words = b"".join(digest.to_bytes(64, "little") + s.to_bytes(32, "little") for s, digest in jobs)
        out = (ctypes.c_uint32 * (MAX_ENTRIES * len(jobs)))()
        entries = (ctypes.c_int * len(jobs))()
        ends = (ctypes.c_int64 * len(jobs))()
        done = call(words, len(jobs), ctypes.c_uint64(stall_seed), ctypes.c_int64(clear_after), out, entries, ends)
        assert done >= 0, f"{len(jobs)} jobs from {jobs[0]}: unit misbehaved, code {done}"
        return [[Entry.unpacked(word) for word in out[MAX_ENTRIES * i:MAX_ENTRIES * i + entries[i]]]
                for i in range(done)], ends[:done]

    return run


def random_jobs(rng: random.Random, count: int) -> list[Job]:
    """Jobs of uniform S and digest."""
    return [(rng.randrange(L), rng.getrandbits(512)) for _ in range(count)]
