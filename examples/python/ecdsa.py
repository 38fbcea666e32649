# SPDX-License-Identifier: Apache-2.0
"""ECDSA, ECDH and scalar multiplication on P-256."""

import hashlib

import pointmill

digest = hashlib.sha256(b"message").digest()
with pointmill.open("multicurve") as device:
    mine, theirs = (device.generate_curve_key("P-256") for _ in range(2))
    signature = device.ecdsa_sign("P-256", digest, mine.d)
    verdict = device.ecdsa_verify("P-256", digest, (mine.x, mine.y), (signature.r, signature.s))
    print("signature", verdict.reason, verdict.cycles)
    shared = device.ecdh("P-256", mine.d, (theirs.x, theirs.y))
    print("same secret", shared.value == device.ecdh("P-256", theirs.d, (mine.x, mine.y)).value)
    try:
        device.multiply("P-256", 2, (1, 1))
    except pointmill.RejectedError as error:
        print("rejected:", error.reason)
