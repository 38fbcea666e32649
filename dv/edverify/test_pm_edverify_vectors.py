# SPDX-License-Identifier: Apache-2.0
"""Signatures through the RTL core: verdicts and reasons under every rule set, and cycle counts.

The expected verdicts are what each source states, or the golden model's. Counts are exact.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dv.edverify.edverify_core import BLOCK, Core, Job, Result, check, judged, stated
from pointmill.model.ed25519 import public_key, sign
from pointmill.rules import RULES, VERDICTS, Reason
from vectors import ed25519_vectors
from vectors.ed25519_vectors import Case, seeded_sample
from vectors.hostile import CATEGORIES, hostile_case

SIGN_INPUT_SAMPLE = 64
FOLDER_SAMPLE = 8  # cases of every source
HOSTILE, HOSTILE_CHUNKS = 3000, 12
PUBLISHED_CYCLES = 9777  # Xue et al. 2022, J. Commun. 43(3), table 5: mean of a verification
ONE_BLOCK = 47  # R || A || M and its padding fill one SHA-512 block up to this length


@pytest.fixture(scope="module", params=[
    "paper", "throughput",
    *(pytest.param(name, marks=pytest.mark.long) for name in (
        "hardened", "latency", "tiles", "tiles_secret"))])
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


@pytest.fixture(scope="module")
def paper() -> Iterator[Core]:
    """The configuration whose jobs do not overlap."""
    core = Core("paper")
    yield core
    core.close()


def signed(rng: random.Random, length: int) -> Case:
    """A valid signature of a random key over a random message."""
    seed, msg = rng.randbytes(32), rng.randbytes(length)
    verdicts = dict.fromkeys(RULES, True)
    return Case(public_key(seed), msg, sign(seed, msg), verdicts, "signed", f"{length} bytes")


# ---- sources that state verdicts ----------------------------------------------------------------


def test_rfc8032(core: Core) -> None:
    assert len(check(core, stated(ed25519_vectors.rfc8032_cases()))) == 30


@pytest.mark.parametrize(("each", "counts"), [
    (4, (44, 11, 88, 70)), pytest.param(210, (210, 12, 760, 268), marks=pytest.mark.long)], ids=["4", "all"])
def test_wycheproof(core: Core, each: int, counts: tuple[int, int, int, int]) -> None:
    """All cases of the package, or the first four of each category, under all rules on which they say something."""
    whole, seen, cases = ed25519_vectors.wycheproof_cases(), Counter(), []
    for case in whole:
        seen[case.category] += 1
        cases += [case] if seen[case.category] <= each else []
    results = check(core, stated(cases))
    odd = sum(len(case.sig) != 64 for case in cases)
    verdicts = Counter(result.valid for result in results)
    assert (len(whole), len(seen)) == (210, 12)
    assert (len(cases), odd, verdicts[True], verdicts[False]) == counts
    warnings.warn(f"{odd} Wycheproof signatures of wrong length have no job packet", stacklevel=1)


def test_sign_input_sampled(core: Core) -> None:
    sample = seeded_sample(ed25519_vectors.sign_input_cases(), SIGN_INPUT_SAMPLE, seed=11)
    assert len(check(core, stated(sample))) == 6 * SIGN_INPUT_SAMPLE


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_sign_input_whole(core: Core, rule: str) -> None:
    jobs = [job for job in stated(ed25519_vectors.sign_input_cases()) if job.rule == rule]
    assert len(check(core, jobs)) == 1024


def folder_jobs(folder: Path, sample: int | None) -> tuple[list[Job], int]:
    """Stated jobs of (a sample of) every source of the folder, and how many cases were chosen.

    What is not run is said aloud, as a warning."""
    found = ed25519_vectors.folder_cases(folder)
    assert found.cases, f"{folder} holds no Ed25519 set"
    cases: list[Case] = []
    for source, count in found.counts().items():
        of_source = [case for case in found.cases if case.source == source]
        cases += seeded_sample(of_source, sample or count, seed=12)
    odd = sum(len(case.sig) != 64 or len(case.pk) != 32 for case in cases)
    warnings.warn(f"{folder.name}: {found.describe()}\nchosen: {len(cases)} cases, "
                  f"of which {odd} of wrong length have no job packet", stacklevel=2)  # fmt: skip
    jobs = stated(cases)
    assert len(jobs) == sum(
        len(case.verdicts) for case in cases if len(case.sig) == 64 and len(case.pk) == 32
    )
    assert len(cases) == sum(min(sample or count, count) for count in found.counts().values())
    return jobs, len(cases)


def test_reference_folder_sampled(core: Core, vectors_dir: Path) -> None:
    jobs, cases = folder_jobs(vectors_dir, FOLDER_SAMPLE)
    assert len(check(core, jobs)) == len(jobs) >= cases


# Jobs of known files under one rule; Wycheproof says less under zip215 and dalek_strict.
FOLDER_JOBS = {"sign.input.gz": {1024}, "ed25519_real.json.gz": {2138}, "rfc8032_ed25519.json": {5},
               "ed25519_test.json.gz": {139, 117}}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_reference_folder_whole(core: Core, vectors_dir: Path, rule: str) -> None:
    """Every stated verdict of every set."""
    jobs = [job for job in folder_jobs(vectors_dir, None)[0] if job.rule == rule]
    for source, count in Counter(job.case.source for job in jobs).items():
        assert count in FOLDER_JOBS.get(Path(source).name, {count}), source
    assert len(check(core, jobs)) == len(jobs) > 0


# ---- against the golden model -------------------------------------------------------------------


def check_hostile(core: Core, indices: range, seed: int) -> Counter[Reason]:
    """Verdict and reason of hostile cases under every rule; how often each reason came."""
    jobs = judged(hostile_case(index, seed) for index in indices)
    results = check(core, jobs)
    assert len(results) == 6 * len(indices)
    return Counter(Reason(result.reason) for result in results)


def test_hostile_sampled(core: Core) -> None:
    """60 cases: each of the 26 categories at least twice; every reason that a verdict can have."""
    assert len(CATEGORIES) == 26
    reasons = check_hostile(core, range(60), seed=21)
    assert reasons.keys() == VERDICTS - {Reason.malformed_job, Reason.aborted}


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(HOSTILE_CHUNKS))
def test_hostile_whole(core: Core, chunk: int) -> None:
    size = HOSTILE // HOSTILE_CHUNKS
    reasons = check_hostile(core, range(chunk * size, (chunk + 1) * size), seed=22)
    assert reasons.total() == 1500


# ---- message lengths ----------------------------------------------------------------------------

# Where the padding needs another block (R and A take 64 bytes), a block or a word just ends.
BOUNDARIES = [
    *(0, 1, 7, 8, 9, 46, 47, 48, 49, 55, 56, 62, 63, 64, 65, 111, 112, 119, 120, 127, 128),
    *(129, 174, 175, 176, 177, 191, 192, 193, 302, 303, 304, 319, 320),
]


def check_lengths(core: Core, lengths: list[int], seed: int) -> list[Result]:
    """A valid signature of each length, and the same with its last message bit changed."""
    rng = random.Random(seed)
    jobs = []
    for length in lengths:
        case, rule = signed(rng, length), rng.choice(list(RULES))
        jobs.append(Job(case, rule, True, Reason.ok))
        if length:
            msg = case.msg[:-1] + bytes((case.msg[-1] ^ 0x80,))
            wrong = Case(case.pk, msg, case.sig, {}, "signed", f"{length} bytes, last bit wrong")
            jobs.append(Job(wrong, rule, False, Reason.equation_fails))
    return check(core, jobs)


def test_message_lengths_at_boundaries(core: Core) -> None:
    assert len(BOUNDARIES) == 34
    assert len(check_lengths(core, BOUNDARIES, 31)) == 67


def test_message_lengths_sampled(core: Core) -> None:
    lengths = sorted(random.Random(32).sample(range(1, 301), 20))
    assert len(check_lengths(core, lengths, 32)) == 40


# Cycles of a lone job beside those of its hash, at most: a context of several issues a word only every
# ninth cycle, of `tiles` as its schedule wants.
BESIDE_HASH = {"paper": 6600, "hardened": 6600, "latency": 5500, "throughput": 20_000, "tiles": 45_000,
               "tiles_secret": 45_000}  # fmt: skip


def test_long_messages_sampled(core: Core) -> None:
    """100,000 bytes and one random length: the answer waits for the hash."""
    lengths = [100_000, random.Random(33).randrange(10_000, 100_000)]
    results = check_lengths(core, lengths, 33)
    assert len(results) == 4
    for result, length in zip(results, [n for n in lengths for _ in (0, 1)], strict=True):
        blocks = (64 + length + 17 + 127) // 128
        assert 0 < result.cycles - BLOCK[core.config] * blocks < BESIDE_HASH[core.config]


@pytest.mark.long
def test_message_lengths_all_up_to_300(core: Core) -> None:
    assert len(check_lengths(core, list(range(301)), 34)) == 601


@pytest.mark.long
def test_long_messages(core: Core) -> None:
    rng = random.Random(35)
    assert len(check_lengths(core, [rng.randrange(301, 100_001) for _ in range(30)], 35)) == 60


# ---- cycles -------------------------------------------------------------------------------------


def one_block(count: int, seed: int) -> list[Case]:
    """Valid signatures over messages that give one SHA-512 block."""
    rng = random.Random(seed)
    return [signed(rng, rng.randrange(ONE_BLOCK + 1)) for _ in range(count)]


@pytest.mark.long
@pytest.mark.parametrize("rule", ["rfc8032_cofactorless", "ref10_bytes"])
def test_mean_cycles(paper: Core, rule: str) -> None:
    """1,024 one-block messages: no more cycles in the mean than published."""
    jobs = [Job(case, rule, True, Reason.ok) for case in one_block(1024, 42)]
    results = check(paper, jobs)
    assert len(results) == 1024
    assert sum(result.cycles for result in results) / 1024 <= PUBLISHED_CYCLES


def test_cycles_are_honest(paper: Core) -> None:
    """The reported figure is what a bystander measures: of a lone job, from its header at the port
    (one cycle in the FIFO) to its last result beat (two cycles after the verdict); of jobs that
    wait in line, from answer to answer, with two cycles between them."""
    case = one_block(1, 43)[0]
    job = Job(case, "rfc8032_cofactorless", True, Reason.ok)
    for _ in range(3):
        before = paper.cycle
        result = check(paper, [job])[0]
        assert result.answered_at - before == result.cycles + 3
        paper.run(37)
    results = check(paper, [job] * 5)
    gaps = [b.answered_at - a.answered_at for a, b in itertools.pairwise(results)]
    assert gaps == [result.cycles + 2 for result in results[1:]]
    assert len({result.cycles for result in results}) == 1
