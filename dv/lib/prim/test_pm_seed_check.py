# SPDX-License-Identifier: Apache-2.0
"""pm_seed_check: every seed of short words, and random, zero and repeating ones of the full size."""

from __future__ import annotations

import random
from itertools import pairwise

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/prim/pm_seed_check.sv"]


def seeds(words: int, bits: int) -> list[list[int]]:
    """All of short words; otherwise random ones, each of their words repeated in turn, and constant ones."""
    if words * bits <= 9:
        return [[value >> bits * i & (1 << bits) - 1 for i in range(words)] for value in range(1 << words * bits)]
    rng = random.Random(7)
    found = [[word] * words for word in (0, 1, (1 << bits) - 1, 0xDEADBEEF)]
    for _ in range(50):
        seed = [rng.getrandbits(bits) for _ in range(words)]
        found.append(seed)
        found += [[*seed[:i], seed[i - 1], *seed[i + 1:]] for i in range(1, words)]
        found += [[*seed[:i], seed[i - 1] ^ 1 << rng.randrange(bits), *seed[i + 1:]] for i in range(1, words)]
    return found


@cocotb.test()
async def judged(dut) -> None:
    words = len(dut.seed_i) // (bits := int(dut.WordBits.value))
    await handshake.begin(dut, edge=FallingEdge)
    assert int(dut.good_o.value) == 0
    for seed in seeds(words, bits):
        for seeded in (0, 1):
            dut.seed_i.value, dut.seeded_i.value = sum(word << bits * i for i, word in enumerate(seed)), seeded
            await FallingEdge(dut.clk_i)
            repeats = any(one == other for one, other in pairwise(seed))
            assert int(dut.good_o.value) == (seeded and not repeats), seed
    dut.seed_i.value, dut.seeded_i.value = sum(1 + i % 2 << bits * i for i in range(words)), 1
    await FallingEdge(dut.clk_i)
    assert int(dut.good_o.value) == 1
    dut.rst_ni.value = 0
    await FallingEdge(dut.clk_i)
    assert int(dut.good_o.value) == 0


@pytest.mark.parametrize(("words", "bits"), [(2, 3), (3, 3), (8, 32)])
def test_pm_seed_check(words: int, bits: int) -> None:
    simbuild.run_cocotb("pm_seed_check", SOURCES, __name__, {"Words": words, "WordBits": bits}, expect=1)
