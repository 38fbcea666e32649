# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_scalar_clients: lists and results right whoever asks, products that wait, turns; nothing of a client in
the jobs of the other."""

from __future__ import annotations

import os
import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from dv.common.handshake import begin
from dv.common.packed import Struct
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild

SOURCES = [*PACKAGES, RTL / "pm_edverify_barrel_pkg.sv", "hw/lib/scalar/scalar.f", "hw/lib/seq/pm_delay.sv",
           RTL / "pm_edverify_scalar_clients.sv"]  # fmt: skip
HALF = Struct(valid=1, spread=1)
SCALAR_JOB = Struct(op=3, a=254, r=254, digest=512)
SHARE_REQUEST, SHARE_STATUS = Struct(valid=1, patient=1, a=258, b=258), Struct(ready=1, done=1, h=258, l=258)
LIST_PUSH = Struct(valid=1, done=1, entry=21)
L = 2**252 + 27742317777372353535851937790883648493
REDUCE, MUL_ADD, WEIGH = 1, 2, 3
CONTEXTS, LATENCY = 4, 5
JOBS = int(os.environ.get("PM_JOBS", "12"))
LOW = 2**129 - 1


def totals(entries: list[int]) -> list[int]:
    """The multiple of each of the four points that a list adds."""
    sums = [0] * 4
    for word in entries:
        pos, kind, neg, idx = word >> 12, word >> 10 & 3, word >> 9 & 1, word & 0xFF
        sums[kind] += (1 - 2 * neg) * (2 * idx + 1) << pos
    return sums


class Bench:
    """Both clients, the multiplier and the lists."""

    def __init__(self, dut) -> None:
        self.dut, self.rng, self.now = dut, random.Random(1), 0
        self.turns = int(dut.Turns.value)
        self.half: dict | None = None  # offered
        self.other: dict | None = None
        self.job: dict = {}  # in the unit
        self.listed: dict = {}  # whose entries come
        self.products: list[tuple[int, int, int]] = []  # cycle, half products
        self.order: list[str] = []  # who was taken
        self.lists = self.results = self.digits = 0

    def new_jobs(self) -> None:
        """For clients that have none; with turns both always have one."""
        rng = self.rng
        if self.half is None and (self.turns or rng.random() < 0.001):
            self.half = {"ctx": rng.randrange(CONTEXTS), "s": rng.randrange(L), "digest": rng.getrandbits(512),
                         "entries": []}  # fmt: skip
        if self.other is None and (self.turns or rng.random() < 0.01):
            op = rng.choice((REDUCE, WEIGH if self.turns else MUL_ADD))
            self.other = {"ctx": rng.randrange(CONTEXTS), "op": op, "a": rng.getrandbits(128 if op == WEIGH else 254),
                          "r": rng.getrandbits(254), "digest": rng.getrandbits(512), "entries": []}  # fmt: skip

    async def cycle(self) -> None:
        dut, rng = self.dut, self.rng
        self.new_jobs()
        dut.half_i.value, dut.other_valid_i.value = HALF.pack(valid=self.half is not None), self.other is not None
        if self.half:
            dut.half_ctx_i.value, dut.half_s_i.value = self.half["ctx"], self.half["s"]
        if self.other:
            dut.other_ctx_i.value = self.other["ctx"]
        dut.digits_i.value = self.job.get("op") == WEIGH
        free = rng.getrandbits(1)
        dut.list_ready_i.value = room = rng.getrandbits(1)
        dut.batch_ready_i.value = batch_room = rng.getrandbits(1)
        self.answer_product(free)
        await Timer(1, "ns")  # the digest follows half_now_o in the same cycle
        first = int(dut.half_now_o.value)
        other = self.other or {"op": 0, "a": 0, "r": rng.getrandbits(254), "digest": 0}
        digest = self.half["digest"] if first else other["digest"]
        dut.other_i.value = SCALAR_JOB.pack(op=other["op"], a=other["a"], r=other["r"], digest=digest)
        await ReadOnly()
        self.observe_lists(room, batch_room)
        self.observe_products(free)
        if self.job is self.listed:
            assert not int(dut.u_unit.r_q.value)  # r of the other client may be a secret
        self.observe_jobs(first)
        await FallingEdge(dut.clk_i)
        self.now += 1

    def answer_product(self, free: int) -> None:
        """Half products that are ready, otherwise noise."""
        high, low = self.rng.getrandbits(258), self.rng.getrandbits(258)
        part = next((p for p in self.products if p[0] <= self.now), None)
        if part:
            self.products.remove(part)
            _, high, low = part
        self.dut.share_i.value = SHARE_STATUS.pack(ready=free, done=part is not None, h=high, l=low)

    def observe_products(self, free: int) -> None:
        product = SHARE_REQUEST.unpack(int(self.dut.share_o.value))
        if free and product.valid:
            a, b = product.a, product.b
            self.products.append((self.now + LATENCY, (a >> 129) * (b >> 129), (a & LOW) * (b & LOW)))

    def observe_lists(self, room: int, batch_room: int) -> None:
        dut = self.dut
        pushed = LIST_PUSH.unpack(int(dut.list_o.value))
        valid, ended = pushed.valid, pushed.done
        if valid or ended:
            assert int(dut.list_ctx_o.value) == self.listed["ctx"]
            if valid & room:
                self.listed["entries"].append(pushed.entry)
        if ended:
            s0, s1, c, d = totals(self.listed["entries"])
            k = self.listed["digest"] % L
            assert d and (s0 + (s1 << 127) + d * self.listed["s"]) % L == 0 and (c - d * k) % L == 0
            self.lists += 1
        if int(dut.batch_valid_o.value):
            assert not valid and self.job["op"] == WEIGH
            if batch_room:
                self.job["entries"].append(pushed.entry)
        if int(dut.done_o.value) and self.job.get("op") == WEIGH:
            s0, s1, c, d = totals(self.job["entries"])
            assert not (s0 or s1) and d == -self.job["a"]
            assert (c + self.job["a"] * self.job["digest"]) % L == 0
            self.digits += 1

    def observe_jobs(self, first: int) -> None:
        dut = self.dut
        if int(dut.result_valid_o.value):
            op, k = self.job["op"], self.job["digest"] % L
            right = k if op == REDUCE else (self.job["r"] + k * self.job["a"]) % L
            assert op in (REDUCE, MUL_ADD) and int(dut.result_o.value) == right
            self.results += 1
        assert first == bool(self.half and not (self.turns and self.order[-1:] == ["half"]))
        if self.half and int(dut.half_ready_o.value) and first:
            self.job = self.listed = self.half
            self.half = None
            self.order.append("half")
        elif self.other and int(dut.other_ready_o.value):
            assert not first
            self.job, self.other = self.other, None
            self.order.append("other")


@cocotb.test()
async def random_jobs(dut) -> None:
    await begin(dut, edge=FallingEdge)
    bench = Bench(dut)
    while bench.lists < JOBS:
        await bench.cycle()
        assert bench.now < 200_000
    assert bench.results > JOBS * 5 // 12
    if bench.turns:
        assert bench.digits > 2
        assert all(a != b for a, b in zip(bench.order, bench.order[1:], strict=False))


@pytest.mark.parametrize(("turns", "jobs"), [
    (0, 5), *(pytest.param(turns, 12, marks=pytest.mark.long) for turns in (0, 1))])
def test_scalar_clients(turns: int, jobs: int) -> None:
    simbuild.run_cocotb("pm_edverify_scalar_clients", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Turns": turns}, depth=2, expect=1,
                        extra_env={"PM_JOBS": str(jobs)})
