# SPDX-License-Identifier: Apache-2.0
"""pm_reset_sync: at once down, up with the clock after its stages; rejected parameter."""

from __future__ import annotations

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from dv.common.handshake import clocked
from pointmill import simbuild

RTL = "hw/lib/prim/pm_reset_sync.sv"
PERIOD = 10


@cocotb.test()
async def edges(dut) -> None:
    stages = int(dut.Stages.value)
    dut.rst_ni.value = 0
    clocked(dut)
    await Timer(5 * PERIOD, unit="ns")
    for phase in range(1, PERIOD):
        assert int(dut.rst_no.value) == 0
        await RisingEdge(dut.clk_i)
        await Timer(phase, unit="ns")
        dut.rst_ni.value = 1
        for _ in range(stages):
            assert int(dut.rst_no.value) == 0
            await RisingEdge(dut.clk_i)
        await Timer(1, unit="ps")
        assert int(dut.rst_no.value) == 1
        await Timer(3 * PERIOD + phase, unit="ns")
        assert int(dut.rst_no.value) == 1
        dut.rst_ni.value = 0
        await Timer(1, unit="ps")
        assert int(dut.rst_no.value) == 0


@pytest.mark.parametrize("stages", [2, 3, 4])
def test_edges(stages: int) -> None:
    simbuild.run_cocotb("pm_reset_sync", RTL, __name__, {"Stages": stages}, expect=1)


def test_parameter() -> None:
    with pytest.raises(simbuild.BuildError, match="Stages must be at least 2"):
        simbuild.lint("pm_reset_sync", RTL, {"Stages": 1})
