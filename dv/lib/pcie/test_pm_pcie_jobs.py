# SPDX-License-Identifier: Apache-2.0
"""pm_pcie_jobs: buffers written here from docs/pcie.md, with the CRC of zlib. What is offered to the core, and in which
cycle; filling, lost, doubled and damaged buffers; the doorbell."""

from __future__ import annotations

import os
import random
import zlib

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

WORDS = 32
EVERY = int(os.environ.get("PM_EVERY", "1"))
"""Of so many faults one is made."""
NONCE = 0x600DCAFE
MAGIC = b"PMLJ"


def record(packet: bytes, last: bool = True) -> bytes:
    """A packet, or its part, as payload."""
    return (len(packet) | last << 16).to_bytes(8, "little") + packet + bytes(-len(packet) % 8)


def frame(sequence: int, payload: bytes, nonce: int = NONCE, words: int | None = None, flip: int = 0) -> list[int]:
    """A buffer; words: of the payload, otherwise than it has. flip: bits of the CRC."""
    body = MAGIC + sequence.to_bytes(4, "little") + nonce.to_bytes(4, "little")
    body += (len(payload) // 8 if words is None else words).to_bytes(4, "little") + payload
    body += (zlib.crc32(body) ^ flip).to_bytes(8, "little")
    body = body.ljust(8 * WORDS, b"\xa5")
    return [int.from_bytes(body[i:i + 8], "little") for i in range(0, 8 * WORDS, 8)]


class Bench:
    """The unit, with words to it and beats from it."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.beats: list[tuple[int, bytes, bool]] = []
        self.taken: list[int] = []
        """Cycles in which words were taken."""
        self.cycle = 0
        self.pause = 0.0

    async def begin(self, doorbell: int = 0) -> None:
        dut = self.dut
        await handshake.begin(dut, ("clear_i", "doorbell_i", "s_valid_i", "s_data_i", "m_axis_tready"), FallingEdge)
        dut.nonce_i.value = NONCE
        dut.doorbell_i.value = doorbell
        dut.m_axis_tready.value = 1
        cocotb.start_soon(self.watch())

    async def watch(self) -> None:
        """Inputs change at the falling edge; each of these looks is at what the next rising edge sees."""
        dut = self.dut
        while True:
            await ReadOnly()
            if dut.m_axis_tvalid.value and dut.m_axis_tready.value:
                keep = int(dut.m_axis_tkeep.value)
                data = int(dut.m_axis_tdata.value).to_bytes(8, "little")[:keep.bit_length()]
                assert keep == (1 << len(data)) - 1
                self.beats.append((self.cycle, data, bool(dut.m_axis_tlast.value)))
            if dut.s_valid_i.value and dut.s_ready_o.value:
                self.taken.append(self.cycle)
            await FallingEdge(dut.clk_i)
            self.cycle += 1

    async def put(self, words: list[int], limit: int = 400) -> int:
        """How many words are taken in so many cycles."""
        dut = self.dut
        done = 0
        for _ in range(limit):
            if done == len(words):
                break
            dut.s_valid_i.value = int(random.random() >= self.pause)
            dut.s_data_i.value = words[done]
            await ReadOnly()
            done += bool(dut.s_valid_i.value and dut.s_ready_o.value)
            await FallingEdge(dut.clk_i)
        dut.s_valid_i.value = 0
        return done

    async def settle(self, count: int = 2 * WORDS) -> None:
        await handshake.cycles(self.dut, count, FallingEdge)

    def packets(self) -> list[bytes]:
        """What the core has got since the last call."""
        found, part = [], b""
        for _, data, last in self.beats:
            part += data
            if last:
                found.append(part)
                part = b""
        assert part == b""
        self.beats.clear()
        return found

    def told(self) -> tuple[int, int, int]:
        """Buffers taken and accepted, fault."""
        return int(self.dut.taken_o.value), int(self.dut.accepted_o.value), int(self.dut.fault_o.value)


@cocotb.test()
async def latency(dut) -> None:
    """A word in each cycle; the first beat two cycles after the CRC, then a beat in each cycle."""
    bench = Bench(dut)
    await bench.begin(100)
    for sequence, length in enumerate((1, 8, 9, 64, 8 * (WORDS - 4))):
        bench.taken.clear()
        packet = random.randbytes(length)
        payload = record(packet)
        assert await bench.put(frame(sequence, payload)) == WORDS
        await bench.settle()
        assert [cycle - bench.taken[0] for cycle in bench.taken] == list(range(WORDS))
        check = bench.taken[2 + len(payload) // 8]
        beats = (length + 7) // 8
        assert [cycle - check for cycle, _, _ in bench.beats] == list(range(2, 2 + beats))
        assert bench.packets() == [packet]
    assert bench.told() == (5, 5, 0)


@cocotb.test()
async def packets_in_order(dut) -> None:
    """Packets of any length, several in a buffer and over several, with pauses of the stream and of the core."""
    bench = Bench(dut)
    await bench.begin(1000)
    bench.pause = 0.3

    async def stall() -> None:
        while True:
            dut.m_axis_tready.value = int(random.random() < 0.5)
            await FallingEdge(dut.clk_i)

    cocotb.start_soon(stall())
    sent, sequence, payload = [], 0, b""
    for _ in range(150):
        packet = random.randbytes(random.choice((1, 7, 8, 9, 40, 100, 333)))
        sent.append(packet)
        while packet:
            room = 8 * (WORDS - 3) - len(payload) - 8
            if room < 8:
                assert await bench.put(frame(sequence, payload), 2000) == WORDS
                sequence, payload = sequence + 1, b""
                continue
            payload += record(packet[:room], last=len(packet) <= room)
            packet = packet[room:]
    assert await bench.put(frame(sequence, payload), 2000) == WORDS
    await bench.settle()
    await bench.settle()
    assert bench.packets() == sent
    assert bench.told() == (sequence + 1, sequence + 1, 0) and sequence > 50


@cocotb.test()
async def filling(dut) -> None:
    """Buffers of another session, of an earlier number, of another magic number, or of nothing are taken and change
    nothing; the jobs behind them are accepted."""
    bench = Bench(dut)
    await bench.begin(1000)
    taken = 0
    for sequence in range(20):
        old = frame((sequence - random.choice((1, 2, 1 << 30, 1 << 31))) % 2**32, record(random.randbytes(16)))
        other = frame(sequence, record(random.randbytes(16)), nonce=NONCE ^ 1 << random.randrange(32))
        magic = frame(sequence, record(random.randbytes(16)))
        magic[0] ^= 1 << random.randrange(32)
        for words in (old, other, magic, [0] * WORDS, [random.getrandbits(64) for _ in range(WORDS)]):
            assert await bench.put(words) == WORDS
        packet = random.randbytes(24)
        assert await bench.put(frame(sequence, record(packet))) == WORDS
        await bench.settle()
        taken += 6
        assert bench.packets() == [packet] and bench.told() == (taken, sequence + 1, 0)
    assert taken == 120


@cocotb.test()
async def faults(dut) -> None:
    """A later number, a wrong CRC, a record that is none or a length that does not fit ends it: nothing of the buffer
    and of those behind it gets to the core. A new session begins anew."""
    good = record(bytes(range(16)))
    bad = [frame(1 + ahead, good) for ahead in (1, 2, 1 << 20, (1 << 31) - 1)]
    bad += [frame(1, good, flip=1 << bit) for bit in range(32)]
    # Bits of the magic number and of the nonce, bit 0 of number 1, and its highest: it is filling.
    silent = {len(bad) + flip for flip in (*range(32), 32, 63, *range(64, 96))}
    for flip in range(5 * 64):  # every bit of the payload, the number and the length
        words = frame(1, good)
        words[flip // 64] ^= 1 << flip % 64
        bad.append(words)
    bad += [frame(1, good, words=words) for words in (0, 1, 2, 4, WORDS - 2, WORDS, 0xffff)]
    bad += [frame(1, payload) for payload in (bytes(16), record(bytes(12), last=False), record(bytes(16))[:16],
                                              record(bytes(8)) + record(bytes(8))[:8])]
    assert len(bad) == 4 + 32 + 320 + 7 + 4
    chosen = range(0, len(bad), EVERY)
    for number in chosen:
        words = bad[number]
        bench = Bench(dut)
        if words is bad[0]:
            await bench.begin(1000)
        else:
            dut.clear_i.value = 1
            await handshake.cycles(dut, 2, FallingEdge)
            dut.clear_i.value = 0
            assert bench.told() == (0, 0, 0)
            watcher = cocotb.start_soon(bench.watch())
        assert await bench.put(frame(0, good)) == WORDS
        assert await bench.put(words) == WORDS
        await bench.settle(8)
        fault = int(number not in silent)
        assert bench.told() == (2, 1, fault)
        assert await bench.put(frame(1, good)) == WORDS
        await bench.settle(8)
        assert bench.told() == ((3, 1, 1) if fault else (3, 2, 0))
        assert bench.packets() == [bytes(range(16))] * (1 if fault else 2)
        if words is not bad[0]:
            watcher.cancel()
    assert len(chosen) == -(-367 // EVERY)


@cocotb.test()
async def doorbell(dut) -> None:
    """No word of a buffer beyond the doorbell is taken, and all of one before it."""
    bench = Bench(dut)
    await bench.begin(0)
    words = [word for sequence in range(6) for word in frame(sequence, record(bytes(8)))]
    at = 0
    for bell in (0, 1, 2, 2, 5):
        dut.doorbell_i.value = bell
        at += await bench.put(words[at:], 5 * WORDS)
        assert at == bell * WORDS and bench.told() == (bell, bell, 0)
    assert not dut.s_ready_o.value


@cocotb.test()
async def full(dut) -> None:
    """A core that takes nothing stops the stream within a payload; nothing is lost."""
    bench = Bench(dut)
    await bench.begin(10)
    dut.m_axis_tready.value = 0
    packets = [random.randbytes(8 * (WORDS - 4)) for _ in range(3)]
    words = [word for sequence, packet in enumerate(packets) for word in frame(sequence, record(packet))]
    # The memory has room for WORDS beats, and one more is on offer; the first buffer has WORDS - 4.
    at = await bench.put(words, 5 * WORDS)
    assert at == WORDS + 3 + 5
    dut.m_axis_tready.value = 1
    assert await bench.put(words[at:], 5 * WORDS) == len(words) - at
    await bench.settle()
    assert bench.packets() == packets and bench.told() == (3, 3, 0)


@cocotb.test()
async def without_a_session(dut) -> None:
    """Everything that comes is dropped, whatever the doorbell, and counts nothing."""
    bench = Bench(dut)
    await bench.begin(0)
    dut.clear_i.value = 1
    words = frame(0, record(bytes(8)))
    assert await bench.put(words * 2 + words[:7]) == 2 * WORDS + 7
    dut.clear_i.value = 0
    dut.doorbell_i.value = 1
    assert await bench.put(words) == WORDS
    await bench.settle()
    assert bench.told() == (1, 1, 0) and bench.packets() == [bytes(8)]


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
def test_pm_pcie_jobs(every: int) -> None:
    simbuild.run_cocotb("pm_pcie_jobs", "hw/lib/pcie/pcie.f", __name__, {"BufferWords": WORDS}, expect=7,
                        extra_env={"PM_EVERY": str(every)})
