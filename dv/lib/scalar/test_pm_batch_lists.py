# SPDX-License-Identifier: Apache-2.0
"""pm_batch_lists: batches filled, scanned and filled again in several slots at once, against plain Python."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from list_reference import Entry, Op, merge, walk
from naf_reference import L

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/scalar/pm_scalar_pkg.sv", "hw/lib/scalar/pm_batch_lists.sv"]
OPS = ("done", "double", "add")
CONTEXTS, SLOTS, MEMBERS = 3, 4, 4
BATCHES = int(os.environ.get("PM_BATCHES", "0"))
SEEDS = 4 if BATCHES >= 40 else 2
"""Benches with batches that are forgotten."""
SWEEP = 256 * SLOTS

Owned = tuple[int, Entry]  # member, digit


def honest(rng: random.Random) -> list[Owned]:
    """Digits of a batch of up to MEMBERS signatures, with those of G at the end."""
    digits = []
    for member in range(rng.randrange(1, MEMBERS + 1)):
        scalars = (0, 0, rng.randrange(L), rng.randrange(1, 2**128))
        digits += [(member, entry) for entry in merge(scalars)]
    s = rng.randrange(L)
    return digits + [(0, entry) for entry in merge((s % 2**127, s >> 127, 0, 0))]


def fullest() -> list[Owned]:
    """As many digits as scalars can have: of A at every fourth position, and so on."""
    digits = [(member, Entry(pos, kind, member % 2, 0, pos % 4))
              for member in range(MEMBERS) for kind, top in ((2, 253), (3, 129)) for pos in range(0, top, 4)]
    digits += [(0, Entry(pos, kind, 0, 0, pos)) for kind in (0, 1) for pos in range(0, 130, 10)]
    assert len(digits) == 97 * MEMBERS + 26
    return digits


def odd(rng: random.Random) -> list[Owned]:
    """Nothing, one digit, the most that fit, or honest digits in any order."""
    kind = rng.randrange(4)
    if kind == 0:
        return []
    if kind == 1:
        return [(rng.randrange(MEMBERS), Entry(rng.randrange(255), rng.randrange(4), 1, 0, 3))]
    digits = fullest() if kind == 2 else honest(rng)
    rng.shuffle(digits)
    return digits


def expected(digits: list[Owned]) -> list[tuple[Op, int]]:
    """The walk with the member of each addition: of a position, what came last comes first."""
    by_pos: dict[int, list[Owned]] = {}
    for member, entry in digits:
        by_pos.setdefault(entry.pos, []).append((member, entry))
    ordered = [owned for pos in sorted(by_pos) for owned in by_pos[pos]]
    owners = [member for member, _ in reversed(ordered)]
    ops = walk([entry for _, entry in ordered])
    return [(op, owners.pop(0) if op.op == "add" else 0) for op in ops]


@dataclass
class Slot:
    """A batch on its way: what is still to be pushed, its walk, and who walks."""

    todo: list[Owned]
    ops: list[tuple[Op, int]] = field(default_factory=list)
    context: int | None = None
    at: int = 0
    due: int = 0  # earliest cycle of the next step
    point: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.ops = expected(self.todo)
        self.todo = list(self.todo)


async def reset(dut) -> None:
    await handshake.begin(dut, edge=FallingEdge, count=2, after=0)


class Bench:
    """All slots at once: each cycle a push, a question and its step, and at times a walk that starts."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng, self.cycle, self.done = dut, rng, 0, 0
        self.slots = [Slot(honest(rng)) for _ in range(SLOTS)]
        self.asked: int | None = None
        self.in_vain = 0

    async def turn(self) -> None:
        dut, rng = self.dut, self.rng
        walks = {slot.context: slot for slot in self.slots if slot.context is not None}
        current, places = int(dut.current_o.value), int(dut.place_o.value)
        for context, slot in walks.items():
            if slot.point:
                assert slot.point == (current >> 11 * context & 0x7FF, places >> 4 * context & 15)
        dut.step_i.value = 0
        if (slot := walks.get(self.asked)) and self.cycle >= slot.due:
            self.answer(slot)
        self.asked = rng.randrange(CONTEXTS)
        dut.ctx_i.value = self.asked
        loading = [i for i, slot in enumerate(self.slots) if slot.todo]
        dut.push_valid_i.value = 0
        if loading and rng.random() < 0.9:
            number = rng.choice(loading)
            member, entry = self.slots[number].todo[0]
            dut.push_valid_i.value = 1
            dut.push_place_i.value = number << 2 | member
            dut.push_entry_i.value = entry.packed()
            if int(dut.push_ready_o.value):
                self.slots[number].todo.pop(0)
        dut.init_i.value = 0
        full = [i for i, slot in enumerate(self.slots) if not slot.todo and slot.context is None]
        free = [c for c in range(CONTEXTS) if c not in walks]
        if full and free and rng.random() < 0.01:
            # A digit taken in the cycle before is not in its list for three cycles.
            number = full[0]
            if self.slots[number].due == 0:
                self.slots[number].due = self.cycle + 4
            if self.cycle >= self.slots[number].due:
                slot = self.slots[number]
                slot.context, slot.due = rng.choice(free), self.cycle + 3
                dut.init_i.value = 1 << slot.context
                dut.init_slot_i.value = number
        await FallingEdge(dut.clk_i)
        self.cycle += 1

    def answer(self, slot: Slot) -> None:
        """What the unit says about the context asked a cycle ago; a step if it knows."""
        dut = self.dut
        op = OPS[int(dut.op_o.value)]
        if not int(dut.started_o.value):
            assert op == "done"
            dut.step_i.value = 1  # in vain
            self.in_vain += 1
        elif slot.at == len(slot.ops):
            assert op == "done"
            self.done += 1
            number = self.slots.index(slot)
            maker = odd if self.rng.random() < 0.4 else honest
            self.slots[number] = Slot(maker(self.rng))
        else:
            right, member = slot.ops[slot.at]
            point = int(dut.point_o.value) if op == "add" else 0
            shown = Op(op, int(dut.need_t_o.value), point >> 9, point >> 8 & 1, point & 0xFF)
            assert shown == right, (slot.at, self.cycle)
            if op == "add":
                mine = right.kind < 2
                place = int(dut.place_o.value) >> 4 * slot.context & 3 if mine else member
                slot.point = (point, self.slots.index(slot) << 2 | place)
            dut.step_i.value = 1
            slot.at, slot.due = slot.at + 1, self.cycle + 3
            if op == "add" and mine:
                slot.point = None  # of multiples of G the member means nothing


@cocotb.test()
async def batches_in_all_slots(dut) -> None:
    """Every walk is that of the reference; a slot is filled again after its walk."""
    await reset(dut)
    bench = Bench(dut, random.Random(1))
    while bench.done < BATCHES:
        await bench.turn()
        assert bench.cycle < 200_000
    assert bench.in_vain > 2.5 * BATCHES


@cocotb.test()
async def forgotten_batches_leave_nothing(dut) -> None:
    """forget_i with lists half full and walks under way: no push for a while, then as new."""
    await reset(dut)
    filling = walking = 0
    for seed in range(SEEDS):
        bench = Bench(dut, random.Random(10 + seed))
        for _ in range(SWEEP + 1_800 + 400 * seed):
            await bench.turn()
        filling += any(slot.todo for slot in bench.slots)
        walking += any(slot.context is not None for slot in bench.slots)
        for name in ("push_valid_i", "init_i", "step_i"):
            getattr(dut, name).value = 0
        await handshake.pulse(dut, "forget_i", edge=FallingEdge)
        for _ in range(SWEEP):
            assert int(dut.push_ready_o.value) == 0
            await FallingEdge(dut.clk_i)
        assert int(dut.push_ready_o.value) == 1
    assert filling > SEEDS // 4 and walking > SEEDS // 2


@cocotb.test()
async def times(dut) -> None:
    """Cycles of a push, from the start of a walk to its first operation, and from a step to the next."""
    await reset(dut)
    await handshake.cycles(dut, SWEEP, FallingEdge)
    for top in (254, 200, 3, 0):
        dut.push_valid_i.value = 1
        dut.push_place_i.value = 1 << 2 | 3
        dut.push_entry_i.value = Entry(top, 2, 1, 0, 2).packed()
        ready = []
        for _ in range(3):
            ready.append(int(dut.push_ready_o.value))
            await FallingEdge(dut.clk_i)
        assert ready == [1, 0, 0]
        dut.push_valid_i.value = 0
        dut.init_i.value, dut.init_slot_i.value, dut.ctx_i.value = 2, 1, 1
        await FallingEdge(dut.clk_i)
        dut.init_i.value = 0
        cycles = 0
        while not int(dut.started_o.value):
            await FallingEdge(dut.clk_i)
            cycles += 1
        assert cycles == 3 * (256 - top) + 1
        for step in range(top + 1):
            assert OPS[int(dut.op_o.value)] == ("double" if step else "add")
            await handshake.pulse(dut, "step_i", edge=FallingEdge)
            cycles = 0
            await FallingEdge(dut.clk_i)
            while not int(dut.started_o.value):
                await FallingEdge(dut.clk_i)
                cycles += 1
            assert cycles == 3
        assert OPS[int(dut.op_o.value)] == "done"
        await handshake.pulse(dut, "clear_i", 2, FallingEdge)
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        assert int(dut.started_o.value) == 0


@pytest.mark.parametrize("batches", [12, pytest.param(40, marks=pytest.mark.long)])
def test_pm_batch_lists(batches: int) -> None:
    simbuild.run_cocotb("pm_batch_lists", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Slots": SLOTS, "Members": MEMBERS}, expect=3,
                        extra_env={"PM_BATCHES": str(batches)})
