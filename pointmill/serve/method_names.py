# SPDX-License-Identifier: Apache-2.0
"""Names of the service and its methods in pointmill.proto, which servers and clients share."""

from __future__ import annotations

SERVICE = "pointmill.v1.Verifier"
METHODS = ("Verify", "VerifyBatch")
STREAM, BATCH = (f"/{SERVICE}/{name}" for name in METHODS)
