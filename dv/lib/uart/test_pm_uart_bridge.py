# SPDX-License-Identifier: Apache-2.0
"""pm_uart_bridge and its parts by frames on the line: sessions, sequences, damaged frames, repeated requests, windows,
results sent again; numbers of the protocol in RTL and driver. Faults of the line: test_link_faults.py."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from boards.wire import Wire
from dv.lib.uart import link_units as units
from dv.lib.uart.link_units import (
    ACCESS,
    DATA,
    DATA_LAST,
    END,
    ESCAPE,
    GAP,
    IDENTITY,
    POLL,
    READ,
    RESULT,
    REWIND,
    STATUS,
    SYNC,
    SYNCED,
    WRITE,
    Raw,
    coded,
    job,
    settle,
)
from pointmill.simbuild import ROOT

WINDOW, PAYLOAD = 8, 248
JOBS, CTRL, IRQ_STATUS = 0x20, 0x0C, 0x18


@pytest.fixture
def line() -> Iterator[Raw]:
    with Wire(units.program()) as running:
        raw = Raw(running.port)
        yield raw
        raw.close()


def packet(rng: random.Random, valid: bool = True, length: int = 16, tag: int = 0) -> bytes:
    """A job packet of the core of the bench."""
    one = job(rng, valid, length, tag)
    return (4 | 1 << 8 | tag << 32).to_bytes(8, "little") + one.sig[32:] + one.sig[:32] + one.pk + one.msg


def read(raw: Raw, seq: int, address: int) -> tuple[int, int]:
    """A register: response and data."""
    frame = raw.ask(coded(READ, seq, payload=address.to_bytes(2, "little")))[0]
    assert (frame.kind, frame.seq) == (ACCESS, seq)
    return frame.payload[0], int.from_bytes(frame.payload[1:], "little")


def test_nothing_before_a_session(line: Raw) -> None:
    line.write(coded(POLL) + coded(READ, 1, payload=b"\0\0") + coded(DATA_LAST, 0, payload=bytes(8)) + coded(REWIND))
    assert line.quiet()
    line.begin()
    assert read(line, 1, 0) == (0, int.from_bytes(b"PMED", "little"))


def test_session_resets_once(line: Raw) -> None:
    """Another nonce resets core, numbers and clock, the same one changes nothing."""
    rng = random.Random(1)
    line.begin(1)
    line.ask(coded(DATA_LAST, 0, payload=packet(rng)), count=2)
    assert read(line, 1, JOBS) == (0, 1)
    before = line.clock()
    line.begin(1)
    assert line.clock() > before
    assert read(line, 2, JOBS) == (0, 1)
    line.begin(2)
    assert read(line, 1, JOBS) == (0, 0)

    def starts_again(nonce: int) -> bool:
        before = line.clock()
        line.begin(nonce)
        return line.clock() < before

    # The clock runs while this process waits for a CPU: a wait longer than all of the session before tells nothing.
    assert any(starts_again(nonce) for nonce in range(3, 20))


def test_session_in_the_middle_of_a_packet(line: Raw) -> None:
    """What a driver left half sent is forgotten, in the link and in the core."""
    rng = random.Random(2)
    line.begin(1)
    line.ask(coded(DATA, 0, payload=bytes(PAYLOAD)))
    line.write(coded(DATA, 1, payload=bytes(64))[:40])
    line.begin(2)
    frames = line.ask(coded(DATA_LAST, 0, payload=packet(rng, tag=77)), count=2)
    (result,) = [frame for frame in frames if frame.kind == RESULT]
    assert result.payload[0] == 0 and result.payload[4:8] == (77).to_bytes(4, "little")


def test_session_in_the_middle_of_a_result(line: Raw) -> None:
    """The frame under way ends, and the session behind it has results of its own alone."""
    rng, seen = random.Random(8), 0
    for nonce in range(1, 12):
        line.begin(nonce)
        again = nonce | 1 << 8  # its frame ends a few bytes later each time
        line.write(coded(DATA_LAST, 0, payload=packet(rng)) + END * 4 * nonce
                   + coded(SYNC, payload=again.to_bytes(4, "little")))
        frames = line.frames(1000, 0.3)
        seen += RESULT in [frame.kind for frame in frames]
        assert frames[-1].kind == SYNCED
        assert frames[-1].payload[:4] == again.to_bytes(4, "little")
        (result,) = [frame for frame in line.ask(coded(DATA_LAST, 0, payload=packet(rng, tag=5)), count=2)
                     if frame.kind == RESULT]
        assert result.seq == 0 and result.payload[4:8] == (5).to_bytes(4, "little")
    assert seen > 3


@pytest.mark.parametrize("flip", [1 << bit for bit in range(32)])
def test_crc(line: Raw, flip: int) -> None:
    """A frame with any bit of its CRC wrong is not taken."""
    line.begin()
    (frame,) = line.ask(coded(DATA_LAST, 0, payload=packet(random.Random(flip)), crc_flip=flip))
    assert (frame.kind, frame.ack) == (GAP, 0)
    assert read(line, 1, JOBS) == (0, 0)


def test_every_bit_of_a_frame(line: Raw) -> None:
    """Each bit of a write flipped: the register is never written. Flipped escapes and ends count too."""
    line.begin()
    whole = coded(WRITE, 1, payload=(0x14).to_bytes(2, "little") + (7).to_bytes(4, "little"))
    assert ESCAPE not in whole
    for at in range(1, len(whole) - 1):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << bit
            line.write(bytes(damaged))
    settle()
    while line.frames(50, 0.2):
        pass
    assert read(line, 1, 0x14) == (0, 0)


def test_resynchronisation(line: Raw) -> None:
    """After anything on the line, the next frame is taken."""
    rng = random.Random(3)
    line.begin()
    seq = 0
    for length in (1, 2, 3, 5, 8, 13, 100, 259, 300, 700):
        for noise in (bytes(length), b"\xff" * length, ESCAPE * length, rng.randbytes(length),
                      coded(DATA, 0, payload=bytes(PAYLOAD))[:length]):
            seq = seq % 255 + 1
            line.write(noise + coded(READ, seq, payload=b"\0\1"))
            frames = line.frames(1)
            while frames[-1].kind in (GAP, STATUS):
                frames += line.frames(1)
            assert (frames[-1].kind, frames[-1].seq, frames[-1].payload[1:]) == (ACCESS, seq, b"PMID")
    assert seq == 50


def test_lengths(line: Raw) -> None:
    """Job frames without bytes, with too many, or with a part of a beat before the end of the packet are dropped."""
    line.begin()
    for kind, length in ((DATA, 0), (DATA_LAST, 0), (DATA, 7), (DATA, 9), (DATA, 249), (DATA_LAST, 250), (DATA, 255)):
        (frame,) = line.ask(coded(kind, 0, payload=bytes(length)))
        assert (frame.kind, frame.ack) == (GAP, 0)
    for length in (3, 5):  # longer and shorter than the bytes that come
        (frame,) = line.ask(coded(DATA_LAST, 0, payload=bytes(4), length=length))
        assert (frame.kind, frame.ack) == (GAP, 0)


def test_sequence_of_jobs(line: Raw) -> None:
    """The next number alone is taken, through a whole round of numbers."""
    rng = random.Random(4)
    line.begin()
    taken = 0
    for step in range(300):
        wrong = (step + rng.choice([1, 2, 5, 128, 255])) % 256
        frame = line.ask(coded(DATA_LAST, wrong, acknowledged=taken, payload=packet(rng, tag=1)))[0]
        assert (frame.kind, frame.ack) == (GAP, step % 256)
        frames = line.ask(coded(DATA_LAST, step % 256, acknowledged=taken, payload=packet(rng, tag=step)), count=2)
        (result,) = [frame for frame in frames if frame.kind == RESULT]
        assert result.seq == step % 256 and result.payload[4:8] == step.to_bytes(4, "little")
        taken = (step + 1) % 256
        while line.frames(1, 0.005):
            pass
    assert read(line, 1, JOBS) == (0, 300)


def test_window(line: Raw) -> None:
    """Results that are not acknowledged stop the core; then job frames stay in the link, eight of them, and no more
    are taken."""
    rng = random.Random(5)
    line.begin()
    packets = [packet(rng, tag=tag) for tag in range(3 * WINDOW)]
    for seq, one in enumerate(packets):
        line.write(coded(DATA_LAST, seq, payload=one))
    settle()
    frames = line.frames(1000, 0.3)
    last = line.ask(coded(POLL))[-1]
    assert last.done < last.ack <= last.done + WINDOW < len(packets)
    assert sorted({frame.seq for frame in frames if frame.kind == RESULT}) == list(range(WINDOW))
    seen = dict.fromkeys(range(WINDOW))
    for told in range(1, last.ack + 1):  # all that were taken have a result
        line.write(coded(POLL, acknowledged=told))
        seen |= dict.fromkeys(frame.seq for frame in line.frames(2, 0.1) if frame.kind == RESULT)
    assert list(seen) == list(range(last.ack))


def test_results_again(line: Raw) -> None:
    """Results stay until they are acknowledged, and a rewind has them sent again, the same bytes."""
    rng = random.Random(6)
    line.begin()
    for seq in range(5):
        line.write(coded(DATA_LAST, seq, payload=packet(rng, valid=seq != 2, tag=seq)))
    settle()
    first = {frame.seq: frame.payload for frame in line.frames(1000, 0.3) if frame.kind == RESULT}
    assert list(first) == [0, 1, 2, 3, 4]
    assert [payload[2] & 1 for payload in first.values()] == [1, 1, 0, 1, 1]
    for told in (0, 0, 2, 1, 4, 5):  # 1: told before, and no longer there
        frames = line.ask(coded(REWIND, acknowledged=told), count=6 - told if told != 1 else 1)
        again = {frame.seq: frame.payload for frame in frames if frame.kind == RESULT}
        assert again == ({} if told == 1 else {seq: first[seq] for seq in range(told, 5)})
        assert frames[-1].kind == STATUS


def test_requests_are_executed_once(line: Raw) -> None:
    """The same request again has the same response, and no effect; numbers out of sequence have none."""
    line.begin()
    reset = CTRL.to_bytes(2, "little") + (1).to_bytes(4, "little")
    clear = IRQ_STATUS.to_bytes(2, "little") + (4).to_bytes(4, "little")
    line.ask(coded(WRITE, 1, payload=reset))
    assert read(line, 2, IRQ_STATUS)[1] & 4
    assert line.ask(coded(WRITE, 3, payload=clear))[0].payload[0] == 0
    assert read(line, 4, IRQ_STATUS)[1] & 4 == 0
    line.ask(coded(WRITE, 5, payload=reset))
    again = line.ask(*[coded(WRITE, 5, payload=clear)] * 3, count=3)  # number 5 was the other one
    assert {(frame.kind, frame.seq, frame.payload[0]) for frame in again} == {(ACCESS, 5, 0)}
    line.write(coded(WRITE, 7, payload=clear) + coded(WRITE, 4, payload=clear) + coded(WRITE, 0, payload=clear))
    assert line.quiet()
    assert read(line, 6, IRQ_STATUS)[1] & 4


def test_register_errors_and_identity(line: Raw) -> None:
    """Rejected by the core, outside the maps, of a wrong length; the identity is there and is read-only."""
    line.begin()
    for seq, (address, expected) in enumerate(
            ((0xFC, 2), (0x200, 2), (0xFF00, 2), (0x180, 2), (0x0, 0), (0x17C, 0)), start=1):
        assert read(line, seq, address)[0] == expected, hex(address)
    for words in (coded(WRITE, 7, payload=b"\0\1" + bytes(4)), coded(READ, 8, payload=bytes(6)),
                  coded(WRITE, 9, payload=bytes(2)), coded(WRITE, 10, payload=bytes(6))):
        assert line.ask(words)[0].payload[0] == 2
    words = [read(line, 11 + i, 0x100 + 4 * i) for i in range(21)]
    assert b"".join(word.to_bytes(4, "little") for _, word in words) == IDENTITY


def test_numbers_of_the_protocol() -> None:
    """pm_uart_pkg and frames.h say the same."""
    package = (ROOT / "hw" / "lib" / "uart" / "pm_uart_pkg.sv").read_text()
    header = (ROOT / "sw" / "backends" / "uart" / "frames.h").read_text()
    kinds = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper(): int(value, 16)
             for name, value in re.findall(r"Kind(\w+) = 8'h(\w\w);", package)}
    assert kinds == {name: int(value, 16) for name, value in re.findall(r"PM_LINK_(\w+) = 0x(\w\w)", header)}
    assert len(kinds) == 12 and kinds["SYNC"] == SYNC and kinds["SYNCED"] == SYNCED
    assert re.search(r"ProtocolVersion = 8'd1;", package) and "PM_LINK_VERSION = 1," in header
    assert re.search(rf"WindowFrames = {WINDOW};", package) and f"PM_LINK_WINDOW = {WINDOW}," in header
    assert re.search(r"FrameBeats = 31;", package) and "PM_LINK_PAYLOAD = 31 * 8," in header
    assert END == b"\xc0" and PAYLOAD == 31 * 8
