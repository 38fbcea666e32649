# SPDX-License-Identifier: Apache-2.0
"""pm_sequencer, one to twelve contexts, in lock-step with a reference over random programs."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from dataclasses import dataclass, field

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild
from pointmill.ucode.machine import Isa

ISA = Isa()
ADDRESS_BITS = 7
SIZE = 1 << ADDRESS_BITS
SOURCES = ["hw/lib/seq/pm_ucode_pkg.sv", "hw/lib/seq/pm_sequencer.sv"]
CYCLES = int(os.environ.get("PM_CYCLES", "0"))
PACE = pytest.mark.parametrize("cycles", [2_000, pytest.param(6_000, marks=pytest.mark.long)])
"""What a run of random programs takes."""
PUBLIC = 0x0F0F_5A03
"""Conditions that secret contexts may look at."""
GUARDED = {ISA.control[name] for name in ("branch", "wait", "finish")}


def depends_on_data(word: dict[str, int]) -> bool:
    """Whether the guard refuses a word to a secret context."""
    return word["ctl_op"] == ISA.control["dispatch"] or (word["ctl_op"] in GUARDED
                                                         and not PUBLIC >> word["ctl_cond"] & 1)


# ---- reference ----------------------------------------------------------------------------------


@dataclass
class Context:
    """What the definition of the microinstruction says of one context."""

    running: bool = False
    address: int = 0
    due: int = 0  # first cycle in which the next word may be issued
    count: int = 0
    words: int = 0  # issued since its start


@dataclass
class Effects:
    """Pulses of a word."""

    start: bool = False
    dispatch: bool = False
    finish: bool = False


@dataclass
class Reference:
    """All contexts. `rom` holds field values by address; `delay` counts `turn` cycles, `flag_turns` more of them after
    a word with flags."""

    contexts: list[Context]
    rom: list[dict[str, int]]
    spacing: int = 1
    turn: int = 1
    flag_turns: int = 0
    last: int = 0
    seen: Counter = field(default_factory=Counter)

    def chosen(self, cycle: int) -> int | None:
        """The context that issues in this cycle: the first one due after the last that issued."""
        n = len(self.contexts)
        for step in range(1, n + 1):
            candidate = (self.last + step) % n
            context = self.contexts[candidate]
            if context.running and context.due <= cycle:
                return candidate
        return None

    def issue(self, number: int, cycle: int, conditions: int, target: int) -> Effects:
        """Carry out the word of context `number`."""
        context = self.contexts[number]
        word = self.rom[context.address]
        name = {v: k for k, v in ISA.control.items()}.get(word["ctl_op"], "next")
        holds = (conditions >> word["ctl_cond"] & 1) != word["ctl_inv"]
        following = (context.address + 1) % SIZE
        delay = self.turn * (word["delay"] + 1 + self.flag_turns * word["mul_canon"])
        if name == "branch" and holds:
            following = word["ctl_arg"] % SIZE
        elif name == "loop_set":
            context.count = word["ctl_arg"]
        elif name == "loop_end":
            if context.count != 1:
                following = word["ctl_arg"] % SIZE
            context.count = (context.count - 1) % 1024
        elif name == "wait" and not holds:
            following, delay = context.address, 1
        elif name == "dispatch":
            following = target
        finish = name == "finish" and holds
        self.seen[name, bool(holds)] += 1
        self.last = number
        context.address, context.due = following, cycle + max(delay, self.spacing)
        context.running = not finish
        context.words += 1
        return Effects(name == "start", name == "dispatch", finish)


def random_program(rng: random.Random) -> list[dict[str, int]]:
    """Words of all kinds; forward control flow is as likely as loops, ends are rare."""
    names = rng.choices(
        list(ISA.control), weights=[6, 4, 1, 3, 2, 1, 2, rng.choice((0.2, 1))], k=SIZE)
    words = []
    for name in names:
        word = {n: rng.getrandbits(f.width) for n, f in ISA.fields.items()}
        word["ctl_op"] = ISA.control[name]
        word["ctl_cond"] = rng.randrange(32)
        word["ctl_arg"] = rng.randrange(1, 6) if name == "loop_set" else rng.getrandbits(10)
        word["delay"] = rng.choice((0, 0, 0, 1, 2, rng.randrange(16)))
        words.append(word)
    return words


# ---- bench --------------------------------------------------------------------------------------


def mask(bits: list[bool]) -> int:
    return sum(bit << i for i, bit in enumerate(bits))


class Bench:
    """Plays ROM, conditions and walker, and compares every cycle."""

    def __init__(self, dut, seed: int) -> None:
        self.dut = dut
        self.rng = random.Random(seed)
        self.n = len(dut.start_i)
        self.spacing = int(os.environ.get("PM_SPACING", "1"))
        self.seen: Counter = Counter()
        self.issued: Counter = Counter()
        self.cleared = 0
        self.hold = 0.0  # how often a cycle is asked to go without a word
        self.held = 0
        self.secret = 0  # contexts that work on secrets
        self.violations = 0
        self.cycle = 0
        self.announced = 0  # next_ctx_o of the cycle before
        handshake.clocked(dut)

    async def begin(self, rom: list[dict[str, int]]) -> None:
        """Reset; a new program."""
        dut = self.dut
        dut.start_i.value = dut.clear_i.value = dut.rom_word_i.value = dut.hold_i.value = 0
        dut.conditions_i.value = dut.dispatch_addr_i.value = 0
        dut.secret_i.value = self.secret
        dut.rst_ni.value = 0
        self.reference = Reference([Context() for _ in range(self.n)], rom, self.spacing)
        self.codes = [ISA.encode(word) for word in rom]
        await handshake.cycles(dut, 2)
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        self.issuing = None

    async def step(self, start: int = 0, clear: int = 0) -> int | None:
        """One clock cycle from its falling edge on; the context that issued."""
        dut, reference = self.dut, self.reference
        conditions = self.rng.getrandbits(32)
        target = self.rng.randrange(SIZE)
        dut.conditions_i.value = conditions
        dut.dispatch_addr_i.value = target
        dut.start_i.value, dut.clear_i.value = start, clear
        hold = self.rng.random() < self.hold
        dut.hold_i.value = hold
        await ReadOnly()
        for c, context in enumerate(reference.contexts):
            assert (int(dut.idle_o.value) >> c & 1) == (not context.running)
        number = self.issuing
        if number is not None and clear >> number & 1:
            reference.last, number = number, None  # it had its turn
        refused = number is not None and self.secret >> number & 1 and depends_on_data(
            reference.rom[reference.contexts[number].address])
        assert int(dut.violation_o.value) == refused, f"cycle {self.cycle}"
        if refused:
            self.violations += 1
            stopped, reference.last, number = number, number, None
        assert int(dut.valid_o.value) == (number is not None), f"cycle {self.cycle}"
        effects = Effects()
        if number is None:
            assert int(dut.word_o.value) == 0
        else:
            context = reference.contexts[number]
            assert self.cycle >= context.due
            if not self.hold:
                if self.n == 1:
                    assert self.cycle == context.due
                assert self.cycle - context.due < self.n
            assert int(dut.ctx_o.value) == self.announced == number
            assert int(dut.word_o.value) == self.codes[context.address]
            assert int(dut.arg_o.value) == reference.rom[context.address]["ctl_arg"]
            effects = reference.issue(number, self.cycle, conditions, target)
        if refused:
            reference.contexts[stopped].running = False
        self.announced = int(dut.next_ctx_o.value)
        pulses = (dut.unit_start_o.value, dut.dispatch_o.value, dut.finish_o.value)
        assert tuple(map(bool, map(int, pulses))) == (
            effects.start, effects.dispatch, effects.finish)
        for c, context in enumerate(reference.contexts):
            if clear >> c & 1:
                context.running = False
            elif start >> c & 1:
                reference.contexts[c] = Context(True, 0, self.cycle + 2, context.count)
        fetched = int(dut.rom_addr_o.value)
        self.cycle += 1
        self.issuing = reference.chosen(self.cycle)
        if hold:
            self.held += self.issuing is not None
            self.issuing = None
        await RisingEdge(dut.clk_i)
        dut.rom_word_i.value = self.codes[fetched]
        await FallingEdge(dut.clk_i)
        return number

    issuing: int | None = None

    async def run(self, programs: int, start: float, clear: float = 0) -> None:
        """Random programs; in a cycle contexts that are idle start, and contexts stop, so often."""
        for _ in range(programs):
            await self.begin(random_program(self.rng))
            for _ in range(CYCLES // 12):
                idle = [not context.running for context in self.reference.contexts]
                starts = mask([i and self.rng.random() < start for i in idle])
                stops = mask([self.rng.random() < clear for _ in idle]) if clear else 0
                self.cleared += stops.bit_count()
                self.issued[await self.step(starts & ~stops, stops)] += 1
            self.seen += self.reference.seen


@cocotb.test()
async def random_programs(dut) -> None:
    """Every control operation, taken and not; contexts end and are started again at random."""
    bench = Bench(dut, 1)
    await bench.run(12, 0.3)
    missing = {(n, h) for n in ISA.control for h in (False, True)} - bench.seen.keys()
    assert not missing
    least = CYCLES // (2 * max(15, bench.n, bench.spacing))
    assert all(bench.issued[c] > least for c in range(bench.n))
    assert sum(bench.issued.values()) == 12 * (CYCLES // 12)


@cocotb.test()
async def clear_and_restart(dut) -> None:
    """Contexts are stopped at random, in the cycle of a word too, and started again at once."""
    bench = Bench(dut, 2)
    await bench.run(6, 0.8, 0.1)
    assert bench.cleared > CYCLES // 60


@cocotb.test()
async def held_back(dut) -> None:
    """In cycles after hold_i no word is issued; the words that were due come later, none is lost."""
    for rate in (0.02, 0.5):
        bench = Bench(dut, 4)
        bench.hold = rate
        await bench.run(4, 0.5)
        assert bench.held > 0 and bench.issued.total() - bench.issued[None] > CYCLES // 100


@cocotb.test()
async def guard(dut) -> None:
    """Words of secret contexts that would follow data are not issued and end their context; the others go on."""
    bench = Bench(dut, 5)
    bench.secret = mask([c % 2 == 0 for c in range(bench.n)])
    await bench.run(6, 0.8)
    assert bench.violations > CYCLES // 300
    public = any(name == "dispatch" for name, _ in bench.seen)  # of the others
    assert public == (bench.n > 1)


@cocotb.test()
async def fairness(dut) -> None:
    """Contexts that always have a word take turns, each no sooner than the spacing allows; one that
    waits for a condition takes its turn in vain and holds nobody up for longer than that."""
    bench = Bench(dut, 3)
    word = dict.fromkeys(ISA.fields, 0)
    await bench.begin([word] * SIZE)
    order = [await bench.step(mask([True] * bench.n) if i == 0 else 0) for i in range(200)]
    assert order[:2] == [None, None]
    turns = [turn for turn in order[2:] if turn is not None]
    assert order[2] is not None
    assert all(b == (a + 1) % bench.n for a, b in itertools.pairwise(turns))
    round_trip = max(bench.n, bench.spacing)
    assert len(turns) == sum(i % round_trip < bench.n for i in range(198))
    waiting = {**word, "ctl_op": ISA.control["wait"], "ctl_cond": 5}
    await bench.begin([waiting] + [word] * (SIZE - 1))
    counts = Counter([await bench.step(mask([True] * bench.n) if i == 0 else 0)
                      for i in range(300)])  # fmt: skip
    assert max(counts[c] for c in range(bench.n)) - min(counts[c] for c in range(bench.n)) <= 1


def lock_step(contexts: int, spacing: int, cycles: int) -> None:
    simbuild.run_cocotb("pm_sequencer", SOURCES, __name__,
                        {"NumContexts": contexts, "AddrBits": ADDRESS_BITS, "MinSpacing": spacing,
                         "PublicConditions": f"32'h{PUBLIC:x}"},
                        expect=5, extra_env={"PM_SPACING": str(spacing), "PM_CYCLES": str(cycles)},
                        build_dir=f"build/cocotb/test_pm_sequencer/{contexts}-{spacing}")


@PACE
@pytest.mark.parametrize("contexts", [1, 2, 3, 4])
def test_lock_step(contexts: int, cycles: int) -> None:
    lock_step(contexts, 1, cycles)


@PACE
@pytest.mark.parametrize(("contexts", "spacing"), [(1, 3), (4, 9), (12, 9), (3, 17)])
def test_spacing(contexts: int, spacing: int, cycles: int) -> None:
    lock_step(contexts, spacing, cycles)


@pytest.mark.parametrize(
    ("params", "message"),
    [({"NumContexts": 0}, "NumContexts must be at least 1"),
     ({"AddrBits": 11}, "must fit the argument field"),
     ({"MinSpacing": 0}, "MinSpacing must be 1 to 32"),
     ({"MinSpacing": 33}, "MinSpacing must be 1 to 32")],
)  # fmt: skip
def test_illegal_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_sequencer", SOURCES, params)
