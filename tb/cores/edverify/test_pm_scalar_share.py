# SPDX-License-Identifier: Apache-2.0
"""pm_scalar_share: lists and results right whoever asks, products and entries of the right engine, turns."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, Timer
from handshake import begin

from pointmill import simbuild

SOURCES = ["rtl/scalar/scalar.f", "rtl/seq/pm_delay.sv", "rtl/cores/edverify/pm_scalar_share.sv"]
INPUTS = ("clear_i", "half_valid_i", "half_spread_i", "half_s_i", "half_ctx_i", "other_valid_i", "other_op_i",
          "other_a_i", "other_r_i", "other_ctx_i", "digest_i", "mul_ready_i", "part_valid_i", "part_h_i", "part_l_i",
          "list_ready_i", "digits_i", "batch_ready_i")  # fmt: skip
L = 2**252 + 27742317777372353535851937790883648493
REDUCE, MUL_ADD, WEIGH = 1, 2, 3
CONTEXTS, JOBS, LATENCY = 4, 12, 5
LOW = 2**129 - 1


def totals(entries: list[int]) -> list[int]:
    """The multiple of each of the four points that a list adds."""
    sums = [0] * 4
    for word in entries:
        pos, kind, neg, idx = word >> 12, word >> 10 & 3, word >> 9 & 1, word & 0xFF
        sums[kind] += (1 - 2 * neg) * (2 * idx + 1) << pos
    return sums


class Bench:
    """Both clients, the multipliers and the lists of all engines."""

    def __init__(self, dut) -> None:
        self.dut, self.rng, self.now = dut, random.Random(1), 0
        self.engines, self.staged, self.turns = (
            int(getattr(dut, name).value) for name in ("Engines", "Staged", "Turns"))
        self.half: dict | None = None  # offered
        self.other: dict | None = None
        self.job: dict = {}  # in the unit
        self.listed: dict = {}  # whose entries come
        self.products: list[tuple[int, int, int, int]] = []  # cycle, engine, half products
        self.order: list[str] = []  # who was taken
        self.lists = self.results = self.digits = 0
        self.asked: set[int] = set()  # engines

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
        dut.half_valid_i.value, dut.other_valid_i.value = self.half is not None, self.other is not None
        if self.half:
            dut.half_ctx_i.value, dut.half_s_i.value = self.half["ctx"], self.half["s"]
        if self.other:
            dut.other_op_i.value, dut.other_ctx_i.value = self.other["op"], self.other["ctx"]
            dut.other_a_i.value, dut.other_r_i.value = self.other["a"], self.other["r"]
        dut.digits_i.value = self.job.get("op") == WEIGH
        dut.mul_ready_i.value = free = rng.getrandbits(self.engines)
        dut.list_ready_i.value = room = 2**self.engines - 1 if self.staged else rng.getrandbits(self.engines)
        dut.batch_ready_i.value = batch_room = rng.getrandbits(1)
        self.answer_product()
        await Timer(1, "ns")  # the digest follows half_now_o in the same cycle
        first = int(dut.half_now_o.value)
        dut.digest_i.value = (self.half if first else self.other or {"digest": 0})["digest"]
        await ReadOnly()
        self.observe_lists(room, batch_room)
        self.observe_products(free)
        self.observe_jobs(first)
        await FallingEdge(dut.clk_i)
        self.now += 1

    def answer_product(self) -> None:
        """Half products of the engine whose product is ready; noise of the others."""
        width = 258 * self.engines
        high, low = self.rng.getrandbits(width), self.rng.getrandbits(width)
        part = next((p for p in self.products if p[0] <= self.now), None)
        if part:
            self.products.remove(part)
            keep = ~((2**258 - 1) << 258 * part[1])
            high, low = high & keep | part[2] << 258 * part[1], low & keep | part[3] << 258 * part[1]
        self.dut.part_valid_i.value = 1 << part[1] if part else 0
        self.dut.part_h_i.value, self.dut.part_l_i.value = high, low

    def observe_products(self, free: int) -> None:
        asked = int(self.dut.mul_valid_o.value)
        if asked:
            engine = self.job["ctx"] % self.engines
            assert asked == 1 << engine
            if free & asked:
                a, b = int(self.dut.mul_a_o.value), int(self.dut.mul_b_o.value)
                self.products.append((self.now + LATENCY, engine, (a >> 129) * (b >> 129), (a & LOW) * (b & LOW)))
                self.asked.add(engine)

    def observe_lists(self, room: int, batch_room: int) -> None:
        dut = self.dut
        valid, ended = int(dut.list_valid_o.value), int(dut.list_done_o.value)
        if valid or ended:
            engine = self.listed["ctx"] % self.engines
            assert valid | ended == 1 << engine and int(dut.list_ctx_o.value) == self.listed["ctx"]
            if valid & room:
                self.listed["entries"].append(int(dut.list_entry_o.value))
        if ended:
            s0, s1, c, d = totals(self.listed["entries"])
            k = self.listed["digest"] % L
            assert d and (s0 + (s1 << 127) + d * self.listed["s"]) % L == 0 and (c - d * k) % L == 0
            self.lists += 1
        if int(dut.batch_valid_o.value):
            assert not valid and self.job["op"] == WEIGH
            if batch_room:
                self.job["entries"].append(int(dut.list_entry_o.value))
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
    await begin(dut, INPUTS, FallingEdge)
    bench = Bench(dut)
    while bench.lists < JOBS:
        await bench.cycle()
        assert bench.now < 200_000
    assert bench.results > 5 and bench.asked == set(range(bench.engines))
    if bench.turns:
        assert bench.digits > 2
        assert all(a != b for a, b in zip(bench.order, bench.order[1:], strict=False))


@pytest.mark.parametrize(("engines", "staged", "turns"), [
    (2, 1, 0), (1, 0, 1), pytest.param(2, 0, 0, marks=pytest.mark.long)])
def test_scalar_share(engines: int, staged: int, turns: int) -> None:
    simbuild.run_cocotb("pm_scalar_share", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Engines": engines, "Staged": staged, "Turns": turns},
                        expect=1)  # fmt: skip
