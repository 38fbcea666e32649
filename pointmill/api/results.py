# SPDX-License-Identifier: Apache-2.0
"""What the operations of `pointmill.open` give. `cycles` are clock cycles of the core from header to verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """Whether something is valid; true in a condition if and only if it is.

    reason: "ok", or why not (docs/cli.md lists the reasons). cycles: 0 if the job did not reach the core. rule: the
    rule set of an Ed25519 signature. tag: that of the job.
    """

    valid: bool
    reason: str
    cycles: int
    rule: str | int | None = None
    tag: Any = None

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class Ed25519Signature:
    """signature: 64 bytes, R and S. public_key: of the seed that signed."""

    signature: bytes
    public_key: bytes
    cycles: int


@dataclass(frozen=True)
class Ed25519Key:
    """seed: 32 bytes, the private key of RFC 8032. public_key: 32 bytes."""

    seed: bytes = field(repr=False)
    public_key: bytes
    cycles: int


@dataclass(frozen=True)
class SharedSecret:
    """value: bytes, of X25519 and X448 as in RFC 7748, of ECDH the x-coordinate, highest byte first. all_zero: the
    peer's point has small order (X25519, X448)."""

    value: bytes = field(repr=False)
    all_zero: bool
    cycles: int


@dataclass(frozen=True)
class Point:
    """Affine coordinates; None of both at infinity."""

    x: int | None
    y: int | None
    cycles: int

    @property
    def infinity(self) -> bool:
        """Whether it is the point at infinity."""
        return self.x is None


@dataclass(frozen=True)
class CurveKey:
    """d: the private key. x, y: the public key, [d] of the base point."""

    d: int = field(repr=False)
    x: int
    y: int
    cycles: int


@dataclass(frozen=True)
class CurveSignature:
    """r and s of an ECDSA or SM2 signature."""

    r: int
    s: int
    cycles: int


@dataclass(frozen=True)
class Number:
    """A residue."""

    value: int
    cycles: int
