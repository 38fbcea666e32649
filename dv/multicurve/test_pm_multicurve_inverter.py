# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_inverter: inverses with what they lack to R^2, powers of two, their cycles; what is abandoned and
wiped."""

from __future__ import annotations

import random
from collections import Counter
from math import gcd

import cocotb
from cocotb.triggers import FallingEdge

from dv.common.handshake import begin, cycles
from pointmill import simbuild
from pointmill.ucode.machine import Machine

WIDTH, DIGIT, MOST = 544, 32, 17
UNITS = {name: Machine("multicurve", "paper").units[name]["id"] for name in ("inverter", "power", "digit")}
JOBS = 60


async def pulse(dut, *names: str) -> None:
    for name in names:
        getattr(dut, name).value = 1
    await FallingEdge(dut.clk_i)
    for name in names:
        getattr(dut, name).value = 0


def modulus(rng: random.Random) -> tuple[int, int, bool]:
    """An odd modulus, digits of R, whether it is that of modular arithmetic. R may have more digits than the modulus,
    as that of an order or of a prime with a name has."""
    bits = rng.choice((2, 3, 8, 31, 32, 33, 64, 160, 192, 255, 256, 257, 448, 521, 544, rng.randint(2, WIDTH)))
    p = rng.getrandbits(bits) | 1 << bits - 1 | 1
    other = rng.random() < 0.2
    return p, MOST if other else min(-(-bits // DIGIT) + rng.choice((0, 0, 0, 1, 2)), MOST), other


async def prepare(dut, p: int, digits: int, other: bool) -> None:
    dut.p_i.value, dut.bits_i.value = p, p.bit_length()
    dut.digits_i.value, dut.other_i.value = digits, other
    await FallingEdge(dut.clk_i)


async def unit(dut, name: str, operand: int) -> None:
    dut.unit_i.value, dut.operand_i.value = UNITS[name], operand
    await pulse(dut, "unit_start_i")
    dut.operand_i.value = 0


async def done(dut) -> int:
    """Cycles from the unit's start until it is done; the result is there one later."""
    for cycle in range(1, 2 * WIDTH + 8):
        if dut.done_o.value:
            await FallingEdge(dut.clk_i)
            assert dut.done_o.value
            return cycle
        await FallingEdge(dut.clk_i)
    raise AssertionError("not done")


@cocotb.test()
async def inverses_and_powers(dut) -> None:
    rng, seen = random.Random(1), Counter()
    await begin(dut, edge=FallingEdge)
    assert not dut.done_o.value
    for _ in range(JOBS):
        p, digits, other = modulus(rng)
        full, least = 64 * digits, 2 * p.bit_length()
        short = not other and digits > 1 and full - least < 64
        await prepare(dut, p, digits, other)
        fold = int(dut.fold_o.value)
        assert fold == 1 << full - least if short else fold == 1
        if rng.random() < 0.2:
            await unit(dut, "power", rng.getrandbits(WIDTH))
            assert await done(dut) == full + 2
            assert not dut.error_o.value
            assert int(dut.value_o.value) == pow(2, full, p)
            seen["power"] += 1
            continue
        a = rng.choice((0, 1, p - 1, rng.randrange(p), rng.randrange(p), rng.randrange(p)))
        await unit(dut, "inverter", a)
        steps = least if short else full
        assert await done(dut) == steps + 2
        value, fails = int(dut.value_o.value), gcd(a, p) != 1
        assert int(dut.error_o.value) == fails
        if fails:
            assert value == 0
        else:
            assert value == pow(a, -1, p) * pow(2, steps, p) % p
            assert value * fold % p == pow(a, -1, p) * pow(2, full, p) % p
        seen["none" if fails else "short" if short else "full"] += 1
    assert len(seen) == 4, seen
    assert min(seen.values()) > 5, seen


@cocotb.test()
async def abandoned_and_wiped(dut) -> None:
    """Nothing comes of a unit that was abandoned, at any time; another unit's start changes nothing."""
    rng, p = random.Random(2), 2**61 - 1
    await begin(dut, edge=FallingEdge)
    await prepare(dut, p, 2, False)
    for at in range(1, 130):
        a, by = rng.randrange(1, p), rng.choice((("start_i",), ("clear_i",), ("clear_i", "wipe_i")))
        await unit(dut, "inverter", a)
        await done(dut)
        before = int(dut.value_o.value)
        assert before == pow(a, -1, p) * pow(2, 122, p) % p
        await unit(dut, "digit", 0)
        assert dut.done_o.value
        await unit(dut, rng.choice(("inverter", "power")), rng.randrange(1, p))
        assert not dut.done_o.value
        await cycles(dut, at % 120, FallingEdge)
        await pulse(dut, *by)
        for _ in range(rng.choice((1, 3, 140))):
            assert not dut.done_o.value
            assert int(dut.value_o.value) == (0 if "wipe_i" in by else before)
            await FallingEdge(dut.clk_i)


def test_pm_multicurve_inverter() -> None:
    simbuild.run_cocotb("pm_multicurve_inverter", "hw/multicurve/multicurve.f", __name__, expect=2)
