# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_tx: beats of results with and without payload, back-pressure, throughput."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamSink

from dv.common.axi_models import pauses, stream_sink
from dv.common.handshake import begin, cycles, reset
from pointmill import simbuild

RESULTS = 400
REASONS = 12


@dataclass(frozen=True)
class Result:
    """What is offered; `payload` are words of 256 bits."""

    tag: int
    rule: int
    reason: int
    all_zero: int
    cycles: int
    payload: tuple[int, ...] = ()

    def bytes(self) -> bytes:
        """The packet, from the definition of the format."""
        ok = self.reason == 0
        first = (self.tag << 32 | (ok and self.all_zero) << 17 | ok << 16 | self.rule << 8
                 | self.reason)
        words = self.payload if ok else ()
        return (first.to_bytes(8, "little") + self.cycles.to_bytes(8, "little")
                + b"".join(word.to_bytes(32, "little") for word in words))


async def payload_ram(dut, words: list[int]) -> None:
    """Gives the word whose index was shown in the cycle before; `words` may change meanwhile."""
    while True:
        await RisingEdge(dut.clk_i)
        index = int(dut.payload_index_o.value)
        dut.payload_i.value = words[index] if index < len(words) else (1 << 256) - 1


async def offer(dut, results: list[Result], rng: random.Random | None) -> None:
    """Offers the results one after the other, with gaps if `rng` is given."""
    words: list[int] = []
    cocotb.start_soon(payload_ram(dut, words))
    for result in results:
        while rng and rng.random() < 0.3:
            await RisingEdge(dut.clk_i)
        dut.result_valid_i.value = 1
        dut.tag_i.value, dut.rule_i.value = result.tag, result.rule
        dut.reason_i.value, dut.cycles_i.value = result.reason, result.cycles
        dut.all_zero_i.value, dut.payload_words_i.value = result.all_zero, len(result.payload)
        words[:] = result.payload
        await RisingEdge(dut.clk_i)
        while not dut.result_ready_o.value:
            await RisingEdge(dut.clk_i)
        dut.result_valid_i.value = 0
        dut.tag_i.value = rng.getrandbits(32) if rng else 0


async def holds(dut) -> None:
    """A beat that was offered and not taken is offered unchanged in the next cycle."""
    before = None
    while True:
        await RisingEdge(dut.clk_i)
        now = (int(dut.m_axis_tdata.value), int(dut.m_axis_tkeep.value),
               int(dut.m_axis_tlast.value)) if dut.m_axis_tvalid.value else None
        assert before is None or now == before
        before = now if not dut.m_axis_tready.value else None


async def start_sink(dut) -> AxiStreamSink:
    sink = stream_sink(dut)
    await begin(dut, ("result_valid_i",))
    return sink


async def start(dut) -> AxiStreamSink:
    sink = await start_sink(dut)
    cocotb.start_soon(holds(dut))
    return sink


def random_results(rng: random.Random) -> list[Result]:
    """Half of them with reason ok, the others with every other reason; 0 to 3 words of payload."""
    return [Result(rng.getrandbits(32), rng.getrandbits(8),
                   rng.choice((0, rng.randrange(REASONS))), rng.getrandbits(1),
                   rng.getrandbits(32),
                   tuple(rng.getrandbits(256) for _ in range(rng.randrange(4))))
            for _ in range(RESULTS)]


@cocotb.test()
async def disturbed(dut) -> None:
    """Results in order and unchanged under idle cycles and back-pressure."""
    rng = random.Random(1)
    sink = await start(dut)
    sink.set_pause_generator(pauses(rng, 0.5))
    results = random_results(rng)
    cocotb.start_soon(offer(dut, results, rng))
    for result in results:
        frame = await sink.recv()
        assert bytes(frame.tdata) == result.bytes()
    assert {result.reason for result in results} == set(range(REASONS))
    assert {len(result.payload) for result in results if result.reason == 0} == {0, 1, 2, 3}
    assert {len(result.payload) for result in results if result.reason} == {0, 1, 2, 3}


@cocotb.test()
async def throughput(dut) -> None:
    """Undisturbed, a result without payload every two cycles."""
    sink = await start(dut)
    rng = random.Random(2)
    results = [Result(rng.getrandbits(32), rng.getrandbits(8), rng.randrange(REASONS), 0,
                      rng.getrandbits(32)) for _ in range(RESULTS)]
    cocotb.start_soon(offer(dut, results, None))
    while not dut.m_axis_tvalid.value:
        await RisingEdge(dut.clk_i)
    for cycle in range(2 * RESULTS):
        assert dut.m_axis_tvalid.value
        assert dut.m_axis_tlast.value == cycle % 2
        await RisingEdge(dut.clk_i)
    assert not dut.m_axis_tvalid.value
    frames = [bytes((await sink.recv()).tdata) for _ in range(RESULTS)]
    assert frames == [result.bytes() for result in results]


@cocotb.test()
async def payload_cycles(dut) -> None:
    """Undisturbed: the beats of a result, with a pause before the second and the third word."""
    await start(dut)
    result = Result(1, 0, 0, 0, 2, (3, 4, 5))
    cocotb.start_soon(offer(dut, [result], None))
    await RisingEdge(dut.clk_i)
    valid = []
    for _ in range(18):
        await RisingEdge(dut.clk_i)
        valid.append(int(dut.m_axis_tvalid.value))
    assert "".join(map(str, valid)).strip("0") == "1111110111101111"


@cocotb.test()
async def reset_in_the_middle(dut) -> None:
    """In any cycle of a result: nothing of it comes, and the next one is whole."""
    sink = await start_sink(dut)
    result = Result(1, 0, 0, 0, 2, (3, 4, 5))
    for cycle in range(1, 20):
        offered = cocotb.start_soon(offer(dut, [result], None))
        await cycles(dut, cycle)
        offered.cancel()
        dut.result_valid_i.value = 0
        await reset(dut)
        assert not dut.m_axis_tvalid.value
        sink.clear()
        await offer(dut, [result], None)
        assert bytes((await sink.recv()).tdata) == result.bytes(), f"reset in cycle {cycle}"


def test_pm_edverify_tx() -> None:
    simbuild.run_cocotb("pm_edverify_tx", ["hw/edverify/gen/pm_edverify_pkg.sv", "hw/edverify/rtl/pm_edverify_tx.sv"],
                        __name__,
                        expect=4)
