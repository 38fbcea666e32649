# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_tile alone: reasons of hostile and honest signatures under every rule set, its rate, resets."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from dv.edverify import cached_units
from dv.edverify.engine_parts import entry
from dv.edverify.half_units import Units, list_entries
from pointmill import simbuild
from pointmill.measure.benches.edverify import signatures
from pointmill.model import edwards, naf
from pointmill.model.ed25519 import public_key, sign, verify_all
from pointmill.model.scalar import L
from pointmill.rules import RULES, Reason
from pointmill.ucode.machine import Machine, P
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases, mixed_order_case

CONTEXTS = 7
VERIFY, CACHED, LOAD = range(3)
MOST = 6420  # cycles of an honest verification, all contexts at work
MOST_WITH_TABLES = 3500  # the same with the tables of its key
HALF = (1 << 129) - 1


@dataclass(frozen=True)
class Job:
    """A signature, its rule set, and what must come of it."""

    case: Case
    rule: str
    reason: Reason
    op: int = VERIFY
    """tile_op_e; a load takes the key alone."""


class _Job(ctypes.Structure):
    _fields_ = [("facts", ctypes.c_uint32), ("y", ctypes.c_uint32 * 20),
                ("entries", ctypes.POINTER(ctypes.c_uint32)), ("entry_count", ctypes.c_uint32)]  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = [("reason", ctypes.c_uint32), ("points", ctypes.c_uint32), ("started", ctypes.c_uint64),
                ("finished", ctypes.c_uint64)]  # fmt: skip


def halves(values: Iterable[int]) -> list[int]:
    """Words of 32 bits of the lower and the upper half of each value, five for each half."""
    return [half >> 32 * i & 0xFFFF_FFFF for value in values for half in (value & HALF, value >> 129) for i in range(5)]


@cache
def constants() -> ctypes.Array:
    words = halves(Machine("edverify", "tile").constants.values())
    assert len(words) == 7 * 2 * 5
    return (ctypes.c_uint32 * len(words))(*words)


class _Tables(ctypes.Structure):
    _fields_ = [("g", ctypes.c_uint32 * (1024 * 3 * 2 * 5)), ("key", ctypes.c_uint32 * 5 * 2 * 4 * 64),
                ("puts", ctypes.c_uint32), ("whole", ctypes.c_uint32)]  # fmt: skip

    def put(self) -> list[tuple[int, ...]]:
        """Y + X, Y - X, 2dT, 2Z of the points of the latest load."""
        return [tuple(sum(word << 32 * i + 129 * half for half in (0, 1) for i, word in enumerate(value[half]))
                      for value in (point[2], point[1], point[0], point[3])) for point in self.key]


@cache
def tables() -> _Tables:
    """y + x, y - x, 2dxy of G, 3G, ..., 511G, of those times 2^127, and of the odd multiples up to 127 of 2^(32 i) G,
    from the golden model."""
    bases = [(edwards.BASE, 10), (edwards.multiply(2**127, edwards.BASE), 10)]
    bases += [(edwards.multiply(2 ** (32 * i), edwards.BASE), 8) for i in range(8)]
    values = []
    for base, window in bases:
        for point in naf.odd_multiples(base, window):
            x, y = edwards.to_affine(point)
            values += [(y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P]
    words = halves(values)
    assert len(words) == 1024 * 3 * 2 * 5
    found = _Tables()
    found.g[:] = words
    return found


def packed(job: Job) -> _Job:
    """The job as the bench wants it."""
    s, r, a = (int.from_bytes(part, "little") for part in (job.case.sig[32:], job.case.sig[:32], job.case.pk))
    rule, low = RULES[job.rule], 2**255 - 1
    names = ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")
    facts = [name in names[1:4] if job.op == LOAD else getattr(rule, name) for name in names]
    facts += [s >= L, a & low >= P, r & low >= P, a >> 255, r >> 255]
    raw = _Job(facts=job.op << 14 | int("".join(str(int(fact)) for fact in facts), 2))
    raw.y[:] = halves([a & low, r & low])
    entries = [] if job.op == LOAD else spread_entries(job) if job.op == CACHED else \
        list_entries(Units(job.rule, job.case.pk, job.case.msg, job.case.sig))
    raw.entries = (ctypes.c_uint32 * len(entries))(*entries)
    raw.entry_count = len(entries)
    return raw


def spread_entries(job: Job) -> list[int]:
    """Entries as pm_split_serial makes them, but for their order within a position."""
    found = []
    for pos, here in enumerate(cached_units.Units("tile", job.rule, [], job.case).additions()):
        for number, (of_key, table, digit) in enumerate(here):
            odd = abs(digit) // 2
            kind, idx = ("a", table << 3 | odd) if of_key else (f"g{table // 4}", table % 4 << 6 | odd)
            found.append(entry(pos, kind, int(digit < 0), int(number > 0), idx))
    return found


@cache
def library() -> ctypes.CDLL:
    """The tile, verilated."""
    path = simbuild.build_shared("pm_edverify_tile", "hw/edverify/edverify.f", "dv/edverify/pm_edverify_tile_api.cpp",
                                 {"NumContexts": CONTEXTS}, "build/sim/pm_edverify_tile",
                                 cflags=("-Idv/common",))
    return ctypes.CDLL(str(path))


def run(jobs: Sequence[Job], contexts: int = CONTEXTS, slow: int = 20, cycles: int = 0) -> tuple[int, list[_Result]]:
    """How many jobs have ended, all or after so many cycles, and their results."""
    raw, results = (_Job * len(jobs))(*map(packed, jobs)), (_Result * len(jobs))()
    limit = cycles or 100_000 + 40_000 * len(jobs)
    ended = library().pm_tile_run(raw, results, len(jobs), contexts, constants(), ctypes.byref(tables()), slow,
                                  ctypes.c_uint64(limit))  # fmt: skip
    return ended, list(results)


def check(jobs: Sequence[Job], contexts: int = CONTEXTS, slow: int = 20) -> list[_Result]:
    """Run all and compare reasons."""
    ended, results = run(jobs, contexts, slow)
    assert ended == len(jobs), "jobs without end"
    for number, (job, result) in enumerate(zip(jobs, results, strict=True)):
        assert Reason(result.reason) == job.reason, (number, job)
    return results


def judged(cases: Sequence[Case]) -> list[Job]:
    """Every case under every rule set, with the verdict of the golden model."""
    jobs = []
    for case in cases:
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items():
            jobs.append(Job(case, rule, verdict.reason))
    return jobs


def honest(count: int, seed: int, rule: str = "rfc8032_cofactorless") -> list[Job]:
    return [Job(Case(item.pk, item.msg, item.sig, {}, "openssl", str(i)), rule, Reason.ok)
            for i, item in enumerate(signatures(count, seed, None))]  # fmt: skip


@pytest.fixture(autouse=True)
def reset() -> None:
    library().pm_tile_reset()


def test_hostile_signatures_under_every_rule() -> None:
    jobs = judged(hostile_cases(26, seed=61, max_message=64))
    random.Random(1).shuffle(jobs)
    check(jobs)
    assert len(jobs) == 156
    kinds = Counter(job.reason for job in jobs)
    wanted = {Reason.ok, Reason.s_out_of_range, Reason.a_not_decodable, Reason.r_not_decodable, Reason.small_order_a,
              Reason.small_order_r, Reason.equation_fails}  # fmt: skip
    assert wanted <= set(kinds), kinds


@pytest.mark.parametrize("contexts", [1, 3])
def test_few_contexts(contexts: int) -> None:
    """The same verdicts where nobody delays anybody."""
    jobs = honest(4, 62) + judged(hostile_cases(26, seed=63, max_message=64))[::13]
    check(jobs, contexts)


def test_rate() -> None:
    """Cycles of a verification with all contexts at work, and points of G that come late."""
    jobs = honest(70, 64)
    results = check(jobs)
    ends = sorted(result.finished for result in results)
    cycles = (ends[-15] - ends[13]) / (len(ends) - 28)
    print(f"{cycles:.0f} cycles a verification")
    assert cycles <= MOST
    assert all(15 < result.points < 45 for result in results)
    check(honest(8, 65), slow=700)


def load(key: bytes) -> Reason:
    """Makes the tables of a key; checks them against the golden model."""
    tables().puts = tables().whole = 0
    point = edwards.decode(key, True)
    reason = Reason.a_not_decodable if point is None else Reason.ok
    check([Job(Case(key, b"", key + bytes(32), {}, "load", ""), "zip215", reason, LOAD)])
    kept = point is not None and not edwards.is_small_order(key)
    assert tables().puts == tables().whole == 4 * 64 * kept
    if kept:
        wanted = [value for table in cached_units.tables(point, cached_units.WINDOW_A) for value in table]
        assert [cached_units.affine(value) for value in tables().put()] == wanted
    return reason


def test_tables_of_keys() -> None:
    """Honest keys, hostile and mixed ones, points of small order; then signatures by these keys."""
    cases = [*hostile_cases(26, seed=71, max_message=64), *(mixed_order_case(index, seed=72) for index in range(4))]
    keys, used = {case.pk: case for case in cases}, 0
    for key in [*keys, *(edwards.encode(point) for point in edwards.TORSION)]:
        load(key)
        if tables().puts and used < 12:
            check([Job(job.case, job.rule, job.reason, CACHED) for job in judged([keys[key]])], slow=20 * used)
            used += 1
    assert used == 12 and len(keys) > 20


def test_rate_with_tables() -> None:
    """Cycles of a verification with the tables of its key, all contexts at work."""
    rng = random.Random(73)
    secret = rng.randbytes(32)
    key = public_key(secret)
    load(key)
    messages = [rng.randbytes(20) for _ in range(56)]
    jobs = [Job(Case(key, message, sign(secret, message), {}, "signed", ""), "libsodium", Reason.ok, CACHED)
            for message in messages]  # fmt: skip
    ends = sorted(result.finished for result in check(jobs))
    cycles = (ends[-15] - ends[13]) / (len(ends) - 28)
    print(f"{cycles:.0f} cycles a verification with tables")
    assert cycles <= MOST_WITH_TABLES


@pytest.mark.parametrize("clear", [False, True])
def test_abandoned_jobs(clear: bool) -> None:
    """After a reset, or clear_i of all contexts, at random cycles: whatever was under way is forgotten; jobs after it
    are right."""
    rng = random.Random(66)
    jobs = honest(7, 67)
    few = judged(hostile_cases(26, seed=68, max_message=64))[5::31]
    for point in (1, 40, 200, *(rng.randrange(30_000) for _ in range(5))):
        ended, _ = run(jobs, cycles=point)
        assert ended < len(jobs)
        if clear:
            library().pm_tile_clear(CONTEXTS)
        else:
            library().pm_tile_reset()
        check(few)
