# SPDX-License-Identifier: Apache-2.0
"""pm_pcie_registers: every address, in which cycle the response comes, what the core rejects or leaves without one."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

WORDS, WAIT = 64, 20
IDENTITY = [random.Random(1).getrandbits(32) for _ in range(32)]
MAGIC, FORMAT, SESSION, STATUS, DOORBELL, TAKEN, ACCEPTED, CREDIT, SENT, CYCLES, CYCLES_HIGH, RESPONSE = range(
    0x200, 0x230, 4)


class Bench:
    """The unit with a core of 64 registers, of which those at 0x80 and on are rejected."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.core = {4 * i: random.getrandbits(32) for i in range(32)}
        self.delay: int | None = 0
        """Cycles until the core responds; None: never."""
        self.accesses: list[tuple[str, int]] = []

    async def begin(self) -> None:
        dut = self.dut
        for name in ("awvalid", "awaddr", "wvalid", "wdata", "wstrb", "bready", "arvalid", "araddr", "rready"):
            getattr(dut, f"s_axil_{name}").value = 0
        for name in ("awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rdata", "rresp"):
            getattr(dut, f"m_axil_{name}").value = 0
        await handshake.begin(dut, edge=FallingEdge)
        cocotb.start_soon(self.respond())

    async def respond(self) -> None:
        """The core."""
        dut = self.dut
        while True:
            await FallingEdge(dut.clk_i)
            write, read = bool(dut.m_axil_awvalid.value), bool(dut.m_axil_arvalid.value)
            assert write == bool(dut.m_axil_wvalid.value) and not (write and read)
            if self.delay is None or not (write or read):
                continue
            dut.m_axil_awready.value = dut.m_axil_wready.value = int(write)
            dut.m_axil_arready.value = int(read)
            at = int(dut.m_axil_awaddr.value if write else dut.m_axil_araddr.value)
            self.accesses.append(("write" if write else "read", at))
            await FallingEdge(dut.clk_i)
            dut.m_axil_awready.value = dut.m_axil_wready.value = dut.m_axil_arready.value = 0
            await handshake.cycles(dut, self.delay, FallingEdge)
            if write and at in self.core:
                self.core[at] = int(dut.m_axil_wdata.value)
            response = 0 if at in self.core else 2
            end = "b" if write else "r"
            getattr(dut, f"m_axil_{end}valid").value = 1
            getattr(dut, f"m_axil_{end}resp").value = response
            dut.m_axil_rdata.value = self.core.get(at, 0)
            await FallingEdge(dut.clk_i)
            getattr(dut, f"m_axil_{end}valid").value = 0

    async def access(self, address: int, data: int | None = None, strobe: int = 15) -> tuple[int, int]:
        """The data, and how many cycles behind the request the response was offered."""
        dut = self.dut
        request, response = (("aw", "w"), "b") if data is not None else (("ar",), "r")
        dut.s_axil_awaddr.value = dut.s_axil_araddr.value = address
        dut.s_axil_wdata.value, dut.s_axil_wstrb.value = data or 0, strobe
        for channel in request:
            getattr(dut, f"s_axil_{channel}valid").value = 1
        await ReadOnly()
        assert not any(getattr(dut, f"s_axil_{channel}ready").value for channel in ("aw", "w", "ar"))
        await FallingEdge(dut.clk_i)
        await ReadOnly()
        assert [channel for channel in ("aw", "w", "ar") if getattr(dut, f"s_axil_{channel}ready").value] == [*request]
        await FallingEdge(dut.clk_i)
        for channel in request:
            getattr(dut, f"s_axil_{channel}valid").value = 0
        cycle = 2
        await ReadOnly()
        while not getattr(dut, f"s_axil_{response}valid").value:
            await FallingEdge(dut.clk_i)
            cycle += 1
            assert cycle < 100
            await ReadOnly()
        assert int(getattr(dut, f"s_axil_{response}resp").value) == 0
        value = int(dut.s_axil_rdata.value) if data is None else 0
        await FallingEdge(dut.clk_i)
        await ReadOnly()
        assert getattr(dut, f"s_axil_{response}valid").value  # it holds until it is taken
        await FallingEdge(dut.clk_i)
        await handshake.pulse(dut, f"s_axil_{response}ready", edge=FallingEdge)
        return value, cycle

    async def read(self, address: int) -> int:
        return (await self.access(address))[0]


@cocotb.test()
async def of_the_link(dut) -> None:
    """Each register in two cycles; what the others hold stays."""
    bench = Bench(dut)
    await bench.begin()
    told = {TAKEN: dut.taken_i, ACCEPTED: dut.accepted_i, SENT: dut.sent_i}
    written: dict[int, int] = {}
    for _ in range(20):
        values = {address: random.getrandbits(32) for address in told}
        for address, value in values.items():
            told[address].value = value
        for address, port in ((SESSION, dut.nonce_o), (DOORBELL, dut.doorbell_o), (CREDIT, dut.credit_o)):
            written[address] = random.getrandbits(32)
            assert (await bench.access(address, written[address]))[1] == 2
            await bench.access(address, random.getrandbits(32), strobe=random.choice((0, 1, 7, 14)))  # not in parts
            assert int(port.value) == written[address]
        fault = random.getrandbits(1)
        dut.fault_i.value = fault
        cycles = random.getrandbits(64)
        dut.cycles_i.value = cycles
        values |= written | {MAGIC: 0x424C4D50, FORMAT: WORDS << 16 | 1, STATUS: fault << 1 | 1,
                             CYCLES: cycles & 0xFFFFFFFF}
        for address in random.sample(sorted(values), len(values)):
            assert await bench.access(address) == (values[address], 2), hex(address)
        dut.cycles_i.value = random.getrandbits(64)
        assert await bench.read(CYCLES_HIGH) == cycles >> 32  # of the reading of CYCLES
        for address in (MAGIC, FORMAT, STATUS, TAKEN, ACCEPTED, SENT, CYCLES, 0x230, 0x300, 0xFFC):
            await bench.access(address, random.getrandbits(32))
        assert [await bench.read(address) for address in (0x180, 0x230, 0x2FC, 0x400, 0xFFC)] == [0] * 5
        assert (int(dut.nonce_o.value), int(dut.doorbell_o.value), int(dut.credit_o.value)) == tuple(written.values())
    dut.clear_i.value = 1
    await FallingEdge(dut.clk_i)
    assert [await bench.read(address) for address in (STATUS, DOORBELL, CREDIT)] == [fault << 1, 0, 0]
    assert await bench.read(SESSION) == written[SESSION]
    assert bench.accesses == []


@cocotb.test()
async def session_pulse(dut) -> None:
    """A write of the nonce is a pulse of one cycle."""
    bench = Bench(dut)
    await bench.begin()
    pulses = []

    async def count() -> None:
        while True:
            await FallingEdge(dut.clk_i)
            pulses.append(int(dut.session_o.value))

    cocotb.start_soon(count())
    for address in (SESSION, DOORBELL, SESSION, CREDIT, 0x108, 0x8):
        await bench.access(address, 5)
    await bench.access(SESSION)
    assert sum(pulses) == 2


@cocotb.test()
async def of_the_core_and_the_identity(dut) -> None:
    """The response one cycle behind that of the core; RESPONSE tells how it ended; the identity is read-only."""
    bench = Bench(dut)
    await bench.begin()
    for delay in (0, 1, 2, 7):
        bench.delay = delay
        for address in random.sample(range(0, 0x100, 4), 64):
            value = random.getrandbits(32)
            assert (await bench.access(address, value))[1] == 3 + delay
            assert await bench.read(RESPONSE) == (0 if address < 0x80 else 2)
            assert await bench.access(address) == (value if address < 0x80 else 0, 3 + delay)
            assert await bench.read(RESPONSE) == (0 if address < 0x80 else 2)
    assert len(bench.accesses) == 4 * 128
    for at, word in enumerate(IDENTITY):
        await bench.access(0x100 + 4 * at, 0)
        assert await bench.read(RESPONSE) == 2
        assert await bench.access(0x100 + 4 * at) == (word, 2) and await bench.read(RESPONSE) == 0
    for address in (0x180, 0x1FC):
        assert await bench.read(address) == 0 and await bench.read(RESPONSE) == 2
    assert len(bench.accesses) == 4 * 128


@cocotb.test()
async def core_that_does_not_respond(dut) -> None:
    """Its access ends in WaitCycles, and all further ones at once, until a session begins; the link's go on."""
    bench = Bench(dut)
    await bench.begin()
    bench.delay = None
    assert await bench.access(4) == (0, WAIT + 2)
    assert await bench.read(RESPONSE) == 3
    bench.delay = 0
    await handshake.cycles(dut, 5, FallingEdge)  # it responds too late
    for data in (None, 7):
        assert await bench.access(8, data) == (0, 2) and await bench.read(RESPONSE) == 3
    assert await bench.read(MAGIC) == 0x424C4D50
    dut.clear_i.value = 1
    await handshake.cycles(dut, 2, FallingEdge)
    dut.clear_i.value = 0
    assert await bench.read(8) == bench.core[8] and await bench.read(RESPONSE) == 0


def test_pm_pcie_registers() -> None:
    words = sum(word << 32 * at for at, word in enumerate(IDENTITY))
    simbuild.run_cocotb("pm_pcie_registers", "hw/lib/pcie/pcie.f", __name__,
                        {"BufferWords": WORDS, "WaitCycles": WAIT, "Identity": f"1024'h{words:x}"}, expect=4)
