# SPDX-License-Identifier: Apache-2.0
"""pm_axil_slave in front of a small memory: data, strobes, errors, one access a transfer, rates."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import Combine, RisingEdge
from cocotbext.axi import AxiResp

from dv.common.axi_models import disturb, lite_master
from dv.common.handshake import begin
from pointmill import simbuild

WORDS, BAD = 32, 0x80
"""Words of the memory; byte addresses from BAD on refuse every access."""


class Bench:
    """The bus master and a count of the accesses."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.axil = lite_master(dut)
        self.reads = self.writes = 0

    async def start(self) -> None:
        await begin(self.dut)
        cocotb.start_soon(self._count())

    async def _count(self) -> None:
        while True:
            await RisingEdge(self.dut.clk_i)
            if self.dut.req_o.value:
                self.writes += int(self.dut.req_write_o.value)
                self.reads += int(not self.dut.req_write_o.value)


async def bench(dut) -> Bench:
    result = Bench(dut)
    await result.start()
    for word in range(WORDS):
        await result.axil.write(4 * word, bytes(4))
    result.reads = result.writes = 0
    return result


@cocotb.test()
async def memory(dut) -> None:
    """Random accesses of 1 to 4 bytes; reads and writes to different words at the same time."""
    b = await bench(dut)
    disturb(b.axil, random.Random(1), 0.5)
    rng = random.Random(2)
    model = bytearray(BAD)
    transfers = 0
    for _ in range(400):
        size = rng.choice((1, 2, 4))
        write_at = rng.randrange(0, 0x100, size)
        read_at = rng.choice([a for a in range(0, 0x100, 4) if a != write_at & 0xFC])
        data = rng.randbytes(size)
        write = cocotb.start_soon(b.axil.write(write_at, data))
        read = cocotb.start_soon(b.axil.read(read_at, 4))
        await Combine(write, read)
        transfers += 1
        assert write.result().resp == (AxiResp.SLVERR if write_at >= BAD else AxiResp.OKAY)
        assert read.result().resp == (AxiResp.SLVERR if read_at >= BAD else AxiResp.OKAY)
        want = bytes(4) if read_at >= BAD else bytes(model[read_at:read_at + 4])
        assert bytes(read.result().data) == want
        if write_at < BAD:
            model[write_at:write_at + size] = data
    assert (b.reads, b.writes) == (transfers, transfers)


@cocotb.test()
async def rate(dut) -> None:
    """Undisturbed: a write or a read every three cycles at the slowest, both at once too."""
    b = await bench(dut)
    for reads, writes in ((100, 0), (0, 100), (100, 100)):
        tasks = [cocotb.start_soon(b.axil.read(0, 4)) for _ in range(reads)]
        tasks += [cocotb.start_soon(b.axil.write(4, bytes(4))) for _ in range(writes)]
        cycles = cocotb.utils.get_sim_time("ns")
        await Combine(*tasks)
        cycles = (cocotb.utils.get_sim_time("ns") - cycles) / 10
        assert cycles <= 3 * max(reads, writes) + 20
    assert (b.reads, b.writes) == (200, 200)


def test_pm_axil_slave() -> None:
    simbuild.run_cocotb("pm_axil_slave_tb", ["hw/lib/axi/pm_axil_slave.sv",
                                             "dv/lib/axi/pm_axil_slave_tb.sv"], __name__, expect=2)
