# SPDX-License-Identifier: Apache-2.0
"""pm_highest: every word of 2 to 8 bits, random ones of 32."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import Timer

from pointmill import simbuild

SOURCES = ["hw/lib/prim/pm_highest.sv"]


@cocotb.test()
async def words(dut) -> None:
    rng = random.Random(1)
    leaves, bits = len(dut.word_i), len(dut.data_o)
    every = range(1 << leaves) if leaves <= 8 else (
        rng.getrandbits(leaves) >> rng.randrange(leaves + 1) for _ in range(3_000))
    for word in every:
        data = [rng.getrandbits(bits) for _ in range(leaves)]
        dut.word_i.value = word
        dut.data_i.value = sum(value << bits * i for i, value in enumerate(data))
        await Timer(1, "ns")
        place = max(word.bit_length() - 1, 0)
        assert (int(dut.any_o.value), int(dut.index_o.value)) == (word != 0, place)
        assert int(dut.data_o.value) == data[place]


@pytest.mark.parametrize(("leaves", "bits"), [(2, 1), (4, 3), (8, 2), (32, 5)])
def test_pm_highest(leaves: int, bits: int) -> None:
    simbuild.run_cocotb("pm_highest", SOURCES, __name__, {"Leaves": leaves, "DataBits": bits},
                        expect=1)


@pytest.mark.parametrize("leaves", [1, 12])
def test_illegal_parameters(leaves: int) -> None:
    with pytest.raises(simbuild.BuildError, match="Leaves must be a power of two"):
        simbuild.lint("pm_highest", SOURCES, {"Leaves": leaves})
