# SPDX-License-Identifier: Apache-2.0
"""pm_inverter: a * inv = 1 mod p, canonical results, cycle counts, handshake."""

from __future__ import annotations

import math
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common.handshake import begin, cycles, offer, pulse, take
from pointmill import simbuild

SOURCES = ["hw/lib/field/pm_inverter.sv"]
P = 2**255 - 19
EDGES = 775  # of the C++ bench at N = 255; three of them are 0 mod p

# max_shift, count: (sum of the latencies over so many operands of seed 1, the longest of them), in cycles.
CYCLES = {(1, 20_000): (7_183_560, 400), (2, 20_000): (4_803_469, 260), (3, 20_000): (4_122_426, 226),
          (3, 4_000): (824_567, 226)}


def bench(n: int, c: int, max_shift: int) -> Path:
    return simbuild.build_cpp("pm_inverter", SOURCES, "dv/lib/field/pm_inverter_bench.cpp",
                              {"N": n, "C": c, "MaxShift": max_shift}, cflags=("-Idv/common",))


@pytest.mark.parametrize(("max_shift", "count"), [
    pytest.param(*case, marks=pytest.mark.long if case[1] == 20_000 else ()) for case in CYCLES])
def test_curve25519(max_shift: int, count: int) -> None:
    """Edge values and random operands at 2^255 - 19; the mean is recorded, not only bounded."""
    output = simbuild.run_tool([bench(255, 19, max_shift), "random", "255", "19", str(count), "1"])
    vectors, inverses, cycle_sum, longest = map(int, output.split())
    assert vectors == count + EDGES
    assert inverses == vectors - 3
    assert (cycle_sum, longest) == CYCLES[max_shift, count]
    assert cycle_sum / count <= 380


@pytest.mark.parametrize(("n", "c", "max_shift"), [
    (8, 5, 3),
    (8, 1, 1),  # 255 = 3 * 5 * 17: no inverse for the multiples of its factors
    (10, 3, 2),
    *(pytest.param(*case, marks=pytest.mark.long)
      for case in [(7, 1, 3), (8, 5, 1), (8, 5, 2), (8, 1, 3), (10, 3, 3), (10, 3, 1)]),
])
def test_every_operand(n: int, c: int, max_shift: int) -> None:
    """All operands below 2^(N+1), reduced or not."""
    output = simbuild.run_tool([bench(n, c, max_shift), "all", str(n), str(c)])
    vectors, inverses, _, _ = map(int, output.split())
    assert vectors == 2 ** (n + 1)
    assert inverses == sum(math.gcd(a, 2**n - c) == 1 for a in range(2 ** (n + 1)))


# ------------------------------------------------------------------------------------- protocol


def inverse(a: int) -> int:
    return pow(a, -1, P) if a % P else 0


async def send(dut, a: int) -> None:
    dut.a_i.value = a
    await offer(dut)
    dut.a_i.value = random.getrandbits(256)


async def receive(dut) -> int:
    return await take(dut, lambda: int(dut.inv_o.value), 700)


@cocotb.test()
async def idle_and_back_pressure(dut) -> None:
    await begin(dut)
    operands = [0, 1, 2, P - 1, P, P + 1, 2 * P, 2**256 - 1]
    operands += [random.getrandbits(256) for _ in range(15)]
    for a in operands:
        await cycles(dut, random.randrange(4))
        await send(dut, a)
        assert await receive(dut) == inverse(a)


@cocotb.test()
async def back_to_back(dut) -> None:
    """valid_i and ready_i always 1: one operand is taken after each result, never two."""
    await begin(dut)
    dut.ready_i.value = 1
    dut.valid_i.value = 1
    sent, received = [], []
    dut.a_i.value = a = random.getrandbits(256)
    while len(received) < 5:
        await ReadOnly()
        taken = bool(dut.ready_o.value)
        if dut.valid_o.value:
            received.append(int(dut.inv_o.value))
        await RisingEdge(dut.clk_i)
        if taken:
            sent.append(a)
            dut.a_i.value = a = random.getrandbits(256)
    assert received == [inverse(a) for a in sent]


@cocotb.test()
async def clear_in_the_middle(dut) -> None:
    """clear_i in the first cycle, during the steps, at the end, and with the result waiting."""
    await begin(dut)
    for wait in [0, 1, 2, 50, *range(195, 235, 5), 400, 511]:
        await send(dut, random.getrandbits(256))
        await cycles(dut, wait)
        await pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.valid_o.value == 0
        assert dut.ready_o.value == 1
        await RisingEdge(dut.clk_i)
        a = random.getrandbits(256)
        await send(dut, a)
        assert await receive(dut) == inverse(a)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_inverter", SOURCES, __name__, expect=3)
