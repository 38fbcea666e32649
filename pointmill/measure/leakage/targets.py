# SPDX-License-Identifier: Apache-2.0
"""Operations with a secret whose toggles are recorded, by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from pointmill.curve_device import CurveJob, load_job
from pointmill.measure.benches.multicurve import BEATS, multiple, packet as curve_packet, weierstrass
from pointmill.measure.faults.targets import secret_packet
from pointmill.model import ed25519
from pointmill.model.weierstrass import ecdsa_sign
from pointmill.model.x25519 import x25519

Make = Callable[[int, random.Random], tuple[bytes, bytes]]


@dataclass(frozen=True)
class Target:
    """A core and configuration; warm: packets before each job; below: the secrets are from 1 to less than it; job: of a
    secret, and of random public operands, the packet and what the payload of its result begins with."""

    core: str
    config: str
    below: int
    job: Make
    warm: bytes = b""


def _agreement(secret: int, public: random.Random) -> tuple[bytes, bytes]:
    k, u = secret.to_bytes(32, "little"), public.randbytes(32)
    return secret_packet(1, "x25519", k + u), x25519(k, u)


def _signature(secret: int, public: random.Random) -> tuple[bytes, bytes]:
    seed, msg = secret.to_bytes(32, "little"), public.randbytes(32)
    return secret_packet(1, "sign", seed + msg), ed25519.public_key(seed) + ed25519.sign(seed, msg)


def _key(secret: int, _public: random.Random) -> tuple[bytes, bytes]:
    seed = secret.to_bytes(32, "little")
    return secret_packet(1, "keygen", seed), ed25519.public_key(seed)


_CURVE, _N, _BASE = weierstrass("P256")
_LOAD = curve_packet(load_job(_CURVE))


def _number(value: int) -> bytes:
    return value.to_bytes(8 * BEATS, "little")


def _product(secret: int, public: random.Random) -> tuple[bytes, bytes]:
    base = multiple(_CURVE, public.randrange(1, _N), _BASE)
    x, y = multiple(_CURVE, secret, base)
    return curve_packet(CurveJob("ecmul", (secret, *base), "ladder", ("secret",))), _number(x) + _number(y)


def _nonce(secret: int, public: random.Random) -> tuple[bytes, bytes]:
    """The nonce is the secret; the key is random."""
    d, e = public.randrange(1, _N), public.randrange(_N)
    r, s = ecdsa_sign(_CURVE, e.to_bytes(32, "big"), d, secret)
    return curve_packet(CurveJob("ecdsa_sign", (d, secret, e, 256))), _number(r) + _number(s)


TARGETS = {
    "x25519_tile": Target("x25519", "tile", 1 << 256, _agreement),
    "edverify_sign": Target("edverify", "throughput", 1 << 256, _signature),
    "edverify_keygen": Target("edverify", "throughput", 1 << 256, _key),
    "edverify_x25519": Target("edverify", "throughput", 1 << 256, _agreement),
    "multicurve_ecdh": Target("multicurve", "fast", _N, _product, _LOAD),
    "multicurve_ecdsa_sign": Target("multicurve", "fast", _N, _nonce, _LOAD),
}
