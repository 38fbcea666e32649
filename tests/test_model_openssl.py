# SPDX-License-Identifier: Apache-2.0
"""The golden model against OpenSSL (through `cryptography`): keys, signatures and verdicts.

OpenSSL verifies by the rule named ref10_bytes here.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pointmill.model import ed25519
from pointmill.model.scalar import L
from vectors.hostile import hostile_cases


def openssl_accepts(pk: bytes, msg: bytes, sig: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(pk).verify(sig, msg)
    except InvalidSignature:
        return False
    return True


def test_keys_and_signatures_are_openssls() -> None:
    rng = random.Random(25519)
    for _ in range(60):
        seed, msg = rng.randbytes(32), rng.randbytes(rng.randrange(400))
        key = Ed25519PrivateKey.from_private_bytes(seed)
        assert ed25519.public_key(seed) == key.public_key().public_bytes_raw()
        assert ed25519.sign(seed, msg) == key.sign(msg)


def test_long_message() -> None:
    seed, msg = bytes(range(32)), random.Random(1).randbytes(100_000)
    sig = Ed25519PrivateKey.from_private_bytes(seed).sign(msg)
    assert ed25519.sign(seed, msg) == sig
    assert ed25519.verify("ref10_bytes", ed25519.public_key(seed), msg, sig).valid


def test_mutated_signatures() -> None:
    """Valid, or with a changed bit, a shifted S or a swapped part: the same answer."""
    rng = random.Random(7)
    answers = Counter()
    for index in range(400):
        key = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
        msg = rng.randbytes(rng.randrange(1, 300))
        job = [key.public_key().public_bytes_raw(), msg, key.sign(msg)]
        match index % 4:
            case 0:
                part = rng.randrange(3)
                value = bytearray(job[part])
                value[rng.randrange(len(value))] ^= 1 << rng.randrange(8)
                job[part] = bytes(value)
            case 1:
                s = int.from_bytes(job[2][32:], "little") + rng.randrange(1, 15) * L
                job[2] = job[2][:32] + s.to_bytes(32, "little")
            case 2:
                job[2] = job[2][32:] + job[2][:32]
        expected = openssl_accepts(*job)
        assert ed25519.verify("ref10_bytes", *job).valid == expected, job
        answers[expected] += 1
    assert answers == {True: 100, False: 300}


@pytest.mark.parametrize(
    "count", [26 * 20, pytest.param(26 * 400, marks=pytest.mark.long)], ids=["some", "many"]
)
def test_hostile_signatures(count: int) -> None:
    """Small and mixed order, non-canonical encodings: OpenSSL answers as ref10_bytes."""
    answers = Counter()
    for case in hostile_cases(count, seed=3):
        expected = openssl_accepts(case.pk, case.msg, case.sig)
        assert case.verdicts["ref10_bytes"] == expected, case.id
        answers[expected] += 1
    assert answers.total() == count and min(answers.values()) > count // 10
