# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_randomised: results, random bytes of each job, the time of jobs, alarms, clear_i."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge, First, ReadOnly, RisingEdge, Timer

from dv.common import handshake
from dv.x25519.engine_units import SOURCES, drop_after, give, job_held
from pointmill import simbuild

CYCLES, STARTUP, BYTES = 25_089, 1024, 32


class Source:
    """Offers bytes while it is `on`, and keeps those that were taken; `stuck`: always the same one. What is offered
    while none is taken changes every 50 cycles."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.on, self.stuck, self.taken = True, False, []
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        while True:
            offers = self.on and self.rng.random() < 0.7
            byte = 0x5A if self.stuck else self.rng.getrandbits(8)
            self.dut.entropy_valid_i.value, self.dut.entropy_i.value = offers, byte
            await ReadOnly()
            if not self.dut.entropy_ready_o.value:
                await First(RisingEdge(self.dut.entropy_ready_o), Timer(499, "ns"))
            elif offers:
                self.taken.append(byte)
            await FallingEdge(self.dut.clk_i)

    def number(self, job: int) -> int:
        """What a job begins with."""
        at = STARTUP + BYTES * job
        return int.from_bytes(self.taken[at : at + BYTES], "big") % 2**253


async def idle(dut, cycles: int) -> None:
    """No job is accepted."""
    dut.job_valid_i.value = 1
    for _ in range(cycles):
        assert not dut.job_ready_o.value
        await FallingEdge(dut.clk_i)
    dut.job_valid_i.value = 0


@cocotb.test()
async def fresh_numbers(dut) -> None:
    """Each job takes bytes of its own, behind those of the start-up; none without them, also behind clear_i."""
    await handshake.begin(dut, edge=FallingEdge, after=0)
    source, rng = Source(dut, 1), random.Random(2)
    source.on = False
    await idle(dut, 50)
    source.on = True
    await job_held(dut, rng, CYCLES)
    assert len(source.taken) == STARTUP + 2 * BYTES
    for job in range(1, 4):
        await drop_after(dut, rng, 10 + 40 * job)
        assert dut.u_engine.g_random.random_q.value == source.number(job)
        await FallingEdge(dut.clk_i)
        assert dut.u_engine.g_random.random_q.value == 0
    assert len({source.number(job) for job in range(4)}) == 4
    await handshake.cycles(dut, 200, FallingEdge)
    source.on = False
    await give(dut, 1, 9)
    assert dut.bytes_q.value == 0
    await handshake.pulse(dut, "clear_i", edge=FallingEdge)
    await idle(dut, 200)


@cocotb.test()
async def alarm(dut) -> None:
    """A stuck source: no job from then on, also with bytes that are there; the one inside ends; a reset helps."""
    await handshake.begin(dut, edge=FallingEdge, after=0)
    source, rng = Source(dut, 3), random.Random(4)
    await handshake.cycles(dut, 2 * STARTUP, FallingEdge)
    assert len(source.taken) == STARTUP + BYTES
    source.stuck = True
    await job_held(dut, rng, CYCLES)
    assert dut.alarm_o.value and len(source.taken) < STARTUP + 2 * BYTES
    source.stuck = False
    await idle(dut, 200)
    await handshake.reset(dut, FallingEdge)
    assert not dut.alarm_o.value
    del source.taken[:]
    await job_held(dut, rng, CYCLES)
    assert len(source.taken) == STARTUP + 2 * BYTES


def test_pm_x25519_randomised() -> None:
    simbuild.run_cocotb("pm_x25519_randomised", SOURCES, __name__, {}, depth=2, expect=2)
