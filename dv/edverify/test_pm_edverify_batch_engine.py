# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_batch_engine: tables stored in turn by several contexts, lists of batches, sums that read their
points."""

from __future__ import annotations

import random
from collections import Counter

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import PACKAGES, entry, numbers, point
from pointmill import simbuild

SOURCES = [*PACKAGES, *(f"hw/{name}.sv" for name in (
    "lib/seq/pm_delay", "lib/scalar/pm_batch_lists", "edverify/rtl/pm_edverify_batch_program",
    "edverify/rtl/pm_edverify_batch_values",
    "edverify/rtl/pm_edverify_batch_engine"))]  # fmt: skip
CONTEXTS, SLOTS, MEMBERS, OPERAND, EXT = 3, 2, 2, 3, 2
NONE, PREPARE, SUM = 0, 1, 2
ROUNDS = 6
AT, EXTERNAL, STORE = (numbers("bulk", prefix) for prefix in ("AtSum", "Ext", "UnitStore"))
Value = tuple[int, str, str, int]  # place, coordinate, kind, index: of the tables


class Bench:
    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(1)
        self.table: dict[Value, int] = {}
        self.operands = [0] * OPERAND
        self.seen: Counter[str] = Counter()

    async def cycle(self, operand: int | None = None, **values: int) -> None:
        """The named inputs for one cycle; `operand` follows its word."""
        dut = self.dut
        self.operands.append(self.rng.getrandbits(258) if operand is None else operand)
        dut.operand_i.value = self.operands.pop(0)
        for name, value in values.items():
            getattr(dut, name).value = value
        await FallingEdge(dut.clk_i)
        for name in values:
            getattr(dut, name).value = 0

    async def start(self, context: int, batch: int, place: int) -> None:
        await self.cycle(start_i=1 << context, clear_i=0, start_ctx_i=context, batch_i=batch, place_i=place)

    async def prepare(self, places: list[int]) -> None:
        """Tables of two signatures, stored by words in random order."""
        owners = dict(zip(self.rng.sample(range(CONTEXTS), len(places)), places, strict=True))
        for context, place in owners.items():
            await self.start(context, PREPARE, place)
        words = [(context, coordinate, kind, idx) for context in owners for coordinate in STORE for kind in "ar"
                 for idx in range(4) if coordinate != "Z2" or idx]  # fmt: skip
        self.rng.shuffle(words)
        for context, coordinate, kind, idx in words:
            value = self.rng.getrandbits(258)
            self.table[owners[context], coordinate, kind, idx] = value
            await self.cycle(value, unit_start_i=1, ctx_i=context,
                             arg_i=STORE[coordinate] + 4 * (kind == "r") + idx)  # fmt: skip
            if self.rng.random() < 0.3:  # units of other numbers store nothing
                await self.cycle(unit_start_i=1, ctx_i=context, arg_i=self.rng.randrange(32))
        for _ in range(OPERAND + 1):
            await self.cycle()

    async def push(self, slot: int) -> list[tuple[int, str, int, int, int]]:
        """Random digits of a batch: position, kind, sign, index, place; no position twice."""
        digits = [(pos, self.rng.choice(("g0", "g1", "a", "r")), self.rng.getrandbits(1), self.rng.randrange(4),
                   slot * MEMBERS + self.rng.randrange(MEMBERS))
                  for pos in self.rng.sample(range(40), 20)]  # fmt: skip
        for pos, kind, neg, idx, place in digits:
            dut = self.dut
            dut.push_valid_i.value, dut.push_place_i.value = 1, place
            dut.push_entry_i.value = entry(pos, kind, neg, 0, idx)
            await ReadOnly()
            while not int(dut.push_ready_o.value):
                await FallingEdge(dut.clk_i)
                await ReadOnly()
            await FallingEdge(dut.clk_i)
            dut.push_valid_i.value = 0
        return sorted(digits, reverse=True)

    async def ask(self, context: int) -> int:
        """The program of the next operation, once it is known."""
        for _ in range(3 * 256 + 20):
            await self.cycle(next_ctx_i=context)
            await ReadOnly()
            assert int(self.dut.summing_o.value)
            address = int(self.dut.addr_o.value)
            await FallingEdge(self.dut.clk_i)
            if address != AT["Wait"]:
                return address
            self.seen["Wait"] += 1
        raise AssertionError("no operation")

    async def step(self, context: int, name: str) -> None:
        """It is `name`, and the context goes on to it."""
        assert await self.ask(context) == AT[name], name
        self.seen[name] += 1
        await self.cycle(next_ctx_i=context)
        await self.cycle(dispatch_i=1)
        for _ in range(6):
            await self.cycle()

    async def values(self, context: int, kind: str, neg: int, idx: int, place: int) -> None:
        """What the tables say of the present digit; of fixed points nothing."""
        dut = self.dut
        for external, number in EXTERNAL.items():
            await self.cycle(next_ctx_i=context)
            await self.cycle(select_i=number)
            for _ in range(EXT - 1):
                await self.cycle()
            await ReadOnly()
            coordinate = {"GYp": ("Yp", "Ym")[neg], "GYm": ("Ym", "Yp")[neg], "GT2d": "T2d", "GZ2": "Z2"}.get(external)
            hit = coordinate is not None and kind in "ar"
            assert int(dut.hit_o.value) == hit, external
            if hit and (coordinate != "Z2" or idx):
                assert int(dut.value_o.value) == self.table[place, coordinate, kind, idx]
                self.seen[external] += 1
            await FallingEdge(dut.clk_i)


@cocotb.test()
async def batches(dut) -> None:
    """Each slot is prepared, filled and summed several times, in any context."""
    await begin(dut, edge=FallingEdge)
    bench = Bench(dut)
    for turn in range(ROUNDS):
        slot = turn % SLOTS
        await bench.prepare([slot * MEMBERS + member for member in range(MEMBERS)])
        digits = await bench.push(slot)
        context = bench.rng.randrange(CONTEXTS)
        for other in range(CONTEXTS):
            if other != context:
                await bench.start(other, NONE, 0)
        await bench.start(context, SUM, slot * MEMBERS)
        at = None
        for pos, kind, neg, idx, place in digits:
            while at is not None and at > pos:
                at -= 1
                await bench.step(context, "DoubleT" if at == pos else "Double")
            at = pos
            await bench.step(context, "AddAffine" if kind in ("g0", "g1") or idx == 0 else "Add")
            await bench.cycle(next_ctx_i=context)
            await ReadOnly()
            assert int(dut.current_o.value) == point(kind, neg, idx)
            await FallingEdge(dut.clk_i)
            await bench.values(context, kind, neg, idx, place)
        for _ in range(at or 0):
            await bench.step(context, "Double")
        assert await bench.ask(context) == AT["Done"]
        for other in range(CONTEXTS):
            await bench.cycle(next_ctx_i=other)
            await ReadOnly()
            assert int(dut.summing_o.value) == (other == context)
            await FallingEdge(dut.clk_i)
        await bench.start(context, NONE, 0)
    # Two additions at a position, the T forms of an addition, are the affair of pm_batch_lists.
    assert {"Wait", "Double", "DoubleT", "AddAffine", "Add"} <= bench.seen.keys()
    assert all(bench.seen[name] > 20 for name in ("GYp", "GYm", "GT2d", "GZ2", "Add", "AddAffine"))


def test_batch_engine() -> None:
    simbuild.run_cocotb("pm_edverify_batch_engine", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Slots": SLOTS, "Members": MEMBERS, "OperandLatency": OPERAND,
                         "ExtLatency": EXT}, expect=1)  # fmt: skip
