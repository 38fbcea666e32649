# SPDX-License-Identifier: Apache-2.0
"""X25519 (RFC 7748) on bytes, by the model of Montgomery curves; for tests, not constant time."""

from __future__ import annotations

from functools import partial
from typing import cast

from ..curves import MontgomeryCurve, by_name
from . import montgomery

CURVE = cast(MontgomeryCurve, by_name("X25519"))

BASE = CURVE.u.to_bytes(32, "little")
"""The u-coordinate of the base point."""

decode_scalar = partial(montgomery.decode_scalar, CURVE)
decode_u = partial(montgomery.decode_u, CURVE)
x25519 = partial(montgomery.xdh, CURVE)
