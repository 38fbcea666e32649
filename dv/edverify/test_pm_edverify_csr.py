# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_csr over AXI4-Lite: every register, every address, errors, events, counters, traffic."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import Combine, RisingEdge, with_timeout
from cocotbext.axi import AxiResp

from dv.common import handshake
from dv.common.axi_models import disturb, lite_master
from pointmill import simbuild
from pointmill.gen.registers import compile_rdl

RTL = "hw/edverify/edverify.f"

CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = 0x0C, 0x10, 0x14, 0x18, 0x1C
JOBS, VALID, ERRORS, CYCLES, BUSY, MULS = 0x20, 0x24, 0x28, 0x30, 0x38, 0x40
READ_ONLY = (0x00, 0x04, 0x08, STATUS, JOBS, VALID, ERRORS, *range(0x30, 0x48, 4))
SEED = tuple(range(0x60, 0x80, 4))
READABLE = (*READ_ONLY, CTRL, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR)
WRITABLE = (CTRL, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR, *SEED)
EMPTY = tuple(sorted(set(range(0, 0x100, 4)) - set(READABLE) - set(WRITABLE)))
OKAY, SLVERR = AxiResp.OKAY, AxiResp.SLVERR


class Bench:
    """The bus master, the inputs from the core, and what comes out."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.axil = lite_master(dut)
        self.soft_resets = 0

    async def start(self) -> None:
        dut = self.dut
        await handshake.begin(dut)
        cocotb.start_soon(self._count_soft_resets())

    async def _count_soft_resets(self) -> None:
        while True:
            await RisingEdge(self.dut.clk_i)
            self.soft_resets += int(self.dut.soft_reset_o.value)

    async def read(self, address: int, resp: AxiResp = OKAY, size: int = 4) -> int:
        answer = await with_timeout(self.axil.read(address, size), 2, "us")
        assert answer.resp == resp, f"read {address:#x}: {answer.resp!r}"
        return int.from_bytes(answer.data, "little")

    async def write(self, address: int, value: int, resp: AxiResp = OKAY, size: int = 4) -> None:
        answer = await with_timeout(self.axil.write(address, value.to_bytes(size, "little")),
                                    2, "us")
        assert answer.resp == resp, f"write {address:#x}: {answer.resp!r}"

    async def pulse(self, *names: str, cycles: int = 1) -> None:
        """The named inputs are 1 for some cycles; returns in the first cycle behind them."""
        for name in names:
            getattr(self.dut, name).value = 1
        await handshake.cycles(self.dut, cycles)
        for name in names:
            getattr(self.dut, name).value = 0
        await RisingEdge(self.dut.clk_i)


async def bench(dut) -> Bench:
    result = Bench(dut)
    await result.start()
    return result


@cocotb.test()
async def identity(dut) -> None:
    """NAME, VERSION, CONFIG and the values after reset."""
    b = await bench(dut)
    assert (await b.read(0x00)).to_bytes(4, "little") == b"PMED"
    assert await b.read(0x04) == 0x000400
    assert await b.read(0x08) == 3 | 10 << 8 | 5 << 12 | 1 << 17 | 1 << 18 | 1 << 19 | 3 << 24 | 6 << 28
    for address in (CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR, JOBS, VALID, ERRORS, MULS):
        assert await b.read(address) == 0


@cocotb.test()
async def every_address(dut) -> None:
    """All 64 words, and a byte within each: SLVERR where nothing is, and for writes to read-only registers."""
    b = await bench(dut)
    assert (len(READ_ONLY), len(WRITABLE), len(EMPTY)) == (13, 12, 39)
    for busy in (0, 1):
        dut.busy_i.value = busy
        for address in range(0, 0x100, 4):
            bad = address not in READABLE
            value = await b.read(address, SLVERR if bad else OKAY)
            assert not bad or value == 0
            refused = address not in WRITABLE or (busy and address == COUNT_CLEAR)
            await b.write(address, 0, SLVERR if refused else OKAY)
    for word, address in enumerate(range(0, 0x100, 4)):  # bits 1:0 count for nothing
        await b.read(address + 1 + word % 3, OKAY if address in READABLE else SLVERR, size=1)
    await b.write(0x00, 0xFFFFFFFF, SLVERR)
    assert await b.read(0x00) == 0x44454D50
    assert await b.read(IRQ_ENABLE) == 0
    assert b.soft_resets == 0


@cocotb.test()
async def soft_reset(dut) -> None:
    """One pulse for each 1 written, also while busy; none for a 0 or a byte not strobed."""
    b = await bench(dut)
    for busy in (0, 1):
        dut.busy_i.value = busy
        before = b.soft_resets
        for _ in range(5):
            await b.write(CTRL, 1)
            await b.write(CTRL, 0)
            await b.write(CTRL + 1, 0xFF, size=1)
            assert await b.read(CTRL) == 0
        assert b.soft_resets - before == 5


@cocotb.test()
async def status(dut) -> None:
    b = await bench(dut)
    for busy, queued in ((0, 0), (1, 0), (0, 255), (1, 0x5A)):
        dut.busy_i.value, dut.queued_i.value = busy, queued
        await RisingEdge(dut.clk_i)
        assert await b.read(STATUS) == busy | queued << 8


@cocotb.test()
async def seed(dut) -> None:
    """Its words are shown as written last, and when all were written; they cannot be read."""
    b = await bench(dut)
    rng = random.Random(6)
    want, written = 0, set()
    for word in (*rng.sample(range(8), 8), *rng.sample(range(8), 8)):
        assert bool(dut.seeded_o.value) == (len(written) == 8)
        value = rng.getrandbits(32)
        await b.write(SEED[word], value)
        written.add(word)
        want = want & ~(0xFFFFFFFF << 32 * word) | value << 32 * word
        assert int(dut.seed_o.value) == want
        await b.read(SEED[word], SLVERR)
    assert dut.seeded_o.value
    await b.write(SEED[3] + 2, 0x5A, size=1)
    assert int(dut.seed_o.value) >> 112 & 0xFF == 0x5A and dut.seeded_o.value
    await b.write(CTRL, 1)
    assert int(dut.seed_o.value) >> 112 & 0xFF == 0x5A and dut.seeded_o.value


@cocotb.test()
async def interrupts(dut) -> None:
    """Each event, each mask: status holds until 1 is written, irq_o follows both registers."""
    b = await bench(dut)
    events = {0: "job_answered_i", 1: "job_malformed_i", 2: "reset_done_i"}
    for busy in (0, 1):
        dut.busy_i.value = busy
        for bit, name in events.items():
            for mask in range(8):
                await b.write(IRQ_ENABLE, mask)
                assert await b.read(IRQ_ENABLE) == mask
                await b.pulse(name)
                assert dut.irq_o.value == mask >> bit & 1
                assert await b.read(IRQ_STATUS) == 1 << bit
                await b.write(IRQ_STATUS, 7 & ~(1 << bit))  # the other bits: no effect
                assert await b.read(IRQ_STATUS) == 1 << bit
                await b.write(IRQ_STATUS, 1 << bit)
                assert await b.read(IRQ_STATUS) == 0
                assert not dut.irq_o.value
    await b.write(IRQ_ENABLE, 0xFFFFFFF8)
    assert await b.read(IRQ_ENABLE) == 0


@cocotb.test()
async def event_beats_clear(dut) -> None:
    """An event in the very cycle of the clearing write is not lost."""
    b = await bench(dut)
    dut.reset_done_i.value = 1
    await b.write(IRQ_STATUS, 4)
    dut.reset_done_i.value = 0
    assert await b.read(IRQ_STATUS) == 4


@cocotb.test()
async def counters(dut) -> None:
    """Counts of random pulses; clearing; refused while busy without effect."""
    b = await bench(dut)
    rng = random.Random(3)
    where = {"job_answered_i": JOBS, "job_valid_i": VALID, "job_error_i": ERRORS,
             "mul_issue_i": MULS}
    want = dict.fromkeys(where, 0)
    for _ in range(50):
        names = [name for name in where if rng.random() < 0.5]
        if names:
            length = rng.randrange(1, 6)
            await b.pulse(*names, cycles=length)
            for name in names:
                want[name] += length
    for name, address in where.items():
        assert await b.read(address) == want[name] > 0
    assert await b.read(BUSY) == 0
    await b.pulse("busy_i", cycles=37)
    assert await b.read(BUSY) == 37

    dut.busy_i.value = 1
    await b.write(COUNT_CLEAR, 1, SLVERR)
    await b.write(COUNT_CLEAR, 0, SLVERR)
    assert await b.read(JOBS) == want["job_answered_i"]
    dut.busy_i.value = 0
    await b.write(COUNT_CLEAR, 0)
    assert await b.read(JOBS) == want["job_answered_i"]
    await b.write(COUNT_CLEAR, 1)
    assert await b.read(CYCLES) < 20
    for address in (JOBS, VALID, ERRORS, BUSY, MULS):
        assert await b.read(address) == 0


@cocotb.test()
async def cycle_counter(dut) -> None:
    """CYCLES runs with the clock."""
    b = await bench(dut)
    first = await b.read(CYCLES)
    await b.read(CYCLES)
    again = await b.read(CYCLES)
    await handshake.cycles(dut, 1000)
    last = await b.read(CYCLES)
    step = (again - first) // 2
    assert last - again == 1000 + step


@cocotb.test()
async def wide_counters(dut) -> None:
    """A carry into the high half between the two reads does not show."""
    b = await bench(dut)
    parts = dut.u_counters
    for address, counter in ((CYCLES, parts.u_cycles), (BUSY, parts.u_busy), (MULS, parts.u_muls)):
        dut.busy_i.value = dut.mul_issue_i.value = 1
        counter.count_o.value = (5 << 32) + 0xFFFFFFFF - 6
        await RisingEdge(dut.clk_i)
        low = await b.read(address)
        assert low >= 0xFFFFFFF8
        await handshake.cycles(dut, 20)
        assert await b.read(address + 4) == 5
        assert await b.read(address) < 0x100
        assert await b.read(address + 4) == 6


@cocotb.test()
async def write_needs_both_halves(dut) -> None:
    """An address or data alone does nothing, however long; nothing is executed twice."""
    b = await bench(dut)
    for held in ("aw_channel", "w_channel"):
        channel = getattr(b.axil.write_if, held)
        before = b.soft_resets
        channel.pause = True
        pending = cocotb.start_soon(b.axil.write(CTRL, b"\1\0\0\0"))
        await handshake.cycles(dut, 50)
        assert b.soft_resets == before and not dut.s_axil_bvalid.value
        assert await b.read(0x00) == 0x44454D50  # reads go on meanwhile
        channel.pause = False
        assert (await with_timeout(pending, 2, "us")).resp == OKAY
        await handshake.cycles(dut, 5)
        assert b.soft_resets == before + 1


@cocotb.test()
async def held_response(dut) -> None:
    """While a response is not taken the next access waits, and is executed exactly once."""
    b = await bench(dut)
    b.axil.write_if.b_channel.pause = True
    pending = [cocotb.start_soon(b.axil.write(CTRL, b"\1\0\0\0")) for _ in range(3)]
    await handshake.cycles(dut, 50)
    assert b.soft_resets == 1
    b.axil.write_if.b_channel.pause = False
    await with_timeout(Combine(*pending), 4, "us")
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    assert b.soft_resets == 3

    b.axil.read_if.r_channel.pause = True
    addresses = (0x00, 0x04, 0x08)
    pending = [cocotb.start_soon(b.read(address)) for address in addresses]
    await handshake.cycles(dut, 50)
    b.axil.read_if.r_channel.pause = False
    await with_timeout(Combine(*pending), 4, "us")
    assert [task.result() for task in pending] == [await b.read(address) for address in addresses]


@cocotb.test()
async def traffic(dut) -> None:
    """Reads and writes at the same time with random gaps, legal and not, against a model."""
    b = await bench(dut)
    disturb(b.axil, random.Random(4), 0.5)
    rng = random.Random(5)

    async def writer() -> None:
        for _ in range(300):
            address = rng.choice((IRQ_ENABLE, *EMPTY, *READ_ONLY, IRQ_STATUS, CTRL))
            resp = OKAY if address in WRITABLE else SLVERR
            await b.write(address, rng.getrandbits(32) & ~1, resp)

    async def reader() -> None:
        for _ in range(300):
            address = rng.choice((0x00, 0x04, 0x08, *EMPTY))
            value = await b.read(address, SLVERR if address in EMPTY else OKAY)
            if address == 0:
                assert value == 0x44454D50

    await Combine(cocotb.start_soon(writer()), cocotb.start_soon(reader()))
    assert b.soft_resets == 0
    for value in range(8):
        await b.write(IRQ_ENABLE, value)
        assert await b.read(IRQ_ENABLE) == value


@cocotb.test()
async def turns(dut) -> None:
    """With reads and writes waiting at all times both go on."""
    b = await bench(dut)
    reads = [cocotb.start_soon(b.read(0x00)) for _ in range(40)]
    writes = [cocotb.start_soon(b.write(IRQ_ENABLE, 7)) for _ in range(40)]
    await Combine(*reads[:20])
    assert 15 <= sum(task.done() for task in writes) <= 25
    await Combine(*reads, *writes)


@cocotb.test()
async def reset_between(dut) -> None:
    """Reset with an address waiting for its data: the half transfer is forgotten."""
    b = await bench(dut)
    b.axil.write_if.w_channel.pause = True
    task = cocotb.start_soon(b.axil.write(CTRL, b"\1\0\0\0"))
    await handshake.cycles(dut, 10)
    dut.rst_ni.value = 0
    await RisingEdge(dut.clk_i)
    task.cancel()
    b.axil.write_if.w_channel.pause = False
    await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    await b.write(IRQ_ENABLE, 5)
    assert await b.read(IRQ_ENABLE) == 5
    assert b.soft_resets == 0


def test_pm_edverify_csr() -> None:
    simbuild.run_cocotb("pm_edverify_csr", RTL, __name__,
                        {"Contexts": 3, "HalfSize": "1'b1",
                         "SecretOps": "1'b1", "Hardened": "1'b1", "Keys": 8, "Batch": 64}, depth=3, expect=15)


def test_map_of_this_bench() -> None:
    """The address lists above are those of the RDL file."""
    top = compile_rdl()
    writable = {reg.address_offset for reg in top.registers() if reg.has_sw_writable}
    assert writable == set(WRITABLE)
    assert {reg.address_offset for reg in top.registers()} == writable | set(READ_ONLY)
    assert {reg.address_offset for reg in top.registers() if reg.has_sw_readable} == set(READABLE)


@pytest.mark.parametrize(("params", "said"), [
    ({"Contexts": 0}, "Contexts must be 1 to 255"),
    ({"Contexts": 256}, "Contexts must be 1 to 255"),
    ({"Keys": 1}, "Keys must be 0 or a power of two"), ({"Keys": 12}, "Keys must be 0 or a power of two"),
    ({"Batch": 512}, "Batch must be 0 or a power of two"),
    ({"WindowG": 16}, "must be 1 to 15"), ({"WindowA": 0}, "must be 1 to 15")])
def test_refused(params: dict[str, int], said: str) -> None:
    with pytest.raises(simbuild.BuildError, match=said):
        simbuild.lint("pm_edverify_csr", RTL, params)
