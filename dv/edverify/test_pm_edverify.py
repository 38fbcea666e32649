# SPDX-License-Identifier: Apache-2.0
"""pm_edverify through standard bus models: AXI4-Stream jobs while AXI4-Lite is never quiet."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiResp

from dv.common import handshake
from dv.common.axi_models import lite_master, pauses, stream_sink, stream_source
from dv.edverify.edverify_core import Job, judged, packet
from pointmill import simbuild
from pointmill.rules import RULES, Reason
from vectors.hostile import hostile_cases

NAME, VERSION, CONFIG, CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = range(0, 0x20, 4)
JOBS, VALID, ERRORS, CYCLES, BUSY, MULS = 0x20, 0x24, 0x28, 0x30, 0x38, 0x40
JOB_DONE, JOB_MALFORMED, RESET_DONE = 1, 2, 4
READ_ONLY = [NAME, VERSION, CONFIG, STATUS, JOBS, VALID, ERRORS, *range(CYCLES, 0x48, 4)]
NOWHERE = [0x2C, *range(0x48, 0x60, 4), *range(0x80, 0x100, 4)]  # SEED is written, not read


class Bench:
    """The core between bus models that pause at random."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.jobs, self.results, self.lite = stream_source(dut), stream_sink(dut), lite_master(dut)
        for model, rate in ((self.jobs, 0.3), (self.results, 0.5)):
            model.set_pause_generator(pauses(random.Random(self.rng.random()), rate))

    async def start(self) -> None:
        self.dut.rst_ni.value = 0
        handshake.clocked(self.dut)
        await Timer(35, unit="ns")
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def send(self, job: Job, tag: int) -> None:
        case = job.case
        beats = packet(tag, RULES[job.rule].id, case.pk, case.msg, case.sig)
        await self.jobs.send(b"".join(data[: keep.bit_count()] for data, keep in beats))

    async def result(self) -> tuple[int, Reason, int]:
        """(tag, reason, cycles) of the next answer."""
        data = (await self.results.recv()).tdata
        assert len(data) == 16
        word = int.from_bytes(data[:8], "little")
        assert (word >> 16 & 1) == (word & 0xFF == Reason.ok)
        return word >> 32, Reason(word & 0xFF), int.from_bytes(data[8:], "little")

    async def read(self, address: int) -> int:
        answer = await self.lite.read(address, 4)
        assert answer.resp == AxiResp.OKAY, f"{address:#x}"
        return int.from_bytes(answer.data, "little")

    async def write(self, address: int, value: int) -> AxiResp:
        return (await self.lite.write(address, value.to_bytes(4, "little"))).resp

    async def counter(self, address: int) -> int:
        """A 64-bit counter."""
        low = await self.read(address)
        return await self.read(address + 4) << 32 | low


def jobs(count: int, seed: int, reasons: set[Reason]) -> list[Job]:
    """Jobs with short messages, one for every rule in turn, whose outcome is among the reasons."""
    found: list[Job] = []
    for case in hostile_cases(78, seed, max_message=40):
        for job in judged([case]):
            wanted = list(RULES)[len(found) % len(RULES)]
            if job.rule == wanted and job.reason in reasons and len(found) < count:
                found.append(job)
        if len(found) == count:
            return found
    raise AssertionError(f"{len(found)} of {count} jobs")


@cocotb.test()
async def registers_while_jobs_run(dut) -> None:
    """Random legal and illegal accesses without pause; verdicts, counters and interrupts right."""
    bench = Bench(dut, 1)
    await bench.start()
    rng = bench.rng
    assert await bench.read(NAME) == 0x44454D50
    assert await bench.read(CONFIG) == 1 | 10 << 8 | 5 << 12
    assert await bench.write(IRQ_ENABLE, JOB_DONE) == AxiResp.OKAY
    queue = jobs(4, 91, {Reason.ok, Reason.equation_fails}) + jobs(
        6, 92, {Reason.s_out_of_range, Reason.a_not_decodable})
    for tag, job in enumerate(queue):
        await bench.send(job, tag)
    while not await bench.read(STATUS) & 1:
        pass
    accesses = refused = 0
    while bench.results.count() < len(queue):
        kind = rng.randrange(4)
        if kind == 0:
            assert await bench.read(rng.choice([a for a in READ_ONLY if a != STATUS])) >= 0
        elif kind == 1:
            assert (await bench.lite.read(rng.choice(NOWHERE), 4)).resp == AxiResp.SLVERR
        elif kind == 2:
            address = rng.choice(READ_ONLY + NOWHERE)
            assert await bench.write(address, rng.getrandbits(32)) == AxiResp.SLVERR
        elif await bench.read(STATUS) & 1 and bench.results.count() < len(queue) - 1:
            response = await bench.write(COUNT_CLEAR, 1)
            refused += response == AxiResp.SLVERR
            # Between two jobs the core is idle for a cycle.
            assert response == AxiResp.SLVERR or await bench.read(JOBS) >= 0
        accesses += 1
    results = [await bench.result() for _ in queue]
    assert [(tag, reason) for tag, reason, _ in results] == [
        (tag, job.reason) for tag, job in enumerate(queue)
    ]
    assert accesses > 1000 and refused > 100
    assert int(dut.irq_o.value) == 1
    assert await bench.read(IRQ_STATUS) == JOB_DONE
    assert await bench.write(IRQ_STATUS, JOB_DONE) == AxiResp.OKAY
    assert int(dut.irq_o.value) == 0


@cocotb.test()
async def counters_agree_with_results(dut) -> None:
    """JOBS, VALID, ERRORS, BUSY and MULS over a few jobs, one malformed, one aborted."""
    bench = Bench(dut, 2)
    await bench.start()
    stalled = [0]

    async def count_stalls() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            stalled[0] += bool(dut.m_axis_tvalid.value and not dut.m_axis_tready.value)

    cocotb.start_soon(count_stalls())
    assert await bench.write(IRQ_ENABLE, JOB_MALFORMED | RESET_DONE) == AxiResp.OKAY
    queue = jobs(2, 93, {Reason.ok}) + jobs(3, 94, {Reason.s_out_of_range})
    for tag, job in enumerate(queue):
        await bench.send(job, tag)
    results = [await bench.result() for _ in queue]
    assert not int(dut.irq_o.value)
    await bench.jobs.send(bytes(8 * 5))
    tag, reason, cycles = await bench.result()
    results.append((tag, reason, cycles))
    assert (tag, reason) == (0, Reason.malformed_job)
    while not int(dut.irq_o.value):
        await RisingEdge(dut.clk_i)
    assert await bench.read(IRQ_STATUS) == JOB_DONE | JOB_MALFORMED
    assert await bench.write(IRQ_STATUS, JOB_MALFORMED) == AxiResp.OKAY
    await bench.send(queue[0], 77)
    await Timer(10_000, unit="ns")
    assert await bench.write(COUNT_CLEAR, 1) == AxiResp.SLVERR
    assert await bench.write(CTRL, 1) == AxiResp.OKAY
    results.append(await bench.result())
    assert results[-1][:2] == (77, Reason.aborted)
    while not int(dut.irq_o.value):
        await RisingEdge(dut.clk_i)
    assert await bench.read(IRQ_STATUS) == JOB_DONE | RESET_DONE
    assert await bench.read(STATUS) == 0
    assert await bench.read(JOBS) == 7
    assert await bench.read(VALID) == 2
    assert await bench.read(ERRORS) == 2
    # Busy until the last beat of an answer is on offer: longer where the first one was not taken.
    busy = await bench.counter(BUSY)
    assert 0 <= busy - sum(cycles + 1 for _, _, cycles in results) <= stalled[0]
    muls = await bench.counter(MULS)
    assert 2 * 3500 < muls < 2 * 3750 + 1000
    before = await bench.counter(CYCLES)
    assert before > await bench.counter(BUSY)
    assert await bench.write(COUNT_CLEAR, 1) == AxiResp.OKAY
    assert await bench.read(JOBS) == 0
    assert await bench.counter(CYCLES) < 100


def test_registers_and_streams_together() -> None:
    # With all signals public Verilator takes a struct for one signal, which then depends on itself.
    simbuild.run_cocotb("pm_edverify", "hw/edverify/edverify.f", __name__, {"Contexts": 1}, expect=2,
                        build_dir="build/cocotb/test_pm_edverify",
                        verilator_args=("-Wno-UNOPTFLAT",))  # fmt: skip
