# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_product_turns: words and products of a side unit in their turns, and nobody waits for longer than
allowed."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild

CYCLES = 20_000


@cocotb.test()
async def random_requests(dut) -> None:
    """Engines with products in nearly all words, in some, and in none."""
    rng = random.Random(1)
    interval, latency = int(dut.Interval.value), int(dut.ProductLatency.value)
    word_latency = int(dut.WordLatency.value)
    patience = {0: int(dut.Patience.value), 1: int(dut.LongPatience.value)}
    coming = [False] * latency  # whether the word picked that many cycles ago has a product
    valid = patient = 0
    waited = shared = forced = 0
    longest = {0: 0, 1: 0}
    await handshake.begin(dut, ("valid_i", "patient_i", "taken_i"), FallingEdge, count=1, after=0)
    for cycle in range(CYCLES):
        density = (1.0, 0.98, 0.5, 0.0)[cycle * 4 // CYCLES]
        if not valid and rng.random() < 0.3:
            valid, patient, waited = 1, int(rng.random() < 0.2), 0
        turn, hold = int(dut.turn_o.value), int(dut.hold_o.value)
        busy = coming[-1]
        taken = int(valid and turn and not busy)
        dut.valid_i.value, dut.patient_i.value, dut.taken_i.value = valid, patient, taken
        # One cycle in each round is the turn of words, and one, in which the words arrive, that of products.
        assert turn == (cycle % interval == latency % interval), cycle
        assert int(dut.word_o.value) == (cycle % interval == word_latency % interval), cycle
        assert hold or not cycle % interval, cycle
        assert turn or not busy, cycle
        if hold and not cycle % interval:  # for a request that has waited
            assert valid and waited >= interval * (patience[patient] - 1), cycle
            forced += 1
        coming = [not hold and rng.random() < density, *coming[:-1]]
        shared += taken
        waited += 1
        if taken:
            longest[patient] = max(longest[patient], waited)
            valid = 0
        await FallingEdge(dut.clk_i)
    assert shared > 100
    assert forced > 5
    for kind, turns in patience.items():
        assert interval * turns < longest[kind] <= interval * (turns + 2) + latency, (kind, longest)


@pytest.mark.parametrize(("interval", "long_patience"), [(1, 15), (1, 63), (3, 15), (9, 31)])
def test_random_requests(interval: int, long_patience: int) -> None:
    simbuild.run_cocotb("pm_edverify_product_turns", ["hw/edverify/rtl/pm_edverify_product_turns.sv"], __name__,
                        {"Interval": interval, "WordLatency": 4, "ProductLatency": 6, "Patience": 15,
                         "LongPatience": long_patience},
                        expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_product_turns/{interval}_{long_patience}")


def test_words_that_arrive_between_turns() -> None:
    """Products start in other cycles than words are picked."""
    simbuild.run_cocotb("pm_edverify_product_turns", ["hw/edverify/rtl/pm_edverify_product_turns.sv"], __name__,
                        {"Interval": 3, "WordLatency": 3, "ProductLatency": 5, "Patience": 7, "LongPatience": 7},
                        expect=1, build_dir="build/cocotb/test_pm_edverify_product_turns/between")  # fmt: skip
