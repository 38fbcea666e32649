# SPDX-License-Identifier: Apache-2.0
"""pm_scale: scaled and passed operands mixed at random; a small modulus as a whole."""

from __future__ import annotations

import json
import os
import random
from collections import deque

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/field/field.f"]
FULL = {"N": 255, "C": 19, "W": 258, "Factor": 121666, "Limb": 64}
TOY = {"C": 3, "Factor": 5}
COUNT = int(os.environ.get("PM_COUNT", "0"))
"""Operands of a large width."""


def bound(case: dict[str, int]) -> int:
    """That of the header."""
    n, limb = case["N"], case["Limb"]
    return 2**n + 2 ** (limb * ((n - 1) // limb) + case["Factor"].bit_length())


def jobs(case: dict[str, int], rng: random.Random) -> list[tuple[bool, int, int]]:
    """(scale, x, y): every operand of a small width; edges, limbs of ones and zeros, random ones."""
    w = case["W"]
    if w < 20:
        found = [(True, x, rng.getrandbits(w)) for x in range(2**w)]
        found += [(False, rng.getrandbits(w), y) for y in range(2**w)]
        rng.shuffle(found)
        return found
    p = 2 ** case["N"] - case["C"]
    edges = [0, 1, p - 1, p, p + 1, 2 * p, 4 * p, 2**w - 1, 2 ** case["N"], 2 ** case["N"] - 1]

    def operand() -> int:
        kind = rng.randrange(4)
        if kind == 0:
            return rng.choice(edges)
        if kind == 1:
            limb = case["Limb"]
            return sum(rng.choice((0, 1, 2**limb - 1)) << i for i in range(0, w, limb)) % 2**w
        return rng.getrandbits(w)

    return [(rng.random() < 0.7, operand(), operand()) for _ in range(COUNT)]


@cocotb.test()
async def stream(dut: HierarchyObject) -> None:
    """One operand a cycle; the result Stages cycles later, congruent and within its bound."""
    case = json.loads(os.environ["PM_CASE"])
    modulus, stages = 2 ** case["N"] - case["C"], case["Stages"]
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    pipe: deque[tuple[bool, int, int] | None] = deque([None] * stages, stages)
    work = jobs(case, random.Random(1))
    checked = 0
    for job in [*work, *[None] * stages]:
        scale, x, y = job or (False, 0, 0)
        dut.scale_i.value, dut.x_i.value, dut.y_i.value = scale, x, y
        pipe.append(job)
        await FallingEdge(dut.clk_i)
        if done := pipe[0]:
            scale, x, y = done
            result = int(dut.r_o.value)
            if scale:
                assert result % modulus == case["Factor"] * x % modulus, f"{x:#x}"
                assert result < bound(case), f"{x:#x}"
            else:
                assert result == y, f"{y:#x}"
            checked += 1
    assert checked == len(work)


def run(case: dict[str, int], name: str, count: int = 0) -> None:
    simbuild.run_cocotb("pm_scale", SOURCES, __name__, case, expect=1,
                        extra_env={"PM_CASE": json.dumps(case), "PM_COUNT": str(count)},
                        build_dir=f"build/cocotb/test_pm_scale/{name}")  # fmt: skip


@pytest.mark.parametrize("stages", [2, 4])
@pytest.mark.parametrize("count", [1_000, pytest.param(4_000, marks=pytest.mark.long)])
def test_full_width(count: int, stages: int) -> None:
    run({**FULL, "Stages": stages}, f"full-{stages}", count)


@pytest.mark.parametrize(("n", "limb"), [(11, 7), pytest.param(13, 8, marks=pytest.mark.long)])
def test_toy_exhaustive(n: int, limb: int) -> None:
    """p = 2^n - 3: every x scaled and every y passed."""
    run({**TOY, "N": n, "W": n + 1, "Limb": limb, "Stages": 3}, f"toy-{n}")


def test_bound_of_the_header() -> None:
    """That which the programs assume of scaled differences (hw/edverify/ucode/throughput.yaml)."""
    assert bound(FULL) == 2**255 + 2**209


@pytest.mark.parametrize(("params", "message"), [
    ({"Stages": 5}, "Stages must be 2, 3 or 4"), ({"Limb": 16}, "do not fit together"),
    ({"W": 255}, "do not fit together")])  # fmt: skip
def test_illegal_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_scale", SOURCES, params)
