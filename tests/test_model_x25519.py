# SPDX-License-Identifier: Apache-2.0
"""The golden model of X25519, key generation and signing against RFCs, Wycheproof and OpenSSL."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pointmill.model import ed25519, edwards
from pointmill.model.field25519 import P, inverse
from pointmill.model.x25519 import BASE, decode_scalar, decode_u, x25519
from vectors.secret_vectors import (
    ITERATED,
    rfc7748_cases,
    rfc8032_sign_cases,
    sign_input_sign_cases,
    wycheproof_x25519_cases,
)


def test_rfc7748() -> None:
    cases = rfc7748_cases()
    assert [case.id for case in cases] == [
        "5.2-1", "5.2-2", "5.2-3", "6.1-a", "6.1-b", "6.1-ab", "6.1-ba"]
    for case in cases:
        assert x25519(case.k, case.u) == case.out, case.id


def test_rfc7748_iterated() -> None:
    k = u = BASE
    for count in range(1, 1001):
        k, u = x25519(k, u), k
        assert count not in ITERATED or k.hex() == ITERATED[count]
    assert ITERATED.keys() == {1, 1000}


def test_wycheproof() -> None:
    cases = wycheproof_x25519_cases()
    assert len(cases) == 518
    flags = Counter(flag for case in cases for flag in case.category.split(","))
    assert flags["ZeroSharedSecret"] == sum(case.out == bytes(32) for case in cases) == 31
    assert flags["NonCanonicalPublic"] == 19 and flags["Twist"] > 200
    for case in cases:
        assert x25519(case.k, case.u) == case.out, case.id


def test_openssl() -> None:
    rng = random.Random(1)
    for _ in range(200):
        k, u = rng.randbytes(32), rng.randbytes(32)
        key = X25519PrivateKey.from_private_bytes(k)
        assert x25519(k, BASE) == key.public_key().public_bytes_raw()
        assert x25519(k, u) == key.exchange(X25519PublicKey.from_public_bytes(u))


def test_against_the_other_curve() -> None:
    """u = (1 + y) / (1 - y) of a multiple of the Edwards base point (RFC 7748, section 4.1)."""
    rng = random.Random(2)
    for _ in range(20):
        k = rng.randbytes(32)
        y = edwards.to_affine(edwards.multiply(decode_scalar(k), edwards.BASE))[1]
        assert int.from_bytes(x25519(k, BASE), "little") == (1 + y) * inverse(1 - y) % P


def test_decoding() -> None:
    assert decode_scalar(bytes(32)) == 2**254
    assert decode_scalar(b"\xff" * 32) == 2**255 - 8
    assert decode_u(b"\xff" * 32) == 18
    assert decode_u((P + 9 + 2**255).to_bytes(32, "little")) == 9
    for function in (decode_scalar, decode_u):
        for length in (31, 33):
            with pytest.raises(ValueError, match="32 bytes"):
                function(bytes(length))


def test_rfc8032_keys_and_signatures() -> None:
    cases = rfc8032_sign_cases()
    assert len(cases) == 5 and [len(case.msg) for case in cases] == [0, 1, 2, 64, 1023]
    for case in cases:
        assert ed25519.public_key(case.d) == case.pk
        assert ed25519.sign(case.d, case.msg) == case.sig


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.long)])
def test_sign_input(step: int) -> None:
    cases = sign_input_sign_cases()
    assert [len(case.msg) for case in cases] == list(range(1024))
    for case in cases[step - 1::step]:
        assert ed25519.public_key(case.d) == case.pk, case.id
        assert ed25519.sign(case.d, case.msg) == case.sig, case.id


def test_openssl_signs_the_same() -> None:
    rng = random.Random(3)
    for length in (0, 1, 31, 32, 63, 64, 111, 112, 127, 128, 500):
        d, msg = rng.randbytes(32), rng.randbytes(length)
        key = Ed25519PrivateKey.from_private_bytes(d)
        assert ed25519.public_key(d) == key.public_key().public_bytes_raw()
        assert ed25519.sign(d, msg) == key.sign(msg)
