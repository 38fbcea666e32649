# SPDX-License-Identifier: Apache-2.0
"""pm_canon: every r below 2p of small moduli, edges and random values of 2^255 - 19."""

from __future__ import annotations

import os
import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import Timer
from field_common import RTL

from pointmill import simbuild


def values(n: int, c: int) -> list[int]:
    """Inputs to check: all of [0, 2p) below 13 bits, else edges and 3000 random ones."""
    p = (1 << n) - c
    if n < 12:
        return list(range(2 * p))
    rng = random.Random(n)
    near = [base + d for base in (0, p, 1 << n, 2 * p, (1 << n) + (1 << n // 2))
            for d in range(-40, 41)]
    drawn = [rng.randrange(2 * p) for _ in range(3000)]
    return sorted({r for r in near + drawn if 0 <= r < 2 * p})


@cocotb.test()
async def residue_and_zero_flag(dut: HierarchyObject) -> None:
    n, c = int(os.environ["PM_N"]), int(os.environ["PM_C"])
    p = (1 << n) - c
    zeros = 0
    for r in values(n, c):
        dut.r_i.value = r
        await Timer(1, "ns")
        assert int(dut.r_o.value) == r % p, f"r = {r:#x}"
        assert int(dut.zero_o.value) == (r % p == 0), f"r = {r:#x}"
        zeros += int(dut.zero_o.value)
    assert zeros == 2


@pytest.mark.parametrize(("n", "c"), [(255, 19), (3, 1), (5, 3), (11, 3), (11, 9)])
def test_canon(n: int, c: int) -> None:
    assert len(values(n, c)) == (3000 + 41 + 100 + 81 + 40 if n == 255 else 2 * ((1 << n) - c))
    simbuild.run_cocotb("pm_canon", RTL, __name__, {"N": n, "C": c},
                        f"build/cocotb/pm_canon_{n}_{c}", expect=1,
                        extra_env={"PM_N": str(n), "PM_C": str(c)})


@pytest.mark.parametrize(("params", "sentence"), [
    ({"C": 18}, "C must be odd"),
    ({"N": 5, "C": 33}, r"C must be below 2\^N"),
])
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_canon", RTL, params)
