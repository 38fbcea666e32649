# SPDX-License-Identifier: Apache-2.0
"""Key objects of `cryptography` on the simulated cores: the same results and exceptions as the objects themselves."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x448, x25519
from cryptography.hazmat.primitives.hashes import SHA256, SHA512, Hash

import pointmill
from pointmill.keys import PrivateKey, PublicKey
from test_api import edverify, multicurve

ECDSA = ec.ECDSA(SHA256())
CURVES = (ec.SECP256R1(), ec.SECP384R1(), ec.SECP256K1())


def test_ed25519(edverify: pointmill.Session) -> None:
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    mine = PrivateKey(edverify, key)
    signature = mine.sign(b"data")
    assert signature == key.sign(b"data")
    for public in (key.public_key(), mine.public_key()):
        public.verify(signature, b"data")
        with pytest.raises(InvalidSignature):
            public.verify(signature, b"other")
        with pytest.raises(InvalidSignature):
            public.verify(signature[:63], b"data")


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_ecdsa(multicurve: pointmill.Session, curve: ec.EllipticCurve) -> None:
    key = ec.derive_private_key(0x1234567890ABCDEF, curve)
    mine = PrivateKey(multicurve, key)
    key.public_key().verify(mine.sign(b"data", ECDSA), b"data", ECDSA)
    public, signature = PublicKey(multicurve, key.public_key()), key.sign(b"data", ECDSA)
    public.verify(signature, b"data", ECDSA)
    wide = utils.encode_dss_signature(1 << 600, 1)
    for wrong, data in ((signature, b"other"), (signature[:-1], b"data"), (b"", b"data"), (wide, b"data")):
        with pytest.raises(InvalidSignature):
            public.verify(wrong, data, ECDSA)
    digest = Hash(SHA512())
    digest.update(b"data")
    prehashed = ec.ECDSA(utils.Prehashed(SHA512()))
    hashed = digest.finalize()
    key.public_key().verify(mine.sign(hashed, prehashed), hashed, prehashed)
    public.verify(key.sign(hashed, prehashed), hashed, prehashed)
    with pytest.raises(pointmill.InputError, match=r"with ec\.ECDSA"):
        public.verify(signature, b"data")
    peer = ec.derive_private_key(77, curve)
    assert mine.exchange(ec.ECDH(), peer.public_key()) == peer.exchange(ec.ECDH(), key.public_key())


def test_key_agreement(edverify: pointmill.Session, multicurve: pointmill.Session) -> None:
    short = [x25519.X25519PrivateKey.from_private_bytes(bytes([i]) * 32) for i in (1, 2)]
    assert PrivateKey(edverify, short[0]).exchange(short[1].public_key()) == short[1].exchange(short[0].public_key())
    long = [x448.X448PrivateKey.from_private_bytes(bytes([i]) * 56) for i in (1, 2)]
    assert PrivateKey(multicurve, long[0]).exchange(long[1].public_key()) == long[1].exchange(long[0].public_key())
    small = x25519.X25519PublicKey.from_public_bytes(bytes(32))
    for exchange in (short[0].exchange, PrivateKey(edverify, short[0]).exchange):
        with pytest.raises(ValueError):
            exchange(small)
    with pytest.raises(pointmill.InputError, match="a public key of the same kind"):
        PrivateKey(multicurve, long[0]).exchange(short[1].public_key())
    with pytest.raises(pointmill.InputError, match="on the same curve"):
        PrivateKey(multicurve, ec.derive_private_key(7, CURVES[0])).exchange(
            ec.ECDH(), ec.derive_private_key(7, CURVES[1]).public_key())
    with pytest.raises(pointmill.InputError, match="signs nothing"):
        PrivateKey(edverify, short[0]).sign(b"")
    with pytest.raises(pointmill.InputError, match="verifies nothing"):
        PrivateKey(edverify, short[0]).public_key()
