# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_rx: jobs of every operation and malformed packets, with pauses; results at any time."""

from __future__ import annotations

import random
import struct

import cocotb
import yaml
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamFrame, AxiStreamSource

from dv.common.axi_models import pauses, stream_source
from dv.common.handshake import begin, cycles, pulse
from pointmill import simbuild

DATA = yaml.safe_load((simbuild.ROOT / "hw" / "multicurve" / "core.yaml").read_text())
OPERATIONS = list(DATA["operations"].values())
OPTIONS = {operation["opcode"]: len(operation["options"]) for operation in OPERATIONS}
JOBS = 300


def good_packet(rng: random.Random) -> tuple[bytes, dict]:
    """(bytes, what must come out) of a legal job."""
    operation = rng.choice(OPERATIONS)
    option = rng.randrange(len(operation["options"]))
    flags = sum(1 << bit for bit, flag in enumerate(DATA["flags"])
                if flag in operation["flags"] and rng.random() < 0.5)
    tag = rng.getrandbits(32)
    numbers = [rng.getrandbits(rng.choice((0, 64, 300, 544))) for _ in operation["operands"]]
    data = struct.pack("<BBHI", option, operation["opcode"], flags, tag)
    data += b"".join(number.to_bytes(72, "little") for number in numbers)
    return data, {"op": operation["opcode"], "option": option, "flags": flags, "tag": tag, "numbers": numbers}


def damage(data: bytes, rng: random.Random) -> tuple[bytes, list[int]]:
    """(bytes, keep of each beat) of a packet with one defect."""
    beats = len(data) // 8
    keep = [0xFF] * beats
    kind = rng.randrange(6)
    if kind == 0:
        keep[rng.randrange(beats)] = rng.randrange(0xFF)
    elif kind == 1:  # ends too early
        beats = rng.randrange(1, beats)
        data, keep = data[: 8 * beats], keep[:beats]
    elif kind == 2:  # or too late
        more = rng.randrange(1, 30)
        data, keep = data + bytes(8 * more), keep + [0xFF] * more
    elif kind == 3:  # more than 544 bits
        at = 8 + 72 * rng.randrange((beats - 1) // 9) + rng.randrange(68, 72)
        data = data[:at] + bytes([1 << rng.randrange(8)]) + data[at + 1 :]
    elif kind == 4:  # the first option that there is not
        data = bytes([OPTIONS[data[1]]]) + data[1:]
    else:  # option, opcode or flags
        at = rng.randrange(4)
        data = data[:at] + bytes([0x98 | data[at]]) + data[at + 1 :]
    return data, keep


async def start(dut, rng: random.Random) -> AxiStreamSource:
    source = stream_source(dut)
    await begin(dut)
    source.set_pause_generator(pauses(rng, 0.3))
    return source


async def answer(dut) -> None:
    """One pulse of job_done_i; the job is over in the cycle after it."""
    await pulse(dut, "job_done_i")
    await RisingEdge(dut.clk_i)


@cocotb.test()
async def jobs(dut) -> None:
    rng = random.Random(11)
    source = await start(dut, rng)
    broken = 0
    for _ in range(JOBS):
        data, wanted = good_packet(rng)
        keep = [0xFF] * (len(data) // 8)
        bad = rng.random() < 0.4
        if bad:
            data, keep = damage(data, rng)
        await source.send(AxiStreamFrame(data, tkeep=[k >> i & 1 for k in keep for i in range(8)]))
        while not dut.job_end_o.value:
            await RisingEdge(dut.clk_i)
        await cycles(dut, rng.randrange(4))
        assert int(dut.job_malformed_o.value) == bad, (data.hex(), keep)
        assert dut.busy_o.value and dut.job_open_o.value
        if not bad:
            assert int(dut.job_op_o.value) == wanted["op"]
            assert int(dut.job_option_o.value) == wanted["option"]
            assert int(dut.job_flags_o.value) == wanted["flags"]
            assert int(dut.job_tag_o.value) == wanted["tag"]
            operands = int(dut.job_operands_o.value)
            for i, number in enumerate(wanted["numbers"]):
                assert operands >> 544 * i & (1 << 544) - 1 == number
        broken += bad
        await answer(dut)
        assert int(dut.job_operands_o.value) == 0
    assert JOBS // 4 < broken < JOBS // 2


@cocotb.test()
async def answers_before_the_end(dut) -> None:
    """What is left of a packet whose job is answered does not reach the next job."""
    rng = random.Random(12)
    source = await start(dut, rng)
    for _ in range(60):
        data, _ = good_packet(rng)
        await source.send(AxiStreamFrame(data))
        while not dut.job_open_o.value:
            await RisingEdge(dut.clk_i)
        await cycles(dut, rng.randrange(40))
        await answer(dut)
        assert not dut.job_open_o.value
        assert int(dut.job_operands_o.value) == 0
        data, wanted = good_packet(rng)
        await source.send(AxiStreamFrame(data))
        while not dut.job_end_o.value:
            await RisingEdge(dut.clk_i)
        assert not dut.job_malformed_o.value
        assert int(dut.job_tag_o.value) == wanted["tag"]
        operands = int(dut.job_operands_o.value)
        for i, number in enumerate(wanted["numbers"]):
            assert operands >> 544 * i & (1 << 544) - 1 == number
        await answer(dut)


def test_pm_multicurve_rx() -> None:
    simbuild.run_cocotb("pm_multicurve_rx", ["hw/multicurve/gen/pm_multicurve_pkg.sv",
                                             "hw/multicurve/rtl/pm_multicurve_rx.sv"], __name__, expect=2)
