# SPDX-License-Identifier: Apache-2.0
"""pm_sha512_pad: words of padded messages of every length up to three blocks, under gaps."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

LENGTHS = range(3 * 128 + 1)


def padded(message: bytes) -> bytes:
    """FIPS 180-4, section 5.1.2."""
    zeros = (112 - len(message) - 1) % 128
    return message + b"\x80" + bytes(zeros) + (8 * len(message)).to_bytes(16, "big")


async def send(dut, messages: list[bytes], rng: random.Random) -> None:
    for message in messages:
        beats = [message[i:i + 8] for i in range(0, len(message), 8)] or [b""]
        for index, beat in enumerate(beats):
            while rng.random() < 0.2:
                dut.valid_i.value = 0
                await RisingEdge(dut.clk_i)
            dut.valid_i.value = 1
            dut.data_i.value = int.from_bytes(beat.ljust(8, b"\xff"), "little")
            dut.last_i.value = int(index == len(beats) - 1)
            dut.keep_i.value = (1 << len(beat)) - 1
            await RisingEdge(dut.clk_i)
            while not dut.ready_o.value:
                await RisingEdge(dut.clk_i)
        dut.valid_i.value = 0


@cocotb.test()
async def every_length(dut) -> None:
    rng = random.Random(1)
    await handshake.begin(dut, ("valid_i", "clear_i", "word_ready_i"), count=2, after=0)
    messages = [rng.randbytes(length) for length in LENGTHS]
    cocotb.start_soon(send(dut, messages, rng))
    for message in messages:
        words, final = b"", False
        while not final:
            dut.word_ready_i.value = int(rng.random() < 0.8)
            await RisingEdge(dut.clk_i)
            if dut.word_valid_o.value and dut.word_ready_i.value:
                words += int(dut.word_o.value).to_bytes(8, "big")
                final = bool(dut.word_final_o.value)
        assert words == padded(message)


@cocotb.test()
async def high_bits_of_the_length(dut) -> None:
    """A byte count of 2^64 - 3 (set, not sent) shows as a 128-bit bit count."""
    dut.valid_i.value = dut.clear_i.value = 0
    dut.word_ready_i.value = 1
    await handshake.begin(dut, (), count=2, after=1)
    dut.beats_q.value = 2**61 - 1
    await RisingEdge(dut.clk_i)
    await send(dut, [b"abcde"], random.Random(2))
    words = []
    while len(words) < 16:
        if dut.word_valid_o.value:
            words.append(int(dut.word_o.value))
        await RisingEdge(dut.clk_i)
    assert words[14] << 64 | words[15] == 8 * (2**64 - 3)


def test_pm_sha512_pad() -> None:
    simbuild.run_cocotb("pm_sha512_pad", ["hw/lib/hash/pm_sha512_pkg.sv",
                                          "hw/lib/hash/pm_sha512_pad.sv"], __name__, expect=2)
