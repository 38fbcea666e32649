# SPDX-License-Identifier: Apache-2.0
"""pm_scalar_secret: digest mod L and (r + k a) mod L of random numbers and of those at the ends against plain integers,
the same time for all, what is left behind."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from naf_reference import L

from dv.common.handshake import begin, elapse
from pointmill import simbuild

REDUCE, MUL_ADD = 1, 2
LATENCY = {REDUCE: 486, MUL_ADD: 1_163}
"""Cycles from the first one of an offer to that of the result."""
READ = 34
"""Cycles from the first one of an offer to that of ready_o."""
WIPE = 81
"""Cycles from a result to the first one in which the next offer is looked at."""

Job = tuple[int, int, int, int]
"""Operation, digest, a, r."""


def wanted(job: Job) -> int:
    """The result, in plain integers."""
    op, digest, a, r = job
    return digest % L if op == REDUCE else (r + digest * a) % L


class Unit:
    """Offers jobs; counts cycles."""

    def __init__(self, dut: HierarchyObject) -> None:
        self.dut, self.cycle = dut, 0

    async def step(self, count: int = 1) -> None:
        """So many cycles."""
        await elapse(self.dut, count, FallingEdge)
        self.cycle += count

    def offer(self, job: Job) -> None:
        """From this cycle on."""
        dut = self.dut
        dut.valid_i.value = 1
        dut.op_i.value, dut.digest_i.value, dut.a_i.value, dut.r_i.value = job

    def withdraw(self, rng: random.Random) -> None:
        """Other values on the ports, as the next user would have them."""
        dut = self.dut
        dut.valid_i.value = 0
        dut.op_i.value, dut.digest_i.value = rng.choice((REDUCE, MUL_ADD)), rng.getrandbits(512)
        dut.a_i.value, dut.r_i.value = rng.randrange(L), rng.randrange(L)

    async def run(self, job: Job, rng: random.Random) -> int:
        """Its result; the cycles that it took are asserted."""
        self.offer(job)
        start = self.cycle
        read = False
        while not self.dut.result_valid_o.value:
            assert self.cycle - start < 2_000, "no result"
            await self.step()
            if not read and self.dut.ready_o.value:
                read = True
                assert self.cycle - start == READ
                await self.step()
                self.withdraw(rng)
                await self.step(start + LATENCY[job[0]] - 10 - self.cycle)
        assert read and self.cycle - start == LATENCY[job[0]]
        return int(self.dut.result_o.value)

    def left(self) -> list[int]:
        """What memories and registers hold that operands went to."""
        dut, modl = self.dut, self.dut.u_modl
        memories = [dut.k_mem, dut.s_mem, modl.value_q]
        words = [int(word.value) for memory in memories for word in memory]
        # The other slot of S is never used: clear_i begins with the first one.
        words += [int(modl.s_q[index].value) for index in range(16)]
        return words + [int(one.value) for one in (dut.r_q, dut.word_q, dut.sum_q, modl.a_q, modl.x_q, modl.partial_q,
                                                   modl.result_word_q, modl.load_q, modl.s_word_q)]


def digests(rng: random.Random, count: int) -> list[int]:
    """Random ones, and those about multiples of L and at the ends."""
    edges = [0, 1, L - 1, L, L + 1, 2**252 - 1, 2**252, 2**256 - 1, 2**256, 2**512 - 1, L * (2**512 // L)]
    for _ in range(count):
        multiple = L * rng.getrandbits(rng.randrange(1, 260))
        edges += [multiple, multiple + 1, multiple + L - 1, multiple + 2**252]
    return [edge % 2**512 for edge in edges] + [rng.getrandbits(512) for _ in range(count)]


async def started(dut: HierarchyObject) -> Unit:
    """After reset and a clear, which overwrites what memories held."""
    await begin(dut, edge=FallingEdge)
    unit = Unit(dut)
    dut.clear_i.value = 1
    await unit.step()
    dut.clear_i.value = 0
    await unit.step(WIPE)
    return unit


@cocotb.test()
async def results(dut: HierarchyObject) -> None:
    """Both operations of random and edge operands, in a row."""
    unit = await started(dut)
    rng = random.Random(1)
    jobs: list[Job] = [(REDUCE, digest, rng.randrange(L), rng.randrange(L)) for digest in digests(rng, 40)]
    ends = [0, 1, 2, L - 1, L - 2, 2**252, L // 2]
    for digest in digests(rng, 40):
        a, r = rng.choice([*ends, rng.randrange(L)]), rng.choice([*ends, rng.randrange(L)])
        jobs.append((MUL_ADD, digest, a, r))
        # The sum is 0 or L - 1 or about L.
        jobs.append((MUL_ADD, digest, a, (rng.choice([0, 1, -1]) - digest * a) % L))
    rng.shuffle(jobs)
    assert len(jobs) == 633
    for job in jobs:
        assert await unit.run(job, rng) == wanted(job), job
        assert int(dut.state_q.value) != 0
        await unit.step(WIPE)
        assert int(dut.state_q.value) == 0


@cocotb.test()
async def nothing_is_left(dut: HierarchyObject) -> None:
    """After a job, and after clear_i in any cycle of one, operands are gone, and the next job is right."""
    unit = await started(dut)
    clean = unit.left()
    assert not any(clean)
    rng = random.Random(2)
    cleared = 0
    for op in (REDUCE, MUL_ADD):
        for cycle in [*range(1, 50), *range(50, LATENCY[op] + WIPE, 23)]:
            job = (op, rng.getrandbits(512), rng.randrange(L), rng.randrange(L))
            unit.offer(job)
            for _ in range(min(cycle, READ + 1)):
                ready = dut.ready_o.value
                await unit.step()
                if ready:
                    unit.withdraw(rng)
            await unit.step(max(0, cycle - READ - 1))
            unit.withdraw(rng)
            dut.clear_i.value = 1
            await unit.step()
            dut.clear_i.value = 0
            await unit.step(WIPE)
            assert unit.left() == clean, cycle
            cleared += 1
        job = (op, rng.getrandbits(512), rng.randrange(L), rng.randrange(L))
        assert await unit.run(job, rng) == wanted(job)
        await unit.step(WIPE)
        assert unit.left() == clean
    assert cleared == 173


def test_pm_scalar_secret() -> None:
    simbuild.run_cocotb("pm_scalar_secret", ["hw/lib/scalar/scalar_serial.f"], __name__, depth=2, expect=2)
