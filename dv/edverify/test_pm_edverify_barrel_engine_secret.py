# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_engine alone: X25519, public keys and R of signatures next to verifications; constant
time, rate, and the guard of secrets."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from dv.edverify.half_units import Units, list_entries
from dv.edverify.secret_units import image
from pointmill import simbuild
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify_all
from pointmill.model.scalar import L
from pointmill.rules import OPERATIONS, RULES, Reason
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases

CONTEXTS = 12
WORDS = {"x25519": 2581, "keygen": 1390, "sign": 2486}
assert WORDS["x25519"] <= 2620  # cycles of an operation that were aimed at
RESULTS = {"x25519": 1, "keygen": 2, "sign": 2}
"""Words that the program gives out; of keygen the second is not a result."""
SPACING = 9


@dataclass(frozen=True)
class Job:
    """A job of the engine and what must come of it: reason, and words of results."""

    op: str
    slots: tuple[int, int] = (0, 0)
    u: int = 0
    case: Case | None = None
    rule: str = ""
    reason: Reason = Reason.ok
    words: tuple[int, ...] = ()


class _Job(ctypes.Structure):
    _fields_ = [("op", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                *((name, ctypes.c_uint8 * 32) for name in "sra"), ("slots", ctypes.c_uint8 * 64),
                ("entries", ctypes.POINTER(ctypes.c_uint32)), ("entry_count", ctypes.c_uint32)]  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = [*((name, ctypes.c_uint32) for name in ("reason", "zero", "outputs", "context")),
                ("words", ctypes.c_uint8 * 64), ("started", ctypes.c_uint64),
                ("finished", ctypes.c_uint64)]  # fmt: skip

    def word(self, slot: int) -> int:
        return int.from_bytes(bytes(self.words)[32 * slot : 32 * slot + 32], "little")


def packed(job: Job) -> _Job:
    """The job as the bench wants it. S, R and A of secret jobs but u are noise."""
    noise = random.Random(repr(job)).randbytes(32)
    raw = _Job(op=OPERATIONS[job.op].opcode)
    raw.s[:] = raw.r[:] = raw.a[:] = noise
    if job.case:
        rule = RULES[job.rule]
        for name in ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored"):
            raw.flags = raw.flags << 1 | bool(getattr(rule, name))
        raw.s[:], raw.r[:], raw.a[:] = job.case.sig[32:], job.case.sig[:32], job.case.pk
        entries = list_entries(Units(job.rule, job.case.pk, job.case.msg, job.case.sig))
        raw.entries = (ctypes.c_uint32 * len(entries))(*entries)
        raw.entry_count = len(entries)
    else:
        raw.a[:] = job.u.to_bytes(32, "little")
        raw.slots[:] = b"".join(slot.to_bytes(32, "little") for slot in job.slots)
    return raw


@cache
def library(fixed_base: str = "") -> ctypes.CDLL:
    """The engine, verilated; `fixed_base` is another entry for keygen and sign."""
    params = {"NumContexts": CONTEXTS, **({"FixedBase": fixed_base} if fixed_base else {})}
    path = simbuild.build_shared(
        "pm_edverify_barrel_engine", "hw/edverify/edverify.f",
        "dv/edverify/pm_edverify_barrel_engine_api.cpp", params,
        f"build/sim/pm_edverify_barrel_engine{'_refused' if fixed_base else ''}",
        cflags=("-Idv/common",))  # fmt: skip
    return ctypes.CDLL(str(path))


def run(jobs: Sequence[Job], contexts: int = CONTEXTS, share: int = 0, seed: int = 1,
        fixed_base: str = "") -> list[_Result]:  # fmt: skip
    """Results of the jobs, in their order."""
    raw = (_Job * len(jobs))(*map(packed, jobs))
    results = (_Result * len(jobs))()
    limit = 100_000 + 30_000 * len(jobs) // contexts * 2
    code = library(fixed_base).pm_engine_run(raw, results, len(jobs), contexts, share,
                                             ctypes.c_uint64(seed), ctypes.c_uint64(limit))
    assert code == 0, "jobs without end"
    return list(results)


def check(jobs: Sequence[Job], **how: int) -> list[_Result]:
    """Run them and compare reasons and words."""
    results = run(jobs, **how)
    for number, (job, result) in enumerate(zip(jobs, results, strict=True)):
        assert Reason(result.reason) == job.reason, (number, job)
        assert result.outputs == RESULTS.get(job.op, 0), (number, job)
        found = tuple(result.word(slot) for slot in range(len(job.words)))
        assert found == job.words, (number, job)
        if job.op == "x25519":
            assert result.zero == (job.words == (0,)), (number, job)
    return results


# ---- jobs ---------------------------------------------------------------------------------------


def x25519_job(rng: random.Random, u: int | None = None) -> Job:
    k, u = rng.randbytes(32), rng.getrandbits(256) if u is None else u
    key = X25519PrivateKey.from_private_bytes(k)
    try:
        shared = key.exchange(X25519PublicKey.from_public_bytes(u.to_bytes(32, "little")))
    except ValueError:  # zero
        shared = bytes(32)
    clamped = int.from_bytes(k, "little") % 2**255 & ~7 | 2**254
    return Job("x25519", (clamped, 0), u, words=(int.from_bytes(shared, "little"),))


def point_word(scalar: int) -> int:
    return int.from_bytes(edwards.encode(edwards.multiply(scalar, edwards.BASE)), "little")


def keygen_job(rng: random.Random, scalar: int | None = None) -> Job:
    scalar = rng.randrange(L) if scalar is None else scalar
    return Job("keygen", (scalar, 0), words=(point_word(scalar),))


def sign_job(rng: random.Random) -> Job:
    a, r = rng.randrange(L), rng.randrange(L)
    return Job("sign", (a, r), words=(point_word(a), point_word(r)))


def verify_jobs(count: int, seed: int) -> list[Job]:
    """Hostile cases, rules taking turns."""
    jobs = []
    for number, case in enumerate(hostile_cases(count, seed=seed, max_message=40)):
        rule = list(RULES)[number % len(RULES)]
        reason = verify_all(case.pk, case.msg, case.sig)[rule].reason
        jobs.append(Job("verify", case=case, rule=rule, reason=reason))
    return jobs


def honest_jobs(count: int, rng: random.Random) -> list[Job]:
    jobs = []
    for _ in range(count):
        seed, msg = rng.randbytes(32), rng.randbytes(20)
        case = Case(public_key(seed), msg, sign(seed, msg), {}, "signed", "")
        jobs.append(Job("verify", case=case, rule="rfc8032_cofactorless"))
    return jobs


MAKERS = {"x25519": x25519_job, "keygen": keygen_job, "sign": sign_job}


# ---- results ------------------------------------------------------------------------------------


def test_all_kinds_next_to_each_other() -> None:
    """In random order, while another unit asks for the multiplier; u zero or of low order, scalars 0, 1 and
    L - 1 among them."""
    rng = random.Random(1)
    jobs = [x25519_job(rng) for _ in range(20)]
    jobs += [x25519_job(rng, u) for u in (0, 1, 2**255 - 19, 2**255 - 20, 2**256 - 1, 9)]
    jobs += [keygen_job(rng) for _ in range(12)] + [keygen_job(rng, s) for s in (0, 1, 2, L - 1)]
    jobs += [sign_job(rng) for _ in range(12)]
    jobs += verify_jobs(52, seed=2)
    rng.shuffle(jobs)
    assert Counter(job.op for job in jobs) == {"x25519": 26, "keygen": 16, "sign": 12, "verify": 52}
    results = check(jobs, share=40)
    assert {result.context for result in results} == set(range(CONTEXTS))
    assert sum(result.zero for job, result in zip(jobs, results) if job.op == "x25519") == 4


@pytest.mark.long
def test_all_kinds_long() -> None:
    rng = random.Random(2)
    jobs = [maker(rng) for maker in MAKERS.values() for _ in range(300)] + verify_jobs(260, seed=3)
    rng.shuffle(jobs)
    assert len(check(jobs, share=10)) == 1160


# ---- time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", MAKERS)
def test_a_job_alone(op: str) -> None:
    """A word every SPACING cycles, from five cycles after the start on; the end shows a cycle after its word."""
    result = check([MAKERS[op](random.Random(3))], contexts=1)[0]
    assert result.finished - result.started == 6 + SPACING * (WORDS[op] - 1)


def constant_time(op: str, rounds: int, seed: int) -> None:
    """Rounds in which all contexts start such a job at the same times: every job ends in the same cycle of
    its round, whatever its scalar and point."""
    rng = random.Random(seed)
    seen: set[tuple[int, ...]] = set()
    for _ in range(rounds):
        results = check([MAKERS[op](rng) for _ in range(CONTEXTS)])
        first = results[0].started
        seen.add(tuple(time - first for r in results for time in (r.started, r.finished)))
    assert len(seen) == 1


@pytest.mark.parametrize("op", MAKERS)
def test_constant_time(op: str) -> None:
    """108 scalars."""
    constant_time(op, 9, seed=4)


@pytest.mark.long
@pytest.mark.parametrize("op", MAKERS)
def test_constant_time_long(op: str) -> None:
    """1,008 scalars."""
    constant_time(op, 84, seed=5)


@pytest.mark.parametrize("op", MAKERS)
def test_rate(op: str) -> None:
    """In steady state a job takes as many cycles as it has words, exactly: between an early and a late
    round of ends, 60 jobs apart."""
    rng, apart = random.Random(6), 60
    jobs = [MAKERS[op](rng) for _ in range(apart + 4 * CONTEXTS)]
    ends = sorted(result.finished for result in check(jobs))
    early, late = 2 * CONTEXTS, 2 * CONTEXTS + apart
    cycles = sum(ends[late : late + CONTEXTS]) - sum(ends[early : early + CONTEXTS])
    assert cycles == CONTEXTS * apart * WORDS[op]


# ---- guard --------------------------------------------------------------------------------------


def test_a_secret_job_in_a_public_program_is_refused() -> None:
    """Keygen and sign are made to begin where verification does: the guard ends them there, at the first
    question about data, without a result; other jobs go on."""
    rng = random.Random(7)
    refused = [Job(op, (rng.randrange(L), rng.randrange(L)), reason=Reason.secret_refused)
               for op in ("keygen", "sign") * 6]  # fmt: skip
    others = [x25519_job(rng) for _ in range(8)] + honest_jobs(4, rng)
    jobs = refused + others
    rng.shuffle(jobs)
    entry = f"{(len(image().words) - 1).bit_length()}'d{image().origins['halfsize']}"
    results = run(jobs, fixed_base=entry)
    for job, result in zip(jobs, results, strict=True):
        assert Reason(result.reason) == job.reason
        if job in refused:
            assert result.outputs == 0
            assert result.finished - result.started < SPACING * CONTEXTS * 20
        else:
            assert tuple(result.word(slot) for slot in range(len(job.words))) == job.words
