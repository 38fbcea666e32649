# SPDX-License-Identifier: Apache-2.0
"""The core with several contexts, segmented carry chains (Segment = 64) and registers between its parts:
verdicts, rate, resets; as it is routed on an FPGA, and whole."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dv.edverify.edverify_core import CONTEXTS, Core, beats_of_job, check, damaged, judged, secret_packet
from dv.edverify.test_pm_edverify_barrel_engine import by_tag, honest, soft_reset, steady_cycles
from pointmill.model.x25519 import x25519
from pointmill.rules import OPERATIONS, RULES, Reason
from vectors.hostile import hostile_cases


@pytest.fixture(params=["routed", pytest.param("segmented", marks=pytest.mark.long)])
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


def test_hostile_signatures(core: Core) -> None:
    """Every category under every rule; all contexts at work."""
    jobs = judged(hostile_cases(26, seed=52, max_message=300))
    assert len(jobs) == 26 * len(RULES)
    assert len(check(core, jobs)) == len(jobs)


def test_steady_state(core: Core) -> None:
    """The depth of the pipeline costs contexts, not cycles of the multiplier."""
    cycles, answers = steady_cycles(core, honest(5 * CONTEXTS[core.config], 7))
    assert cycles <= 2125 * answers


def test_soft_resets(core: Core) -> None:
    """At any time; every job is answered once, and the next ones are right."""
    rng = random.Random(74)
    jobs = judged(hostile_cases(26, seed=53, max_message=300))
    points = [*range(6), *(rng.randrange(60_000) for _ in range(10))]
    aborted = sum(soft_reset(core, jobs, rng, point) for point in points)
    assert len(points) == 16 and aborted > 80


def test_damaged_packets(core: Core) -> None:
    """Each between two good ones, with pauses."""
    good = honest(40, 75)
    expected = []
    for index, wrong in enumerate(damaged(good[0], 0)):
        header = int.from_bytes(wrong[0][0], "little") & 0xFFFF_FFFF | index << 32 | 1 << 63
        core.push([(header.to_bytes(8, "little"), wrong[0][1]), *wrong[1:]])
        core.push(beats_of_job(good[index % 40], index))
        expected += [(index | 1 << 31, Reason.malformed_job), (index, Reason.ok)]
    core.pace(6, idle=10, stall=30)
    assert len(expected) > 200
    assert by_tag(core.answers(len(expected))) == sorted(expected)


@pytest.mark.long
def test_secret_operations_between_verifications() -> None:
    """Signatures, keys and X25519 of the whole core: results of OpenSSL and the golden model."""
    core = Core("segmented")
    rng = random.Random(76)
    payloads = {}
    for tag, job in enumerate(honest(60, 77)):
        core.push(beats_of_job(job, 1000 + tag))
        secret, other = rng.randbytes(32), rng.randbytes(32)
        op = ("x25519", "keygen", "sign")[tag % 3]
        key = Ed25519PrivateKey.from_private_bytes(secret)
        public = key.public_key().public_bytes_raw()
        payloads[tag] = {"x25519": x25519(secret, other), "keygen": public,
                         "sign": public + key.sign(other)}[op]  # fmt: skip
        operands = {"x25519": (secret, other), "keygen": (secret,), "sign": (secret, other)}[op]
        core.push(secret_packet(tag, OPERATIONS[op].opcode, *operands))
    results = core.answers(120)
    assert {result.reason for result in results} == {Reason.ok}
    assert {r.tag: r.payload for r in results if r.tag < 1000} == payloads
    core.close()
