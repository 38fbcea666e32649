# SPDX-License-Identifier: Apache-2.0
"""pm_uart_rx and pm_uart_tx: bytes at several dividers and rates that differ, disturbances, missing stop bits."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import First, RisingEdge, Timer

from dv.common.handshake import clocked
from pointmill import simbuild

RX, TX = "hw/lib/uart/pm_uart_rx.sv", "hw/lib/uart/pm_uart_tx.sv"
PERIOD = 10_000
"""Of the clock of `clocked`, in ps."""


class Line:
    """Drives rx_i, and notes what comes out."""

    def __init__(self, dut, scale: float = 1.0) -> None:
        self.dut = dut
        self.bit = int(int(dut.Divider.value) * PERIOD * scale)
        self.bytes: list[int] = []
        self.errors = 0

    async def start(self) -> None:
        self.dut.rst_ni.value = 0
        self.dut.rx_i.value = 1
        clocked(self.dut)
        await Timer(10 * PERIOD, unit="ps")
        assert not int(self.dut.valid_o.value) and not int(self.dut.error_o.value)
        self.dut.rst_ni.value = 1
        await Timer(10 * PERIOD + 1234, unit="ps")
        cocotb.start_soon(self.watch())

    async def watch(self) -> None:
        dut = self.dut
        while True:
            await First(RisingEdge(dut.valid_o), RisingEdge(dut.error_o))
            while int(dut.valid_o.value) or int(dut.error_o.value):
                await RisingEdge(dut.clk_i)
                if int(dut.valid_o.value):
                    self.bytes.append(int(dut.data_o.value))
                self.errors += int(dut.error_o.value)

    async def send(self, byte: int, stop: int = 1) -> None:
        for level in (0, *(byte >> i & 1 for i in range(8)), stop):
            self.dut.rx_i.value = level
            await Timer(self.bit, unit="ps")
        self.dut.rx_i.value = 1

    async def pause(self, bits: float) -> None:
        await Timer(int(self.bit * bits), unit="ps")


@cocotb.test()
async def bytes_at_other_rates(dut) -> None:
    """Every byte, without pauses, from a sender up to 3 % faster or slower; 1 % with few samples."""
    most = 0.03 if int(dut.Divider.value) >= 8 else 0.01
    for scale in (1.0, 1 - most, 1 + most):
        line = Line(dut, scale)
        await line.start()
        for byte in range(256):
            await line.send(byte)
        await line.pause(3)
        assert (line.bytes, line.errors) == (list(range(256)), 0), scale


@cocotb.test()
async def disturbances(dut) -> None:
    """Pulses shorter than a quarter of a bit begin no byte and change none."""
    rng = random.Random(1)
    line = Line(dut)
    await line.start()
    short = line.bit // 4 - PERIOD
    if short <= 0:
        return
    for _ in range(30):
        dut.rx_i.value = 0
        await Timer(short, unit="ps")
        dut.rx_i.value = 1
        await line.pause(2)
    assert (line.bytes, line.errors) == ([], 0)
    sent = []
    for _ in range(60):
        byte, hit = rng.randrange(256), rng.randrange(9)
        sent.append(byte)
        for index, level in enumerate((0, *(byte >> i & 1 for i in range(8)), 1)):
            dut.rx_i.value = level
            if index == hit:  # a pulse around one of the three samples
                await Timer(line.bit // 2, unit="ps")
                dut.rx_i.value = 1 - level
                await Timer(short, unit="ps")
                dut.rx_i.value = level
                await Timer(line.bit - line.bit // 2 - short, unit="ps")
            else:
                await Timer(line.bit, unit="ps")
    await line.pause(3)
    assert (line.bytes, line.errors) == (sent, 0)


@cocotb.test()
async def missing_stop_bits(dut) -> None:
    """A byte without stop bit is an error; a line held low is one; then bytes come again."""
    line = Line(dut)
    await line.start()
    for byte in (0x00, 0x55, 0xFF):
        await line.send(byte, stop=0)
        await line.pause(2)
    assert (line.bytes, line.errors) == ([], 3)
    dut.rx_i.value = 0
    await line.pause(200)
    dut.rx_i.value = 1
    await line.pause(2)
    assert (line.bytes, line.errors) == ([], 4)
    await line.send(0xA5)
    await line.pause(2)
    assert (line.bytes, line.errors) == ([0xA5], 4)


@pytest.mark.parametrize("divider", [4, 5, 8, 20, 100])
def test_receiver(divider: int) -> None:
    cases = ["disturbances", "missing_stop_bits"] if divider == 100 else None
    simbuild.run_cocotb("pm_uart_rx", RX, __name__, {"Divider": divider}, testcase=cases, timescale=("1ps", "1ps"),
                        expect=3 if cases is None else 2)


def test_parameters() -> None:
    for source, top, divider in ((RX, "pm_uart_rx", 3), (TX, "pm_uart_tx", 1)):
        with pytest.raises(simbuild.BuildError, match="Divider must be at least"):
            simbuild.lint(top, source, {"Divider": divider})
