# SPDX-License-Identifier: Apache-2.0
"""pm_half_memory, generic and of the ECP5: random writes and reads against a list, latency included."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge

from dv.common.handshake import clocked
from pointmill import simbuild

GENERIC = ["hw/lib/seq/pm_half_memory.sv"]
ECP5 = [f"syn/tech/ecp5/{name}.sv" for name in ("PDPW16KD", "pm_half_memory")]
LATENCY = 2


@cocotb.test()
async def random_traffic(dut: HierarchyObject) -> None:
    """A read in every cycle, a write in most: words as they were before the write of the cycle of the address."""
    rng, width = random.Random(1), len(dut.data_i)
    held: dict[int, int] = {}
    due: list[int | None] = [None] * (LATENCY - 1)  # what data_o must be after each edge, None: not known
    checked = 0
    clocked(dut)
    await FallingEdge(dut.clk_i)
    for cycle in range(4000):
        where = cycle % 512 if cycle < 512 else rng.choice((rng.randrange(512), cycle % 512))
        at, value = rng.choice((where, (where + 1) % 512)), rng.getrandbits(width)
        write = cycle < 512 or rng.random() < 0.7
        dut.write_addr_i.value, dut.data_i.value, dut.we_i.value = where, value, int(write)
        dut.read_addr_i.value = at
        due.append(None if write and at == where else held.get(at))
        if write:
            held[where] = value
        await FallingEdge(dut.clk_i)
        if (wanted := due.pop(0)) is not None:
            assert int(dut.data_o.value) == wanted, cycle
            checked += 1
    assert checked > 1500


@pytest.mark.parametrize(("sources", "width"), [(GENERIC, 65), (ECP5, 65), (ECP5, 72)])
def test_random_traffic(sources: list[str], width: int) -> None:
    simbuild.run_cocotb("pm_half_memory", sources, __name__, {"Width": width}, expect=1,
                        build_dir=f"build/cocotb/test_pm_half_memory/{len(sources)}-{width}")


@pytest.mark.parametrize("sources", [GENERIC, ECP5])
@pytest.mark.parametrize("params", [{"Width": 73}, {"AddrBits": 10}])
def test_larger_ones_are_refused(sources: list[str], params: dict[str, int]) -> None:
    with pytest.raises(simbuild.BuildError, match="at most 512 words of 72 bits"):
        simbuild.lint("pm_half_memory", sources, params)
