# SPDX-License-Identifier: Apache-2.0
"""Job packets for the benches of rtl/bus: building them, and what a receiver must make of them.

A packet is a list of beats (8 data bytes, keep); the last one carries TLAST.
"""

from __future__ import annotations

import dataclasses
import random

LEGAL_RULES = range(1, 7)
OPCODE_VERIFY = 1
FIXED_BEATS = 13
"""Beats of header, S, R and A."""

Beat = tuple[bytes, int]


@dataclasses.dataclass(frozen=True)
class Expected:
    """What pm_ed_rx must report; `hashed` (R || A || M) and the points are None if malformed."""

    malformed: bool
    rule: int
    tag: int
    s: int | None
    r: int | None
    a: int | None
    hashed: bytes | None


def header(rule: int, tag: int, opcode: int = OPCODE_VERIFY, reserved: int = 0) -> bytes:
    """The 8 bytes of a header beat."""
    return (rule | opcode << 8 | reserved << 16 | tag << 32).to_bytes(8, "little")


def packet(head: bytes, s: bytes, r: bytes, a: bytes, message: bytes) -> list[Beat]:
    """Beats of a job; `s`, `r` and `a` of 32 bytes."""
    body = head + s + r + a + message
    beats = [(body[i:i + 8].ljust(8, b"\0"), 0xFF) for i in range(0, len(body), 8)]
    if tail := len(body) % 8:
        beats[-1] = (beats[-1][0], (1 << tail) - 1)
    return beats


def random_packet(rng: random.Random, length: int, rule: int | None = None) -> list[Beat]:
    """A legal job of random contents with a message of `length` bytes."""
    head = header(rule or rng.choice(LEGAL_RULES), rng.getrandbits(32))
    return packet(head, *(rng.randbytes(32) for _ in range(3)), rng.randbytes(length))


def keep_contiguous(keep: int) -> bool:
    """Whether the ones of `keep` are its lowest bits."""
    return keep in {(1 << n) - 1 for n in range(9)}


def expected(beats: list[Beat]) -> Expected:
    """The meaning of a packet, from the definition of the format."""
    head = int.from_bytes(beats[0][0], "little")
    malformed = (head & 0xFF not in LEGAL_RULES or head >> 8 & 0xFF != OPCODE_VERIFY
                 or head >> 16 & 0xFFFF != 0 or len(beats) < FIXED_BEATS)
    for index, (_, keep) in enumerate(beats):
        if index == len(beats) - 1 and index >= FIXED_BEATS:
            malformed = malformed or not keep_contiguous(keep)
        else:
            malformed = malformed or keep != 0xFF
    rule, tag = head & 0xFF, head >> 32
    if malformed:
        return Expected(True, rule, tag, None, None, None, None)
    body = b"".join(data[:keep.bit_count()] for data, keep in beats)
    words = [int.from_bytes(body[i:i + 32], "little") for i in (8, 40, 72)]
    return Expected(False, rule, tag, *words, body[40:])
