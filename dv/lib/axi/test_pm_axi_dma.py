# SPDX-License-Identifier: Apache-2.0
"""pm_axi_dma between an operand memory and AxiSlave: every entry and count, addresses, errors, aborted transfers,
resets.

What has to hold on the bus is in pm_axi_dma_tb.sv.
"""

from __future__ import annotations

import itertools
import os
import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiSlave

from dv.common.axi_models import disturb
from dv.common.handshake import begin, cycles, pulse
from pointmill import simbuild

ENTRIES, STRIDE, BEAT = 16, 128, 16
WHOLE = os.environ.get("PM_PART") == "whole"
"""Whether everything is run, not a sample."""


class Memory:
    """The system's memory: bytes by address, a pattern at first. An access to an address of `bad` is an error."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.bytes: dict[int, int] = {}
        self.bad: set[int] = set()

    def pattern(self, address: int) -> int:
        return (address * 0x9E3779B1 ^ address >> 7 ^ self.seed) >> 3 & 0xFF

    def get(self, address: int, length: int) -> bytes:
        return bytes(self.bytes.get(at, self.pattern(at)) for at in range(address, address + length))

    async def read(self, address: int, length: int) -> bytes:
        if address in self.bad:
            raise OSError
        return self.get(address, length)

    async def write(self, address: int, data: bytes) -> None:
        if address in self.bad:
            raise OSError
        self.bytes |= {address + i: value for i, value in enumerate(data)}


class Bench:
    """The manager, its two memories, and what they should hold."""

    def __init__(self, dut, seed: int = 1) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.number = int(dut.NumberBytes.value)
        self.lanes = -(-self.number // BEAT)
        self.address_bits = int(dut.AddrBits.value)
        self.system = Memory(seed)
        self.slave = AxiSlave(AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_ni, target=self.system,
                              reset_active_level=False)
        for part in (self.slave.write_if, self.slave.read_if):
            part.log.setLevel("ERROR")
        self.operands = bytearray()
        self.cycles = 0

    async def start(self) -> None:
        await begin(self.dut)
        await self.fill()

    async def fill(self) -> None:
        """Random operands."""
        self.operands = bytearray(self.rng.randbytes(ENTRIES * self.lanes * BEAT))
        self.dut.memory_i.value = int.from_bytes(self.operands, "little")
        await pulse(self.dut, "set_i")
        await RisingEdge(self.dut.clk_i)

    def found(self) -> bytes:
        """The operand memory."""
        return int(self.dut.memory_o.value).to_bytes(ENTRIES * self.lanes * BEAT, "little")

    def disturb(self, chance: float) -> None:
        """Idle cycles on all five channels from now on."""
        disturb(self.slave, self.rng, chance)

    def place(self, entry: int) -> slice:
        """Bytes of an entry."""
        return slice(entry * self.lanes * BEAT, entry * self.lanes * BEAT + self.number)

    def base(self, count: int) -> int:
        """A legal address."""
        top = 1 << self.address_bits - 7
        return self.rng.choice([0, top - count, self.rng.randrange(top - count + 1)]) * STRIDE

    async def command(self, store: bool, address: int, entry: int, count: int) -> tuple[bool, bool]:
        """Starts a transfer; whether it ended at once, and as illegal."""
        dut = self.dut
        dut.store_i.value, dut.addr_i.value, dut.entry_i.value, dut.count_i.value = store, address, entry, count
        dut.start_i.value = 1
        await ReadOnly()
        ended = bool(dut.finish_o.value), bool(dut.illegal_o.value)
        await RisingEdge(dut.clk_i)
        dut.start_i.value = 0
        # What a command holds counts in the cycle of its start alone.
        dut.store_i.value, dut.addr_i.value, dut.entry_i.value, dut.count_i.value = not store, 1, 0, 0
        return ended

    async def idle(self) -> list[bool]:
        """Until the manager is idle: error_o of each finish_o."""
        finished = []
        await ReadOnly()
        while self.dut.busy_o.value:
            if self.dut.finish_o.value:
                finished.append(bool(self.dut.error_o.value))
            await RisingEdge(self.dut.clk_i)
            self.cycles += 1
            await ReadOnly()
        await RisingEdge(self.dut.clk_i)
        assert int(self.dut.violations_o.value) == 0
        return finished

    async def transfer(self, store: bool, address: int, entry: int, count: int) -> list[bool]:
        """A legal transfer to its end."""
        assert await self.command(store, address, entry, count) == (False, False)
        self.cycles = 0
        return await with_timeout(self.idle(), 50_000, "ns")

    def check(self, store: bool, address: int, entry: int, count: int) -> None:
        """Both memories after a transfer without error, and what lies around it."""
        for i in range(count):
            if store:
                number = self.operands[self.place(entry + i)]
            else:
                number = self.system.get(address + STRIDE * i, self.number)
                self.operands[self.place(entry + i)] = number
            assert self.system.get(address + STRIDE * i, self.number) == number
        assert self.found() == self.operands
        if store:
            stored = {address + STRIDE * i + j for i in range(count) for j in range(self.number)}
            assert self.system.bytes.keys() == stored


@cocotb.test()
async def every_entry_and_count(dut) -> None:
    """Both ways, with pauses in half of the transfers; nothing else is written. A sample: the least, the most, and a
    count between them."""
    b = Bench(dut)
    await b.start()
    done = 0
    for entry in range(ENTRIES):
        most = ENTRIES - entry
        for count in range(1, most + 1) if WHOLE else sorted({1, (most + 1) // 2, most}):
            b.disturb(0.5 if (entry + count) % 2 else 0)
            for store in (False, True):
                await b.fill()
                b.system = b.slave.write_if.target = b.slave.read_if.target = Memory(done)
                address = b.base(count)
                assert await b.transfer(store, address, entry, count) == [False]
                b.check(store, address, entry, count)
                done += 1
    assert done == (272 if WHOLE else 90)


@cocotb.test()
async def rate(dut) -> None:
    """Undisturbed, a beat a cycle where the answer to an address takes less time than a burst."""
    b = Bench(dut)
    await b.start()
    slowest = b.lanes if b.lanes == 6 else 5
    for store in (False, True):
        for count in (1, 16):
            assert await b.transfer(store, 0, 0, count) == [False]
            assert b.lanes * count <= b.cycles <= slowest * count + 8


@cocotb.test()
async def illegal(dut) -> None:
    """Refused in the cycle of the start, and nothing on the bus."""
    b = Bench(dut)
    await b.start()
    top = 1 << b.address_bits
    cases = [(0, 0, 0), (0, 0, 17), (0, 0, 31), (0, 15, 2), (0, 1, 16), (0, 8, 9), (top - STRIDE, 0, 2),
             (top - 16 * STRIDE, 0, 17)]
    cases += [(top // 2 + (1 << bit), 0, 1) for bit in range(7)]
    cases += [(1 << bit, 0, 1) for bit in range(b.address_bits, 64)]
    for (address, entry, count), store in itertools.product(cases, (False, True)):
        assert await b.command(store, address, entry, count) == (True, True)
        for _ in range(3):
            await ReadOnly()
            assert not (dut.busy_o.value or dut.m_axi_awvalid.value or dut.m_axi_arvalid.value)
            await RisingEdge(dut.clk_i)
    assert b.found() == b.operands
    for address, entry, count in ((top - STRIDE, 15, 1), (top - 16 * STRIDE, 0, 16)):
        assert await b.transfer(False, address, entry, count) == [False]
        b.check(False, address, entry, count)
    assert len(cases) == 15 + 64 - b.address_bits


@cocotb.test()
async def errors(dut) -> None:
    """Each beat of each number once: what came before is there, nothing behind it, and the next transfer works."""
    b = Bench(dut)
    await b.start()
    done, lanes = 0, range(b.lanes) if WHOLE else sorted({0, b.lanes // 2, b.lanes - 1})
    for chance in (0, 0.4):
        b.disturb(chance)
        for wrong, lane in itertools.product(range(4), lanes):
            for store in (False, True):
                await b.fill()
                b.system = b.slave.write_if.target = b.slave.read_if.target = Memory(done)
                entry, address = b.rng.randrange(13), b.base(4)
                b.system.bad = {address + STRIDE * wrong + BEAT * lane}
                assert await b.transfer(store, address, entry, 4) == [True]
                if store:
                    for i in range(wrong):
                        assert b.system.get(address + STRIDE * i, b.number) == b.operands[b.place(entry + i)]
                    # One burst may have been under way behind the one with the error.
                    assert max(b.system.bytes, default=0) < address + STRIDE * min(wrong + 2, 4)
                else:
                    beats = {(i, k) for i in range(4) for k in range(b.lanes) if (i, k) < (wrong, lane)}
                    for i, k in beats:
                        at = b.place(entry + i).start + BEAT * k
                        length = min(BEAT, b.number - BEAT * k)
                        b.operands[at:at + length] = b.system.get(address + STRIDE * i + BEAT * k, length)
                assert b.found() == b.operands
                b.system.bad = set()
                assert await b.transfer(False, address, 3, 1) == [False]
                b.check(False, address, 3, 1)
                done += 1
    assert done == 2 * 2 * 4 * len(lanes)


@cocotb.test()
async def aborted(dut) -> None:
    """At any time: every burst is ended, no finish; bytes are old or new, and after the abort none changes in the
    operand memory. The next transfer works."""
    b = Bench(dut)
    await b.start()
    early = 0
    for done in range(0, 200, 1 if WHOLE else 5):
        b.disturb(b.rng.choice([0, 0.3, 0.7]))
        await b.fill()
        b.system = b.slave.write_if.target = b.slave.read_if.target = Memory(done)
        store, count = bool(done % 2), b.rng.randrange(1, 6)
        entry, address = b.rng.randrange(12), b.base(count)
        assert await b.command(store, address, entry, count) == (False, False)
        await cycles(dut, done // 2 % 50)
        dut.abort_i.value = 1
        await ReadOnly()
        over = not dut.busy_o.value
        await RisingEdge(dut.clk_i)
        dut.abort_i.value = 0
        await ReadOnly()
        then = b.found()
        assert not dut.finish_o.value
        await RisingEdge(dut.clk_i)
        assert await with_timeout(b.idle(), 20_000, "ns") == []
        assert b.found() == then
        early += not over
        for at, value in b.system.bytes.items():
            number, byte = divmod(at - address, STRIDE)
            assert value == b.operands[b.place(entry + number)][byte]
        for at, value in enumerate(then):
            number, byte = divmod(at, b.lanes * BEAT)
            new = b.system.pattern(address + STRIDE * (number - entry) + byte)
            moved = not store and entry <= number < entry + count and byte < b.number
            assert value == b.operands[at] or (moved and value == new)
        if over and not store:
            assert then[b.place(entry)] == b.system.get(address, b.number)
        b.operands = bytearray(then)
        b.system = b.slave.write_if.target = b.slave.read_if.target = Memory(done)
        b.disturb(0)
        assert await b.transfer(store, address, entry, count) == [False]
        b.check(store, address, entry, count)
    assert early > (60 if WHOLE else 12)


@cocotb.test()
async def reset_in_the_middle(dut) -> None:
    """The reset input, of both ends of the bus."""
    b = Bench(dut)
    await b.start()
    for done in range(0, 40, 1 if WHOLE else 3):
        b.disturb(b.rng.choice([0, 0.5]))
        await b.command(bool(done % 2), 0, 0, 4)
        await cycles(dut, done)
        dut.rst_ni.value = 0
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not (dut.busy_o.value or dut.m_axi_awvalid.value or dut.m_axi_wvalid.value or dut.m_axi_arvalid.value)
        assert int(dut.m_axi_wdata.value) == 0
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)
        await b.fill()
        b.system = b.slave.write_if.target = b.slave.read_if.target = Memory(done)
        assert await b.transfer(bool(done % 2), STRIDE, 2, 3) == [False]
        b.check(bool(done % 2), STRIDE, 2, 3)


@pytest.mark.parametrize(("address_bits", "number"), [(64, 88), (20, 32)])
@pytest.mark.parametrize("part", ["sample", pytest.param("whole", marks=pytest.mark.long)])
def test_pm_axi_dma(part: str, address_bits: int, number: int) -> None:
    sources = ["hw/lib/prim/pm_ping_pong.sv", "hw/lib/axi/pm_axi_dma.sv", "dv/lib/axi/pm_axi_dma_tb.sv"]
    simbuild.run_cocotb("pm_axi_dma_tb", sources, __name__,
                        {"AddrBits": address_bits, "NumberBytes": number}, expect=6, extra_env={"PM_PART": part})
