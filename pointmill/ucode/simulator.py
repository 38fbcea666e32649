# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact simulator of the microcode on one context, for programs without the RTL.

It executes encoded ROM words with the latencies of the machine description and refuses, as an
error, what the hardware would do wrongly: a write of one bank by two results in a cycle, a factor
beyond the multiplier's width, a subtrahend beyond the offset. Side units are given as functions.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Callable

from pointmill.ucode.machine import P, Machine


class ExecutionError(Exception):
    """The program did something the datapath cannot do."""


@dataclass
class Environment:
    """What stands around the datapath for one job.

    `inputs` gives external values by name (a function of the walker's index for table points);
    `conditions` the level of every condition that is not of the datapath itself; `units` what a
    start of a side unit does: it gets the operand and the cycle, and where it steps to the next digit
    returns its index. `walk` yields, at each dispatch, (label of the block to run, index). `index` is
    that of the first digit, `negative` says whether the present digit is.
    """

    inputs: dict[str, Callable[[int], int]]
    conditions: dict[str, Callable[[int], bool]]
    units: dict[str, Callable[[int, int], int | None]]
    walk: Callable[[], tuple[str, int]]
    sign_a: int = 0
    sign_r: int = 0
    index: int = 0
    negative: Callable[[], bool] = lambda: False


@dataclass
class Run:
    """Outcome of a job: reason code, cycles, operations started (sums count as butterflies), first cycle at
    which labels were met, and how often."""

    reason: int
    cycles: int
    products: int
    butterflies: int
    met: dict[str, int] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)


class Simulator:
    """Runs encoded words of `machine` with `labels` as dispatch targets."""

    def __init__(self, machine: Machine, words: list[int], labels: dict[str, int]):
        self.machine = machine
        self.isa = machine.isa
        self.words = [self.isa.decode(word) for word in words]
        self.labels = labels
        self.stepping = {name for name, unit in machine.units.items() if unit.get("steps")}
        self.at = {address: name for name, address in labels.items()}
        self.bank_names = {number: name for name, number in self.isa.banks.items()}
        self.condition_names = {n: name for name, n in machine.conditions.items()}
        self.unit_names = {
            unit["id"] + member: f"{name}[{member}]" if "size" in unit else name
            for name, unit in machine.units.items()
            for member in range(unit.get("size", 1))
        }
        self.control_names = {n: name for name, n in self.isa.control.items()}
        self.external_names = {n: name for name, n in machine.externals.items()}

    def run(self, env: Environment, entry: int = 0, secret: bool = False,
            limit: int = 100_000) -> Run:  # fmt: skip
        """Run a job from word `entry` until a `finish` holds. ExecutionError after `limit` cycles, and
        where a job that works on secrets asks for a condition that is not public, or dispatches."""
        self.env = env
        self.banks = {bank: [0] * (1 << self.isa.register_bits) for bank in self.isa.stored}
        self.pending: list[tuple[int, str, int, int, bool]] = []
        self.flags: deque[tuple[bool, int]] = deque([(False, 0)] * 4, maxlen=4)
        self.cycle, self.index, counter, address = 0, env.index, 0, entry
        self.multiplier_free = 0
        run = Run(0, 0, 0, 0)
        while self.cycle < limit:
            word = self.words[address]
            self._land()
            if self._stalled(word):
                self.cycle += 1
                continue
            if address in self.at:
                run.met.setdefault(self.at[address], self.cycle)
                run.times[self.at[address]] += 1
            operand = self._execute(word, run)
            control = self.control_names[word["ctl_op"]]
            if secret and self._looks(control, word):
                raise ExecutionError(f"flow depends on data in cycle {self.cycle}")
            holds = self._condition(word)
            following, delay = address + 1, word.get("delay", 0) + 1
            if control == "finish" and holds:
                run.reason, run.cycles = word["ctl_arg"], self.cycle + 1
                return run
            if control == "branch" and holds:
                following = word["ctl_arg"]
            elif control == "wait" and not holds:
                following, delay = address, 1
            elif control == "loop_set":
                counter = word["ctl_arg"]
            elif control == "loop_end":
                counter -= 1
                if counter:
                    following = word["ctl_arg"]
            elif control == "start":
                unit = self.unit_names[word["ctl_arg"]]
                index = env.units[unit](operand, self.cycle)
                if unit in self.stepping:
                    self.index = index
            elif control == "dispatch":
                label, self.index = env.walk()
                following = self.labels[label]
            address = following
            self.cycle += delay
        raise ExecutionError(f"no verdict after {limit} cycles")

    def _stalled(self, word: dict[str, int]) -> bool:
        """Whether a word waits for the datapath; this one has delays instead."""
        return False

    def _land(self) -> None:
        """Write the results that can be read from this cycle on."""
        due = sorted(entry for entry in self.pending if entry[0] <= self.cycle)
        self.pending = [entry for entry in self.pending if entry[0] > self.cycle]
        for _, bank, register, value, canon in due:
            self.banks[bank][register] = value
            if canon:
                self.flags.appendleft((value == 0, value & 1))

    def _write(self, when: int, bank: str, register: int, value: int, canon: bool = False) -> None:
        if any(entry[:2] == (when, bank) for entry in self.pending):
            raise ExecutionError(f"two writes of bank {bank} for cycle {when}")
        self.pending.append((when, bank, register, value, canon))

    def _read(self, word: dict[str, int], port: str) -> int:
        bits = self.isa.register_bits
        bank = self.bank_names[(word[port] >> bits) & 3]
        if bank == "ext":
            name = self.external_names[word["ext"]]
            constant = self.machine.constants.get(name)
            return self.env.inputs[name](self.index) if constant is None else constant
        register = word[port] & ((1 << bits) - 1)
        if word[port] >> (bits + 2):
            register ^= self.index
        return self.banks[bank][register]

    def _execute(self, word: dict[str, int], run: Run) -> int:
        machine = self.machine
        x = self._read(word, "rx") << word["x2"]
        y = self._read(word, "ry") << word["y2"]
        total, difference = x + y, x - y + machine.subtract_offset
        if word["sum_we"]:
            stored = machine.scale * difference % P if word["scaled"] else total
            self._write(self._stored("sum"), "sum", word["sum_rd"], stored)
        if word["diff_we"]:
            self._write(self._stored("diff"), "diff", word["diff_rd"], difference)
        signed = total if word["mul_b"] < 3 or not self.env.negative() else difference
        uses_difference = (word["diff_we"] or word["mul_a"] == 2 or word["mul_b"] >= 2
                           or (word["sum_we"] and word["scaled"]))  # fmt: skip
        if uses_difference and y > machine.subtract_offset:
            raise ExecutionError(f"subtrahend too large in cycle {self.cycle}")
        run.butterflies += bool(uses_difference or word["sum_we"])
        a = (self._read(word, "ra"), total, difference)[word["mul_a"]]
        if word["mul_en"]:
            b = (self._read(word, "rb"), total, difference, signed)[word["mul_b"]]
            if not (0 <= a < machine.factor_bound and 0 <= b < machine.factor_bound):
                raise ExecutionError(f"factor too wide in cycle {self.cycle}")
            if self.cycle < self.multiplier_free:
                raise ExecutionError(f"the multiplier is busy in cycle {self.cycle}")
            self.multiplier_free = self.cycle + machine.interval
            run.products += 1
            self._write(
                self.cycle + machine.latency["mul"],
                "mul",
                word["mul_rd"],
                a * b % P,
                bool(word["mul_canon"]),
            )
        return a

    def _stored(self, bank: str) -> int:
        """The cycle from which on a result of the butterfly can be read."""
        return self.cycle + self.machine.latency.get(bank, self.machine.latency["store"])

    def _looks(self, control: str, word: dict[str, int]) -> bool:
        """Whether a word's control operation may depend on secrets."""
        asks = control in ("branch", "wait", "finish")
        public = self.condition_names[word["ctl_cond"]] in self.machine.public
        return control == "dispatch" or (asks and not public)

    def _condition(self, word: dict[str, int]) -> bool:
        name = self.condition_names[word["ctl_cond"]]
        return (name == "always" or self._level(name)) != bool(word["ctl_inv"])

    def _level(self, name: str) -> bool:
        """The level of a condition: of the datapath's own, of the environment's otherwise."""
        if name.startswith("zero"):
            return self.flags[int(name[4:])][0]
        if name.startswith("odd_ne_sign"):
            sign = self.env.sign_a if name.endswith("a") else self.env.sign_r
            return self.flags[0][1] != sign
        return self.env.conditions[name](self.cycle)
