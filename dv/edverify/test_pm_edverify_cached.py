# SPDX-License-Identifier: Apache-2.0
"""verify_cached with cached keys in the configurations `bulk` and `tiles`: verdicts, rate, reloads, resets."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from dv.edverify.edverify_core import (
    CONTEXTS,
    OKAY,
    Core,
    Job,
    Result,
    beats_of_job,
    judged,
    key_packet,
)
from pointmill import simbuild
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify
from pointmill.model.scalar import L
from pointmill.rules import RULES, Reason
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases, mixed_order_case

KEYS = 8
CTRL, MULS = 0x0C, 0x40
RULE = "rfc8032_cofactorless"
SHORT = {"bulk": 800, "tiles": 1150}
ORDINARY = 1800
"""Products: a verification with a cached key has fewer than SHORT, any other one more than ORDINARY."""


@pytest.fixture(params=SHORT)
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


def load(core: Core, *keys: bytes, first: int = 0) -> list[Result]:
    """Load keys into slots from `first` on, and wait for all answers."""
    for slot, key in enumerate(keys, first):
        core.push(key_packet(slot, key, slot))
    return sorted(core.answers(len(keys)))


def run(core: Core, jobs: list[tuple[Job, int]]) -> list[Result]:
    """Verify with slots, compare every answer; the results in the order of the jobs."""
    for tag, (job, slot) in enumerate(jobs):
        core.push(beats_of_job(job, tag, slot, "verify_cached"))
    results = sorted(core.answers(len(jobs)))
    for (job, _), result in zip(jobs, results, strict=True):
        assert (result.valid, result.reason) == (job.valid, job.reason), (job.case.id, job.rule)
    return results


def products(core: Core, jobs: list[tuple[Job, int]]) -> int:
    """Products that these verifications cost."""
    before = core.read(MULS)[0]
    run(core, jobs)
    return core.read(MULS)[0] - before


def is_short(core: Core, job: Job, slot: int) -> bool:
    """Whether a verification with a slot used its tables."""
    count = products(core, [(job, slot)])
    assert count < SHORT[core.config] or count > ORDINARY
    return count < SHORT[core.config]


def kept(key: bytes) -> bool:
    """Whether the tables of a key are kept."""
    return edwards.decode(key, True) is not None and not edwards.is_small_order(key)


def honest(count: int, seed: int, rule: str = RULE) -> list[Job]:
    """Valid signatures of one key."""
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    key, found = public_key(secret), []
    for number in range(count):
        msg = rng.randbytes(20)
        found.append(Job(Case(key, msg, sign(secret, msg), {}, "signed", str(number)), rule, True,
                         Reason.ok))  # fmt: skip
    return found


def neutral_r(spelling: bytes, seed: int) -> Case:
    """R = (0, 1), written in some way, and S made for it."""
    rng = random.Random(seed)
    a, msg = rng.randrange(1, L), rng.randbytes(9)
    key = edwards.encode(edwards.multiply(a, edwards.BASE))
    k = int.from_bytes(hashlib.sha512(spelling + key + msg).digest(), "little") % L
    return Case(key, msg, spelling + (k * a % L).to_bytes(32, "little"), {}, "neutral", str(seed))


P = 2**255 - 19
SPELLINGS = [(y | sign << 255).to_bytes(32, "little") for y in (1, P + 1) for sign in (0, 1)]

# ---- verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [26, pytest.param(104, marks=pytest.mark.long)])
def test_hostile_signatures_with_cached_keys(core: Core, count: int) -> None:
    """Every reason that a cached key leaves, under every rule; eight keys at a time, each in its slot."""
    cases = [*hostile_cases(count, seed=81, max_message=300),
             *(mixed_order_case(index, seed=82) for index in range(count * 2 // 13)),
             *(neutral_r(spelling, seed) for seed, spelling in enumerate(SPELLINGS))]  # fmt: skip
    cases = [case for case in cases if kept(case.pk)]
    seen: Counter[Reason] = Counter()
    for at in range(0, len(cases), KEYS):
        chosen = cases[at : at + KEYS]
        assert all(result.valid for result in load(core, *(case.pk for case in chosen)))
        jobs = [(job, slot) for slot, case in enumerate(chosen) for job in judged([case])]
        random.Random(at).shuffle(jobs)
        run(core, jobs)
        seen += Counter(job.reason for job, _ in jobs)
    assert seen.total() == 6 * len(cases) == {26: 162, 104: 564}[count]
    assert seen.keys() == {Reason.ok, Reason.s_out_of_range, Reason.r_not_decodable,
                           Reason.small_order_r, Reason.equation_fails}  # fmt: skip


def test_keys_that_are_not_kept(core: Core) -> None:
    """Loads of points of small order are answered with ok, those of no points refused; neither leaves tables
    behind, nor those of the key before."""
    before = honest(1, 21)[0]
    small = [edwards.encode(point) for point in edwards.TORSION[:3]]
    wrong = [b"\xff" * 32, P.to_bytes(32, "little"), (1 | 1 << 255).to_bytes(32, "little")]
    for key in [*small, *wrong]:
        assert load(core, before.case.pk, first=3)[0].valid
        assert is_short(core, before, 3)
        reason = load(core, key, first=3)[0].reason
        assert reason == (Reason.ok if key in small else Reason.a_not_decodable)
        assert not is_short(core, before, 3)
    small_order = (case for case in hostile_cases(260, seed=83, max_message=100) if edwards.is_small_order(case.pk))
    cases = list(itertools.islice(small_order, 6))
    for case in cases:
        load(core, before.case.pk, first=5)
        load(core, case.pk, first=5)
        run(core, [(job, 5) for job in judged([case])])
    assert len(cases) == 6


def test_another_key_in_the_slot(core: Core) -> None:
    """Keys that differ from that of the slot in one bit, one in each 32-bit word: the ordinary program."""
    job = honest(1, 22)[0]
    load(core, job.case.pk, first=2)
    others = []
    for word in range(8):
        for bit in range(32 * word, 32 * word + 32):
            key = (int.from_bytes(job.case.pk, "little") ^ 1 << bit).to_bytes(32, "little")
            reason = verify(RULE, key, job.case.msg, job.case.sig).reason
            if reason == Reason.a_not_decodable:
                case = Case(key, job.case.msg, job.case.sig, {}, "bit", str(bit))
                others.append((Job(case, RULE, False, reason), 2))
                break
    assert len(others) == 8
    run(core, others)
    assert is_short(core, job, 2) and not is_short(core, job, 1)


# ---- loads among other jobs ---------------------------------------------------------------------


def test_reload_of_a_slot_in_use(core: Core) -> None:
    """Without a pause: verifications with a slot, a load of another key into it, verifications with that
    one and with the key before; the load waits until nobody reads the slot."""
    first, second = honest(30, 23), honest(30, 24)
    load(core, first[0].case.pk, first=6)
    queue: list[Job | bytes] = []
    for at in range(0, 30, 10):
        queue += [*first[at : at + 10], second[0].case.pk, *second[at : at + 5], *first[at : at + 2]]
        queue += [*second[at + 5 : at + 10], first[0].case.pk]
    for tag, item in enumerate(queue):
        core.push(key_packet(tag, item, 6) if isinstance(item, bytes)
                  else beats_of_job(item, tag, 6, "verify_cached"))  # fmt: skip
    assert all(result.valid for result in core.answers(len(queue)))
    assert len(queue) == 3 * 24


def test_both_kinds_at_once(core: Core) -> None:
    """Verifications with tables and without, one after the other: each gets the digit sequence of its own."""
    with_tables, without = honest(40, 35), [job for seed in range(36, 46) for job in honest(4, seed)]
    load(core, with_tables[0].case.pk, first=2)
    queue = [(job, mode) for pair in zip(with_tables, without, strict=True)
             for job, mode in zip(pair, ("verify_cached", "verify"), strict=True)]  # fmt: skip
    for tag, (job, mode) in enumerate(queue):
        core.push(beats_of_job(job, tag, 2 if mode == "verify_cached" else 0, mode))
    assert all(result.valid for result in core.answers(len(queue)))
    assert len(queue) == 80


def test_two_loads_of_one_slot(core: Core) -> None:
    """The later one begins when the earlier one has ended, and its key stays."""
    jobs = [honest(1, seed)[0] for seed in (25, 26)]
    for tag, job in enumerate(jobs):
        core.push(key_packet(tag, job.case.pk, 0))
    early, late = sorted(core.answers(2))
    assert late.answered_at - early.answered_at > 25_000
    assert is_short(core, jobs[1], 0) and not is_short(core, jobs[0], 0)


LAST = 500
"""More cycles than there are between the last coordinate of a load and its answer, with other jobs beside it."""


@pytest.mark.long
def test_soft_reset(core: Core) -> None:
    """While a load and verifications are under way, also about when the load ends: one that is not complete keeps
    nothing, cached keys stay, and the slot can be loaded again at once."""
    rng = random.Random(27)
    old, new = honest(6, 28), honest(2, 29)
    load(core, old[0].case.pk, first=1)

    def begin() -> None:
        core.push(key_packet(0, new[0].case.pk, 4))
        for tag, job in enumerate(old, 1):
            core.push(beats_of_job(job, tag, 1, "verify_cached"))

    begin()
    end = min(core.answers(7)).cycles
    load(core, honest(1, 30)[0].case.pk, first=4)
    ended = 0
    points = [*range(0, 120, 12), *(rng.randrange(end) for _ in range(8)),
              *(rng.randrange(end - LAST, end + 60) for _ in range(10))]  # fmt: skip
    for point in points:
        begin()
        core.run(point)
        assert core.write(CTRL, 1) == OKAY
        answers = sorted(core.answers(7))
        assert all(answer.reason in (Reason.ok, Reason.aborted) for answer in answers)
        ended += answers[0].valid
        assert is_short(core, old[0], 1)
        complete = is_short(core, new[0], 4)
        assert complete or not answers[0].valid
        assert answers[0].valid or not complete or point > end - LAST
        assert load(core, new[0].case.pk, first=4)[0].valid
        assert is_short(core, new[1], 4)
        other = honest(1, 30)[0].case.pk
        load(core, other, first=4)  # for the next round
    assert 0 < ended < 10


def test_hard_reset_forgets_keys(core: Core) -> None:
    job = honest(1, 31)[0]
    load(core, job.case.pk)
    core.reset()
    assert not is_short(core, job, 0)


# ---- time ---------------------------------------------------------------------------------------



class Time(NamedTuple):
    """steady: exactly, of `test_steady_state`; most, many: cycles a verification with one and with eight keys; alone,
    load: single jobs."""

    steady: int
    most: int
    many: int
    alone: int
    load: int


SAMPLE = 200
TIMES = {"bulk": Time(2_288_090, 730, 735, 7095, 28_819), "tiles": Time(4_420_091, 1110, 1100, 18_325, 34_889)}


def test_steady_state(core: Core) -> None:
    """Exact: verifications with one key, back to back. The sums over the answers of a late and of an early
    window do not depend on where in a round of the contexts a window begins."""
    jobs = honest(SAMPLE, 32)
    load(core, jobs[0].case.pk)
    ends = sorted(result.answered_at for result in run(core, [(job, 0) for job in jobs]))
    window = 2 * CONTEXTS[core.config]
    early, late = window, SAMPLE - window - 20
    cycles = sum(ends[late : late + window]) - sum(ends[early : early + window])
    answers = window * (late - early)
    assert cycles == TIMES[core.config].steady
    assert cycles <= TIMES[core.config].most * answers


@pytest.mark.long
def test_steady_state_of_many_keys(core: Core) -> None:
    """Eight keys in turn, under every rule."""
    keys = [honest(60, 40 + slot, rule) for slot, rule in enumerate([*RULES, RULE, RULE])]
    load(core, *(jobs[0].case.pk for jobs in keys))
    queue = [(jobs[at], slot) for at in range(60) for slot, jobs in enumerate(keys)]
    ends = sorted(result.answered_at for result in run(core, queue))
    assert ends[-30] - ends[30] <= TIMES[core.config].many * (len(ends) - 60)


STREAMS = {"bulk": {16: 2252, 32: 1705, 64: 1217}, "tiles": {16: 2231, 32: 1970, 64: 1565}}
"""Cycles a verification, by how many come with a key."""


@pytest.mark.long
def test_streams_of_keys(core: Core) -> None:
    """A key is loaded, then verifications name it; then the next one, the slots in turn. Exact."""
    keys, found = [honest(1, 500 + number)[0] for number in range(24)], {}
    for each in STREAMS[core.config]:
        fresh = Core(core.config)
        for number, job in enumerate(keys):
            fresh.push(key_packet(0, job.case.pk, number % KEYS))
            for _ in range(each):
                fresh.push(beats_of_job(job, 1, number % KEYS, "verify_cached"))
        results = sorted(fresh.answers((each + 1) * len(keys)), key=lambda result: result.answered_at)
        fresh.close()
        assert all(result.valid for result in results)
        late, early = results[-1], results[(each + 1) * len(keys) // 3]
        found[each] = round((late.answered_at - early.answered_at) / (each * len(keys) * 2 / 3))
    print(f"{core.config}: cycles a verification with a key of n: {found}")
    assert found == STREAMS[core.config]


def test_alone(core: Core) -> None:
    """A load and a verification with nothing else to do, exact."""
    job = honest(1, 33)[0]
    assert load(core, job.case.pk)[0].cycles == TIMES[core.config].load
    assert run(core, [(job, 0)])[0].cycles == TIMES[core.config].alone


ONE = {"Contexts": 12, "SecretOps": 0, "Keys": KEYS}
SEVERAL = {"Contexts": 21, "Tiles": 3, "SecretOps": 0, "Keys": KEYS}


@pytest.mark.parametrize(("params", "message"), [
    (ONE | {"SecretOps": 1}, "one engine has cached keys and batches, or SecretOps"),
    (ONE | {"Keys": 3}, "must be a power of two"),
    (ONE | {"Contexts": 1}, "need several contexts, and not Scheduled"),
    (ONE | {"Scheduled": 1}, "need several contexts, and not Scheduled"),
    (SEVERAL | {"Keys": 16}, "at most 8 keys, and no batches"),
    (SEVERAL | {"Batch": 64, "BatchSlots": 10}, "at most 8 keys, and no batches"),
    (SEVERAL | {"Keys": 3}, "must be a power of two"),
    (SEVERAL | {"Contexts": 28, "Tiles": 4}, "keys are cached for at most 3 tiles"),
])  # fmt: skip
def test_refused_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_edverify", "hw/edverify/edverify.f", params)
