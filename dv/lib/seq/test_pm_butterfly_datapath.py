# SPDX-License-Identifier: Apache-2.0
"""pm_butterfly_datapath in lock-step with a model of its banks and flags over random words."""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from dataclasses import dataclass, field

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild
from pointmill.ucode.machine import Machine, P

MACHINE = Machine("edverify", "throughput")
ISA = MACHINE.isa
SIZE = 1 << ISA.register_bits
SOURCES = ["hw/lib/prim/prim.f", "hw/lib/field/field.f", "hw/lib/seq/seq.f"]
READ_LATENCY = int(os.environ.get("PM_READ_LATENCY", "0"))  # cycles from a word to its operands
STAGES = int(os.environ.get("PM_STAGES", "0"))  # from a word to its factors
SCALE_LATENCY = int(os.environ.get("PM_SCALE_LATENCY", "0"))  # of all sums; 0: nothing is scaled
PART_LATENCY = 4  # from factors to half products
PRODUCT_LATENCY = Machine().latency["mul"]  # and until a product can be read
DIFF_SIZE = int(os.environ.get("PM_DIFF_SIZE", str(SIZE)))  # registers of bank diff
FLAG_DEPTH = 4
CYCLES = int(os.environ.get("PM_CYCLES", "0"))
LEAST = CYCLES // 20  # how often everything must have happened
EXTERNALS = [0, 1, 2, P - 1, P, P + 1, 2**255 - 1]


@dataclass
class Value:
    """A register: its value mod p and an inclusive bound of what it may hold."""

    residue: int
    bound: int


@dataclass
class Model:
    """Registers by (context, bank, number), flags by context, and what is under way.

    The difference that a word of cycle c stores is written in cycle c + STAGES, and is there for words of the next
    one; the sum in cycle c + STAGES + SCALE_LATENCY."""

    contexts: int
    registers: dict[tuple[int, str, int], Value] = field(default_factory=dict)
    flags: list[list[tuple[int, int]]] = field(default_factory=list)
    pending: dict[int, list] = field(default_factory=dict)
    parts: dict[int, tuple[int, int]] = field(default_factory=dict)

    def reset(self) -> None:
        """What is under way is lost, registers are not."""
        self.pending.clear()
        self.parts.clear()
        self.flags = [[(0, 0)] * FLAG_DEPTH for _ in range(self.contexts)]

    def land(self, cycle: int) -> None:
        """Make visible what can be read from this cycle on."""
        for place, value, canon in self.pending.pop(cycle, []):
            self.registers[place] = value
            if canon:
                flag = (int(value.residue == 0), value.residue & 1)
                self.flags[place[0]] = [flag, *self.flags[place[0]][:-1]]

    def write(self, cycle: int, place, value: Value, canon: bool = False) -> None:
        """`cycle`: the one after that of the write, when flags can be seen."""
        self.pending.setdefault(cycle, []).append((place, value, canon))


class Words:
    """Draws words that a program may contain, and carries them out on the model."""

    def __init__(self, rng: random.Random, model: Model) -> None:
        self.rng, self.model = rng, model
        self.seen: Counter[str] = Counter()

    def port(self, context: int, external: int, index: int) -> tuple[int, Value]:
        """A read port field of a register that holds something, and its value."""
        held = [place for place in self.model.registers if place[0] == context]
        if not held or self.rng.random() < 0.15:
            return ISA.port("ext"), Value(external % P, 2**255 - 1)
        place = self.rng.choice(held)
        number, indexed = place[2], False
        if self.rng.random() < 0.5:
            number, indexed = number ^ index, True
            self.seen["indexed"] += 1
        return ISA.port(place[1], number, indexed), self.model.registers[place]

    def draw(self, cycle: int, context: int, external: int, index: int,
             negative: bool) -> tuple[dict, Value]:  # fmt: skip
        """A word, its effects entered into the model; and the value of its first factor."""
        rng, model, word = self.rng, self.model, {}
        ports = {name: self.port(context, external, index) for name in ("ra", "rb", "rx", "ry")}
        word |= {name: code for name, (code, _) in ports.items()}
        x, y = ports["rx"][1], ports["ry"][1]
        x2, y2 = rng.randrange(2), rng.randrange(2)
        total = Value((x.residue * (1 + x2) + y.residue * (1 + y2)) % P,
                      (x.bound << x2) + (y.bound << y2))  # fmt: skip
        difference = Value((x.residue * (1 + x2) - y.residue * (1 + y2)) % P,
                           (x.bound << x2) + 4 * P)  # fmt: skip
        word |= {"x2": x2, "y2": y2}
        chained = []  # results of this cycle that may be factors, and their codes
        legal = {"sum": total.bound < MACHINE.factor_bound,
                 "diff": difference.bound < MACHINE.factor_bound and y.bound << y2 <= 4 * P}
        scaled = Value(difference.residue * MACHINE.scale % P, MACHINE.scaled_bound - 1)
        for number, (part, value) in enumerate((("sum", total), ("diff", difference)), 1):
            if rng.random() < 0.4 and (legal[part] or (SCALE_LATENCY and legal["diff"])):
                stored, when = value, cycle + 1 + STAGES
                if part == "sum":
                    when = cycle + 1 + STAGES + SCALE_LATENCY
                    if SCALE_LATENCY and legal["diff"] and (not legal[part] or rng.random() < 0.5):
                        stored, word["scaled"] = scaled, 1
                        self.seen["scaled"] += 1
                if stored is scaled or legal[part]:
                    target = rng.randrange(DIFF_SIZE if part == "diff" else SIZE)
                    word |= {f"{part}_we": 1, f"{part}_rd": target}
                    model.write(when, (context, part, target), stored)
                    self.seen[part] += 1
            if legal[part]:
                chained.append((number, value))
        word["mul_a"], first = rng.choice([(0, ports["ra"][1]), *chained])
        if all(legal.values()):
            chained.append((3, difference if negative else total))
        word["mul_b"], second = rng.choice([(0, ports["rb"][1]), *chained])
        self.seen["signed"] += word["mul_b"] == 3
        canon = rng.random() < 0.25
        if rng.random() < 0.75:
            target = rng.randrange(SIZE)
            word |= {"mul_en": 1, "mul_canon": int(canon), "mul_rd": target}
            bound = P - 1 if canon else MACHINE.product_bound - 1
            product = Value(first.residue * second.residue % P, bound)
            model.write(cycle + STAGES + PRODUCT_LATENCY, (context, "mul", target), product, canon)
            self.seen["canonical" if canon else "product"] += 1
        return word, first


class Bench:
    """Drives a word a cycle and compares what can be seen."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.rng = dut, random.Random(seed)
        self.contexts = len(dut.odd_o)
        self.model = Model(self.contexts)
        self.words = Words(self.rng, self.model)
        self.cycle = 0
        self.empty_pipeline()

    def empty_pipeline(self) -> None:
        """No word lies between its issue and its factors."""
        self.externals: deque[int] = deque([0] * READ_LATENCY)
        self.factors: deque[tuple[bool, Value | None]] = deque([(False, None)] * STAGES)

    async def reset(self) -> None:
        dut = self.dut
        for name in ("word_i", "ctx_i", "index_i", "neg_i", "ext_i", "share_valid_i", "share_a_i"):
            getattr(dut, name).value = 0
        await handshake.reset(dut, FallingEdge)
        self.model.reset()
        self.empty_pipeline()
        self.looked_up = None  # context whose flags were asked for in the last cycle
        self.cycle += 1

    def share(self, busy: bool) -> None:
        """Offer a product of the side unit in some cycles; it is taken where no word has one."""
        dut, rng = self.dut, self.rng
        offered = rng.random() < 0.4
        a, b = rng.getrandbits(258), rng.getrandbits(258)
        dut.share_valid_i.value, dut.share_a_i.value, dut.share_b_i.value = offered, a, b
        if offered and not busy:
            half = (1 << 129) - 1
            self.model.parts[self.cycle + PART_LATENCY] = (
                (a >> 129) * (b >> 129), (a & half) * (b & half))  # fmt: skip
            self.words.seen["shared"] += 1
        self.offered = offered

    async def step(self, word: dict[str, int] | None = None, context: int | None = None,
                   first: Value | None = None) -> None:  # fmt: skip
        """A random word, or the given one without effects, for one cycle; `first` is what its first
        factor must be."""
        dut, rng, model = self.dut, self.rng, self.model
        model.land(self.cycle)
        context = rng.randrange(self.contexts) if context is None else context
        external, index = rng.choice([*EXTERNALS, rng.getrandbits(255)]), rng.randrange(8)
        negative = rng.random() < 0.5
        if word is None:
            word, first = self.words.draw(self.cycle, context, external, index, negative)
        self.externals.append(external)
        self.factors.append((bool(word.get("mul_en")), first))
        busy, first = self.factors.popleft()
        dut.word_i.value, dut.ctx_i.value = ISA.encode(word), context
        dut.index_i.value, dut.neg_i.value = index, negative
        dut.ext_i.value = self.externals.popleft()
        dut.flag_ctx_i.value = wanted = rng.randrange(self.contexts)
        self.share(busy)
        await ReadOnly()
        if first is not None:
            self.compare(int(dut.operand_o.value), first)
        assert int(dut.share_ready_o.value) == (not busy)
        assert int(dut.mul_issue_o.value) == (busy or self.offered)
        self.compare_flags()
        part = model.parts.pop(self.cycle, None)
        assert int(dut.share_part_valid_o.value) == (part is not None)
        if part:
            assert (int(dut.share_h_o.value), int(dut.share_l_o.value)) == part
        self.looked_up = wanted
        self.cycle += 1
        await FallingEdge(dut.clk_i)

    def compare(self, operand: int, value: Value) -> None:
        assert operand % P == value.residue, f"cycle {self.cycle}"
        assert operand <= value.bound, f"cycle {self.cycle}"

    def compare_flags(self) -> None:
        zero, odd = int(self.dut.zero_o.value), int(self.dut.odd_o.value)
        for c, flags in enumerate(self.model.flags):
            assert [zero >> (FLAG_DEPTH * c + i) & 1 for i in range(FLAG_DEPTH)] == [
                flag[0] for flag in flags
            ], f"cycle {self.cycle}"
            assert odd >> c & 1 == flags[0][1], f"cycle {self.cycle}"
        if self.looked_up is not None:
            latest = (int(self.dut.flag_zero_o.value), int(self.dut.flag_odd_o.value))
            assert latest == self.model.flags[self.looked_up][0], f"cycle {self.cycle}, looked up"

    async def read_all(self) -> int:
        """Compare every register that holds something; how many."""
        for _ in range(STAGES + PRODUCT_LATENCY + 1):
            await self.step({})
        for (context, bank, number), value in list(self.model.registers.items()):
            await self.step({"ra": ISA.port(bank, number)}, context, value)
        for _ in range(STAGES):
            await self.step({})
        return len(self.model.registers)


async def begin(dut, seed: int) -> Bench:
    handshake.clocked(dut)
    bench = Bench(dut, seed)
    await FallingEdge(dut.clk_i)
    await bench.reset()
    return bench


@cocotb.test()
async def random_words(dut) -> None:
    """A word in every cycle: factors, flags and half products each cycle, all registers at the
    end."""
    bench = await begin(dut, 1)
    zeros = 0
    for _ in range(CYCLES):
        await bench.step()
        zeros += any(flags[0][0] for flags in bench.model.flags)
    assert await bench.read_all() == (2 * SIZE + DIFF_SIZE) * bench.contexts
    seen = bench.words.seen
    scaled = ("scaled",) if SCALE_LATENCY else ()
    assert all(seen[what] > LEAST for what in ("indexed", "sum", "diff", "signed", *scaled,
               "canonical", "product", "shared")), seen  # fmt: skip
    assert zeros > CYCLES // 250


@cocotb.test()
async def reset_in_the_middle(dut) -> None:
    """Registers keep their values; products under way are lost; flags are cleared."""
    bench = await begin(dut, 2)
    for _ in range(40):
        for _ in range(bench.rng.randrange(1, 23 + STAGES + PRODUCT_LATENCY)):
            await bench.step()
        bench.model.land(bench.cycle)
        await bench.reset()
        bench.compare_flags()
    assert await bench.read_all() > SIZE


def lock_step(contexts: int, read_reg: int, sum_reg: int, scale_stages: int = 0, cycles: int = 5_000) -> None:
    params = {"NumContexts": contexts, "IndexBits": 3, "ReadReg": read_reg, "SumReg": sum_reg,
              "ScaleStages": scale_stages, "DiffBits": 4 if read_reg else 5}  # fmt: skip
    simbuild.run_cocotb("pm_butterfly_datapath", SOURCES, __name__, params, expect=2,
                        extra_env={"PM_READ_LATENCY": str(read_reg), "PM_STAGES": str(read_reg + sum_reg),
                                   "PM_SCALE_LATENCY": str(scale_stages), "PM_CYCLES": str(cycles),
                                   "PM_DIFF_SIZE": str(1 << params["DiffBits"])},
                        build_dir="build/cocotb/test_pm_butterfly_datapath/"
                                  f"{contexts}-{read_reg}-{sum_reg}-{scale_stages}")


@pytest.mark.parametrize(("contexts", "cycles"), [
    (1, 1_500), pytest.param(1, 5_000, marks=pytest.mark.long), pytest.param(2, 5_000, marks=pytest.mark.long)])
def test_lock_step(contexts: int, cycles: int) -> None:
    lock_step(contexts, 0, 0, cycles=cycles)


@pytest.mark.parametrize(("contexts", "read_reg", "sum_reg", "scale_stages"), [
    pytest.param(2, 1, 1, 4, marks=pytest.mark.long), pytest.param(1, 1, 0, 0, marks=pytest.mark.long),
    pytest.param(1, 0, 1, 2, marks=pytest.mark.long)])
def test_stages(contexts: int, read_reg: int, sum_reg: int, scale_stages: int) -> None:
    """With a register behind the banks, one before the multiplier, and scaled differences."""
    lock_step(contexts, read_reg, sum_reg, scale_stages)
