# SPDX-License-Identifier: Apache-2.0
"""Hostile scalars through a whole core whose digest is chosen (chosen/pm_sha512.sv): k for which the
halves c and d, and so the digit scan, have up to 255 bits, under equations that hold and that do not, with
points of mixed order, against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from dv.edverify.edverify_core import Core, Job, check
from dv.lib.scalar.halfgcd_reference import edges, half_gcd, hostile, multiples_of_eight
from dv.lib.scalar.naf_reference import L
from pointmill.model import edwards, scalar
from pointmill.model.ed25519 import Examination
from pointmill.rules import RULES, Reason
from vectors.ed25519_vectors import Case

LONG, LONGEST = 141, 255  # bits of c or d
NAMED = {0: 1, 1: 1, 2**128 - 1: 128, 2**128: 129, (L + 1) // 2: 252, L - 1: 253,
         (8 * L + 1) // 3 % L: 253, 8 * L // 3 % L: 252}  # fmt: skip
"""Ends of ranges and fractions of the modulus, each with the bits of c or d."""
KINDS = ("ordinary", "mixed", "torsion", "forged")


def bits(k: int) -> int:
    """Length of the longer one of c and d."""
    half = half_gcd(k)
    return max(abs(half.c), abs(half.d)).bit_length()


@cache
def long_scalars() -> dict[int, list[int]]:
    """Scalars whose c or d is long, by its length."""
    rng = random.Random(81)
    found: dict[int, list[int]] = {length: [] for length in range(LONG, LONGEST + 1)}
    for k in [*edges(), *hostile(rng, 6000), *multiples_of_eight(rng, 600)]:
        if bits(k) >= LONG:
            found[bits(k)].append(k)
    return found


def chosen(every: int) -> list[int]:
    """The named scalars, and up to `every` of each length."""
    rng = random.Random(82)
    lengths = long_scalars().values()
    return [*NAMED, *(k for ks in lengths for k in rng.sample(ks, min(every, len(ks))))]


def jobs_of(k: int, kind: str, rng: random.Random) -> list[Job]:
    """A signature whose digest is k mod L, under six rules.

    A = aB + T[i], R = rB + T[j], S = r + ka. ordinary: i = j = 0, all rules accept. mixed: ki + j = 0
    mod 8 with i not 0, all accept. torsion: ki + j is not 0 mod 8, cofactored rules accept. forged:
    i, j as for mixed, S is another one, all refuse."""
    a, r = rng.randrange(1, L), rng.randrange(1, L)
    i = 0 if kind == "ordinary" else rng.randrange(1, 8)
    j = (-k * i + (rng.randrange(1, 8) if kind == "torsion" else 0)) % 8
    points = [edwards.add(edwards.multiply(n, edwards.BASE), edwards.TORSION[t])
              for n, t in ((a, i), (r, j))]
    pk, r_bytes = map(edwards.encode, points)
    s = (r + k * a + (rng.randrange(1, L) if kind == "forged" else 0)) % L
    digest = (k + L * rng.randrange((2**512 - k) // L)).to_bytes(64, "little")
    case = Case(pk, digest, r_bytes + scalar.to_bytes(s), {}, kind, f"k = {k:#x}", k)
    examination = Examination(pk, digest, case.sig)
    examination.k = k
    verdicts = {rule: examination.judge(rule) for rule in RULES}
    accepting = {"ordinary": 6, "mixed": 6, "torsion": 2, "forged": 0}[kind]
    assert sum(verdict.valid for verdict in verdicts.values()) == accepting
    return [Job(case, rule, verdict.valid, verdict.reason) for rule, verdict in verdicts.items()]


def check_scalars(core: Core, scalars: list[int], kinds: int, seed: int) -> int:
    """Each scalar with `kinds` kinds in turn; how many jobs were right, which is all of them."""
    rng = random.Random(seed)
    jobs = [job for turn, k in enumerate(scalars)
            for kind in range(kinds) for job in jobs_of(k, KINDS[(turn + kind) % 4], rng)]
    results = check(core, jobs)
    accepted = Counter((job.case.source, result.valid)
                       for job, result in zip(jobs, results, strict=True))
    assert {kind for kind, _ in accepted} == set(KINDS)
    assert {Reason(result.reason) for result in results} == {Reason.ok, Reason.equation_fails}
    return len(results)


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    core = Core("throughput", chosen=True)
    yield core
    core.close()


def test_every_length() -> None:
    """There are scalars of every length from 141 to 255 bits."""
    assert all(long_scalars().values())
    assert sum(map(len, long_scalars().values())) > 1500
    assert {k: bits(k) for k in NAMED} == NAMED


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_long_scalars_sampled(core: Core, step: int) -> None:
    """One scalar of every length, or of every third, kinds taking turns: 115 + 8 or 39 + 8 signatures under six
    rules."""
    scalars = [*NAMED, *chosen(1)[len(NAMED)::step]]
    assert check_scalars(core, scalars, 1, 83) == 6 * ({3: 39, 1: 115}[step] + len(NAMED))


@pytest.mark.long
def test_long_scalars(core: Core) -> None:
    """Up to twelve scalars of every length, each with every kind."""
    scalars = chosen(12)
    assert len(scalars) > 1000
    assert check_scalars(core, scalars, 4, 84) == 6 * 4 * len(scalars)


@pytest.mark.long
def test_paper_agrees() -> None:
    """Full-length scalars do not care; the same verdicts from the configuration `paper`."""
    core = Core("paper", chosen=True)
    assert check_scalars(core, chosen(1), 1, 83) == 6 * (115 + len(NAMED))
    core.close()
