# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_tile_facts: bounds of S, A and R at every edge of their words."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge

from dv.common import handshake
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild
from pointmill.model.field25519 import P
from pointmill.model.scalar import L

LATENCY, LOAD = 3, 2
INPUTS = ("op_i", "slot_i", "flags_i", "s_i", "r_i", "a_i")


def near(bound: int) -> list[int]:
    """Below, at and above a bound, in each bit and each word."""
    steps = [0, 1, *(1 << bit for bit in range(256)), *((1 << 32 * word) - 1 for word in range(1, 8))]
    found = {bound + sign * step for step in steps for sign in (-1, 1)} | {bound ^ 1 << bit for bit in range(256)}
    return sorted(value for value in found if 0 <= value < 2**256)


def fact(op: int, slot: int, flags: int, s: int, r: int, a: int) -> int:
    """tile_job_t."""
    key = a if op == LOAD else r
    bits = (s >= L, a % 2**255 >= P, key % 2**255 >= P, a >> 255, key >> 255)
    return op << 14 | slot << 11 | flags << 5 | int("".join(str(int(bit)) for bit in bits), 2)


def cases() -> list[tuple[int, ...]]:
    """Operation, slot, flags, S, R and A; of a y that is a bound every sign, of the others any."""
    rng = random.Random(1)
    scalars = near(L)
    ys = [y | sign << 255 for y in sorted({*near(P), *range(P, 2**255)}) if y < 2**255 for sign in (0, 1)]
    chosen = [(s, rng.choice(ys), rng.choice(ys)) for s in scalars]
    chosen += [(rng.choice(scalars), y, rng.choice(ys)) for y in ys]
    chosen += [(rng.choice(scalars), rng.choice(ys), y) for y in ys]
    return [(rng.randrange(3), rng.randrange(8), rng.randrange(64), *values) for values in chosen]


@cocotb.test()
async def bounds(dut) -> None:
    handshake.clocked(dut)
    for case in cases():
        for name, value in zip(INPUTS, case, strict=True):
            getattr(dut, name).value = value
        await handshake.cycles(dut, LATENCY, FallingEdge)
        assert int(dut.job_o.value) == fact(*case), [hex(value) for value in case]


def test_bounds() -> None:
    assert len(cases()) == 1648
    simbuild.run_cocotb("pm_edverify_tile_facts",
                        [*PACKAGES, RTL / "pm_edverify_tile_pkg.sv", RTL / "pm_edverify_tile_facts.sv"],
                        __name__, expect=1)
