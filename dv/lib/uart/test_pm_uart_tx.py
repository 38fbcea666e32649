# SPDX-License-Identifier: Apache-2.0
"""pm_uart_tx: the line bit by bit, bytes with and without pauses between them."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild


@cocotb.test()
async def bytes_bit_by_bit(dut) -> None:
    rng = random.Random(2)
    divider = int(dut.Divider.value)
    await handshake.begin(dut, edge=FallingEdge)
    assert int(dut.tx_o.value) == 1  # idle
    line: list[int] = []

    async def watch() -> None:
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            line.append(int(dut.tx_o.value))

    cocotb.start_soon(watch())
    sent = list(range(64)) + [rng.randrange(256) for _ in range(64)]
    for byte in sent:
        dut.data_i.value = byte
        await handshake.offer(dut, FallingEdge)
        dut.valid_i.value = 0
        if byte >= 64 and byte % 2:
            await handshake.cycles(dut, rng.randrange(3 * divider), FallingEdge)
    await handshake.cycles(dut, 12 * divider, FallingEdge)
    found, at = [], 0
    while at < len(line):
        if line[at]:
            at += 1
            continue
        bits = [line[at + i * divider:at + (i + 1) * divider] for i in range(10)]
        assert all(len(set(bit)) == 1 for bit in bits)
        assert (bits[0][0], bits[9][0]) == (0, 1)
        found.append(sum(bits[1 + i][0] << i for i in range(8)))
        at += 10 * divider
    assert found == sent


@pytest.mark.parametrize("divider", [2, 4, 15])
def test_transmitter(divider: int) -> None:
    simbuild.run_cocotb("pm_uart_tx", "hw/lib/uart/pm_uart_tx.sv", __name__, {"Divider": divider}, expect=1)
