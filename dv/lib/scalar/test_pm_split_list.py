# SPDX-License-Identifier: Apache-2.0
"""pm_split_list: what the entries add up to, their digits, order, `more`, cycle counts; clear."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from functools import cache

from list_reference import Entry
from naf_reference import L, naf
from unit_library import loaded

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_naf_recoder.sv", "hw/lib/scalar/pm_digit_chains.sv",
           "hw/lib/scalar/pm_split_list.sv"]
WINDOW_G, WINDOW_A, STEP = 8, 5, 32
MAX_ENTRIES = 32 + 51
BITS = 253


@cache
def library() -> ctypes.CDLL:
    """Builds the unit."""
    return loaded("pm_split_list", SOURCES)


def packed(s: int, k: int) -> bytes:
    """Both scalars, as the bench takes them."""
    return s.to_bytes(32, "little") + k.to_bytes(32, "little")


@cache
def splitter() -> Callable[..., tuple[list[Entry], int]]:
    """The result makes the list of (s, k) and gives (entries, cycles)."""
    call = library().pm_split_list_run

    def run(s: int, k: int, stall_seed: int = 0, clear_after: int = -1) -> tuple[list[Entry], int]:
        words = packed(s, k)
        out = (ctypes.c_uint32 * MAX_ENTRIES)()
        cycles = ctypes.c_int()
        count = call(words, ctypes.c_uint64(stall_seed), clear_after, out, MAX_ENTRIES,
                     ctypes.byref(cycles))
        assert count >= 0, f"{s}, {k}: unit misbehaved, code {count}"
        return [Entry.unpacked(word) for word in out[:count]], cycles.value

    return run


def digit(entry: Entry) -> tuple[int, int, int, int]:
    """(1 for A, position in the scalar, neg, idx) of an entry, by the tables' layout."""
    if entry.kind == 2:
        assert entry.idx < 64
        return 1, STEP * (entry.idx >> 3) + entry.pos, 1 - entry.neg, entry.idx & 7
    assert entry.kind < 2
    table = 4 * entry.kind + (entry.idx >> 6)
    return 0, STEP * table + entry.pos, entry.neg, entry.idx & 63


def check_list(entries: list[Entry], s: int, k: int) -> None:
    """Compares the list of (s, k): every digit of both recodings once, lowest position first."""
    wanted = [(of_a, *d) for of_a, d in [*((0, d) for d in naf(s, WINDOW_G)),
                                         *((1, d) for d in naf(k, WINDOW_A))]]  # fmt: skip
    assert sorted(map(digit, entries)) == sorted(wanted)
    for lower, upper in itertools.pairwise(entries):
        assert lower.pos <= upper.pos
        assert upper.more == int(upper.pos == lower.pos)
    assert not entries or (entries[0].more == 0 and entries[-1].pos < STEP)


def check(s: int, k: int, stall_seed: int = 0) -> tuple[int, int]:
    """Compares one list; returns (entries, cycles)."""
    entries, cycles = splitter()(s, k, stall_seed)
    check_list(entries, s, k)
    return len(entries), cycles


def test_random() -> None:
    """3,000 verifications; the documentation quotes these figures."""
    rng = random.Random(12)
    runs = [check(rng.randrange(L), rng.randrange(L)) for _ in range(3_000)]
    entries, cycles = zip(*runs, strict=True)
    assert (sum(entries), max(entries)) == (212_607, 77)
    assert (sum(cycles), max(cycles)) == (547_103, 196)


def test_back_pressure() -> None:
    rng = random.Random(13)
    for seed in range(1, 1_001):
        check(rng.randrange(L), rng.randrange(L), seed)


def full(window: int) -> int:
    """A scalar with a digit at every position that is a multiple of the window."""
    return sum(1 << pos for pos in range(0, BITS, window))


EDGES = [0, 1, 2, 3, 31, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**64 - 1, 2**252, 2**253 - 1, L - 1,
         (2**253 - 1) // 3, full(5), full(8), full(32), full(32) << 31 & 2**253 - 1,
         *(1 << pos for pos in range(5, 253, 31)), *(2**253 - (1 << pos) for pos in range(9, 253, 31))]


def test_edges() -> None:
    """All pairs, with the empty list, all digits at one position and the longest lists."""
    pairs = [*itertools.product(EDGES, EDGES)]
    assert max(check(s, k)[1] for s, k in pairs) == 215
    assert len(pairs) == 1156
    assert check(0, 0)[0] == 0
    assert check(full(8), full(5))[0] == MAX_ENTRIES
    assert check(full(32), full(32))[0] == 16
    assert {entry.pos for entry in splitter()(full(32), full(32))[0]} == {0}


def test_clear() -> None:
    """In every cycle of a list: idle at once, and the next list is right."""
    rng = random.Random(14)
    s, k = rng.randrange(L), rng.randrange(L)
    last = check(s, k)[1]
    for cycle in range(1, last):
        splitter()(rng.randrange(L), rng.randrange(L), 0, cycle)
        assert check(s, k)[1] == last


def test_reset() -> None:
    """In every cycle of a list and behind it: idle without a clock edge, and the next list is right."""
    rng = random.Random(15)
    s, k = rng.randrange(L), rng.randrange(L)
    last = check(s, k)[1]
    for cycle in range(last + 2):
        assert library().pm_split_list_reset(packed(s, k), cycle)
        assert check(s, k)[1] == last
