# SPDX-License-Identifier: Apache-2.0
"""pm_ed_tx: the two beats of a result, back-pressure, throughput."""

from __future__ import annotations

import itertools
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamSink

from pointmill import simbuild

RESULTS = 400


async def offer(dut, results: list[tuple[int, int, int, int]], rng: random.Random | None) -> None:
    """Offers (tag, rule, reason, cycles) one after the other, with gaps if `rng` is given."""
    for tag, rule, reason, cycles in results:
        while rng and rng.random() < 0.3:
            await RisingEdge(dut.clk_i)
        dut.result_valid_i.value = 1
        dut.tag_i.value, dut.rule_i.value = tag, rule
        dut.reason_i.value, dut.cycles_i.value = reason, cycles
        await RisingEdge(dut.clk_i)
        while not dut.result_ready_o.value:
            await RisingEdge(dut.clk_i)
        dut.result_valid_i.value = 0
        dut.tag_i.value = rng.getrandbits(32) if rng else 0


def beats(tag: int, rule: int, reason: int, cycles: int) -> bytes:
    """The 16 bytes of a result packet."""
    first = tag << 32 | (reason == 0) << 16 | rule << 8 | reason
    return first.to_bytes(8, "little") + cycles.to_bytes(8, "little")


async def holds(dut) -> None:
    """A beat that was offered and not taken is offered unchanged in the next cycle."""
    before = None
    while True:
        await RisingEdge(dut.clk_i)
        now = (int(dut.m_axis_tdata.value), int(dut.m_axis_tkeep.value),
               int(dut.m_axis_tlast.value)) if dut.m_axis_tvalid.value else None
        assert before is None or now == before
        before = now if not dut.m_axis_tready.value else None


async def start(dut) -> AxiStreamSink:
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk_i, dut.rst_ni,
                         reset_active_level=False)
    sink.log.setLevel("WARNING")
    dut.result_valid_i.value = 0
    dut.rst_ni.value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    cocotb.start_soon(holds(dut))
    return sink


def random_results(rng: random.Random) -> list[tuple[int, int, int, int]]:
    return [(rng.getrandbits(32), rng.getrandbits(8), rng.randrange(9), rng.getrandbits(32))
            for _ in range(RESULTS)]


@cocotb.test()
async def disturbed(dut) -> None:
    """Results in order and unchanged under idle cycles and back-pressure."""
    rng = random.Random(1)
    sink = await start(dut)
    sink.set_pause_generator(rng.random() < 0.5 for _ in itertools.count())
    results = random_results(rng)
    cocotb.start_soon(offer(dut, results, rng))
    for result in results:
        frame = await sink.recv()
        assert bytes(frame.tdata) == beats(*result)
    assert {reason for _, _, reason, _ in results} == set(range(9))


@cocotb.test()
async def throughput(dut) -> None:
    """Undisturbed, a result every two cycles."""
    sink = await start(dut)
    results = random_results(random.Random(2))
    cocotb.start_soon(offer(dut, results, None))
    while not dut.m_axis_tvalid.value:
        await RisingEdge(dut.clk_i)
    for cycle in range(2 * RESULTS):
        assert dut.m_axis_tvalid.value
        assert dut.m_axis_tlast.value == cycle % 2
        await RisingEdge(dut.clk_i)
    assert not dut.m_axis_tvalid.value
    frames = [bytes((await sink.recv()).tdata) for _ in range(RESULTS)]
    assert frames == [beats(*result) for result in results]


def test_pm_ed_tx() -> None:
    simbuild.run_cocotb("pm_ed_tx", ["rtl/bus/pm_ed_pkg.sv", "rtl/bus/pm_ed_tx.sv"], __name__,
                        expect=2)
