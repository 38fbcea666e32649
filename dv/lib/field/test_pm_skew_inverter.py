# SPDX-License-Identifier: Apache-2.0
"""pm_skew_inverter: inverses for all small moduli, edges and random operands of wide ones, exact cycles, protocol,
wiping."""

from __future__ import annotations

import math
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly
from field_common import counters
from mont_vectors import PRIMES, edges, group

from dv.common.handshake import begin, cycles, elapse, offer, take
from pointmill import simbuild

RTL = ["hw/lib/field/pm_skew_inverter.sv"]
P = PRIMES["curve25519"]
STEPS = 590
TOY = {7: 16, 8: 19}
"""Most steps of operands of so many bits; `test_steps`."""


def halvings(steps: int) -> int:
    """Steps behind those that reduce g to 0."""
    return steps.bit_length() + 2


def latency(columns: int, steps: int) -> int:
    """Cycles from acceptance to the result."""
    return 2 * (steps + halvings(steps)) + columns + 1


def sim(digit: int = 34, columns: int = 8, steps: int = STEPS, words: int = 17) -> Path:
    return simbuild.build_cpp("pm_skew_inverter", RTL, "dv/lib/field/pm_skew_inverter_bench.cpp",
                              {"Digit": digit, "Columns": columns, "Steps": steps},
                              cflags=("-Idv/common", f"-DPM_WORDS={words}"),
                              out_dir=f"build/sim/pm_skew_inverter_{digit}_{columns}_{steps}")


def divsteps(f: int, g: int) -> int:
    """Steps until g = 0, in plain integers."""
    delta = count = 0
    while g:
        if delta >= 0 and g & 1:
            delta, f, g = -delta, g, (g - f) >> 1
        else:
            delta, g = delta + 1, (g + (g & 1) * f) >> 1
        count += 1
    return count


@pytest.mark.parametrize("bits", TOY)
def test_steps(bits: int) -> None:
    """The steps of the toy units are those that the slowest operands take, not one more."""
    assert max(divsteps(p, a) for p in range(1, 1 << bits, 2) for a in range(p + 1)) == TOY[bits]


@pytest.mark.parametrize(("bits", "digit", "columns"), [(8, 3, 5), (8, 7, 2), (7, 5, 3)])
def test_toy_exhaustive(bits: int, digit: int, columns: int) -> None:
    """Every odd modulus, every operand, in digits of several widths."""
    got = counters(sim(digit, columns, TOY[bits]), latency(columns, TOY[bits]), "all", bits)
    pairs = [(p, a) for p in range(9, 1 << bits, 2) for a in range(p + 1)]
    assert got["vectors"] == len(pairs)
    assert got["none"] == sum(math.gcd(p, a) > 1 for p, a in pairs)
    assert got["large"] > 0.3 * len(pairs)


def vectors(moduli: dict[int, list[int]], words: int) -> tuple[bytes, dict[str, int]]:
    """A file of operands by modulus, and what the bench must count."""
    none, data = 0, []
    for p, operands in moduli.items():
        wanted = [pow(a, -1, p) if math.gcd(a, p) == 1 else 0 for a in operands]
        none += wanted.count(0)
        data.append(group((), [(p, 0), *zip(operands, wanted, strict=True)], 32 * words))
    return b"".join(data), {"vectors": sum(map(len, moduli.values())), "none": none}


@pytest.mark.parametrize("count", [1_500, pytest.param(100_000, marks=pytest.mark.long)])
def test_curve25519(count: int) -> None:
    """Edges and random operands, those too that a product reaches above p; other primes of up to 255 bits."""
    rng = random.Random(count)
    above = [P + 1, P + 2, 2**255 - 1, 2**255, 2**255 + 2**142 - 1, *(2**255 + rng.getrandbits(142) for _ in range(20))]
    moduli = {P: [0, P, *edges(P, P), *above, *(rng.randrange(P) for _ in range(count))]}
    moduli |= {p: [0, p, 1, 2, p - 1, *(rng.randrange(p) for _ in range(40))]
               for p in (PRIMES["P-192"], PRIMES["P-224"], 2**255 - 1, 2**254 + 1, 9, 15, 2**127 - 1)}  # fmt: skip
    data, wanted = vectors(moduli, 17)
    got = counters(sim(), latency(8, STEPS), "file", data)
    assert {name: got[name] for name in wanted} == wanted
    assert wanted["vectors"] > count + 300 and wanted["none"] > 20
    assert 0.3 * count < got["large"] < 0.6 * wanted["vectors"]


@pytest.mark.parametrize(("bits", "digit", "columns", "steps", "words"), [
    (256, 27, 10, 590, 17),
    *(pytest.param(*case, marks=pytest.mark.long) for case in [(544, 40, 14, 1255, 17), (704, 65, 11, 1624, 22)])])
def test_wide(bits: int, digit: int, columns: int, steps: int, words: int) -> None:
    """The widest moduli of larger units."""
    rng = random.Random(bits)
    top = 1 << bits
    moduli = {p: [0, p, 1, 2, p - 1, p - 2, *(rng.randrange(p) for _ in range(20))]
              for p in (top - 1, top // 2 + 1, PRIMES["P-256"], *(rng.getrandbits(bits) | 1 for _ in range(4)))}
    data, wanted = vectors(moduli, words)
    got = counters(sim(digit, columns, steps, words), latency(columns, steps), "file", data)
    assert {name: got[name] for name in wanted} == wanted
    assert wanted["vectors"] == 7 * 26


def test_published_cycles() -> None:
    """The latency of the header."""
    assert latency(8, STEPS) == 1213


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"Digit": 2}, "Digit must be at least 3"), ({"Columns": 1}, "Columns and Steps at least 2"),
    ({"Digit": 3, "Columns": 2}, "the digits are too few")])
def test_illegal_parameters(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_skew_inverter", RTL, parameters)


# ------------------------------------------------------------------------------------- protocol


async def start(dut: HierarchyObject) -> None:
    dut.p_i.value = P
    await begin(dut, ("clear_i", "valid_i", "ready_i", "a_i"), FallingEdge)


async def send(dut: HierarchyObject, a: int) -> None:
    dut.a_i.value = a
    await offer(dut, FallingEdge)
    dut.a_i.value = random.getrandbits(255)


async def result(dut: HierarchyObject, pause: float) -> int:
    """The result of what was just accepted."""
    await elapse(dut, 1190, FallingEdge)
    return await take(dut, lambda: int(dut.inv_o.value), 310, pause, FallingEdge)


def left(dut: HierarchyObject) -> dict[str, int]:
    """What the data registers hold."""
    names = ("f_q", "g_q", "d_q", "s_q", "e_q", "g_carry_q", "s_carry_q", "e_carry_q", "delta_q", "none_q")
    return {name: int(getattr(dut, name).value) for name in names}


@cocotb.test()
async def back_pressure(dut: HierarchyObject) -> None:
    """Results hold until taken; operands come at once or later."""
    await start(dut)
    for a in (0, 1, P - 1, P, *(random.randrange(P) for _ in range(4))):
        await cycles(dut, random.randrange(4), FallingEdge)
        await send(dut, a)
        assert await result(dut, random.choice((0.0, 0.8))) % P == (pow(a, -1, P) if a % P else 0)


@cocotb.test()
async def nothing_stays(dut: HierarchyObject) -> None:
    """After a result was taken, after clear_i and reset at any time the registers hold the same constants."""
    await start(dut)
    await cycles(dut, 3, FallingEdge)
    idle = left(dut)
    assert (idle["f_q"], idle["g_q"], idle["d_q"]) == (P, 0, 0)
    for name, rest in (("clear_i", 0), ("rst_ni", 1), ("ready_i", 0)):
        for wait in (0, 1, 2, 30, 600, 1190, 1205, 1212, 1216) if name != "ready_i" else (1213, 1220):
            await send(dut, random.randrange(P))
            await elapse(dut, wait, FallingEdge)
            assert left(dut) != idle
            getattr(dut, name).value = 1 - rest
            await FallingEdge(dut.clk_i)
            getattr(dut, name).value = rest
            await ReadOnly()
            assert dut.ready_o.value and not dut.valid_o.value
            await FallingEdge(dut.clk_i)
            assert left(dut) == idle, f"{name} after {wait} cycles"
            a = random.randrange(1, P)
            await send(dut, a)
            assert await result(dut, 0.2) % P == pow(a, -1, P)
            await cycles(dut, 2, FallingEdge)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_skew_inverter", RTL, __name__, expect=2)
