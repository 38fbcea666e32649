# SPDX-License-Identifier: Apache-2.0
"""Integers modulo L, the prime order of the base point."""

from __future__ import annotations

L = 2**252 + 27742317777372353535851937790883648493


def reduce(digest: bytes) -> int:
    """A little-endian byte string (a SHA-512 digest: 64 bytes) as an integer in [0, L)."""
    return int.from_bytes(digest, "little") % L


def from_bytes(data: bytes) -> int:
    """A little-endian byte string as an integer, not reduced."""
    return int.from_bytes(data, "little")


def to_bytes(value: int) -> bytes:
    """A value in [0, 2^256) as 32 bytes, little endian; OverflowError outside."""
    return value.to_bytes(32, "little")


def in_range(value: int) -> bool:
    """Whether 0 <= value < L, which every rule set asks of S."""
    return 0 <= value < L


def clamp(data: bytes) -> int:
    """Secret scalar of 32 bytes: bits 0, 1, 2, 255 cleared, bit 254 set (RFC 8032, 5.1.5)."""
    return (from_bytes(data) & (2**254 - 8)) | 2**254
