# SPDX-License-Identifier: Apache-2.0
"""pm_regbank against a dictionary."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from pointmill import simbuild

CYCLES = 3000


@cocotb.test()
async def random_traffic(dut) -> None:
    """Writes and reads in every cycle; a read of the register being written gives the old value."""
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    rng = random.Random(1)
    width, ports = len(dut.wdata_i), len(dut.rdata_o) // len(dut.wdata_i)
    bits = len(dut.waddr_i)
    model: dict[int, int] = {}
    compared = collided = 0
    await FallingEdge(dut.clk_i)
    for _ in range(CYCLES):
        write, target, value = rng.random() < 0.6, rng.randrange(1 << bits), rng.getrandbits(width)
        dut.we_i.value, dut.waddr_i.value, dut.wdata_i.value = write, target, value
        for _ in range(2):  # reading is combinational: two addresses in one cycle
            reads = [rng.choice((target, rng.randrange(1 << bits))) for _ in range(ports)]
            dut.raddr_i.value = sum(r << bits * i for i, r in enumerate(reads))
            await ReadOnly()
            data = dut.rdata_o.value
            for i, register in enumerate(reads):
                if register in model:
                    assert int(data[width * (i + 1) - 1 : width * i]) == model[register]
                    compared += 1
                    collided += write and register == target
            await cocotb.triggers.Timer(1, unit="ns")
        if write:
            model[target] = value
        await FallingEdge(dut.clk_i)
    assert len(model) == 1 << bits
    assert compared > 4 * CYCLES * ports // 3 and collided > CYCLES // 2


@pytest.mark.parametrize("params", [{}, {"Width": 258, "AddrBits": 6, "NumReads": 2}])
def test_random_traffic(params: dict[str, int]) -> None:
    simbuild.run_cocotb("pm_regbank", ["rtl/seq/pm_regbank.sv"], __name__, params, expect=1,
                        build_dir=f"build/cocotb/test_pm_regbank/{len(params)}")  # fmt: skip
