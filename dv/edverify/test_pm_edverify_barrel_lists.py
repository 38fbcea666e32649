# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_lists: lists of several contexts at once, and the program of each of their operations."""

from __future__ import annotations

import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import PACKAGES, entry, numbers, point
from pointmill import simbuild

SOURCES = [*PACKAGES, *(f"hw/{name}.sv" for name in (
    "lib/scalar/pm_list_walk", "edverify/rtl/pm_edverify_walk_program", "edverify/rtl/pm_edverify_barrel_lists"))]
CONTEXTS, LISTS = 3, 150
SETTLED = 6  # cycles between two steps of a context
Step = tuple[str, int | None]  # name of its program, its point


def random_list(rng: random.Random, cached: bool, tile: int) -> tuple[list[int], list[Step]]:
    """Entries in the order of their pushes, and the steps of the walk behind them."""
    found = sorted({(rng.randrange(25), kind) for kind in range(4) for _ in range(rng.randrange(9))},
                   key=lambda pair: (pair[0], -pair[1]))
    points = [(rng.randrange(2), rng.choice((0, rng.randrange(1, 4)))) for _ in found]
    names = ("g0", "g1", "a", "r")
    entries, steps = [], []
    for i, ((pos, kind), (neg, idx)) in enumerate(zip(found, points, strict=True)):
        more = i > 0 and found[i - 1][0] == pos  # read from the end
        entries.append(entry(pos, names[kind], neg, more, idx))
    at = None
    for (pos, kind), (neg, idx), packed in reversed(list(zip(found, points, entries, strict=True))):
        while at is not None and at > pos:
            at -= 1
            steps.append((f"{'Cached' * cached}Double{'T' * (at == pos)}", None))
        at = pos
        if cached:
            which = "AddFixed" if tile and kind < 2 else "Add"
        else:
            which = "AddFixed" if kind < 2 else ("Sub" if neg else "Add") + "First" * (idx == 0)
        after = "T" * (packed >> 8 & 1)
        steps.append((f"{'Cached' * cached}{which}{after}", point(names[kind], neg, idx)))
    steps += [(f"{'Cached' * cached}Double", None)] * (at or 0)
    steps.append(("CachedDone" if cached else "Done", None))
    return entries, steps


class Walk:
    """A context from cycle `due` on: what is left to push, its steps, and what its job is."""

    def __init__(self, rng: random.Random, machine: str, due: int = 0) -> None:
        self.tile = machine == "tile"
        self.cached = machine != "latency" and rng.random() < 0.3
        self.entries, self.steps = random_list(rng, self.cached, self.tile)
        self.cofactored, self.small_order = rng.getrandbits(1), rng.getrandbits(1)
        self.ready, self.due, self.at = False, due, 0
        self.current: int | None = None

    @property
    def program(self) -> Step:
        """What it goes on with."""
        if not self.ready:
            return "CachedDone" if self.cached and not self.tile else "Wait", None
        name, its = self.steps[self.at]
        if name == "Done":
            name += "Cofactored" if self.cofactored else "SmallOrder" if self.small_order else ""
        return name, its


@cocotb.test()
async def random_lists(dut) -> None:
    """Pushes, questions and steps of all contexts at random."""
    machine = "tile" if int(dut.Tile.value) else "latency" if int(dut.Scheduled.value) else "bulk"
    addresses = numbers(machine, "AtWalk")
    rng = random.Random(1)
    await begin(dut, edge=FallingEdge)
    walks = [Walk(rng, machine) for _ in range(CONTEXTS)]
    seen: Counter[str] = Counter()
    ended = now = asked = 0
    cleared: int | None = None
    while ended < LISTS:
        walk = walks[asked]
        known = now >= walk.due
        name, its = walk.program
        step = known and rng.random() < 0.7
        dut.dispatch_i.value = step
        dut.cached_i.value, dut.cofactored_i.value = walk.cached, walk.cofactored
        dut.small_order_i.value = walk.small_order
        following = rng.randrange(CONTEXTS)
        dut.next_ctx_i.value = following
        dut.clear_i.value = 0 if cleared is None else 1 << cleared
        pushing = rng.randrange(CONTEXTS)
        target = walks[pushing]
        push = bool(target.entries) and now >= target.due
        last = not target.entries and not target.ready and now >= target.due
        dut.push_valid_i.value, dut.done_i.value, dut.push_ctx_i.value = push, last, pushing
        dut.push_entry_i.value = target.entries[0] if push else rng.getrandbits(21)
        await ReadOnly()
        assert int(dut.push_ready_o.value)
        assert int(dut.ready_o.value) == sum(w.ready << c for c, w in enumerate(walks))
        if known:
            assert int(dut.addr_o.value) == addresses[name], (name, now)
            assert int(dut.adds_o.value) == (its is not None)
            assert int(dut.step_o.value) == (step and its is not None)
            if its is not None:
                assert int(dut.point_o.value) == its
            if walk.current is not None:
                assert int(dut.current_o.value) == walk.current
            seen[name] += 1
        clearing, cleared = cleared, None
        if step and walk.ready:
            if walk.at == len(walk.steps) - 1:
                ended += 1
                cleared = asked
            else:
                walk.current = its if its is not None else walk.current
                walk.at += 1
            walk.due = now + SETTLED
        if push:
            target.entries.pop(0)
        if last:
            target.ready, target.due = True, now + SETTLED
        asked = following
        await FallingEdge(dut.clk_i)
        now += 1
        assert now < 200_000
        if clearing is not None:
            walks[clearing] = Walk(rng, machine, now + SETTLED)
    assert seen.keys() == {name for name in addresses if machine != "latency" or not name.startswith("Cached")}
    assert min(seen.values()) > 3


@pytest.mark.parametrize("machine", ["bulk", "latency", "tile"])
def test_lists(machine: str) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_lists", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Scheduled": int(machine == "latency"),
                         "Tile": int(machine == "tile"), "AddrBits": 9 if machine == "latency" else 10},
                        expect=1)  # fmt: skip
