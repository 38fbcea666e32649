# SPDX-License-Identifier: Apache-2.0
"""Verifies one signature, and one whose message was changed."""

import pointmill

with pointmill.open("edverify") as device:
    key = device.generate_key()
    signature = device.sign(key.seed, b"message").signature
    for message in (b"message", b"another message"):
        verdict = device.verify(key.public_key, message, signature)
        print(message.decode(), verdict.valid, verdict.reason, verdict.cycles)
