# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_secret_tile alone: X25519 and multiples of G of random and edge scalars against OpenSSL and the golden
model, the same time and the same registers afterwards for every scalar, soft resets."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, First, RisingEdge, Timer
from cocotb.utils import get_sim_time
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from dv.common.handshake import begin
from dv.edverify.half_units import fixed_point
from pointmill import simbuild
from pointmill.curves import by_name
from pointmill.model import edwards, montgomery
from pointmill.model.scalar import L
from pointmill.ucode.machine import Machine

MACHINE = Machine("edverify", "secret_tile")
CONTEXTS, STRIDE, EXTERNALS = 7, 40, 36
U = EXTERNALS + MACHINE.externals["u"] - len(MACHINE.constants)  # the register of u, which is public, the last one
POINT = ("g_yp", "g_ym", "g_t2d")
SMALL_ORDER = (0, 1, 2**255 - 20, 325606250916557431795983626356110631294008115727848805560023387167927233504)
"""Coordinates u of points of small order."""
PERIOD = 10
"""Nanoseconds of a cycle."""
PULSES = ("start_i", "point_done_i", "slot_we_i", "slot_zero_i", "load_valid_i", "soft_reset_i")


@dataclass(eq=False)
class Job:
    """X25519 of scalar and u, or encodings of multiples of G where u is None."""

    scalars: list[int]
    u: int | None = None
    ctx: int = 0
    started: int = 0
    cycles: int = 0
    written: int = 0
    """How many of its scalars are in their slots."""
    results: dict[int, int] = field(default_factory=dict)

    def wanted(self) -> dict[int, int]:
        """Results by slot: of one scalar its multiple of G comes twice."""
        if self.u is None:
            return {slot: int.from_bytes(edwards.encode(edwards.multiply(self.scalars[-slot], edwards.BASE)), "little")
                    for slot in range(2)}
        return {0: montgomery.multiply_u(by_name("X25519"), clamped(self.scalars[0]), self.u % 2**255)}


def clamped(k: int) -> int:
    """As RFC 7748, section 5."""
    return k & (2**254 - 8) | 2**254


class Host:
    """Gives jobs to contexts and loads what they ask for, one value at a time, after random pauses up to `slow`."""

    def __init__(self, dut: HierarchyObject, seed: int, slow: int = 0) -> None:
        self.dut, self.rng, self.slow = dut, random.Random(seed), slow
        self.point, self.result, self.finish = dut.point_valid_o, dut.result_valid_o, dut.finish_o
        self.result_start, self.result_ready = dut.result_start, dut.result_ready_i
        self.events = [RisingEdge(pin) for pin in (self.point, self.result, self.finish, self.result_start)]
        self.pulses = [getattr(dut, name) for name in PULSES]
        self.driven = True  # an input may not be 0
        self.quiet = False  # in this cycle no output wants anything
        self.loads: deque[tuple[str, int, list[tuple[str, int]]]] = deque()
        self.waiting: deque[Job] = deque()
        self.working: dict[int, Job] = {}
        self.done: list[Job] = []
        self.beats: deque[int] = deque()
        self.pause = 0
        self.zeros: Counter[int] = Counter()
        self.began = 0  # cycle of the latest result's microinstruction

    def load(self, action: str, ctx: int, values: list[tuple[str, int]]) -> None:
        """Queues values of a context, and what follows: start, done, nothing."""
        self.loads.append((action, ctx, values))

    @property
    def cycle(self) -> int:
        """The present one."""
        return get_sim_time("step") // (1000 * PERIOD)

    async def step(self, most: int = 1) -> None:
        """A cycle; at most so many while there is nothing to do."""
        if self.driven:
            for pulse in self.pulses:
                pulse.value = 0
            self.driven = False
        self._look()
        self._begin()
        self._load()
        if most > 1 and self.quiet and not (self.driven or self.loads or self.beats):
            await First(*self.events, Timer(most * PERIOD - 1, "ns"))
        await FallingEdge(self.dut.clk_i)

    async def wait(self, cycles: int) -> None:
        """So many cycles."""
        end = self.cycle + cycles
        while self.cycle < end:
            await self.step(end - self.cycle)

    def _look(self) -> None:
        dut = self.dut
        point, valid, finish, start = (
            bool(pin.value) for pin in (self.point, self.result, self.finish, self.result_start))
        self.quiet = not (point or valid or finish or start)
        if point:
            ctx, digit = int(dut.point_ctx_o.value), int(dut.point_o.value)
            if dut.point_zero_o.value:
                values = [0, 0, 0]
                self.zeros[ctx] += 1
                assert digit == 0, "zeros without a digit"
            else:
                assert not dut.wiping_o.value, "a point of an abandoned job"
                values = [fixed_point(digit >> 9 & 1, digit & 255, bool(digit >> 8 & 1))[part] for part in range(3)]
            self.load("done", ctx, list(zip(POINT, values)))
        ready = self.rng.randrange(4) > 0 if self.slow else True
        self.result_ready.value = ready
        if start:
            self.began = self.cycle
        if valid and ready:
            self.latency = self.cycle - self.began
            job = self.working[int(dut.result_ctx_o.value)]
            slot = int(dut.result_slot_o.value)
            assert slot not in job.results
            job.results[slot] = int(dut.result_o.value)
        if finish:
            job = self.working.pop(int(dut.finish_ctx_o.value))
            assert not dut.refused_o.value
            job.cycles = self.cycle - job.started
            self.done.append(job)

    def _begin(self) -> None:
        dut = self.dut
        free = [ctx for ctx in range(CONTEXTS) if ctx not in self.working]
        if not (self.waiting and free):
            return
        self.driven = True
        if not (dut.slot_we_i.value or dut.wiping_o.value):
            job = self.waiting[0]
            if not job.written:
                job.ctx = self.rng.choice(free)
            scalar = job.scalars[job.written]
            dut.slot_we_i.value, dut.slot_ctx_i.value, dut.slot_i.value = 1, job.ctx, job.written
            dut.slot_data_i.value = scalar if job.u is None else clamped(scalar)
            job.written += 1
            if job.written == len(job.scalars):
                self.working[job.ctx] = self.waiting.popleft()
                self.load("start", job.ctx, [] if job.u is None else [("u", job.u % 2**255)])

    def _load(self) -> None:
        dut = self.dut
        if not (self.beats or self.loads) or not (dut.load_ready_o if self.beats else dut.load_stored_o).value:
            return
        self.driven = True
        if self.pause:
            self.pause -= 1
        elif self.beats:
            dut.load_valid_i.value, dut.load_i.value = 1, self.beats.popleft()
        elif self.loads:
            action, ctx, values = self.loads[0]
            if values:
                name, value = values.pop(0)
                number = MACHINE.externals[name]
                for part in range(6):
                    data = value >> (129 * (part // 3) + 43 * (part % 3)) & (1 << 43) - 1
                    self.beats.append(number << 46 | part // 3 << 45 | part % 3 << 43 | data)
                dut.load_ctx_i.value = ctx
                self.pause = self.rng.randrange(self.slow + 1)
                return
            self.loads.popleft()
            if action == "done":
                dut.point_done_i.value = 1 << ctx
            elif action == "start":
                job = self.working[ctx]
                dut.start_i.value, dut.ladder_i.value = 1 << ctx, job.u is not None
                dut.two_i.value = len(job.scalars) == 2
                job.started = self.cycle

    async def run(self, jobs: list[Job], limit: int = 400_000) -> None:
        """All jobs, their results right."""
        self.waiting += jobs
        end = self.cycle + limit
        while self.waiting or self.working:
            assert self.cycle < end, "a job has no end"
            await self.step(end - self.cycle)
        for job in jobs:
            assert job.results == job.wanted(), job

    def registers(self, ctx: int) -> list[int]:
        """What the registers of a context hold."""
        copy = self.dut.u_datapath.u_bank.g_copy[0]
        parts = [copy.u_lo_low.mem_q, copy.u_lo_high.mem_q, copy.u_hi_low.mem_q, copy.u_hi_high.mem_q]
        return [sum(int(part[STRIDE * ctx + number].value) << shift for part, shift in zip(parts, (0, 65, 129, 194)))
                for number in range(STRIDE)]


async def started(dut: HierarchyObject, seed: int, slow: int = 0) -> Host:
    """After reset, with the constants and zeros in all registers."""
    await begin(dut, edge=FallingEdge)
    host = Host(dut, seed, slow)
    host.load("", 0, [(name, value) for name, value in MACHINE.constants.items()])
    await reset_softly(host)
    return host


async def reset_softly(host: Host) -> None:
    """A soft reset, until everything is wiped."""
    host.waiting.clear()
    host.working.clear()
    host.loads = deque(load for load in host.loads if not load[0])
    host.beats.clear()
    host.dut.soft_reset_i.value = 1
    host.driven = True
    await FallingEdge(host.dut.clk_i)
    before = host.zeros.copy()
    await host.step()
    while host.dut.wiping_o.value:
        await host.step()
    assert all(host.zeros[ctx] == before[ctx] + 1 for ctx in range(CONTEXTS))


def ladders(rng: random.Random, count: int) -> list[Job]:
    """Random ones, and u of small order and at the ends of its range."""
    us = [*SMALL_ORDER, 2**255 - 19, 2**255 - 1, 9] + [rng.getrandbits(255) for _ in range(max(0, count - 7))]
    return [Job([rng.getrandbits(256)], u) for u in us[:count]]


def multiples(rng: random.Random, count: int) -> list[Job]:
    """Of random scalars and of those at the ends, one and two at a time."""
    edges = [0, 1, 2, L - 1, L - 2, 2**252, L // 2]
    return [Job([rng.choice(edges) if rng.randrange(3) == 0 else rng.randrange(L) for _ in range(1 + i % 2)])
            for i in range(count)]


@cocotb.test()
async def together(dut: HierarchyObject) -> None:
    """Jobs of all kinds in all contexts, late points and results that wait."""
    host = await started(dut, 1, 9)
    rng = random.Random(2)
    jobs = ladders(rng, 11) + multiples(rng, 14)
    rng.shuffle(jobs)
    await host.run(jobs)
    assert len(host.done) == 25
    agreed = [(job, job.u % 2**255) for job in jobs if job.u is not None and job.results[0]]
    assert len(agreed) == 6
    for job, u in agreed:
        key = X25519PrivateKey.from_private_bytes(job.scalars[0].to_bytes(32, "little"))
        shared = key.exchange(X25519PublicKey.from_public_bytes(u.to_bytes(32, "little")))
        assert job.results[0] == int.from_bytes(shared, "little")


@cocotb.test()
async def one_time_for_all(dut: HierarchyObject) -> None:
    """Alone, every job of a kind takes the same cycles, whatever its scalars, and leaves the registers as it found
    them."""
    host = await started(dut, 3)
    clean = [host.registers(ctx)[:U] for ctx in range(CONTEXTS)]
    kinds = ((45_009, lambda s: Job([s], 9)), (25_092, lambda s: Job([s])), (40_243, lambda s: Job([s, L - 1 - s])))
    for cycles, make in kinds:
        seen = []
        for scalar in (L - 1, 0):
            job = make(scalar)
            while int(dut.turn_q.value) != 1:
                await host.step()
            await host.run([job])
            await host.wait(40)
            seen.append(job.cycles)
            assert host.latency == 19
            assert host.registers(job.ctx)[:U] == clean[job.ctx]
            dut.slot_zero_i.value = 1 << job.ctx
            host.driven = True
            await FallingEdge(dut.clk_i)
        assert len(seen) == 2 and set(seen) == {cycles}


@cocotb.test()
async def soft_resets(dut: HierarchyObject) -> None:
    """In the middle of jobs: registers are those of a context that was never used, and the next jobs are right."""
    host = await started(dut, 5)
    clean = [host.registers(ctx)[:U] for ctx in range(CONTEXTS)]
    rng = random.Random(6)
    for _ in range(4):
        host.waiting += ladders(rng, 4) + multiples(rng, 4)
        await host.wait(rng.randrange(400, 9000))
        await reset_softly(host)
        await host.wait(40)
        assert [host.registers(ctx)[:U] for ctx in range(CONTEXTS)] == clean
        assert not dut.result_valid_o.value
    for pause in (4, 9, 14):  # where a point is about to be asked for
        (job,) = multiples(rng, 1)
        host.waiting.append(job)
        while not job.started:
            await host.step()
        await host.wait(pause)
        await reset_softly(host)
    await host.run(ladders(rng, 8) + multiples(rng, 6))


def test_secret_tile() -> None:
    simbuild.run_cocotb("pm_edverify_secret_tile", ["hw/edverify/edverify.f"], __name__, {"NumContexts": CONTEXTS},
                        depth=4, expect=3, build_dir="build/cocotb/test_pm_edverify_secret_tile")
