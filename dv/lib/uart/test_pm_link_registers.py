# SPDX-License-Identifier: Apache-2.0
"""pm_link_registers with a core that responds too late, which no core of a board does."""

from __future__ import annotations

import cocotb
from cocotb.triggers import FallingEdge

from dv.common import handshake
from dv.lib.uart.link_units import READ
from pointmill import simbuild

WAIT = 20
OKAY, NONE = 0, 3
LATE = 0xBAD0BAD0


async def request(dut, seq: int, address: int) -> None:
    """A read; returns in the cycle behind its frame."""
    dut.kind_i.value, dut.seq_i.value, dut.length_i.value = READ, seq, 2
    dut.payload_i.value = address
    dut.good_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.good_i.value = 0


async def response(dut) -> tuple[int, int]:
    """What the next response says, and its data; it is sent."""
    for _ in range(2 * WAIT):
        if dut.due_o.value:
            break
        await FallingEdge(dut.clk_i)
    assert dut.due_o.value
    found = int(dut.response_o.value), int(dut.data_o.value)
    dut.sent_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.sent_i.value = 0
    await FallingEdge(dut.clk_i)
    assert not dut.due_o.value
    return found


@cocotb.test()
async def late(dut) -> None:
    """What comes behind the time for it is the response of no access, and the port stays disabled."""
    await handshake.begin(dut, handshake.inputs_of(dut), FallingEdge)
    for name in ("awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rdata", "rresp"):
        getattr(dut, f"m_axil_{name}").value = 0
    for after in range(6):  # cycles from the next request to what was read
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
        await request(dut, 1, 0x10)
        dut.m_axil_arready.value = 1
        assert await response(dut) == (NONE, 0)
        dut.m_axil_arready.value = 0
        for seq, address, want in ((2, 0x14, (NONE, 0)), (3, 0x100, (OKAY, 0x44494D50))):
            await request(dut, seq, address)
            await handshake.cycles(dut, after, FallingEdge)
            dut.m_axil_rvalid.value, dut.m_axil_rdata.value = int(seq == 2), LATE
            await FallingEdge(dut.clk_i)
            dut.m_axil_rvalid.value = 0
            assert await response(dut) == want, (after, seq)
        await request(dut, 4, 0x18)
        assert await response(dut) == (NONE, 0)
        assert not dut.m_axil_arvalid.value


def test_pm_link_registers() -> None:
    simbuild.run_cocotb("pm_link_registers", "hw/lib/uart/uart.f", __name__,
                        {"WaitCycles": WAIT, "Identity": "1024'h44494d50"}, expect=1)
