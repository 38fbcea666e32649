# SPDX-License-Identifier: Apache-2.0
"""pm_copies, generic and of the ECP5: every copy is the value of the cycle before."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge

from dv.common.handshake import clocked
from pointmill import simbuild

GENERIC = ["hw/lib/prim/pm_copies.sv"]
ECP5 = [f"syn/tech/ecp5/{name}.sv" for name in ("TRELLIS_FF", "pm_copies")]
BITS, COPIES = 3, 5
VALUES = 200


@cocotb.test()
async def every_copy(dut: HierarchyObject) -> None:
    """A new value in every cycle."""
    rng = random.Random(1)
    clocked(dut)
    await FallingEdge(dut.clk_i)
    for _ in range(VALUES):
        value = rng.getrandbits(BITS)
        dut.d_i.value = value
        await FallingEdge(dut.clk_i)
        assert int(dut.q_o.value) == sum(value << BITS * copy for copy in range(COPIES))


@pytest.mark.parametrize("sources", [GENERIC, ECP5], ids=["generic", "ecp5"])
def test_every_copy(sources: list[str]) -> None:
    simbuild.run_cocotb("pm_copies", sources, __name__, {"Bits": BITS, "Copies": COPIES}, expect=1,
                        build_dir=f"build/cocotb/test_pm_copies/{len(sources)}")


@pytest.mark.parametrize(("name", "value"), [("CEMUX", "CE"), ("REGSET", "SET")])
def test_other_registers_of_the_ecp5_are_refused(name: str, value: str) -> None:
    with pytest.raises(simbuild.BuildError, match="there is no model of these parameters"):
        simbuild.lint("TRELLIS_FF", ECP5[:1], {name: value})
