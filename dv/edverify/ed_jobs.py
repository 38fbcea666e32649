# SPDX-License-Identifier: Apache-2.0
"""Job packets for the benches of hw/lib/axi: building them, and what a receiver must make of them.

A packet is a list of beats (8 data bytes, keep); the last one carries TLAST.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

LEGAL_RULES = range(1, 7)
OPCODE_VERIFY, OPCODE_X25519, OPCODE_KEYGEN, OPCODE_SIGN = 1, 2, 3, 4
SECRET_OPCODES = (OPCODE_X25519, OPCODE_KEYGEN, OPCODE_SIGN)
OPCODE_LOAD_KEY, OPCODE_CACHED, OPCODE_BATCH = 5, 6, 7
OPERANDS = {OPCODE_VERIFY: 3, OPCODE_X25519: 2, OPCODE_KEYGEN: 1, OPCODE_SIGN: 1,
            OPCODE_LOAD_KEY: 1, OPCODE_CACHED: 3, OPCODE_BATCH: 3}
"""Operands, of four beats each, of each opcode."""
VERIFICATIONS = (OPCODE_VERIFY, OPCODE_CACHED, OPCODE_BATCH)
WITH_MESSAGE = (*VERIFICATIONS, OPCODE_SIGN)
FIXED_BEATS = 13
"""Beats of header, S, R and A of a verification."""

Beat = tuple[bytes, int]


@dataclasses.dataclass(frozen=True)
class Build:
    """The parameters of the receiver."""

    secret_ops: bool = False
    keys: int = 0
    batches: bool = False
    signatures: bool = True
    staged: bool = False

    def params(self) -> dict[str, int]:
        return {"SecretOps": int(self.secret_ops), "Keys": self.keys, "Batches": int(self.batches),
                "Signatures": int(self.signatures), "Staged": int(self.staged)}

    def words(self) -> list[str]:
        """Plus-arguments that tell a bench."""
        return [f"+{name}={value}" for name, value in self.params().items()]

    def opcodes(self) -> set[int]:
        """What is built in."""
        if not self.signatures:
            return {OPCODE_X25519} if self.secret_ops else set()
        return {OPCODE_VERIFY, *SECRET_OPCODES * self.secret_ops,
                *(OPCODE_LOAD_KEY, OPCODE_CACHED) * bool(self.keys), *(OPCODE_BATCH,) * self.batches}

    def slot_legal(self, opcode: int, slot: int) -> bool:
        """Whether bits 31:16 of the header may be `slot`."""
        if opcode == OPCODE_CACHED:
            return True
        return slot < (self.keys if opcode == OPCODE_LOAD_KEY else 1)


@dataclasses.dataclass(frozen=True)
class Expected:
    """What pm_edverify_rx must report of a packet; the fields from `operands` on are of legal ones only."""

    malformed: bool
    opcode: int
    rule: int
    tag: int
    slot: int
    operands: list[int] = dataclasses.field(default_factory=list)
    """In the order of the packet."""
    hashed: bytes | None = None
    """R || A || M of a verification."""
    kept: bytes | None = None
    """Message to be signed."""


def header(rule: int, tag: int, opcode: int = OPCODE_VERIFY, reserved: int = 0) -> bytes:
    """The 8 bytes of a header beat."""
    return (rule | opcode << 8 | reserved << 16 | tag << 32).to_bytes(8, "little")


def packet(head: bytes, *body: bytes) -> list[Beat]:
    """Beats of a job: operands of 32 bytes, then the message."""
    text = head + b"".join(body)
    beats = [(text[i:i + 8].ljust(8, b"\0"), 0xFF) for i in range(0, len(text), 8)]
    if tail := len(text) % 8:
        beats[-1] = (beats[-1][0], (1 << tail) - 1)
    return beats


def random_packet(rng: random.Random, length: int) -> list[Beat]:
    """A legal verification of random contents with a message of `length` bytes."""
    head = header(rng.choice(LEGAL_RULES), rng.getrandbits(32))
    return packet(head, *(rng.randbytes(32) for _ in range(3)), rng.randbytes(length))


def secret_packet(rng: random.Random, opcode: int, length: int = 0) -> list[Beat]:
    """A legal job of an operation without rule, with a message of `length` bytes if it has one."""
    return packet(header(0, rng.getrandbits(32), opcode), *random_body(rng, opcode, length))


def random_body(rng: random.Random, opcode: int, length: int = 0) -> list[bytes]:
    """Operands of an operation, and a message of `length` bytes if it has one."""
    operands = [rng.randbytes(32) for _ in range(OPERANDS[opcode])]
    return [*operands, rng.randbytes(length if opcode in WITH_MESSAGE else 0)]


def fixed_beats(beats: list[Beat]) -> int:
    """Beats of header and operands that the header of a packet announces."""
    return 1 + 4 * OPERANDS.get(beats[0][0][1], 0)


def longer(rng: random.Random, beats: list[Beat], count: int) -> list[Beat]:
    """A packet with so many beats behind it."""
    return [*beats, *((rng.randbytes(8), 0xFF) for _ in range(count))]


def bad_keeps(beats: list[Beat]) -> Iterator[list[Beat]]:
    """A packet with bad TKEEP in one beat, each of them in turn."""
    for index, (data, _) in enumerate(beats):
        last_of_message = index == len(beats) - 1 and index >= fixed_beats(beats)
        for keep in (0x02, 0x80, 0xDF) if last_of_message else (0x00, 0x7F, 0xFE, 0xF7):
            yield [*beats[:index], (data, keep), *beats[index + 1:]]


def first_beats(beats: list[Beat]) -> list[Beat]:
    """Header and operands of a packet, with the beat behind them where none may follow."""
    opcode = beats[0][0][1]
    return beats[:fixed_beats(beats) + (opcode not in WITH_MESSAGE)]


def keep_contiguous(keep: int) -> bool:
    """Whether the ones of `keep` are its lowest bits."""
    return keep in {(1 << n) - 1 for n in range(9)}


def expected(beats: list[Beat], build: Build) -> Expected:
    """The meaning of a packet, from the definition of the format."""
    head = int.from_bytes(beats[0][0], "little")
    rule, opcode, slot, tag = head & 0xFF, head >> 8 & 0xFF, head >> 16 & 0xFFFF, head >> 32
    fixed = fixed_beats(beats)
    malformed = opcode not in build.opcodes() or not build.slot_legal(opcode, slot)
    malformed = malformed or rule not in (LEGAL_RULES if opcode in VERIFICATIONS else (0,))
    malformed = malformed or len(beats) < fixed
    malformed = malformed or (opcode not in WITH_MESSAGE and len(beats) != fixed)
    for index, (_, keep) in enumerate(beats):
        if index == len(beats) - 1 and index >= fixed:
            malformed = malformed or not keep_contiguous(keep)
        else:
            malformed = malformed or keep != 0xFF
    if malformed:
        return Expected(True, opcode, rule, tag, slot)
    body = b"".join(data[:keep.bit_count()] for data, keep in beats)
    operands = [int.from_bytes(body[i:i + 32], "little") for i in range(8, 8 * fixed, 32)]
    return Expected(False, opcode, rule, tag, slot, operands,
                    body[40:] if opcode in VERIFICATIONS else None,
                    body[40:] if opcode == OPCODE_SIGN else None)
