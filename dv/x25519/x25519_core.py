# SPDX-License-Identifier: Apache-2.0
"""The verilated pm_x25519 in this process: its packets are those of pm_edverify, and so is the interface."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from dv.edverify import edverify_core
from dv.edverify.edverify_core import Beat, secret_packet
from pointmill import simbuild
from pointmill.cores import X25519
from pointmill.model.x25519 import x25519
from pointmill.rules import OPERATIONS

HERE = Path(__file__).parent
API = HERE.parent / "edverify" / "pm_edverify_api.cpp"
CONFIGS = tuple(X25519.parameters)
OPCODE = OPERATIONS["x25519"].opcode


@cache
def library(config: str) -> ctypes.CDLL:
    """The built interface; made again only when a source changed."""
    path = simbuild.build_shared(
        "pm_x25519", X25519.files, API, X25519.parameters[config],
        cflags=("-Idv/common", "-Isw/backends/sim", "-DPM_TB_TOP=pm_x25519"),
        out_dir=f"build/sim/pm_x25519_{config}")  # fmt: skip
    return edverify_core.bound(path)


class Core(edverify_core.Core):
    """One core of a configuration, reset and idle."""

    def __init__(self, config: str) -> None:
        super().__init__(config, lib=library(config))


def job(tag: int, k: bytes, u: bytes) -> list[Beat]:
    """The beats of a job."""
    return secret_packet(tag, OPCODE, k, u)


def product(k: bytes, u: bytes) -> bytes:
    """By the golden model, and by OpenSSL, which refuses the result zero."""
    out = x25519(k, u)
    if out != bytes(32):
        key = X25519PrivateKey.from_private_bytes(k)
        assert key.exchange(X25519PublicKey.from_public_bytes(u)) == out
    return out


def random_job(rng: random.Random) -> tuple[bytes, bytes]:
    """k and u, which is not reduced or has bit 255 set now and then."""
    u = rng.randbytes(32)
    if rng.random() < 0.1:
        u = (2**255 - rng.randrange(1, 20) + 2**255 * rng.randrange(2)).to_bytes(32, "little")
    return rng.randbytes(32), u
