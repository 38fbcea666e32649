# SPDX-License-Identifier: Apache-2.0
"""pm_point_memory against a dictionary."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

CYCLES = 3000


@cocotb.test()
async def random_traffic(dut) -> None:
    """Every coordinate of an entry comes as it was before the write of the cycle of the address."""
    rng = random.Random(1)
    width, bits = len(dut.wdata_i), len(dut.waddr_i)
    coordinates = len(dut.rdata_o) // width
    model: dict[tuple[int, int], int] = {}
    expected: list[int | None] = [None] * coordinates
    compared = collided = 0
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    for _ in range(CYCLES):
        write, target = rng.random() < 0.6, rng.randrange(1 << bits)
        coordinate, value = rng.randrange(1 << len(dut.wcoord_i)), rng.getrandbits(width)
        read = rng.choice((target, rng.randrange(1 << bits)))
        dut.we_i.value, dut.waddr_i.value, dut.raddr_i.value = write, target, read
        dut.wcoord_i.value, dut.wdata_i.value = coordinate, value
        await ReadOnly()
        data = dut.rdata_o.value
        for c, wanted in enumerate(expected):
            if wanted is not None:
                assert int(data[width * (c + 1) - 1 : width * c]) == wanted, (read, c)
                compared += 1
        expected = [model.get((read, c)) for c in range(coordinates)]
        collided += write and read == target
        if write and coordinate < coordinates:
            model[target, coordinate] = value
        await FallingEdge(dut.clk_i)
    assert len(model) == coordinates << bits
    assert compared > 2 * CYCLES * coordinates // 3 and collided > CYCLES // 4


@pytest.mark.parametrize("params", [
    {"AddrBits": 5}, {"Coordinates": 4, "AddrBits": 4, "Width": 258},
    {"Coordinates": 1, "AddrBits": 3, "Width": 7}])  # fmt: skip
def test_random_traffic(params: dict[str, int]) -> None:
    name = "-".join(map(str, params.values()))
    simbuild.run_cocotb("pm_point_memory", ["hw/lib/seq/pm_regbank.sv", "hw/lib/seq/pm_point_memory.sv"],
                        __name__, params, expect=1,
                        build_dir=f"build/cocotb/test_pm_point_memory/{name}")  # fmt: skip


def test_refused_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Coordinates must be 1 to 4"):
        simbuild.lint("pm_point_memory", "hw/lib/seq/seq.f", {"Coordinates": 5})
