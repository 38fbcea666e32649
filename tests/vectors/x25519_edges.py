# SPDX-License-Identifier: Apache-2.0
"""u-coordinates at the edges of X25519, and its reference by OpenSSL."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

P = 2**255 - 19
LOW_ORDER = [0, 1, P - 1, P, P + 1,
             325606250916557431795983626356110631294008115727848805560023387167927233504,
             39382357235489614581723060781553021112529911719440698176882885853963445705823]  # fmt: skip
"""u of the points of order 1, 2, 4, 8 on the curve and its twist, some of them plus p."""
EDGES = [*LOW_ORDER, 2**255 - 1, 2**255 - 19 + 9, 9, 2, P - 2, 2**255 | 9, 2**256 - 1]
"""Those, and others that are not below p or have bit 255."""


def openssl(k: bytes, u: bytes) -> bytes:
    """X25519 by OpenSSL, which refuses a result of zero."""
    try:
        return X25519PrivateKey.from_private_bytes(k).exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)
