# SPDX-License-Identifier: Apache-2.0
"""pm_barrel_sequencer in lock-step with a reference over random programs; clear, hold, guard."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from test_pm_sequencer import (
    ADDRESS_BITS,
    CYCLES,
    ISA,
    PACE,
    PUBLIC,
    SIZE,
    Context,
    Reference,
    depends_on_data,
    mask,
    random_program,
)

from dv.common import handshake
from pointmill import simbuild

SOURCES = ["hw/lib/seq/pm_ucode_pkg.sv", "hw/lib/seq/pm_barrel_sequencer.sv"]
DEPTH = 4  # cycles from the choice of a context to the issue of its word


class Bench:
    """Plays ROM, conditions and walker, and compares every cycle."""

    def __init__(self, dut, seed: int) -> None:
        self.dut = dut
        self.rng = random.Random(seed)
        self.n = len(dut.start_i)
        self.spacing = int(os.environ["PM_SPACING"])
        self.pairs = bool(int(os.environ["PM_PAIRS"]))
        self.turns = (int(os.environ["PM_TURN"]), int(os.environ["PM_FLAG_TURNS"]))
        self.hold = self.stall = 0.0
        self.stalled = 0  # contexts of stall_i
        self.secret = 0
        self.counts: Counter = Counter()
        self.seen: Counter = Counter()
        self.issued: Counter = Counter()
        handshake.clocked(dut)

    async def begin(self, rom: list[dict[str, int]]) -> None:
        """Reset; a new program."""
        dut = self.dut
        for name in ("start_i", "start_addr_i", "clear_i", "secret_i", "rom_word_i", "hold_i", "stall_i",
                     "conditions_i", "dispatch_addr_i", "rst_ni"):
            getattr(dut, name).value = 0
        self.reference = Reference([Context() for _ in range(self.n)], rom, self.spacing, *self.turns)
        self.reference.last = self.n - 1  # context 0 is the first
        self.codes = [ISA.encode(word) for word in rom]
        self.cycle = 0
        self.last = self.n - 1  # context picked last
        self.stages: list[int | None] = [None] * DEPTH  # contexts on their way to `issue`
        self.ending: tuple[str, int, int] | None = None  # pulse of this cycle: kind, context, reason
        self.idle = [True] * self.n  # as idle_o shows it
        self.ghost = 0  # word of a context that was cleared in the cycle before its issue
        self.announced = 0  # next_ctx_o of the cycle before
        await handshake.cycles(dut, 2)
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    def pick(self) -> int | None:
        """The context whose word will be issued DEPTH cycles later."""
        for step in range(1, self.n + 1):
            candidate = (self.last + step) % self.n
            context = self.reference.contexts[candidate]
            if (context.running and candidate not in self.stages and not self.stalled >> candidate & 1
                    and context.due <= self.cycle + DEPTH):
                return candidate
        return None

    def follows(self, number: int) -> bool:
        """The next word of this context comes a turn after the present one."""
        word = self.reference.rom[self.reference.contexts[number].address]
        return (self.pairs and word["delay"] == word["mul_canon"] == 0
                and word["ctl_op"] in (ISA.control["next"], ISA.control["start"]))

    def refused(self, number: int) -> bool:
        """The guard stops the word of this context."""
        word = self.reference.rom[self.reference.contexts[number].address]
        return bool(self.secret >> number & 1) and depends_on_data(word)

    async def step(self, start: int = 0, clear: int = 0, address: int = 0) -> int | None:
        """One clock cycle from its falling edge on; the context that issued."""
        dut, reference = self.dut, self.reference
        conditions, target = self.rng.getrandbits(32), self.rng.randrange(SIZE)
        hold = self.rng.random() < self.hold
        if self.stall and self.rng.random() < self.stall:
            self.stalled ^= 1 << self.rng.randrange(self.n)
        dut.stall_i.value = self.stalled
        dut.conditions_i.value, dut.dispatch_addr_i.value = conditions, target
        dut.start_i.value, dut.start_addr_i.value = start, address
        dut.clear_i.value, dut.secret_i.value, dut.hold_i.value = clear, self.secret, hold
        await ReadOnly()
        assert int(dut.idle_o.value) == mask(self.idle)

        # What the word of the cycle before ended.
        kind, ended, reason = self.ending or ("", 0, 0)
        assert (int(dut.finish_o.value), int(dut.violation_o.value)) == (
            kind == "finish", kind == "violation"), f"cycle {self.cycle}"
        if kind:
            assert int(dut.end_ctx_o.value) == ended
            assert kind == "violation" or int(dut.end_arg_o.value) == reason
            self.counts[kind] += 1
        now_idle = ended if kind else None
        self.ending = None

        # The word of this cycle.
        number = self.stages[0]
        stopped = number is not None and bool(clear >> number & 1)
        refused = number is not None and self.refused(number)
        issued = number if not stopped and not refused else None
        assert int(dut.valid_o.value) == (issued is not None), f"cycle {self.cycle}"
        pulses = (False, False)
        if number is None or refused:
            assert int(dut.word_o.value) == self.ghost
        else:
            context = reference.contexts[number]
            assert int(dut.ctx_o.value) == self.announced == number
            assert int(dut.word_o.value) == self.codes[context.address]
        if refused and not stopped:
            self.ending = ("violation", number, 0)
            reference.contexts[number].running = False
        if issued is not None:
            context = reference.contexts[issued]
            argument = reference.rom[context.address]["ctl_arg"]
            followed = self.follows(issued)
            assert int(dut.arg_o.value) == argument
            assert self.cycle >= context.due
            effects = reference.issue(issued, self.cycle, conditions, target)
            pulses = (effects.start, effects.dispatch)
            if followed:
                context.due = self.cycle + self.turns[0]
            if effects.finish:
                self.ending = ("finish", issued, argument)
        assert (bool(dut.unit_start_o.value), bool(dut.dispatch_o.value)) == pulses

        # The coming cycle: picks, starts, stops.
        checked = self.stages[1]
        if checked is not None and not clear >> checked & 1 and not self.refused(checked) and self.follows(checked):
            picked = checked
            self.counts["pair"] += 1
        elif (picked := None if hold else self.pick()) is not None:
            self.last = picked
        self.stages = [*self.stages[1:], picked]
        if now_idle is not None:
            self.idle[now_idle] = True
        self.ghost = 0
        for c, context in enumerate(reference.contexts):
            if clear >> c & 1 and self.stages[0] == c and not self.refused(c):
                self.ghost = self.codes[context.address]
                self.counts["ghost"] += self.ghost != 0
            if clear >> c & 1:
                context.running, self.idle[c] = False, True
                self.stages = [None if s == c else s for s in self.stages]
            elif start >> c & 1:
                reference.contexts[c] = Context(True, address, self.cycle + 1 + DEPTH, context.count)
                self.idle[c] = False
        fetched = int(dut.rom_addr_o.value)
        self.announced = int(dut.next_ctx_o.value)
        self.cycle += 1
        await RisingEdge(dut.clk_i)
        dut.rom_word_i.value = self.codes[fetched]
        await FallingEdge(dut.clk_i)
        return issued


    async def run(self, programs: int, start: float, clear: float) -> None:
        """Random programs; in a cycle contexts that are idle start, and contexts stop, so often."""
        for _ in range(programs):
            await self.begin(random_program(self.rng))
            for _ in range(CYCLES // 12):
                stops = mask([self.rng.random() < clear for _ in range(self.n)])
                starts = mask([idle and self.rng.random() < start for idle in self.idle]) & ~stops
                self.issued[await self.step(starts, stops, self.rng.randrange(SIZE))] += 1
            self.seen += self.reference.seen


@cocotb.test()
async def random_programs(dut) -> None:
    """Every control operation, taken and not; contexts end and are started again at random."""
    bench = Bench(dut, 1)
    await bench.run(12, 0.3, 0)
    assert not {(n, h) for n in ISA.control for h in (False, True)} - bench.seen.keys()
    assert all(bench.issued[c] > CYCLES // (2 * max(15, bench.n, bench.spacing)) for c in range(bench.n))
    assert bench.counts["finish"] > (20 if CYCLES >= 6_000 else 4) and not bench.counts["violation"]
    assert (bench.counts["pair"] > CYCLES // 24) == bench.pairs


@cocotb.test()
async def clear_and_restart(dut) -> None:
    """Contexts are stopped at random, with words in every stage, and started again at once."""
    bench = Bench(dut, 2)
    await bench.run(6, 0.8, 0.06)
    assert sum(bench.issued[c] for c in range(bench.n)) > CYCLES // 20
    assert bench.counts["ghost"] > CYCLES // 1200


@cocotb.test()
async def held_back(dut) -> None:
    """Nothing is picked in cycles with hold_i, and no word is lost."""
    for rate in (0.02, 0.5):
        bench = Bench(dut, 4)
        bench.hold = rate
        await bench.run(4, 0.5, 0.01)
        assert sum(bench.issued[c] for c in range(bench.n)) > CYCLES // 30


@cocotb.test()
async def stalled(dut) -> None:
    """Contexts that come and go in stall_i are not picked meanwhile; the others are."""
    bench = Bench(dut, 6)
    bench.stall = 0.2
    await bench.run(6, 0.5, 0.01)
    assert all(bench.issued[c] > CYCLES // 600 for c in range(bench.n))


@cocotb.test()
async def guard(dut) -> None:
    """Words of secret contexts that would follow data are refused and end their context."""
    bench = Bench(dut, 5)
    bench.secret = mask([c % 2 == 0 for c in range(bench.n)])
    await bench.run(6, 0.5, 0.01)
    assert bench.counts["violation"] > CYCLES // 100


@cocotb.test()
async def turns(dut) -> None:
    """Contexts that always have a word take turns, each as soon as the spacing allows."""
    bench = Bench(dut, 3)
    word = dict.fromkeys(ISA.fields, 0)
    await bench.begin([word] * SIZE)
    order = [await bench.step(mask([True] * bench.n) if i == 0 else 0) for i in range(200)]
    assert order[:5] == [None] * 5 and order[5] == 0
    issued = [turn for turn in order[5:] if turn is not None]
    if bench.pairs:
        assert order[5:] == [i % 3 for i in range(195)]  # they leave no cycle to others
        return
    assert all(b == (a + 1) % bench.n for a, b in itertools.pairwise(issued))
    round_trip = max(bench.n, bench.spacing)
    assert len(issued) == sum(i % round_trip < bench.n for i in range(195))


def lock_step(contexts: int, spacing: int, cycles: int, turn: int = 1, flag_turns: int = 0, pairs: int = 0) -> None:
    simbuild.run_cocotb("pm_barrel_sequencer", SOURCES, __name__,
                        {"NumContexts": contexts, "AddrBits": ADDRESS_BITS, "MinSpacing": spacing, "Turn": turn,
                         "FlagTurns": flag_turns, "Pairs": pairs, "PublicConditions": PUBLIC},
                        expect=6, extra_env={"PM_SPACING": str(spacing), "PM_TURN": str(turn), "PM_CYCLES": str(cycles),
                                             "PM_FLAG_TURNS": str(flag_turns), "PM_PAIRS": str(pairs)},
                        build_dir=f"build/cocotb/test_pm_barrel_sequencer/{contexts}-{spacing}-{turn}-{pairs}")


@PACE
@pytest.mark.parametrize(("contexts", "spacing"), [(3, 6), (12, 9), (36, 24)])
def test_lock_step(contexts: int, spacing: int, cycles: int) -> None:
    lock_step(contexts, spacing, cycles)


@PACE
def test_issue_slots(cycles: int) -> None:
    """As in a tile: delays count issue slots, and are longer after a word with flags."""
    lock_step(7, 6, cycles, 3, 2)


@PACE
def test_pairs(cycles: int) -> None:
    """As in the tile of X25519: words without control operation a turn apart."""
    lock_step(7, 6, cycles, 3, pairs=1)


@pytest.mark.parametrize(
    ("params", "message"),
    [({"Pairs": 1}, "Pairs take turns of 3 cycles"),
     ({"NumContexts": 1}, "NumContexts must be at least 2"),
     ({"AddrBits": 11}, "must fit the argument field"),
     ({"MinSpacing": 5}, "MinSpacing must be 6 to 32"),
     ({"MinSpacing": 33}, "MinSpacing must be 6 to 32")],
)  # fmt: skip
def test_illegal_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_barrel_sequencer", SOURCES, params)
