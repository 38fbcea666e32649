# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_tiles_keys: loads of all tiles at once, whole and abandoned; coordinates and look-ups against a model;
resets."""

from __future__ import annotations

import random
from collections import Counter

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild

TILES, KEYS = 3, 8
POINTS, COORDINATES = 64, 4
CYCLES = 24_000
PUT_BITS = 142  # of tile_put_t
TURN = 3  # a tile puts in one of so many cycles
SETTLE = 10  # cycles from a put to a value that is surely written
Entry = tuple[int, int, int]
"""Slot, point, coordinate."""


class Load:
    """A load under way: its coordinates, those of a point in any order."""

    def __init__(self, rng: random.Random, slot: int, key: int) -> None:
        self.slot, self.key = slot, key
        self.order = [(slot, point, c) for point in range(POINTS) for c in rng.sample(range(COORDINATES), COORDINATES)]
        self.stops = rng.choice((0, 0, 0, rng.randrange(1, POINTS * COORDINATES)))


class Link:
    """What a tile puts, by the cycle: the place of a coordinate and its parts."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.places: dict[int, int] = {}
        self.parts: dict[tuple[int, int], int] = {}

    def put(self, cycle: int, entry: Entry, last: bool, value: int) -> None:
        slot, point, coord = entry
        self.places[cycle] = ((1 << 3 | slot) << 6 | point) << 3 | coord << 1 | last
        for number, (at, width) in enumerate(((0, 65), (65, 64), (129, 65), (194, 64))):
            self.parts[cycle + number, number % 2] = value >> at & (1 << width) - 1

    def bits(self, cycle: int) -> int:
        """A tile_put_t; what is no part of a coordinate is random."""
        low, high = (self.parts.pop((cycle, lane), self.rng.getrandbits(65 - lane)) for lane in (0, 1))
        return self.places.pop(cycle, self.rng.getrandbits(12)) << 129 | high << 65 | low


@cocotb.test()
async def random_loads(dut) -> None:
    rng = random.Random(1)
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    links = [Link(rng) for _ in range(TILES)]
    loads: list[Load] = []
    complete: dict[int, int] = {}  # keys of valid slots
    latest: dict[int, int] = {}  # keys of the latest loads
    written: dict[Entry, tuple[int, int]] = {}  # value, and when it was put
    changed: dict[int, int] = {}  # when a slot last changed, or a key was asked for
    look, since = (0, 0), 0
    read: Entry = (0, 0, 0)
    seen: Counter[str] = Counter()
    for cycle in range(CYCLES):
        dut.begin_i.value = 0
        before, read = read, (rng.randrange(KEYS), rng.randrange(POINTS), rng.randrange(COORDINATES))
        dut.addr_i.value, dut.coord_i.value = read[0] << 6 | read[1], read[2]
        free = [slot for slot in range(KEYS) if slot not in {load.slot for load in loads}]
        if free and cycle > 20 and rng.random() < 0.01:
            slot, key = rng.choice(free), rng.getrandbits(256)
            loads.append(Load(rng, slot, key))
            latest[slot] = key
            complete.pop(slot, None)
            changed[slot] = cycle
            look, since = (slot, key), cycle
            dut.begin_i.value = 1
        elif rng.random() < 0.1:
            slot = rng.choice([*complete, *range(KEYS)])
            look, since = (slot, latest.get(slot, 0) ^ (rng.random() < 0.5) << rng.randrange(256)), cycle
        dut.slot_i.value, dut.a_i.value = look
        if cycle % TURN == 0:
            busy = rng.sample(loads, min(TILES, len(loads)))
            seen["at once"] += len(busy) == TILES
            for link, load in zip(links, busy):
                if load.stops and len(load.order) <= load.stops:
                    loads.remove(load)
                    seen["abandoned"] += 1
                    continue
                entry, value = load.order.pop(0), rng.getrandbits(258)
                written[entry] = value, cycle
                link.put(cycle, entry, not load.order, value)
                if not load.order:
                    loads.remove(load)
                    complete[load.slot], changed[load.slot] = load.key, cycle
                    seen["complete"] += 1
        dut.put_i.value = sum(link.bits(cycle) << PUT_BITS * tile for tile, link in enumerate(links))
        await ReadOnly()
        if before in written and written[before][1] < cycle - SETTLE:
            assert int(dut.value_o.value) == written[before][0], before
            seen["read"] += 1
        if cycle - max(since, changed.get(look[0], 0)) > SETTLE:
            hit = complete.get(look[0]) == look[1]
            assert bool(int(dut.hit_o.value)) == hit
            seen["hit" if hit else "early" if look[1] == latest.get(look[0]) else "miss"] += 1
        await FallingEdge(dut.clk_i)
    assert seen["complete"] > 20 and seen["abandoned"] > 3 and seen["at once"] > 1000
    assert seen["read"] > 4000 and min(seen["hit"], seen["early"], seen["miss"]) > 300


@cocotb.test()
async def reset_forgets(dut) -> None:
    """A reset in each cycle about the end of a load: its slot is not valid, and does not become so. It is slot 0, which
    links name after a reset."""
    rng, complete = random.Random(2), 0
    await handshake.begin(dut, edge=FallingEdge, count=1, after=0)
    for tile in range(TILES):
        for wait in range(2 * SETTLE):
            link = Link(rng)
            dut.begin_i.value, dut.a_i.value = 1, rng.getrandbits(256)
            await FallingEdge(dut.clk_i)
            dut.begin_i.value = 0
            link.put(0, (0, POINTS - 1, COORDINATES - 1), True, rng.getrandbits(258))
            for cycle in range(wait + SETTLE):
                dut.put_i.value = link.bits(cycle) << PUT_BITS * tile
                dut.rst_ni.value = cycle != wait
                complete += cycle == wait and int(dut.hit_o.value)
                await FallingEdge(dut.clk_i)
            assert int(dut.hit_o.value) == 0, (tile, wait)
    assert TILES < complete < TILES * 2 * SETTLE


def test_random_loads() -> None:
    modules = ("pm_edverify_tile_pkg", "pm_edverify_key_slots", "pm_edverify_tiles_keys")
    files = [*PACKAGES, "hw/lib/seq/pm_delay.sv", "hw/lib/seq/pm_regbank.sv", *(RTL / f"{name}.sv" for name in modules)]
    simbuild.run_cocotb("pm_edverify_tiles_keys", files, __name__, {"NumTiles": TILES, "Keys": KEYS}, expect=2)
