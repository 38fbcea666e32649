# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_key_store: loads side by side, whole and abandoned; points and look-ups against a model."""

from __future__ import annotations

import random
from collections import Counter, deque

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

KEYS, CONTEXTS, PUT_LATENCY = 4, 3, 3
POINTS, COORDINATES = 64, 3
CYCLES = 12_000


class Load:
    """A load under way: coordinates of the points in the order in which they are put."""

    def __init__(self, rng: random.Random, slot: int, key: int) -> None:
        self.slot, self.key = slot, key
        self.order = [(i << 3 | j, c) for i in range(8) for j in reversed(range(8))
                      for c in rng.sample(range(COORDINATES), COORDINATES)]  # fmt: skip
        self.stops = rng.choice((None, None, None, rng.randrange(POINTS * COORDINATES)))


@cocotb.test()
async def random_loads(dut) -> None:
    rng = random.Random(1)
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    loads: dict[int, Load] = {}
    complete: dict[int, int] = {}  # keys of valid slots
    latest: dict[int, int] = {}  # keys of the latest loads
    written: dict[tuple[int, int, int], int] = {}
    values: deque[tuple[int, int, int] | None] = deque([None] * PUT_LATENCY)
    expected: list[int | None] | None = None
    look, still = (0, 0), 0  # what is looked up, and for how many cycles it has stood
    done: set[int] = set()  # contexts of which the last load is complete
    seen: Counter[str] = Counter()
    for _ in range(CYCLES):
        dut.begin_i.value = dut.put_i.value = 0
        ends: Load | None = None
        idle = [c for c in range(CONTEXTS) if c not in loads]
        slots = [s for s in range(KEYS) if s not in {load.slot for load in loads.values()}]
        begins = None
        if idle and rng.random() < 0.01:
            context, slot, key = rng.choice(idle), rng.choice(slots), rng.getrandbits(256)
            dut.begin_i.value, dut.begin_ctx_i.value = 1, context
            dut.begin_slot_i.value, dut.begin_a_i.value = slot, key
            begins = (context, Load(rng, slot, key))
        coming = None
        if loads and rng.random() < 0.7:
            context = rng.choice([*loads])
            load = loads[context]
            if load.stops is not None and len(load.order) <= load.stops:
                del loads[context]
                seen["abandoned"] += 1
            else:
                point, coordinate = load.order.pop(0)
                dut.put_i.value, dut.put_ctx_i.value, dut.put_coord_i.value = 1, context, coordinate
                coming = (load.slot, point, coordinate)
                if not load.order:
                    ends, ends_in = load, context
                    del loads[context]
        values.append(coming)
        arrives, value = values.popleft(), rng.getrandbits(255)
        dut.put_value_i.value = value
        read = (rng.randrange(KEYS), rng.randrange(POINTS))
        dut.slot_i.value, dut.point_i.value = read
        if rng.random() < 0.2:
            slot = rng.randrange(KEYS)
            known = latest.get(slot, 0)  # also where its load is not complete
            key = known ^ (rng.random() < 0.5) << rng.randrange(256)
            look, still = (slot, key), 0
        dut.look_slot_i.value, dut.look_a_i.value = look
        context = rng.randrange(CONTEXTS)
        dut.more_ctx_i.value = context
        await ReadOnly()
        if still >= 2:
            hit = complete.get(look[0]) == look[1]
            assert bool(int(dut.hit_o.value)) == hit
            seen["hit" if hit else "early" if look[1] == latest.get(look[0]) else "miss"] += 1
        if expected is not None:
            data = int(dut.point_o.value)
            for c, wanted in enumerate(expected):
                if wanted is not None:
                    assert data >> 255 * c & (1 << 255) - 1 == wanted
                    seen["read"] += 1
        if context in loads and len(loads[context].order) < 188:
            assert int(dut.more_tables_o.value) == 1
            seen["more"] += 1
        elif context in done and not (begins and begins[0] == context):
            assert int(dut.more_tables_o.value) == 0
            seen["no more"] += 1
        await FallingEdge(dut.clk_i)
        # The cycle's edge.
        expected = [written.get((*read, c)) for c in range(COORDINATES)]
        if arrives:
            written[arrives] = value
        before = dict(complete)
        if ends:
            complete[ends.slot] = ends.key
            done.add(ends_in)
            seen["complete"] += 1
        if begins:
            loads[begins[0]] = begins[1]
            done.discard(begins[0])
            complete.pop(begins[1].slot, None)
            latest[begins[1].slot] = begins[1].key
        still = still + 1 if complete == before else 0  # a change is seen two cycles later
    assert min(seen["more"], seen["no more"]) > 1000
    assert seen["complete"] > 20 and seen["abandoned"] > 3 and seen["read"] > CYCLES
    assert seen["hit"] > 300 and min(seen["early"], seen["miss"]) > 1000


def test_random_loads() -> None:
    rtl = "hw/edverify/rtl"
    simbuild.run_cocotb("pm_edverify_key_store", ["hw/lib/seq/seq.f", f"{rtl}/pm_edverify_key_slots.sv",
                                                  f"{rtl}/pm_edverify_key_store.sv"], __name__,
                        {"Keys": KEYS, "NumContexts": CONTEXTS, "PutLatency": PUT_LATENCY}, expect=1)
