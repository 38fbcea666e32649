# SPDX-License-Identifier: Apache-2.0
"""Deterministic nonces of ECDSA (RFC 6979, section 3.2), made in the client."""

from __future__ import annotations

import hmac
from collections.abc import Iterator


def hash_of(name: str) -> str:
    """A hash as hashlib spells it: `sha256` of SHA-256, `sha512_256` of SHA-512/256, `sha3_256` of SHA3-256."""
    return name.lower().replace("sha-", "sha").replace("-", "_").replace("/", "_")


def _int_of(data: bytes, bits: int) -> int:
    """bits2int of section 2.3.2."""
    value = int.from_bytes(data, "big")
    return value >> max(8 * len(data) - bits, 0)


def nonces(digest: bytes, d: int, n: int, hash_name: str = "sha256") -> Iterator[int]:
    """The nonces in [1, n) for a digest and the private key d, in the order in which section 3.2 tries them.

    The first is the nonce of RFC 6979; a further one is only wanted where it gives r = 0 or s = 0.
    `hash_name` is the hash of HMAC, which the RFC has the same as the digest's.
    """
    bits = n.bit_length()
    size = -(-bits // 8)
    seed = d.to_bytes(size, "big") + (_int_of(digest, bits) % n).to_bytes(size, "big")
    length = hmac.new(b"", b"", hash_name).digest_size
    key, v = bytes(length), b"\x01" * length

    def mac(data: bytes) -> bytes:
        return hmac.new(key, data, hash_name).digest()

    for separator in (b"\x00", b"\x01"):
        key = mac(v + separator + seed)
        v = mac(v)
    while True:
        t = b""
        while 8 * len(t) < bits:
            v = mac(v)
            t += v
        k = _int_of(t, bits)
        if 1 <= k < n:
            yield k
        key = mac(v + b"\x00")
        v = mac(v)


def nonce(digest: bytes, d: int, n: int, hash_name: str = "sha256") -> int:
    """The nonce of RFC 6979."""
    return next(nonces(digest, d, n, hash_name))
