# SPDX-License-Identifier: Apache-2.0
"""Configurations `bulk` and `tiles`: verify_cached, verify_batch and load_key beside verify, from raw packets.

Verdicts and reasons are those of the golden model, whatever the slot holds and whoever is in the batch; what is
not built in is a malformed job.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from edverify_core import Beat, Core, Job, beats_of_job, damaged, judged, key_packet, packet, secret_packet

from pointmill.model import ed25519
from pointmill.rules import OPERATIONS, RULES, Reason
from vectors.hostile import hostile_cases

KEYS = 8
SEED = tuple(range(0x60, 0x80, 4))
VERIFICATIONS = {"bulk": ("verify", "verify_cached", "verify_batch"), "tiles": ("verify", "verify_cached")}
SECRET = ("x25519", "keygen", "sign")
LIMIT = 60_000
"""Cycles that each job of a stream may take in the mean."""


@pytest.fixture(params=[("bulk", False), ("bulk", True), ("tiles", False)], ids=["unseeded", "seeded", "tiles"])
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    """The core after reset; `bulk` without and with a seed for its batches."""
    config, seeded = request.param
    one = Core(config)
    if seeded:
        for word, address in enumerate(SEED):
            assert one.write(address, 0x9E3779B9 * (word + 1) & 0xFFFFFFFF) == 0
    yield one
    one.close()


@pytest.fixture(scope="module")
def jobs() -> list[Job]:
    """Honest and hostile signatures under every rule."""
    found = judged(hostile_cases(30, 31, 300))
    assert len(found) == 180
    return found


def key_reason(pk: bytes) -> Reason:
    """What load_key says: whether a key is the canonical encoding of a point."""
    reason = ed25519.verify("rfc8032_cofactored", pk, b"", b"\xff" * 32 + bytes(32)).reason
    return reason if reason == Reason.a_not_decodable else Reason.ok


def run(core: Core, stream: list[tuple[list[Beat], int, Reason]]) -> list[Reason]:
    """Sends packets, of which the rule and the reason of the answer are known; the reasons."""
    for beats, _, _ in stream:
        core.push(beats)
    answers = sorted(core.answers(len(stream), LIMIT * len(stream)))
    for tag, (answer, (_, rule, reason)) in enumerate(zip(answers, stream, strict=True)):
        assert (answer.tag, answer.rule, Reason(answer.reason)) == (tag, rule, reason), tag
        assert answer.valid == (reason == Reason.ok) and not answer.payload
    return [reason for _, _, reason in stream]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("op", VERIFICATIONS["bulk"])
def test_verdicts_of_one_operation(core: Core, jobs: list[Job], op: str, step: int) -> None:
    """One operation alone, every rule, or rules taking turns; no key was loaded."""
    rng = random.Random(op)
    built = op in VERIFICATIONS[core.config]
    stream = []
    for tag, job in enumerate(jobs[::step]):
        slot = rng.getrandbits(16) if op == "verify_cached" else 0
        reason = job.reason if built else Reason.malformed_job
        stream.append((beats_of_job(job, tag, slot, op), RULES[job.rule].id, reason))
    assert len(stream) == 180 // step and {rule for _, rule, _ in stream} == {rule.id for rule in RULES.values()}
    seen = {*run(core, stream)}
    assert seen > {Reason.ok, Reason.a_not_decodable, Reason.equation_fails} if built else len(seen) == 1


@pytest.mark.parametrize("count", [120, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize(("idle", "stall"), [(0, 0), (40, 30)])
def test_mixed_stream(core: Core, jobs: list[Job], idle: int, stall: int, count: int) -> None:
    """All operations in one stream, more keys than slots, loaded again and again; damaged packets and
    what is not built in among them."""
    rng = random.Random(idle)
    core.pace(5, idle, stall)
    few = rng.sample(jobs, 40)  # so that keys come again
    verifications = VERIFICATIONS[core.config]
    bad = list(damaged(few[0], 0))
    stream: list[tuple[list[Beat], int, Reason]] = []
    for tag in range(count):
        kind = rng.choice((*verifications, "verify_cached", "load_key", "not a slot", "damaged",
                           "not built in"))
        job = rng.choice(few)
        if kind in verifications:
            slot = rng.choice((rng.randrange(KEYS), rng.getrandbits(16)))
            beats = beats_of_job(job, tag, slot if kind == "verify_cached" else 0, kind)
            stream.append((beats, RULES[job.rule].id, job.reason))
        elif kind == "load_key":
            pk = job.case.pk
            stream.append((key_packet(tag, pk, rng.randrange(KEYS)), 0, key_reason(pk)))
        elif kind == "not a slot":
            slot = rng.choice((KEYS, KEYS + 1, 0xFFFF, rng.randrange(KEYS, 1 << 16)))
            beats = key_packet(tag, job.case.pk, slot)
            stream.append((beats, 0, Reason.malformed_job))
        elif kind == "damaged":
            (head, keep), *rest = rng.choice(bad)
            beats = [(head[:4] + tag.to_bytes(4, "little"), keep), *rest]
            stream.append((beats, head[0], Reason.malformed_job))
        else:
            operation = OPERATIONS[rng.choice(SECRET)]
            body = bytes(32 * len(operation.operands))
            stream.append((secret_packet(tag, operation.opcode, body), 0, Reason.malformed_job))
    reasons = run(core, stream)
    assert min(reasons.count(reason) for reason in (Reason.ok, Reason.malformed_job)) > 3 * count // 20
    assert len({job.case.pk for job in few}) > KEYS


def test_slots(core: Core, jobs: list[Job]) -> None:
    """Every slot is loaded with a key and used; then another key asks for it, and its own one again."""
    good = [job for job in jobs if job.valid]
    by_key = {job.case.pk: job for job in good if key_reason(job.case.pk) == Reason.ok}
    assert len(by_key) > KEYS
    chosen = list(by_key.values())[: KEYS + 1]
    stream = []
    for slot in range(KEYS):
        stream.append((key_packet(len(stream), chosen[slot].case.pk, slot), 0, Reason.ok))
    for slot in range(KEYS):
        for job in (chosen[slot], chosen[slot + 1], chosen[slot]):
            beats = beats_of_job(job, len(stream), slot, "verify_cached")
            stream.append((beats, RULES[job.rule].id, Reason.ok))
            case, msg = job.case, job.case.msg + b"!"
            wrong = ed25519.verify(job.rule, case.pk, msg, case.sig).reason
            beats = packet(len(stream), RULES[job.rule].id, case.pk, msg, case.sig, slot,
                           "verify_cached")
            stream.append((beats, RULES[job.rule].id, wrong))
    assert run(core, stream).count(Reason.ok) >= KEYS * 4


def test_a_key_that_is_none(core: Core, jobs: list[Job]) -> None:
    """It is refused, and verifications that name its slot have their own verdicts."""
    good = next(job for job in jobs if job.valid and key_reason(job.case.pk) == Reason.ok)
    bad = [pk for pk in {job.case.pk for job in jobs} if key_reason(pk) != Reason.ok]
    bad += [b"\xff" * 32, (2**255 - 19).to_bytes(32, "little"), (1 | 1 << 255).to_bytes(32, "little")]
    assert len(bad) > 5
    stream: list[tuple[list[Beat], int, Reason]] = []
    for pk in bad:
        stream.append((key_packet(len(stream), pk, 3), 0, Reason.a_not_decodable))
        for job in (good, *(job for job in jobs if job.case.pk == pk)):
            beats = beats_of_job(job, len(stream), 3, "verify_cached")
            stream.append((beats, RULES[job.rule].id, job.reason))
    run(core, stream)


@pytest.mark.parametrize("rounds", [8, pytest.param(25, marks=pytest.mark.long)])
def test_soft_resets(core: Core, jobs: list[Job], rounds: int) -> None:
    """At any time: every job is answered once, aborted or rightly, and the core goes on."""
    rng = random.Random(8)
    aborted = 0
    for _ in range(rounds):
        expected: list[Reason] = []
        for tag in range(16):
            job = rng.choice(jobs)
            if rng.random() < 0.2:
                core.push(key_packet(tag, job.case.pk, rng.randrange(KEYS)))
                expected.append(key_reason(job.case.pk))
            else:
                op = rng.choice(VERIFICATIONS[core.config])
                slot = rng.randrange(KEYS) if op == "verify_cached" else 0
                core.push(beats_of_job(job, tag, slot, op))
                expected.append(job.reason)
        core.run(rng.choice((rng.randrange(60), rng.randrange(2000), rng.randrange(2000, 20_000))))
        assert core.write(0x0C, 1) == 0
        for answer in core.answers(16):
            assert answer.reason in (expected[answer.tag], Reason.aborted)
            aborted += answer.reason == Reason.aborted
    assert rounds * 2 < aborted < rounds * 14
