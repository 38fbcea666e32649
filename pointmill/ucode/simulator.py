# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact simulator of the microcode on one context of any datapath, for programs without the RTL.

It executes encoded microinstructions with the latencies of the machine description and rejects, as an error, what the
hardware would do wrongly. What a datapath computes is its engine's; side units are given as functions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pointmill.ucode import datapath
from pointmill.ucode.machine import Machine


class ExecutionError(Exception):
    """The program did something the datapath cannot do."""


@dataclass
class Environment:
    """What stands around the datapath for one job.

    `inputs` gives external values by name (a function of the walker's index for table points);
    `conditions` the level of every condition that is not of the datapath itself; `units` what a
    start of a side unit does: it gets the operand and the cycle, and where it steps to the next digit
    returns its index. `walk` yields, at each dispatch, (label of the block to run, index). `index` is
    that of the first digit, `negative` says whether the present digit is. `registers` has by bank and number what
    registers hold at the beginning; the others hold 0.
    """

    inputs: dict[str, Callable[[int], int]]
    conditions: dict[str, Callable[[int], bool]]
    units: dict[str, Callable[[int, int], int | None]]
    walk: Callable[[], tuple[str, int]]
    sign_a: int = 0
    sign_r: int = 0
    index: int = 0
    negative: Callable[[], bool] = lambda: False
    registers: dict[tuple[str, int], int] = field(default_factory=dict)


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


@dataclass
class Result:
    """A result under way: the cycle from which on it can be read, where it goes, what it is, whether it pushes flags,
    and the unit that makes it."""

    ready: int
    bank: str
    register: int
    value: Any
    flagged: bool = False
    unit: int = 0


class Engine:
    """The registers and units of a datapath, and its clock. Sub-classes say what a word computes.

    `represent` and `element` go from an element of the field, below `p`, to what a register or an external value holds
    for it and back."""

    p: int

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.isa = machine.isa
        bits, names = self.isa.register_bits, {number: name for name, number in self.isa.banks.items()}
        self.ports = [(names.get(port >> bits & 3, ""), port & (1 << bits) - 1, bool(port >> bits + 2))
                      for port in range(1 << bits + 3)]  # fmt: skip
        """What a value of a port field means: bank, number, whether the number is indexed."""
        self.external_names = {n: name for name, n in machine.externals.items()}
        self.unit_names = {
            unit["id"] + member: f"{name}[{member}]" if "size" in unit else name
            for name, unit in machine.units.items()
            for member in range(unit.get("size", 1))
        }
        self.starting = self.isa.control["start"]
        self.cycle = 0
        self.pending: list[Result] = []
        """Results under way."""

    @classmethod
    def of_field(cls, machine: Machine, p: int, length: int | None) -> Engine:
        """An engine for elements of the field of p, with products of `length` cycles where the modulus decides them.
        ValueError where there is none."""
        raise ValueError(f"there are no trials on a datapath of kind {machine.isa.datapath}")

    def begin(self, env: Environment) -> None:
        """A new job."""
        self.env = env
        self.banks = {bank: [0] * (1 << self.isa.register_bits) for bank in self.isa.stored}
        for (bank, register), value in env.registers.items():
            self.banks[bank][register] = value
        self.pending.clear()
        self.flags: deque[tuple[bool, int]] = deque([(False, 0)] * 4, maxlen=4)
        self.free = [0] * 4
        """From which cycle on each unit can start something."""
        self.cycle, self.index = 0, env.index

    def represent(self, element: int) -> int:
        """What is held for an element of the field."""
        return element

    def element(self, held: int) -> int:
        """The element, in [0, p), that is held."""
        return held

    def execute(self, word: dict[str, int], run: Run) -> Any:
        """Carry the operations of a word out; the operand that a side unit gets. ExecutionError."""
        raise NotImplementedError

    def stalled(self, word: dict[str, int]) -> bool:
        """Whether a word waits for the datapath."""
        return False

    def lasts(self, word: dict[str, int]) -> int:
        """Cycles from the one in which a word is carried out to that in which it is issued, both counted."""
        return 1

    def land(self) -> None:
        """Write the results that can be read from this cycle on."""
        due = [result for result in self.pending if result.ready <= self.cycle]
        for result in sorted(due, key=lambda result: result.ready):
            self.pending.remove(result)
            self.keep(result.bank, result.register, result.value)
            if result.flagged:
                self.push(result.value)

    def keep(self, bank: str, register: int, value: Any) -> None:
        """Write a register."""
        self.banks[bank][register] = value

    def push(self, value: int) -> None:
        """Push a value's flags."""
        self.flags.appendleft((value == 0, value & 1))

    def level(self, name: str) -> bool:
        """The level of a condition: of the datapath's own, of the environment's otherwise."""
        if name.startswith("zero") and name[4:].isdigit():
            return self.flags[int(name[4:])][0]
        return self.env.conditions[name](self.cycle)

    def place(self, word: dict[str, int], port: str) -> tuple[str, int]:
        """Bank and number, of a register or an external value, that a port reads."""
        bank, number, indexed = self.ports[word[port]]
        if bank == "ext":
            return bank, word.get("ext", number)
        return bank, number ^ self.index if indexed else number

    def external(self, number: int) -> int:
        """An external value."""
        name = self.external_names[number]
        constant = self.machine.constants.get(name)
        return self.env.inputs[name](self.index) if constant is None else constant

    def read(self, word: dict[str, int], port: str) -> Any:
        """What a port reads."""
        bank, number = self.place(word, port)
        return self.external(number) if bank == "ext" else self.banks[bank][number]

    def started(self, word: dict[str, int]) -> str:
        """The side unit that a word starts; empty if it starts none."""
        return self.unit_names[word["ctl_arg"]] if word["ctl_op"] == self.starting else ""


class Simulator:
    """Runs encoded words of `machine` with `labels` as dispatch targets, on a datapath's `engine`."""

    def __init__(self, machine: Machine, words: list[int], labels: dict[str, int], engine: Engine | None = None):
        self.machine = machine
        self.engine = engine or datapath.of(machine).engine(machine)
        self.words = [machine.isa.decode(word) for word in words]
        self.labels = labels
        self.stepping = {name for name, unit in machine.units.items() if unit.get("steps")}
        self.at = {address: name for name, address in labels.items()}
        self.condition_names = {n: name for name, n in machine.conditions.items()}
        self.control_names = {n: name for name, n in machine.isa.control.items()}

    def run(self, env: Environment, entry: int = 0, secret: bool = False, limit: int = 2_000_000) -> Run:
        """Run a job from word `entry` until a `finish` holds. ExecutionError after `limit` cycles, and
        where a job that works on secrets asks for a condition that is not public, or dispatches."""
        engine, counter, address = self.engine, 0, entry
        engine.begin(env)
        run = Run(0, 0, 0, 0)
        while engine.cycle < limit:
            if address >= len(self.words):
                raise ExecutionError(f"no word behind the last one, cycle {engine.cycle}")
            word = self.words[address]
            engine.land()
            if engine.stalled(word):
                engine.cycle += 1
                continue
            if address in self.at:
                run.met.setdefault(self.at[address], engine.cycle)
                run.times[self.at[address]] += 1
            operand = engine.execute(word, run)
            engine.cycle += engine.lasts(word) - 1
            control = self.control_names[word["ctl_op"]]
            if secret and self._looks(control, word):
                raise ExecutionError(f"flow depends on data in cycle {engine.cycle}")
            holds = self._condition(word)
            following, delay = address + 1, word.get("delay", 0) + 1
            if control == "finish" and holds:
                run.reason, run.cycles = word["ctl_arg"], engine.cycle + 1
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
                unit = engine.unit_names[word["ctl_arg"]]
                index = env.units[unit](operand, engine.cycle)
                if unit in self.stepping:
                    if index is None:
                        raise ExecutionError(f"{unit} steps to no index in cycle {engine.cycle}")
                    engine.index = index
            elif control == "dispatch":
                label, engine.index = env.walk()
                following = self.labels[label]
            address = following
            engine.cycle += delay
        raise ExecutionError(f"no verdict after {limit} cycles")

    def settle(self) -> int:
        """Behind a run, let what is under way arrive; the first cycle in which every result can be read."""
        engine = self.engine
        engine.cycle = max([engine.cycle + 1, *(result.ready for result in engine.pending)])
        engine.land()
        return engine.cycle

    def _looks(self, control: str, word: dict[str, int]) -> bool:
        """Whether a word's control operation may depend on secrets."""
        asks = control in ("branch", "wait", "finish")
        public = self.condition_names[word["ctl_cond"]] in self.machine.public
        return control == "dispatch" or (asks and not public)

    def _condition(self, word: dict[str, int]) -> bool:
        name = self.condition_names[word["ctl_cond"]]
        return (name == "always" or self.engine.level(name)) != bool(word["ctl_inv"])
