# SPDX-License-Identifier: Apache-2.0
"""The system of a board with a small core in it (pm_board_core.sv), on a pseudo-terminal: its build, its jobs, its
frames.

The frames are written here from docs/uart.md, with the CRC of zlib, and share nothing with the driver."""

from __future__ import annotations

import os
import random
import select
import time
import zlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from boards import board, wire
from pointmill.device import Job
from pointmill.simbuild import ROOT

HERE = Path(__file__).resolve().parent
SOURCES = (ROOT / "hw" / "lib" / "uart" / "uart.f", ROOT / "hw" / "edverify" / "edverify.f",
           HERE / "pm_board_core.sv", ROOT / "boards" / "lib" / "pm_board_system.sv")
PORTS = wire.Ports("clk_i", "rst_ni", 0, "rx_i", "tx_o")
IDENTITY = b"PMID" + b"".join(n.to_bytes(4, "little") for n in (board.IDENTITY_VERSION, 45000, 1)) + bytes(range(20)) \
    + b"bench".ljust(16, b"\0") + b"edverify-none".ljust(32, b"\0")
MASK = (1 << 64) - 1


@cache
def program(divider: int = 4, identity: bytes = IDENTITY) -> Path:
    """The simulation. Identities differ in what a driver is to reject."""
    words = int.from_bytes(identity.ljust(4 * board.IDENTITY_WORDS, b"\0"), "little")
    return wire.build("pm_board_system", SOURCES, PORTS, {"Divider": divider, "Identity": f"1024'h{words:x}"})


def signature(r: bytes, a: bytes, msg: bytes, rest: bytes) -> bytes:
    """What the core of the bench takes as the signature of a message; rest: 16 bytes that it does not look at."""
    data = r + a + msg
    beats = [data[i:i + 8] for i in range(0, len(data), 8)]
    total = 0
    for beat in beats:
        rotated = (total << 1 | total >> 63) & MASK
        total = rotated ^ int.from_bytes(beat, "little") ^ ((1 << len(beat)) - 1)
    return r + total.to_bytes(8, "little") + len(beats).to_bytes(8, "little") + rest


def job(rng: random.Random, valid: bool, length: int, tag: object) -> Job:
    """A job whose verdict is known: of one that is not valid, a bit of key or message differs."""
    r, a, msg = rng.randbytes(32), rng.randbytes(32), rng.randbytes(length)
    signed = signature(r, a, msg, rng.randbytes(16))
    if not valid:
        data = bytearray(a + msg)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        a, msg = bytes(data[:32]), bytes(data[32:])
    return Job(a, msg, signed, tag=tag)


# ------------------------------------------------------------------------------ frames

SYNC, DATA, DATA_LAST, READ, WRITE, POLL, REWIND = range(1, 8)
SYNCED, RESULT, ACCESS, STATUS, GAP = 0x81, 0x82, 0x84, 0x86, 0x87
END, ESCAPE = b"\xc0", b"\xdb"


def coded(kind: int, seq: int = 0, acknowledged: int = 0, payload: bytes = b"", length: int | None = None,
          crc_flip: int = 0) -> bytes:
    """A frame as bytes of the line; with another length, or bits of the CRC flipped."""
    body = bytes([kind, seq, acknowledged, len(payload) if length is None else length]) + payload
    body += (zlib.crc32(body) ^ crc_flip).to_bytes(4, "little")
    return END + body.replace(ESCAPE, ESCAPE + b"\xdd").replace(END, ESCAPE + b"\xdc") + END


@dataclass(frozen=True)
class Frame:
    """A frame of the board."""

    kind: int
    seq: int
    ack: int
    done: int
    payload: bytes


@dataclass
class Raw:
    """The pseudo-terminal, by bytes."""

    port: str
    file: int = field(init=False)
    rest: bytes = b""
    pending: list[Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.file = os.open(self.port, os.O_RDWR | os.O_NOCTTY)

    def close(self) -> None:
        os.close(self.file)

    def write(self, data: bytes) -> None:
        """All of it."""
        while data:
            data = data[os.write(self.file, data):]

    def frames(self, count: int, limit: float = 20.0) -> list[Frame]:
        """The next ones, so many; fewer if no byte comes for `limit` seconds. Each must be whole."""
        while len(self.pending) < count and select.select([self.file], [], [], limit)[0]:
            *parts, self.rest = (self.rest + os.read(self.file, 4096)).split(END)
            for part in filter(None, parts):
                body = part.replace(ESCAPE + b"\xdc", END).replace(ESCAPE + b"\xdd", ESCAPE)
                assert zlib.crc32(body[:-4]) == int.from_bytes(body[-4:], "little")
                assert len(body) == 9 + body[4]
                self.pending.append(Frame(body[0], body[1], body[2], body[3], body[5:-4]))
        found, self.pending = self.pending[:count], self.pending[count:]
        return found

    def quiet(self, seconds: float = 0.3) -> bool:
        """Nothing comes for some time."""
        return self.frames(1, seconds) == []

    def ask(self, *words: bytes, count: int = 1) -> list[Frame]:
        """Sends frames, and takes the next ones of the board."""
        self.write(b"".join(words))
        return self.frames(count)

    def begin(self, nonce: int = 0x12345678) -> None:
        """A session; what came of the one before is skipped."""
        frame = self.ask(coded(SYNC, payload=nonce.to_bytes(4, "little")))[0]
        while frame.kind != SYNCED:
            (frame,) = self.frames(1)
        assert frame.payload[:5] == nonce.to_bytes(4, "little") + b"\x01"

    def clock(self) -> int:
        """The clock of the core."""
        (frame,) = self.ask(coded(POLL))
        assert frame.kind == STATUS
        return int.from_bytes(frame.payload, "little")


def settle() -> None:
    """Time for the simulation to do what it was sent."""
    time.sleep(0.1)
