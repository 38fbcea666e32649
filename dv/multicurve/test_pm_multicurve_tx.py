# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_tx: beats of results with and without payload, back-pressure, pace."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import AxiStreamSink

from dv.common.axi_models import pauses, stream_sink
from dv.common.handshake import begin
from pointmill import simbuild

RESULTS = 300


def random_result(rng: random.Random) -> dict:
    """What is offered."""
    return {
        "tag": rng.getrandbits(32), "op": rng.getrandbits(8), "reason": rng.choice((0, 0, 1, 6, 11)),
        "infinity": int(rng.random() < 0.2), "all_zero": int(rng.random() < 0.2),
        "cycles": rng.getrandbits(32), "numbers": rng.randrange(3),
        "payload": [rng.getrandbits(544), rng.getrandbits(544)],
    }  # fmt: skip


def packet(result: dict) -> bytes:
    """The packet, from the definition of the format."""
    ok = result["reason"] == 0
    first = result["tag"] << 32 | result["op"] << 8 | result["reason"]
    second = result["cycles"] | (ok and result["infinity"]) << 32 | (ok and result["all_zero"]) << 33
    numbers = result["payload"][: result["numbers"]] if ok else []
    if result["infinity"]:
        numbers = [0] * len(numbers)
    return (first.to_bytes(8, "little") + second.to_bytes(8, "little")
            + b"".join(number.to_bytes(72, "little") for number in numbers))  # fmt: skip


async def start(dut) -> AxiStreamSink:
    sink = stream_sink(dut)
    await begin(dut, ("result_valid_i",))
    return sink


async def offer(dut, result: dict) -> int:
    """Offers a result until it is taken; the cycles it took."""
    dut.result_valid_i.value = 1
    for name in ("tag", "op", "reason", "infinity", "all_zero", "cycles", "numbers"):
        getattr(dut, f"{name}_i").value = result[name]
    dut.payload_i.value = result["payload"][0] | result["payload"][1] << 544
    cycles = 1
    await RisingEdge(dut.clk_i)
    while not dut.result_ready_o.value:
        cycles += 1
        await RisingEdge(dut.clk_i)
    dut.result_valid_i.value = 0
    dut.payload_i.value = 0
    return cycles


@cocotb.test()
async def results(dut) -> None:
    sink, rng = await start(dut), random.Random(3)
    sink.set_pause_generator(pauses(rng, 0.4))
    some = [random_result(rng) for _ in range(RESULTS)]

    async def send() -> None:
        for result in some:
            while rng.random() < 0.3:
                await RisingEdge(dut.clk_i)
            await offer(dut, result)

    async def watch() -> None:
        """Nothing of a result stays."""
        while not dut.m_axis_tvalid.value:
            await FallingEdge(dut.clk_i)
        while True:
            await FallingEdge(dut.clk_i)
            assert dut.m_axis_tvalid.value or int(dut.m_axis_tdata.value) == 0

    cocotb.start_soon(send())
    cocotb.start_soon(watch())
    for result in some:
        frame = await sink.recv()
        assert bytes(frame.tdata) == packet(result), result


@cocotb.test()
async def pace(dut) -> None:
    """A beat a cycle, without gaps between packets."""
    sink, rng = await start(dut), random.Random(4)
    some = [random_result(rng) for _ in range(20)]
    for result in some:
        assert await offer(dut, result) == len(packet(result)) // 8
    for result in some:
        assert bytes((await sink.recv()).tdata) == packet(result)


def test_pm_multicurve_tx() -> None:
    simbuild.run_cocotb("pm_multicurve_tx", ["hw/multicurve/gen/pm_multicurve_pkg.sv",
                                             "hw/multicurve/rtl/pm_multicurve_tx.sv"], __name__, expect=2)
