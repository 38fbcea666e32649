# SPDX-License-Identifier: Apache-2.0
"""pm_half_datapath over random words and loads: every first factor and all flags against integers."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import clocked
from pointmill import simbuild
from pointmill.ucode.machine import Machine, P

MACHINE = Machine("edverify", "tile")
BYPASS = int(os.environ.get("PM_BYPASS", "1"))
# Issue slots until a result can be read, at least.
LATENCY = {**Machine("x25519", "tile").latency, "mul": 8 if BYPASS else 9}
ISA = MACHINE.isa
TURN, CONTEXTS, STRIDE, CONSTANTS = 3, 7, 72, 7
BASE = {"sum": 0, "diff": 24, "mul": 40, "ext": 66 - CONSTANTS}
SIZE = {"sum": 24, "diff": 16, "mul": 26, "ext": CONSTANTS + 6}
FACTOR, FLAGS = 6, 35  # cycles from a word to its first factor, and until its flags are kept
# Cycles from the first word that may read a result to its writing.
SETTLE = {"sum": 4, "diff": 4, "mul": 7 if BYPASS else 4, "ext": 4}
WORDS = int(os.environ.get("PM_WORDS", "0"))
MASK = (1 << 129) - 1
EDGES = [0, 1, 2, P - 1, P, P + 1, 2 * P, 2**255 - 1, 2**255 + 2**140, MASK, MASK << 129, 1 << 129, 2**257, 4 * P,
         2**258 - 1, 2**258 - 2**129, (1 << 65) - 1, ((1 << 65) - 1) << 129,
         *(P - (1 << bit) for bit in (5, 40, 70, 140, 200))]  # fmt: skip

Place = tuple[int, str, int]  # context (of common values 0), bank, number


@dataclass
class Value:
    """A register: its value mod p and an inclusive bound of what it may hold."""

    residue: int
    bound: int


def address(place: Place) -> int:
    """Of a register in the memory of the datapath."""
    context, bank, number = place
    return CONTEXTS * STRIDE + number if bank == "ext" and number < CONSTANTS else (
        STRIDE * context + BASE[bank] + number)  # fmt: skip


class Bench:
    """Drives words and loads, and compares what can be seen with registers of integers."""

    def __init__(self, dut: HierarchyObject, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.cycle = 0
        self.seen: Counter[str] = Counter()
        self.factors: dict[int, Value] = {}  # by the cycle of their lower half
        self.halves: dict[int, int] = {}  # of operand_o by cycle
        self.flags: list[tuple[int, int] | None] = [None] * CONTEXTS  # None: nothing has set them
        self.registers: dict[Place, Value] = {}
        self.asked: int | None = None
        self.pending: list[tuple[int, Place, Value]] = []  # by the first cycle of words that read it
        self.written: dict[Place, int] = {}  # that cycle, of what was written
        self.coming: list[tuple[int, int, tuple[int, int]]] = []  # flags: cycle, context
        self.forget()

    def forget(self) -> None:
        """Nothing is under way; what was to be written holds nothing any more."""
        for place in {place for _, place, _ in self.pending} | {
                place for place, cycle in self.written.items() if cycle + SETTLE[place[1]] > self.cycle}:
            self.registers.pop(place, None)
        self.pending.clear()
        for _, context, _ in self.coming:  # they may just have come
            self.flags[context] = None
        self.coming.clear()
        self.load: tuple[Place, int, bool] | None = None  # what is offered
        self.offer_at = 0  # not before this cycle: words still read the old value
        self.factors.clear()

    def readable(self, place: Place) -> bool:
        return place in self.registers and all(place != other for _, other, _ in self.pending)

    def port(self, context: int, index: int, ext: int) -> tuple[int, Value]:
        """A read port field of a register that holds something, and its value."""
        held = [place for place in self.registers if place[0] == context and place[1] != "ext"]
        held += [place for place in [(context if ext >= CONSTANTS else 0, "ext", ext)] if place in self.registers]
        held = [place for place in held if self.readable(place)]
        new = [place for place in held if place[1] == "mul" and self.written.get(place, 0) > self.cycle - 2 * TURN]
        place = self.rng.choice(new if new and self.rng.random() < 0.5 else held)
        if place in new:
            self.seen["at once" if self.written[place] == self.cycle else "next"] += 1
        if place[1] == "ext":
            self.seen["external"] += 1
            return ISA.port("ext"), self.registers[place]
        number, indexed = place[2], False
        if self.rng.random() < 0.5 and number ^ index < SIZE[place[1]]:
            number, indexed = number ^ index, True
            self.seen["indexed"] += 1
        return ISA.port(place[1], number, indexed), self.registers[place]

    def draw(self, context: int, index: int, negative: bool) -> dict[str, int]:
        """A word that a program may contain, its effects entered into the model."""
        rng = self.rng
        ext = rng.randrange(SIZE["ext"])
        ports = {name: self.port(context, index, ext) for name in ("ra", "rb", "rx", "ry")}
        word = {name: code for name, (code, _) in ports.items()} | {"ext": ext}
        x, y = ports["rx"][1], ports["ry"][1]
        x2, y2 = rng.randrange(2), rng.randrange(2)
        results = {
            "sum": Value((x.residue << x2) + (y.residue << y2), (x.bound << x2) + (y.bound << y2)),
            "diff": Value((x.residue << x2) - (y.residue << y2), (x.bound << x2) + 4 * P),
        }
        legal = [name for name, value in results.items() if value.bound < MACHINE.factor_bound]
        if y.bound << y2 > 4 * P and "diff" in legal:
            legal.remove("diff")
        word |= {"x2": x2, "y2": y2}
        for name in legal:
            if rng.random() < 0.4:
                target = self.target(context, name)
                word |= {f"{name}_we": 1, f"{name}_rd": target}
                self.later(LATENCY[name], (context, name, target), results[name])
                self.seen[name] += 1
        chained = [({"sum": 1, "diff": 2}[name], results[name]) for name in legal]
        word["mul_a"], first = rng.choice([(0, ports["ra"][1]), *chained])
        if len(legal) == 2:
            chained.append((3, results["diff" if negative else "sum"]))
        word["mul_b"], second = rng.choice([(0, ports["rb"][1]), *chained])
        self.seen["signed"] += word["mul_b"] == 3
        self.factors[self.cycle + FACTOR] = first
        if rng.random() < 0.75:
            target, canon = self.target(context, "mul"), rng.random() < 0.3
            word |= {"mul_en": 1, "mul_canon": int(canon), "mul_rd": target}
            product = Value(first.residue * second.residue % P, MACHINE.product_bound - 1)
            self.later(LATENCY["mul"], (context, "mul", target), product)
            self.seen["product"] += 1
            if canon:
                self.coming.append((self.cycle + FLAGS, context, (int(product.residue == 0), product.residue & 1)))
                self.seen["flags"] += 1
        return word

    def target(self, context: int, bank: str) -> int:
        """A register for a result, none that is loaded."""
        loaded = {self.load[0]} if self.load else set()
        return self.rng.choice([n for n in range(SIZE[bank]) if (context, bank, n) not in loaded])

    def later(self, turns: int, place: Place, value: Value) -> None:
        self.pending.append((self.cycle + TURN * turns, place, value))

    def offer(self, chance: float = 0.3) -> None:
        """Offers halves of a register that no word writes, the lower one first."""
        dut, rng = self.dut, self.rng
        if self.load is None and rng.random() < chance:
            bank = rng.choice(list(SIZE))
            number = rng.randrange(SIZE[bank])
            common = bank == "ext" and number < CONSTANTS
            place = (0 if common else rng.randrange(CONTEXTS), bank, number)
            if all(place != other for _, other, _ in self.pending):
                self.registers.pop(place, None)
                value = rng.choice([*EDGES, rng.getrandbits(255), rng.getrandbits(255), rng.getrandbits(258)])
                self.load, self.offer_at = (place, value, False), self.cycle + 9
        self.offered = self.load is not None and self.cycle >= self.offer_at
        dut.load_valid_i.value = int(self.offered)
        if self.load is not None:
            place, value, upper = self.load
            dut.load_addr_i.value, dut.load_upper_i.value = address(place), int(upper)
            dut.load_data_i.value = value >> 129 if upper else value & MASK
        else:
            dut.load_upper_i.value, dut.load_data_i.value = rng.getrandbits(1), rng.getrandbits(129)

    def taken(self) -> None:
        """A half was taken."""
        assert self.load is not None
        place, value, upper = self.load
        self.load = None if upper else (place, value, True)
        if upper:
            self.registers[place] = Value(value, value)
            self.pending.append((self.cycle + 5, place, Value(value, value)))  # the upper half is written
            self.seen["loaded"] += 1

    def multiply(self, context: int, a: Place, b: Place) -> dict[str, int]:
        """A word that multiplies two registers, with flags, into register 0 of bank mul."""
        first, second = self.registers[a], self.registers[b]
        product = first.residue * second.residue % P
        self.factors[self.cycle + FACTOR] = first
        self.later(LATENCY["mul"], (context, "mul", 0), Value(product, MACHINE.product_bound - 1))
        self.coming.append((self.cycle + FLAGS, context, (int(product == 0), product & 1)))
        return {"ra": ISA.port(a[1], a[2]), "rb": ISA.port(b[1], b[2]), "mul_en": 1, "mul_canon": 1}

    async def step(self, words: bool = True, chance: float = 0.3, factors: tuple[Place, Place] | None = None) -> None:
        """One cycle; in that of a turn a random word, or none, or the product of `factors`."""
        dut, rng = self.dut, self.rng
        for entry in [entry for entry in self.pending if entry[0] <= self.cycle]:
            self.registers[entry[1]] = entry[2]
            self.written[entry[1]] = self.cycle
            self.pending.remove(entry)
        for entry in [entry for entry in self.coming if entry[0] < self.cycle]:
            self.flags[entry[1]] = entry[2]
            self.coming.remove(entry)
        turn = self.cycle % TURN == 0
        context, index, negative = rng.randrange(CONTEXTS), rng.randrange(8), rng.random() < 0.5
        word: dict[str, int] = {}
        if turn and words and rng.random() < 0.9 and any(
                place[0] == context and place[1] != "ext" and self.readable(place) for place in self.registers):
            word = self.draw(context, index, negative)
        if turn and factors:
            context = factors[0][0]
            word = self.multiply(context, *factors)
        dut.turn_i.value, dut.word_i.value, dut.ctx_i.value = int(turn), ISA.encode(word), context
        dut.index_i.value, dut.neg_i.value = index, int(negative)
        self.offer(chance)
        dut.flag_ctx_i.value = wanted = rng.randrange(CONTEXTS)
        await ReadOnly()
        if self.offered and int(dut.load_ready_o.value):
            self.taken()
        self.compare()
        if self.asked is not None and (flags := self.flags[self.asked]):
            assert (int(dut.flag_zero_o.value), int(dut.flag_odd_o.value)) == flags, self.cycle
            self.seen["zero"] += flags[0]
        self.asked = wanted
        self.cycle += 1
        await FallingEdge(dut.clk_i)

    def compare(self) -> None:
        """The first factor whose last part is on operand_o in this cycle."""
        self.halves[self.cycle] = int(self.dut.operand_o.value)
        begin = self.cycle - 3
        if (first := self.factors.pop(begin, None)) is not None:
            low, high = (self.halves[at] & (1 << 65) - 1 | self.halves[at + 1] >> 65 << 65 for at in (begin, begin + 2))
            operand = high << 129 | low
            assert operand % P == first.residue % P and operand <= first.bound, f"cycle {self.cycle}"
            self.seen["compared"] += 1

    async def reset(self) -> None:
        dut = self.dut
        for name in ("word_i", "ctx_i", "index_i", "neg_i", "load_valid_i", "turn_i", "flag_ctx_i"):
            getattr(dut, name).value = 0
        dut.rst_ni.value = 0
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        if self.load is not None:
            self.registers.pop(self.load[0], None)
        self.forget()
        self.asked = None
        self.cycle += TURN - self.cycle % TURN

    async def fill(self) -> None:
        """Loads until most registers hold something, or a fifth of them."""
        while len(self.registers) < (300 if WORDS >= 1000 else 100):
            await self.step(words=False, chance=1.0)


async def begin(dut: HierarchyObject, seed: int) -> Bench:
    clocked(dut)
    bench = Bench(dut, seed)
    await FallingEdge(dut.clk_i)
    await bench.reset()
    await bench.fill()
    return bench


@cocotb.test()
async def random_words(dut: HierarchyObject) -> None:
    """A word in nearly every turn, loads between: factors, flags, and at the end everything happened often."""
    bench = await begin(dut, 1)
    for _ in range(TURN * WORDS):
        await bench.step()
    for _ in range(TURN * 12):
        await bench.step(words=False, chance=0.0)
    # Of 4,000 words.
    least = {"compared": 3000, "product": 2000, "flags": 500, "sum": 500, "diff": 300, "signed": 200, "indexed": 3000,
             "external": 50, "loaded": 1000, "zero": 50, "at once": 100, "next": 100}  # fmt: skip
    assert all(4000 * bench.seen[what] >= WORDS * count for what, count in least.items()), bench.seen


@cocotb.test()
async def reset_in_the_middle(dut: HierarchyObject) -> None:
    """What is under way is lost; registers that nothing was to write keep their values."""
    bench = await begin(dut, 2)
    for _ in range(40):
        for _ in range(bench.rng.randrange(1, 60)):
            await bench.step()
        await bench.reset()
    assert bench.seen["compared"] > 200, bench.seen


@cocotb.test()
async def load_after_reset(dut: HierarchyObject) -> None:
    """What is loaded at once after a reset is not overwritten by the sum of a word before it."""
    bench = await begin(dut, 4)
    for number in range(SIZE["sum"]):
        place = (number % CONTEXTS, "sum", number)
        while bench.pending or bench.cycle % TURN:
            await bench.step(words=False, chance=0.0)
        word = {"rx": ISA.port("sum", 1), "ry": ISA.port("sum", 2), "sum_we": 1, "sum_rd": number}
        dut.turn_i.value, dut.word_i.value, dut.ctx_i.value = 1, ISA.encode(word), place[0]
        await FallingEdge(dut.clk_i)
        await bench.reset()
        bench.registers.pop(place, None)
        bench.load, bench.offer_at = (place, bench.rng.getrandbits(255), False), bench.cycle
        for _ in range(TURN * 5):
            await bench.step(words=False, chance=0.0)
        await bench.step(words=False, chance=0.0, factors=(place, place))
        for _ in range(TURN * 4):
            await bench.step(words=False, chance=0.0)
    assert bench.seen["compared"] == SIZE["sum"]


@cocotb.test()
async def edge_products(dut: HierarchyObject) -> None:
    """Products of edge values, one at a time, all or a fifth of them: flags, and what is stored."""
    bench = await begin(dut, 3)
    places = [(0, "sum", number) for number in range(len(EDGES))]
    for place, value in zip(places, EDGES, strict=True):
        bench.registers.pop(place, None)
        for upper in (False, True):
            bench.load, bench.offer_at = (place, value, upper), bench.cycle
            while bench.load is not None and bench.load[2] == upper:
                await bench.step(words=False, chance=0.0)
    pairs = list(itertools.product(places, repeat=2))[:: 1 if WORDS >= 1000 else 5]
    for a, b in pairs:
        while bench.pending or bench.coming or bench.cycle % TURN:
            await bench.step(words=False, chance=0.0)
        await bench.step(words=False, chance=0.0, factors=(a, b))
        for _ in range(TURN * 12 - 1):
            await bench.step(words=False, chance=0.0)
        await bench.step(words=False, chance=0.0, factors=((0, "mul", 0), a))
    assert bench.seen["compared"] >= 2 * len(pairs) - 1


@pytest.mark.parametrize("bypass", [0, 1])
@pytest.mark.parametrize("words", [500, *(pytest.param(words, marks=pytest.mark.long) for words in (1_000, 4_000))])
def test_random_words(words: int, bypass: int) -> None:
    simbuild.run_cocotb("pm_half_datapath", ["hw/lib/seq/seq.f"], __name__, {"Bypass": bypass}, expect=4,
                        extra_env={"PM_WORDS": str(words), "PM_BYPASS": str(bypass)},
                        build_dir="build/cocotb/test_pm_half_datapath")
