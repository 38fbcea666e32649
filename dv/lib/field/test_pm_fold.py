# SPDX-License-Identifier: Apache-2.0
"""pm_fold alone: triples of several pseudo-Mersenne primes, bit by bit, with stalls.

All operand pairs of small moduli go through it in test_pm_mulmod.py::test_toy_exhaustive.
"""

from __future__ import annotations

import json
import os
import random
from collections import deque

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from field_common import RTL, weak_product

from dv.common import handshake
from pointmill import simbuild

COUNT = 1500
CASES = [
    {"N": 255, "C": 19, "W": 258, "Stages": 2},
    {"N": 130, "C": 5, "W": 132, "Stages": 3},
    {"N": 521, "C": 1, "W": 522, "Stages": 4},
]


def r_max(n: int, c: int, w: int) -> int:
    """The bound of the header of pm_fold, for two operands of w ones."""
    half = (1 << w // 2) - 1
    t_max = half * half * ((c << (w - n)) + (1 << (w // 2 + 1)) + 1)
    return (1 << n) - 1 + c * (t_max >> n)


def test_bounds() -> None:
    assert r_max(255, 19, 258) == 2**255 - 1 + 19 * (2**133 + 1191) < 2**255 + 2**138
    for case in CASES:
        n, c = case["N"], case["C"]
        assert r_max(n, c, case["W"]) < 2 * (2**n - c)


@cocotb.test()
async def triples(dut: HierarchyObject) -> None:
    case = json.loads(os.environ["PM_CASE"])
    n, c, w, stages = (case[key] for key in ("N", "C", "W", "Stages"))
    half, mask = w // 2, (1 << w // 2) - 1
    rng = random.Random(n)
    edges = [0, 1, (1 << n) - c, (1 << n) - 1, (1 << w) - 1, mask, mask << half]
    jobs = [(a, b) for a in edges for b in edges]
    jobs += [(rng.getrandbits(w), rng.getrandbits(w)) for _ in range(COUNT - len(jobs))]
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    pipe: deque[int | None] = deque([None] * stages, stages)
    checked = step = 0
    while step < COUNT + stages:
        a, b = jobs[step % COUNT]
        dut.h_i.value = (a >> half) * (b >> half)
        dut.l_i.value = (a & mask) * (b & mask)
        dut.m_i.value = ((a >> half) + (a & mask)) * ((b >> half) + (b & mask))
        enable = rng.random() < 0.8
        dut.en_i.value = int(enable)
        await FallingEdge(dut.clk_i)
        if enable:
            pipe.appendleft(weak_product(a, b, n, c, w) if step < COUNT else None)
            step += 1
        if pipe[-1] is not None:
            assert int(dut.r_o.value) == pipe[-1] <= r_max(n, c, w)
            checked += enable
    assert checked == COUNT


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"2^{case['N']}-{case['C']}")
def test_fold(case: dict[str, int]) -> None:
    simbuild.run_cocotb("pm_fold", RTL, __name__, case, f"build/cocotb/pm_fold_{case['N']}",
                        expect=1, extra_env={"PM_CASE": json.dumps(case)})


@pytest.mark.parametrize(("params", "legal"), [
    ({"N": 255, "C": 19, "W": 258}, True),
    ({"N": 255, "C": 19, "W": 262}, True),
    ({"N": 255, "C": 19, "W": 256}, True),
    ({"N": 255, "C": 19, "W": 254}, False),   # narrower than the modulus
    ({"N": 255, "C": 19, "W": 257}, False),   # odd
    ({"N": 11, "C": 3, "W": 12}, True),
    ({"N": 11, "C": 3, "W": 14}, False),      # two rounds leave more than 2p
    ({"N": 11, "C": 4, "W": 12}, False),      # even
])
def test_moduli(params: dict[str, int], legal: bool) -> None:
    n, c, w = params["N"], params["C"], params["W"]
    assert legal == (w % 2 == 0 and w >= n and c % 2 == 1 and r_max(n, c, w) < 2 * (2**n - c))
    if legal:
        simbuild.lint("pm_fold", RTL, params)
    else:
        with pytest.raises(simbuild.BuildError, match="do not bring every product below 2p"):
            simbuild.lint("pm_fold", RTL, params)
