# SPDX-License-Identifier: Apache-2.0
"""pm_regbank against a dictionary."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

CYCLES = 3000


class Bench:
    """Random writes, and a model of the registers."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(1)
        self.width = len(dut.wdata_i)
        self.ports = len(dut.rdata_o) // self.width
        self.bits = len(dut.waddr_i)
        self.model: dict[int, int] = {}
        self.compared = self.collided = 0

    async def begin(self) -> None:
        handshake.clocked(self.dut)
        await FallingEdge(self.dut.clk_i)

    def write(self) -> tuple[bool, int, int]:
        """Drive the write port: (whether, register, value)."""
        dut, rng = self.dut, self.rng
        write, target = rng.random() < 0.6, rng.randrange(1 << self.bits)
        value = rng.getrandbits(self.width)
        dut.we_i.value, dut.waddr_i.value, dut.wdata_i.value = write, target, value
        return write, target, value

    def read(self, target: int) -> list[int]:
        """Drive the read addresses, often that of the register being written."""
        reads = [self.rng.choice((target, self.rng.randrange(1 << self.bits)))
                 for _ in range(self.ports)]
        self.dut.raddr_i.value = sum(r << self.bits * i for i, r in enumerate(reads))
        return reads

    def values(self, reads: list[int]) -> list[int | None]:
        """What the model holds."""
        return [self.model.get(register) for register in reads]

    def compare(self, expected: list[int | None], collisions: int) -> None:
        data = self.dut.rdata_o.value
        for i, value in enumerate(expected):
            if value is not None:
                assert int(data[self.width * (i + 1) - 1 : self.width * i]) == value
                self.compared += 1
        self.collided += collisions


@cocotb.test()
async def random_traffic(dut) -> None:
    """Writes and reads in every cycle; a read of the register being written gives the old value."""
    bench = Bench(dut)
    await bench.begin()
    for _ in range(CYCLES):
        write, target, value = bench.write()
        for _ in range(2):  # reading is combinational: two addresses in one cycle
            reads = bench.read(target)
            await ReadOnly()
            bench.compare(bench.values(reads), write * reads.count(target))
            await cocotb.triggers.Timer(1, unit="ns")
        if write:
            bench.model[target] = value
        await FallingEdge(dut.clk_i)
    assert len(bench.model) == 1 << bench.bits
    assert bench.compared > 4 * CYCLES * bench.ports // 3 and bench.collided > CYCLES // 2


@cocotb.test()
async def registered_reads(dut) -> None:
    """A value comes a cycle after its address, as it was before the write of the cycle of
    the address, and does not follow an address or a write of its own cycle."""
    bench = Bench(dut)
    await bench.begin()
    expected: list[int | None] = [None] * bench.ports
    for _ in range(CYCLES):
        write, target, value = bench.write()
        reads = bench.read(target)
        await ReadOnly()
        bench.compare(expected, write * reads.count(target))
        expected = bench.values(reads)
        if write:
            bench.model[target] = value
        await FallingEdge(dut.clk_i)
    assert len(bench.model) == 1 << bench.bits
    assert bench.compared > 2 * CYCLES * bench.ports // 3 and bench.collided > CYCLES // 4


@pytest.mark.parametrize("params", [
    {}, {"Width": 258, "AddrBits": 6, "NumReads": 2}, {"ReadReg": 1},
    {"Width": 510, "AddrBits": 4, "NumReads": 1, "ReadReg": 1}])
def test_random_traffic(params: dict[str, int]) -> None:
    case = "registered_reads" if params.get("ReadReg") else "random_traffic"
    name = "-".join(map(str, params.values())) or "default"
    simbuild.run_cocotb("pm_regbank", ["hw/lib/seq/pm_regbank.sv"], __name__, params, expect=1,
                        testcase=case,
                        build_dir=f"build/cocotb/test_pm_regbank/{name}")  # fmt: skip
