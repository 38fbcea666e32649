# SPDX-License-Identifier: Apache-2.0
"""pm_window_walk and pm_window_digits: operations of pairs of scalars against the definition of their digits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common.handshake import clocked, inputs_of, pulse
from pointmill import simbuild

HERE = Path(__file__).parent
LIMIT = 100
WALKS = 6 * (LIMIT * LIMIT + 5000) + 36_000 + 1


def test_pairs_of_scalars() -> None:
    bench = simbuild.build_cpp("pm_window_walk", "hw/lib/scalar/scalar.f", HERE / "pm_window_walk_bench.cpp",
                               {"Width": 32, "MaxWindow": 8}, cflags=("-Idv/common",))
    said = subprocess.run([bench, str(LIMIT)], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.split() == [str(WALKS), "walks", "ok"]


@cocotb.test()
async def places_without_digits(dut) -> None:
    """Two of them are one operation, the last one of an odd number is one of its own."""
    for name in inputs_of(dut):
        getattr(dut, name).value = 0
    clocked(dut)
    await FallingEdge(dut.clk_i)
    dut.windows_i.value = 0x44
    for places in range(4, 31):
        dut.scalars_i.value, dut.load_i.value = 1 << places | 1, 1
        await FallingEdge(dut.clk_i)
        dut.load_i.value = 0
        while not dut.ready_o.value:
            await FallingEdge(dut.clk_i)
        said = ""
        while operation := int(dut.op_o.value):
            said += " SDPA"[operation]
            await pulse(dut, "step_i", edge=FallingEdge)
        pairs, single = divmod(places - 1, 2)
        assert said == "S" + "P" * pairs + "D" * single + "A"


def test_places_without_digits() -> None:
    simbuild.run_cocotb("pm_window_walk", "hw/lib/scalar/scalar.f", __name__, {"Width": 32}, expect=1)


@pytest.mark.parametrize("parameters", [{"Width": 15}, {"MaxWindow": 2}, {"MaxWindow": 9}])
def test_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(simbuild.BuildError, match="must be at least 16, MaxWindow 3 to 8"):
        simbuild.lint("pm_window_digits", "hw/lib/scalar/scalar.f", parameters)
