# SPDX-License-Identifier: Apache-2.0
"""pm_pcie_results: the words that go to the host, in which cycle, and what they are by docs/pcie.md, with the CRC of
zlib; credit and back-pressure."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

WORDS = 32
NONCE = 0x600DCAFE


def packets_of(buffers: Iterable[list[int]], first: int = 0) -> list[bytes]:
    """The packets in buffers, each of which must be as it ought to."""
    found, part = [], b""
    for sequence, words in enumerate(buffers, start=first):
        assert len(words) == WORDS
        crc, count = 0, 0
        for control, data in zip(words[:-2:2], words[1:-2:2], strict=True):
            if control == 0:
                assert data == 0
                continue
            assert control >> 17 == 0 and control >> 16 == 1 and control & 0xFE00 == 0
            keep = control & 0xFF
            assert keep & (keep + 1) == 0 and keep
            crc, count = zlib.crc32(control.to_bytes(8, "little") + data.to_bytes(8, "little"), crc), count + 1
            part += data.to_bytes(8, "little")[:keep.bit_length()]
            if control >> 8 & 1:
                found.append(part)
                part = b""
        assert words[-2] == NONCE | count << 32 | 0x524C << 48 and count
        crc = zlib.crc32(words[-2].to_bytes(8, "little") + sequence.to_bytes(8, "little"), crc)
        assert words[-1] == sequence | crc << 32
    assert part == b""
    return found


class Bench:
    """The unit: what it sends, and the cycles."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.words: list[tuple[int, int]] = []
        self.beats: list[int] = []
        """Cycles in which beats were offered first, and taken."""
        self.cycle = 0
        self.pause = 0.0
        self.held: int | None = None

    async def begin(self, credit: int) -> None:
        dut = self.dut
        await handshake.begin(dut, ("clear_i", "s_axis_tvalid", "s_axis_tdata", "s_axis_tkeep",
                                                      "s_axis_tlast", "m_ready_i"), FallingEdge)
        dut.nonce_i.value = NONCE
        dut.credit_i.value = credit
        cocotb.start_soon(self.watch())

    async def watch(self) -> None:
        dut = self.dut
        while True:
            dut.m_ready_i.value = int(random.random() >= self.pause)
            await ReadOnly()
            if dut.m_valid_o.value:
                word = int(dut.m_data_o.value)
                assert self.held in (None, word)
                self.held = word
                if dut.m_ready_i.value:
                    self.held = None
                    assert bool(dut.m_last_o.value) == (len(self.words) % WORDS == WORDS - 1)
                    self.words.append((self.cycle, word))
            else:
                assert self.held is None
            await FallingEdge(dut.clk_i)
            self.cycle += 1

    async def packet(self, data: bytes) -> tuple[int, int]:
        """Offers a packet; the cycles in which its first beat was offered, and its last one taken."""
        dut = self.dut
        begin = None
        for at in range(0, len(data), 8):
            beat = data[at:at + 8]
            dut.s_axis_tvalid.value = 1
            dut.s_axis_tdata.value = int.from_bytes(beat, "little")
            dut.s_axis_tkeep.value = (1 << len(beat)) - 1
            dut.s_axis_tlast.value = int(at + 8 >= len(data))
            while True:
                await ReadOnly()
                taken, cycle = bool(dut.s_axis_tready.value), self.cycle
                begin = cycle if begin is None else begin
                await FallingEdge(dut.clk_i)
                if taken:
                    break
        dut.s_axis_tvalid.value = 0
        return begin, cycle

    def buffers(self) -> list[list[int]]:
        words = [word for _, word in self.words]
        return [words[at:at + WORDS] for at in range(0, len(words), WORDS)]


@cocotb.test()
async def latency(dut) -> None:
    """The first word two cycles after the beat is offered, then a word in each cycle; a beat in the middle of a buffer
    is in its next pair; the next buffer begins two cycles behind the last word."""
    bench = Bench(dut)
    await bench.begin(100)
    await handshake.cycles(dut, 7, FallingEdge)
    begin, taken = await bench.packet(bytes(range(1, 17)))
    assert (begin, taken) == (7, 11)
    await handshake.cycles(dut, 3, FallingEdge)
    assert await bench.packet(b"\xee") == (15, 17)
    await handshake.cycles(dut, 60, FallingEdge)
    assert [cycle for cycle, _ in bench.words] == list(range(9, 9 + WORDS))
    words = bench.buffers()[0]
    assert [at for at in range(0, WORDS - 2, 2) if words[at]] == [0, 2, 8]
    assert packets_of(bench.buffers()) == [bytes(range(1, 17)), b"\xee"]
    assert int(dut.sent_o.value) == 1
    long = bytes(range(8 * (WORDS // 2 + 3)))
    begin, _ = await bench.packet(long)
    await handshake.cycles(dut, 60, FallingEdge)
    second = [begin + 2 + i for i in range(WORDS)]
    assert [cycle for cycle, _ in bench.words[WORDS:]] == second + [second[-1] + 2 + i for i in range(WORDS)]
    assert packets_of(bench.buffers()[1:], 1) == [long] and int(dut.sent_o.value) == 3


@cocotb.test()
async def any_order(dut) -> None:
    """Packets of any length with pauses on both sides: all come, in order, each once."""
    bench = Bench(dut)
    await bench.begin(10**6)
    bench.pause = 0.4
    sent = []
    for _ in range(200):
        sent.append(random.randbytes(random.choice((1, 7, 8, 9, 16, 16, 48, 152))))
        await bench.packet(sent[-1])
        if random.random() < 0.3:
            await handshake.cycles(dut, random.randrange(2 * WORDS), FallingEdge)
    await handshake.cycles(dut, 6 * WORDS, FallingEdge)
    assert packets_of(bench.buffers()) == sent
    assert int(dut.sent_o.value) == len(bench.buffers()) > 50


@cocotb.test()
async def credit(dut) -> None:
    """No buffer is begun without credit, and one that was begun is sent to its end; the core waits until then."""
    bench = Bench(dut)
    await bench.begin(0)
    sent = [random.randbytes(16) for _ in range(3 * (WORDS // 2 - 1) // 2 + 1)]

    async def offer() -> None:
        for one in sent:
            await bench.packet(one)

    task = cocotb.start_soon(offer())
    for limit in (0, 1, 2, 2, 4):
        dut.credit_i.value = limit
        await handshake.cycles(dut, 4 * WORDS, FallingEdge)
        assert len(bench.words) == limit * WORDS and int(dut.sent_o.value) == limit
    assert task.done() and packets_of(bench.buffers()) == sent


@cocotb.test()
async def sessions(dut) -> None:
    """A session that ends within a buffer leaves nothing to the next one, whose numbers begin anew."""
    bench = Bench(dut)
    await bench.begin(1000)
    for _ in range(5):
        await bench.packet(random.randbytes(16))
        dut.clear_i.value = 1
        await handshake.cycles(dut, 2, FallingEdge)
        assert not dut.m_valid_o.value and not dut.sent_o.value
        bench.words.clear()
        bench.held = None
        dut.clear_i.value = 0
        await handshake.cycles(dut, 2 * WORDS, FallingEdge)
        assert bench.words == []  # without a result, nothing
        one = random.randbytes(20)
        await bench.packet(one)
        await handshake.cycles(dut, 2 * WORDS, FallingEdge)
        assert packets_of(bench.buffers()) == [one] and int(dut.sent_o.value) == 1
        bench.words.clear()


def test_pm_pcie_results() -> None:
    simbuild.run_cocotb("pm_pcie_results", "hw/lib/pcie/pcie.f", __name__, {"BufferWords": WORDS}, expect=4)
