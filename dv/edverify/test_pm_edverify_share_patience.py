# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_share_patience: words are held back for products that have waited, and nobody waits for longer than
allowed."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild

CYCLES = 20_000
LATENCY = 6  # cycles from the choice of a word to the start of its product


@cocotb.test()
async def random_requests(dut) -> None:
    """Engines with products in all words, in nearly all, in some, and in none."""
    rng = random.Random(1)
    patience = {0: int(dut.Patience.value), 1: int(dut.LongPatience.value)}
    coming = [False] * LATENCY  # whether the word picked that many cycles ago has a product
    valid = patient = 0
    waited = shared = forced = 0
    longest = {0: 0, 1: 0}
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    for cycle in range(CYCLES):
        density = (1.0, 0.98, 0.5, 0.0)[cycle * 4 // CYCLES]
        if not valid and rng.random() < 0.3:
            valid, patient, waited = 1, int(rng.random() < 0.2), 0
        taken = int(valid and not coming[-1])
        dut.valid_i.value, dut.patient_i.value, dut.taken_i.value = valid, patient, taken
        hold = int(dut.hold_o.value)
        if hold:  # for a request that has waited
            assert valid and waited >= patience[patient], cycle
            forced += 1
        coming = [not hold and rng.random() < density, *coming[:-1]]
        shared += taken
        if taken:
            longest[patient] = max(longest[patient], waited)
            valid = 0
        waited += 1
        await FallingEdge(dut.clk_i)
    assert shared > 100
    assert forced > 5
    assert longest == {kind: cycles + LATENCY for kind, cycles in patience.items()}


@pytest.mark.parametrize("long_patience", [15, 63])
def test_random_requests(long_patience: int) -> None:
    simbuild.run_cocotb("pm_edverify_share_patience", ["hw/edverify/rtl/pm_edverify_share_patience.sv"], __name__,
                        {"Patience": 15, "LongPatience": long_patience}, expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_share_patience/{long_patience}")
