# SPDX-License-Identifier: Apache-2.0
"""pm_scalar_unit: from S and digest to a list that adds up to d S mod L, c = d k mod 8L and d; results
of the jobs for signing, in a constant number of cycles."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import pytest
from halfgcd_reference import M, edges, half_gcd, hostile, multiples_of_eight
from list_reference import Entry, merge, value
from naf_reference import L
from test_pm_split_list import check_list
from unit_library import loaded

SOURCES = ["hw/lib/scalar/scalar.f"]
LATENCY = 4  # of the core's multiplier
MAX_ENTRIES = 160


HALVE, REDUCE, MULADD, WEIGH, GATHER, SPLIT, SPREAD = range(7)  # scalar_op_e


class Done(NamedTuple):
    """One job's list or result, the cycles from its acceptance to its end, those until it was accepted."""

    entries: list[Entry]
    result: int
    cycles: int
    waited: int


@cache
def unit() -> Callable[..., Done]:
    """Builds the unit; the result runs (S or a, digest)."""
    call = loaded("pm_scalar_unit", SOURCES, {"Spread": 1}).pm_scalar_unit_run

    def run(s: int, digest: int, latency: int = LATENCY, stall_seed: int = 0,
            clear_at: int = -1, op: int = HALVE, r: int = 0) -> Done:
        out = (ctypes.c_uint32 * MAX_ENTRIES)()
        cycles, waited = ctypes.c_int(), ctypes.c_int()
        count = call(op, s.to_bytes(32, "little"), r.to_bytes(32, "little"),
                     digest.to_bytes(64, "little"), latency, ctypes.c_uint64(stall_seed), clear_at, out, MAX_ENTRIES,
                     ctypes.byref(cycles), ctypes.byref(waited))
        assert count >= 0, f"S = {s:#x}, digest = {digest:#x}: unit misbehaved, code {count}"
        return Done([Entry.unpacked(word) for word in out[:count]],
                    int.from_bytes(bytes(out)[:64 if op == GATHER else 32], "little"), cycles.value, waited.value)

    return run


def check(s: int, digest: int, **how: int) -> Done:
    """Compares one list, by its value and entry for entry."""
    done = unit()(s, digest, **how)
    k = digest % L
    s0, s1, c, d = value(done.entries)
    assert d > 0 and d % 2 == 1 and (c - d * k) % M == 0, f"k = {k:#x}"
    assert s0 + (s1 << 127) == d * s % L and 0 <= s0 < 2**127
    half = half_gcd(k)
    sign = -1 if half.d < 0 else 1
    assert (c, d) == (sign * half.c, sign * half.d)
    assert done.entries == merge((s0, s1, c, d))
    return done


def digest_of(rng: random.Random, k: int) -> int:
    """A 512-bit number that is k mod L."""
    return k + L * rng.randrange((2**512 - k) // L)


def check_all(scalars: Iterable[int], seed: int) -> int:
    """Each k with a random S, every fourth job with pauses; how many."""
    rng = random.Random(seed)
    count = 0
    for count, k in enumerate(scalars, 1):
        check(rng.randrange(L), digest_of(rng, k), stall_seed=0 if count % 4 else count)
    return count


@pytest.mark.parametrize(("count", "total", "most"), [
    (500, 404_437, 911), pytest.param(2_000, 1_621_623, 920, marks=pytest.mark.long)])
def test_random(count: int, total: int, most: int) -> None:
    """Random jobs; the documentation quotes the figures of 2,000."""
    rng = random.Random(1)
    cycles = [check(rng.randrange(L), rng.getrandbits(512)).cycles for _ in range(count)]
    assert (sum(cycles), max(cycles)) == (total, most)


def check_result(op: int, a: int, r: int, digest: int, **how: int) -> Done:
    """Compares the result of a job that has one."""
    done = unit()(a, digest, op=op, r=r, **how)
    k = digest % L
    assert done.result == (k if op == REDUCE else (r + k * a) % L), f"a {a:#x} r {r:#x} k {k:#x}"
    return done


def test_results() -> None:
    """Values at random and at the ends of the ranges: right, each job in the same number of cycles."""
    rng = random.Random(7)
    ends = [0, 1, 8, L - 1, L, 2**252, 2**254 - 1]
    digests = [0, 1, L - 1, L, 2**129 - 1, 2**129, 2**252, 2**512 - 1, L * (2**512 // L)]
    jobs = [(a, r, digest) for a in ends for r in ends for digest in digests]
    jobs += [(rng.getrandbits(254), rng.getrandbits(254), rng.getrandbits(512))
             for _ in range(2_000)]
    jobs += [(rng.getrandbits(rng.randrange(1, 255)), rng.getrandbits(rng.randrange(1, 255)),
              rng.getrandbits(rng.randrange(1, 513))) for _ in range(1_000)]
    assert len(jobs) == 3_441
    for op, cycles in ((REDUCE, 39), (MULADD, 95)):
        assert {check_result(op, *job).cycles for job in jobs} == {cycles}


def test_lists_with_tables_of_a_key() -> None:
    """Lists of S and k themselves; the documentation quotes these figures."""
    rng = random.Random(8)
    cycles = []
    for seed in range(1_000):
        s, digest = rng.randrange(L), rng.getrandbits(512)
        done = unit()(s, digest, op=SPREAD)
        check_list(done.entries, s, digest % L)
        cycles.append(done.cycles)
        done = unit()(s, digest, op=SPREAD, latency=rng.choice((2, 15)), stall_seed=seed + 1)
        check_list(done.entries, s, digest % L)
        if seed % 10 == 0:  # next to the other kind of list
            check(s, digest)
    assert (sum(cycles), max(cycles)) == (220_464, 237)
    for s in (0, 1, L - 1, 2**253 - 1):
        for digest in (0, 1, L - 1, L, 2**512 - 1):
            check_list(unit()(s, digest, op=SPREAD).entries, s, digest % L)
    for cycle in range(240):
        unit()(rng.randrange(L), rng.getrandbits(512), op=SPREAD, clear_at=cycle)
        s, digest = rng.randrange(L), rng.getrandbits(512)
        check_list(unit()(s, digest, op=SPREAD).entries, s, digest % L)


@pytest.mark.parametrize("latency", [2, 4, 15])
def test_results_with_pauses(latency: int) -> None:
    """Results between lists, requests taken at random times: they depend on the pauses alone."""
    rng = random.Random(20 + latency)
    for seed in range(1, 61):
        cycles = set()
        for _ in range(3):
            op_cycles = []
            for op in (REDUCE, MULADD):
                job = (rng.getrandbits(254), rng.getrandbits(254), rng.getrandbits(512))
                op_cycles.append(check_result(op, *job, latency=latency, stall_seed=seed).cycles)
            cycles.add(tuple(op_cycles))
        assert len(cycles) == 1
        check(rng.randrange(L), rng.getrandbits(512), latency=latency, stall_seed=seed)


def test_hostile() -> None:
    """Scalars k whose c or d is long: both products, lists of up to 256 positions."""
    rng = random.Random(2)
    chosen = [*hostile(rng, 1_000), *multiples_of_eight(rng, 300)]
    assert sum(abs(half_gcd(k).d) >= 2**129 for k in chosen) > 300
    assert check_all(chosen, 3) == 1_300


def test_edges() -> None:
    """A quarter of the edge scalars; S and digests at the ends of their ranges."""
    assert check_all(edges()[::4], 4) > 1_000
    rng = random.Random(5)
    for s in (0, 1, L - 1, 2**252, 2**127 - 1, 2**127, (L + 1) // 2):
        for digest in (0, 1, L - 1, L, L + 1, 2**512 - 1, rng.getrandbits(512)):
            check(s, digest)


def test_s_beyond_the_order() -> None:
    """Up to 253 bits the list is right; the unit is never left in disorder."""
    rng = random.Random(6)
    for s in (L, L + 1, 2**253 - 1):
        check(s, rng.getrandbits(512))


@pytest.mark.parametrize("latency", [2, 3, 4, 7, 15])
def test_pauses(latency: int) -> None:
    """Requests and entries taken at random times, on faster and slower multipliers."""
    rng = random.Random(latency)
    for seed in range(1, 151):
        check(rng.randrange(L), rng.getrandbits(512), latency=latency, stall_seed=seed)


@pytest.mark.parametrize("latency", [4, 15])
def test_clear_at_every_point(latency: int) -> None:
    """clear_i in any cycle of a job, and in those around its products; the next job is offered at once
    and is right, although answers of the multiplier to the old one still come."""
    rng = random.Random(10 + latency)
    k = next(k for k in hostile(rng, 1_000) if abs(half_gcd(k).d) >= 2**140)
    jobs = [(rng.randrange(L), digest_of(rng, k)), (rng.randrange(L), rng.getrandbits(512))]
    waits = set()
    for s, digest in jobs:
        whole = check(s, digest, latency=latency).cycles
        for cycle in range(whole):
            unit()(s, digest, latency=latency, clear_at=cycle)
            if cycle % 8 == 0 or cycle > whole - 200 or cycle < 80:
                waits.add(check(*jobs[1], latency=latency).waited)
    assert 0 in waits and 14 <= max(waits) <= 16


@pytest.mark.parametrize("latency", [4, 15])
def test_clear_of_a_result(latency: int) -> None:
    """clear_i in any cycle of a job with a result: nothing of it comes, the next one is right."""
    rng = random.Random(30 + latency)
    waits = set()
    for op in (REDUCE, MULADD):
        a, r, digest = rng.getrandbits(254), rng.getrandbits(254), rng.getrandbits(512)
        whole = check_result(op, a, r, digest, latency=latency).cycles
        for cycle in range(whole):
            unit()(a, digest, op=op, r=r, latency=latency, clear_at=cycle)
            waits.add(check_result(MULADD, r, a, digest, latency=latency).waited)
    assert 0 in waits and 14 <= max(waits) <= 16


# ---- batches --------------------------------------------------------------------------------------


def check_batch(op: int, z: int, s: int, digest: int, **how: int) -> Done:
    """One job of a batch: digits entry for entry, or the total."""
    done = unit()(z, digest, op=op, r=s, **how)
    k = digest % L
    if op == GATHER:
        assert done.result == digest + z * s
    elif op == WEIGH:
        assert done.entries == merge((0, 0, z * k % L, z))
    else:
        assert done.entries == merge((k % 2**127, k >> 127, 0, 0))
    return done


def test_batches() -> None:
    """Jobs of batches at random and at the ends of the ranges; the documentation quotes the cycles."""
    rng = random.Random(40)
    jobs = [(rng.getrandbits(128), rng.randrange(L), rng.getrandbits(512)) for _ in range(600)]
    cycles = {op: [check_batch(op, z, s, digest >> 8 * (op == GATHER)).cycles for z, s, digest in jobs]
              for op in (WEIGH, GATHER, SPLIT)}
    assert {op: (sum(all), max(all)) for op, all in cycles.items()} == {
        WEIGH: (125_073, 220), GATHER: (6_600, 11), SPLIT: (55_630, 101)}  # fmt: skip
    count = 0
    for z in (1, 2, 2**127, 2**128 - 1):
        for s in (0, 1, L - 1):
            for digest in (0, 1, L - 1, L, 2**512 - 1):
                for op in (WEIGH, SPLIT):
                    check_batch(op, z, s, digest)
                check_batch(GATHER, z, s, digest % 2**400)
                count += 1
    assert count == 60


@pytest.mark.parametrize("latency", [2, 4, 15])
def test_batches_with_pauses(latency: int) -> None:
    """Between other jobs, requests and entries taken at random times, and with clear_i in every cycle."""
    rng = random.Random(50 + latency)
    for seed in range(1, 41):
        for op in (WEIGH, GATHER, SPLIT):
            job = (rng.getrandbits(128), rng.randrange(L), rng.getrandbits(500))
            check_batch(op, *job, latency=latency, stall_seed=seed)
        check(rng.randrange(L), rng.getrandbits(512), latency=latency, stall_seed=seed)
        check_result(MULADD, job[1], job[0], rng.getrandbits(512), latency=latency, stall_seed=seed)
    for op in (WEIGH, GATHER, SPLIT):
        for cycle in range(check_batch(op, *job, latency=latency).cycles):
            unit()(job[0], job[2], op=op, r=job[1], latency=latency, clear_at=cycle)
            check_batch(op, *job, latency=latency)
