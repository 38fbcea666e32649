# SPDX-License-Identifier: Apache-2.0
"""What the reasons of the cores mean, for people."""

from __future__ import annotations

OF_SECRETS = {
    "malformed_job": "the core does not know this operation",
    "message_too_long": "the message does not fit the memory of the core",
    "secret_refused": "the core rejected a secret operand",
    "aborted": "the device failed before the result",
    "fault_detected": "the core found a fault of its own",
}
"""Reasons of `edverify` and `x25519` for operations with a secret operand, and what they mean."""

OF_CURVES = {
    "no_curve": "the core has no curve for this",
    "modulus_not_odd": "the modulus is even or below 3",
    "parameter_out_of_range": "a parameter is not below the modulus, or the order of a signature is even or 1",
    "singular_curve": "the curve is singular",
    "invalid_point": "the point is not on the curve, or a coordinate not below p",
    "scalar_out_of_range": "the scalar is outside the range of this operation and curve",
    "not_invertible": "there is no inverse",
    "result_off_curve": "the core's result is not on the curve: a fault",
    "bad_signature": "the signature does not fit",
    "no_order": "the parameters have no order n",
    "signature_out_of_range": "r or s is not in the range of a signature",
    "unusable_nonce": "r or s would be 0 with this nonce",
    "infinity": "the point is infinity",
    "secret_refused": "the core rejected a secret operand",
    "aborted": "the device failed before the result",
    "malformed_job": "the core does not know this operation",
}
"""Reasons of `multicurve` and `mpu` (hw/multicurve/core.yaml), and what they mean."""
