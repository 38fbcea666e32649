# SPDX-License-Identifier: Apache-2.0
"""Protocol of pm_mont_mul and pm_mont_mul_packed: idle and back-pressure, exact latency, results as operands, reset."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly
from mont_vectors import DIGIT, PRIMES, digits, packed_cycles, wide

from dv.common.handshake import begin, cycles, offer, reset, take


class Modulus:
    """p with what the unit needs to know of it; `product` is the expected result."""

    def __init__(self, name: str) -> None:
        self.p = PRIMES[name]
        self.digits = digits(self.p)
        self.wide = int(wide(self.p))
        self.r = 1 << (DIGIT * self.digits)
        self.r_inverse = pow(self.r, -1, self.p)

    def latency(self, dut: HierarchyObject) -> int:
        if dut._name == "pm_mont_mul":
            return self.digits * (1 + self.wide)
        return packed_cycles(self.digits, self.wide)

    def product(self, x: int, y: int) -> int:
        return x * y * self.r_inverse % self.p

    def set(self, dut: HierarchyObject) -> None:
        dut.p_i.value = self.p
        dut.pinv_i.value = -pow(self.p, -1, 1 << DIGIT) % (1 << DIGIT)
        dut.digits_i.value = self.digits
        dut.wide_i.value = self.wide


async def start(dut: HierarchyObject) -> None:
    """Starts the clock and resets; returns after a falling edge, as every step below."""
    Modulus("P-256").set(dut)
    await begin(dut, ("valid_i", "ready_i", "wipe_i", "x_i", "y_i"), FallingEdge)


async def send(dut: HierarchyObject, x: int, y: int) -> None:
    dut.x_i.value, dut.y_i.value = x, y
    await offer(dut, FallingEdge)
    dut.x_i.value, dut.y_i.value = random.getrandbits(544), random.getrandbits(544)


async def receive(dut: HierarchyObject, pause: float) -> int:
    return await take(dut, lambda: int(dut.r_o.value), 500, pause, FallingEdge)


@cocotb.test()
async def idle_and_back_pressure(dut: HierarchyObject) -> None:
    await start(dut)
    for name in PRIMES:
        m = Modulus(name)
        m.set(dut)
        for pause in (0.0, 0.5, 0.9):
            await cycles(dut, random.randrange(3), FallingEdge)
            x, y = random.randrange(m.r), random.randrange(m.p)
            await send(dut, x, y)
            assert await receive(dut, pause) == m.product(x, y)


@cocotb.test()
async def power(dut: HierarchyObject) -> None:
    """Each result is both operands of the next product, accepted in the cycle in which it appears."""
    await start(dut)
    for name in ("P-192", "P-256", "curve25519", "P-384", "P-521"):
        m = Modulus(name)
        m.set(dut)
        dut.ready_i.value = 1
        value = random.randrange(m.p)
        for _ in range(6):
            dut.x_i.value, dut.y_i.value, dut.valid_i.value = value, value, 1
            await ReadOnly()
            assert dut.ready_o.value
            await FallingEdge(dut.clk_i)
            dut.valid_i.value = 0
            for _ in range(m.latency(dut) - 1):
                assert not dut.valid_o.value
                assert not dut.ready_o.value
                await FallingEdge(dut.clk_i)
            value = m.product(value, value)
            assert dut.valid_o.value
            assert int(dut.r_o.value) == value
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def result_waits(dut: HierarchyObject) -> None:
    """A result that is not taken keeps the unit from accepting, and is not lost."""
    await start(dut)
    m = Modulus("P-256")
    await send(dut, 5, 7)
    dut.valid_i.value = 1
    for _ in range(30):
        await ReadOnly()
        assert not dut.ready_o.value
        await FallingEdge(dut.clk_i)
    dut.valid_i.value = 0
    assert await receive(dut, 0.0) == m.product(5, 7)


@cocotb.test()
async def reset_at_any_time(dut: HierarchyObject) -> None:
    await start(dut)
    m = Modulus("P-384")
    m.set(dut)
    for wait in range(m.latency(dut) + 3):
        await send(dut, random.randrange(m.r), random.randrange(m.p))
        await cycles(dut, wait, FallingEdge)
        await reset(dut, FallingEdge)
        await ReadOnly()
        assert not dut.valid_o.value
        assert dut.ready_o.value
        await FallingEdge(dut.clk_i)
        x, y = random.randrange(m.r), random.randrange(m.p)
        await send(dut, x, y)
        assert await receive(dut, 0.3) == m.product(x, y)
