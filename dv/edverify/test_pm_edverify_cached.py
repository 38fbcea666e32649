# SPDX-License-Identifier: Apache-2.0
"""verify_cached with cached keys in the configuration `bulk`: verdicts, rate, reloads, resets."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator

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
SHORT, ORDINARY = 800, 1800  # products: a verification with a kept key has fewer, any other one more


@pytest.fixture
def core() -> Iterator[Core]:
    core = Core("bulk")
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


def test_hostile_signatures_with_kept_keys(core: Core) -> None:
    """Every reason that a kept key leaves, under every rule; eight keys at a time, each in its slot."""
    cases = [*hostile_cases(104, seed=81, max_message=300),
             *(mixed_order_case(index, seed=82) for index in range(16)),
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
    assert seen.total() == 6 * len(cases) > 500
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
        assert products(core, [(before, 3)]) < SHORT
        reason = load(core, key, first=3)[0].reason
        assert reason == (Reason.ok if key in small else Reason.a_not_decodable)
        assert products(core, [(before, 3)]) > ORDINARY
    cases = [case for case in hostile_cases(260, seed=83, max_message=100)
             if edwards.is_small_order(case.pk)][:6]  # fmt: skip
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
    assert products(core, [(job, 2)]) < SHORT < ORDINARY < products(core, [(job, 1)])


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


def test_two_loads_of_one_slot(core: Core) -> None:
    """The later one begins when the earlier one has ended, and its key stays."""
    jobs = [honest(1, seed)[0] for seed in (25, 26)]
    for tag, job in enumerate(jobs):
        core.push(key_packet(tag, job.case.pk, 0))
    early, late = sorted(core.answers(2))
    assert late.answered_at - early.answered_at > 25_000
    assert products(core, [(jobs[1], 0)]) < SHORT < ORDINARY < products(core, [(jobs[0], 0)])


@pytest.mark.long
def test_soft_reset(core: Core) -> None:
    """While a load and verifications are under way: a load that did not end keeps nothing, kept keys
    stay, and the slot can be loaded again at once."""
    rng = random.Random(27)
    old, new = honest(6, 28), honest(2, 29)
    load(core, old[0].case.pk, first=1)
    ended = 0
    for point in [*range(0, 120, 12), *(rng.randrange(32_000) for _ in range(12))]:
        core.push(key_packet(0, new[0].case.pk, 4))
        for tag, job in enumerate(old, 1):
            core.push(beats_of_job(job, tag, 1, "verify_cached"))
        core.run(point)
        assert core.write(CTRL, 1) == OKAY
        answers = sorted(core.answers(7))
        assert all(answer.reason in (Reason.ok, Reason.aborted) for answer in answers)
        ended += answers[0].valid
        assert products(core, [(old[0], 1)]) < SHORT
        count = products(core, [(new[0], 4)])
        assert count < SHORT if answers[0].valid else count > ORDINARY
        assert load(core, new[0].case.pk, first=4)[0].valid
        assert products(core, [(new[1], 4)]) < SHORT
        other = honest(1, 30)[0].case.pk
        load(core, other, first=4)  # for the next round
    assert 0 < ended < 12


def test_hard_reset_forgets_keys(core: Core) -> None:
    job = honest(1, 31)[0]
    load(core, job.case.pk)
    core.reset()
    assert products(core, [(job, 0)]) > ORDINARY


# ---- time ---------------------------------------------------------------------------------------

SAMPLE, STEADY_CYCLES = 200, 2_288_090
ALONE, LOAD_ALONE = 7_095, 28_819


def test_steady_state(core: Core) -> None:
    """Exact: verifications with one key, back to back. The sums over the answers of a late and of an early
    window do not depend on where in a round of the contexts a window begins."""
    jobs = honest(SAMPLE, 32)
    load(core, jobs[0].case.pk)
    ends = sorted(result.answered_at for result in run(core, [(job, 0) for job in jobs]))
    window = 2 * CONTEXTS["bulk"]
    early, late = window, SAMPLE - window - 20
    cycles = sum(ends[late : late + window]) - sum(ends[early : early + window])
    answers = window * (late - early)
    assert cycles == STEADY_CYCLES
    assert cycles <= 730 * answers


@pytest.mark.long
def test_steady_state_of_many_keys(core: Core) -> None:
    """Eight keys in turn, under every rule."""
    keys = [honest(60, 40 + slot, rule) for slot, rule in enumerate([*RULES, RULE, RULE])]
    load(core, *(jobs[0].case.pk for jobs in keys))
    queue = [(jobs[at], slot) for at in range(60) for slot, jobs in enumerate(keys)]
    ends = sorted(result.answered_at for result in run(core, queue))
    assert ends[-30] - ends[30] <= 735 * (len(ends) - 60)


def test_alone(core: Core) -> None:
    """A load and a verification with nothing else to do, exact."""
    job = honest(1, 33)[0]
    assert load(core, job.case.pk)[0].cycles == LOAD_ALONE
    assert run(core, [(job, 0)])[0].cycles == ALONE


@pytest.mark.parametrize(("params", "message"), [
    ({}, "for `bulk` alone, without SecretOps"),
    ({"SecretOps": 0, "Keys": 3}, "must be a power of two"),
])  # fmt: skip
def test_refused_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_edverify", "hw/edverify/edverify.f", {"Contexts": 12, "Keys": KEYS} | params)
