# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `mpu`, for its programs on the simulator: operand memory, parameters, inverter,
bits of the scalar, the digit scan of the Joye ladder.

`Mpu` takes the commands of hw/mpu/core.yaml as the core does, and says how many cycles each takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pointmill.cores import MPU
from pointmill.gen.mpu import entries, load
from pointmill.model.plus_minus import inversion_cycles
from pointmill.ucode.build import link
from pointmill.ucode.dual import DIGIT, DualEngine, digits
from pointmill.ucode.machine import Machine
from pointmill.ucode.multicurve import SETUP_CYCLES, ladder_indices
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator

DATA = load()
WIDTH: int = DATA["memory"]["width"]
ENTRIES = 16
OPERATIONS: dict[str, dict] = DATA["operations"]
BUFFERS: list[str] = DATA["memory"]["buffers"]
ENTRY: dict[str, int] = entries(DATA)
ENTRY_K = ENTRY["k"]
A0, A1, R0, R1 = range(4)

PROGRAMS = MPU.roms["full"].programs

PLACES = MPU.roms["full"].entries
"""Where operations enter them, by the name of the entry, which is that of the operation"""

ENTRY_OF = {"load_modulus": "load", "load_curve": "load", "sub": "add", "mont_invert": "invert"}
"""but for these."""

START_CYCLES = 2
"""From the first cycle of an operation to its first word."""

WIPE_CYCLES = 19
"""More of an operation on secrets, at its end."""

CHECKED = ("x1", "y1", "x2", "y2")
"""External values that have to be below p."""

OPERANDS, ADDER = 2, 3
"""Cycles from an operation of a word to its operands, and from operands of the adder to the sum in its register."""


def product_cycles(m: int) -> int:
    """Cycles of a product of m digits of 32 bits, two of the multiplier each."""
    return 2 * m + 15


def product_interval(cycles: int) -> int:
    """Least cycles from a product to the next one, which overlaps with it, of so many cycles."""
    return max(cycles - 14, 8)


@dataclass
class Command:
    """One write to COMMAND."""

    op: str
    src1: int = 0
    src2: int = 0
    dst1: int = 0
    dst2: int = 0
    secret: bool = False


@dataclass
class Outcome:
    """How an operation ended, and its cycles with STATUS.busy = 1."""

    reason: str
    cycles: int


class MpuEngine(DualEngine):
    """The datapath, and how many cycles pm_mpu_datapath takes for words and products; after `plain` its multiplier
    forms plain products and its adders pass on what they get."""

    def __init__(self, machine: Machine, p: int) -> None:
        super().__init__(machine, p or 3)
        self.low = 0
        self.is_plain = False
        self.apart = 0
        """From when on a word may be carried out that starts a product."""
        self.adder: set[int] = set()
        """Cycles in which sums have the adder."""
        self.taken = False
        """Whether the word is in its registers, where it is from its second cycle on."""

    def take_modulus(self, p: int) -> None:
        """From the next word on."""
        self.select(p, digits(p.bit_length()), product_cycles(digits(p.bit_length())))
        self.is_plain = False

    def plain(self) -> None:
        """From the next word on."""
        self.is_plain = True
        self.length = product_cycles(WIDTH // DIGIT)
        self.p = 1 << WIDTH

    def product(self, x: int, y: int) -> int:
        """As the base class."""
        if not self.is_plain:
            return super().product(x, y)
        self.low = x * y % (1 << WIDTH)
        return x * y >> WIDTH

    def _places(self, word: dict[str, int]) -> dict[str, int]:
        """The state in which each operation of a word begins: check, product, first, second."""
        ports = ("m0_a", "m0_b", "m1_a", "m1_b", "s0_x", "s0_y", "s1_x", "s1_y")
        outside = any(self.place(word, port)[0] == "ext" for port in ports)
        chained = self.chained(word)
        second = bool(word["s1_we"] or word["s1_flag"])
        first = bool(word["s0_we"] or word["s0_flag"] or chained or word["ctl_op"] == self.starting)
        at, found = int(outside), {}
        if outside and self.external_names[word["ext"]] in CHECKED:
            found["check"], at = at, at + 1
        if word["m0_en"] or word["m1_en"]:
            found["product"], at = at, at + 1
        if first:
            found["first"], at = at, at + 1
        if second:
            found["second"] = at + 3 if chained else at
        return found

    def stalled(self, word: dict[str, int]) -> bool:
        """As the base class; a word is carried out from its second cycle on."""
        waits, self.taken = not self.taken or super().stalled(word), True
        if word["m0_en"] or word["m1_en"]:
            waits |= self.cycle < self.apart or (self.is_plain and bool(self.pending))
        return waits

    def lasts(self, word: dict[str, int]) -> int:
        """As the base class."""
        at = self._places(word)
        cycles = [1, *(state + 1 for name, state in at.items() if name == "product")]
        if "check" in at:
            cycles.append(at["check"] + 6)
        if "first" in at:
            summed = word["s0_we"] or self.isa.port("chain") in (word["s1_x"], word["s1_y"])
            cycles.append(at["first"] + (6 if word["s0_flag"] else 5 if summed else 4))
        if "second" in at:
            cycles.append(at["second"] + (6 if word["s1_flag"] else 5))
        return max(cycles)

    def execute(self, word: dict[str, int], run: Run) -> int:
        """As the base class."""
        self.taken = False
        at = self._places(word)
        summed = word["s0_we"] or word["s0_flag"] or self.isa.port("chain") in (word["s1_x"], word["s1_y"])
        self.adder |= {self.cycle + state + OPERANDS for name, state in at.items()
                       if name in ("check", "second") or (name == "first" and summed)}  # fmt: skip
        operand = super().execute(word, run)
        if "product" in at:
            began = self.cycle + at["product"]
            self.pending[-1].ready = began + self.length
            self.apart = began + product_interval(self.length)
        return operand

    def land(self) -> None:
        """As the base class: a product waits for the adder, and is there three cycles later."""
        for result in self.pending:
            while result.ready - ADDER in self.adder:
                result.ready += 1
        super().land()


class Mpu:
    """The core: memory of 16 numbers, infinity flags of five points, modulus and curve if they are loaded."""

    def __init__(self) -> None:
        self.memory = [0] * ENTRIES
        self.infinity = [False] * len(BUFFERS)
        self.p = 0
        self.parameters = dict.fromkeys(("one", "r2", "a", "b"), 0)
        self.modulus = self.curve = False
        self.scalar_bits = 0
        """Steps of the ladder; 0: one more than p has bits."""

    def run(self, command: Command) -> Outcome:
        """Carry an operation out, or refuse it."""
        refused = self._refused(command)
        return Outcome(refused, 1) if refused else Operation(self, command).run()

    def _refused(self, command: Command) -> str | None:
        operation = OPERATIONS.get(command.op)
        if operation is None:
            return "illegal_command"
        points = "point" in operation["results"]
        used = [command.src1, command.src2][: len(operation["operands"])]
        used += [command.dst1, command.dst2][: len(operation["results"])]
        if points and max(used) >= len(BUFFERS):
            return "illegal_command"
        if len(operation["results"]) == 2 and command.dst1 == command.dst2:
            return "illegal_command"
        if operation["needs"] != "none" and not self.modulus:
            return "no_modulus"
        if operation["needs"] == "curve" and not self.curve:
            return "no_curve"
        return "secret_refused" if command.secret and not operation["secret"] else None


class Operation:
    """One run of a program: the units and conditions around the datapath."""

    def __init__(self, core: Mpu, command: Command) -> None:
        self.core, self.command = core, command
        self.image = link("mpu", PROGRAMS, "full")
        self.engine = MpuEngine(self.image.machine, core.p if core.modulus else 0)
        self.simulator = Simulator(self.image.machine, self.image.words, self.image.rom.labels, self.engine)
        if core.modulus:
            self.engine.take_modulus(core.p)
        self.new = command  # what is read and written: the command, or the walk's present operation
        self.walking = self.on_curve = self.out_of_range = False
        self.inverse = self.inverse_done = self.setup_done = self.pinv = self.scalar = self.bit = 0
        self.inverse_error = self.holding = False
        self.engine.held = lambda: self.holding and self.scalar >> self._bits - self.bit + 1 == 0
        self.walk_operations: Iterator[tuple[str, Command]] = iter(())

    def run(self) -> Outcome:
        """The outcome."""
        simulator, op = self.simulator, self.command.op
        entry = self.image.address(PLACES[ENTRY_OF.get(op, op)])
        inputs = {name: self._source(name) for name in simulator.machine.inputs}
        environment = Environment(inputs, self._conditions(), self._units(), self._walk)
        run = simulator.run(environment, entry, self.command.secret, limit=20_000_000)
        names = {number: name for name, number in simulator.machine.reasons.items()}
        cycles = START_CYCLES + run.cycles + (WIPE_CYCLES if self.command.secret else 0)
        return Outcome(names[run.reason], cycles)

    # ---- memory ----

    @property
    def _points(self) -> bool:
        return "point" in OPERATIONS[self.command.op]["results"]

    def _entry(self, name: str) -> int:
        new, op = self.new, self.command.op
        if op.startswith("load"):
            return ENTRY[{"n1": "p", "x1": "a", "x2": "b"}[name]]
        if name == "n2" and self._points:
            return ENTRY_K
        field = {"1": new.src1, "2": new.src2}[name[1]]
        return 2 * field + (name[0] == "y") if self._points else field

    def _source(self, name: str) -> Callable[[int], int]:
        return lambda _: self._external(name)

    def _external(self, name: str) -> int:
        own = {"plain_one": 1, "inv": self.inverse, "low": self.engine.low, "pinv": self.pinv}
        if name in own:
            return own[name]
        if name in self.core.parameters:
            return self.core.parameters[name]
        value = self.core.memory[self._entry(name)]
        if name[0] in "xy":
            self.out_of_range |= value >= self.core.p
        elif name == "n1" and self.command.op == "reduction":
            self.out_of_range |= value >> DIGIT * self._m != 0
        return value

    def _put(self, name: str, value: int) -> None:
        field = self.new.dst1 if name[1] == "1" else self.new.dst2
        self.core.memory[2 * field + (name[0] == "y") if self._points else field] = value

    # ---- modulus, inverter ----

    @property
    def _m(self) -> int:
        return digits(self.core.p.bit_length())

    def _modulus(self, p: int, cycle: int) -> None:
        self.core.p, self.core.modulus, self.core.curve = p, False, False
        if p % 2 and p > 1:
            self.pinv = -pow(p, -1, 1 << DIGIT) % (1 << DIGIT)
            self.engine.take_modulus(p)
        self.setup_done = cycle + SETUP_CYCLES + 1

    def _invert(self, operand: int, cycle: int) -> None:
        p = self.core.p
        unit = math.gcd(operand, p) == 1
        self.inverse = pow(operand, -1, p) if unit else 0
        self.inverse_error = not unit
        self.inverse_done = cycle + inversion_cycles(p.bit_length()) + 2

    def _put_pinv(self, value: int) -> None:
        if (value * self.core.p + 1) % (1 << DIGIT * self._m):
            raise ExecutionError("that is not -1/p")
        self.engine.take_modulus(self.core.p)

    # ---- scalar ----

    @property
    def _bits(self) -> int:
        return self.core.scalar_bits or self.core.p.bit_length() + 1

    def _restart(self, held: bool) -> int:
        self.holding = held
        return self._step(0)

    def _step(self, bit: int) -> int:
        self.bit = bit
        return ladder_indices(self.scalar, self._bits)[bit]

    def _begin_walk(self) -> None:
        self.walking = True
        self.walk_operations = joye_walk(self.scalar, self.command.dst1)

    def _walk(self) -> tuple[str, int]:
        label, self.new = next(self.walk_operations)
        return f"points.{label}", 0

    # ---- units, conditions ----

    def _units(self) -> dict:
        core = self.core

        def keep(name: str, entry: str | None) -> Callable[[int, int], None]:
            def store(value: int, _: int) -> None:
                core.parameters[name] = value
                if entry:
                    core.memory[ENTRY[entry]] = value
            return store

        def infinite(which: str, value: bool) -> Callable[[int, int], None]:
            return lambda *_: core.infinity.__setitem__(getattr(self.new, which), value)

        return {
            "inverter": self._invert,
            "put_pinv": lambda value, _: self._put_pinv(value),
            "digit": lambda *_: self._step(self.bit + 1),
            "restart": lambda *_: self._restart(False),
            "restart_held": lambda *_: self._restart(True),
            "clear_zeros": lambda *_: None,
            "pick": lambda flag, _: flag,
            "modulus": self._modulus,
            "plain": lambda *_: self.engine.plain(),
            "put_one": keep("one", "one"),
            "put_r2": keep("r2", "r2"),
            "put_unit": lambda value, _: core.memory.__setitem__(ENTRY["unit"], value),
            "put_a": keep("a", None),
            "put_b": keep("b", None),
            "mark_modulus": lambda *_: setattr(core, "modulus", True),
            "mark_curve": lambda *_: setattr(core, "curve", True),
            "scalar": lambda value, _: setattr(self, "scalar", value),
            **{f"put_{name}": lambda value, _, name=name: self._put(name, value) for name in ("x1", "y1", "x2", "y2")},
            "finite1": infinite("dst1", False),
            "finite2": infinite("dst2", False),
            "infinite1": infinite("dst1", True),
            "infinite2": infinite("dst2", True),
            "note_infinity": lambda flag, _: core.infinity.__setitem__(self.new.dst1, bool(flag) or not self.scalar),
            "note_point": lambda flag, _: setattr(self, "on_curve", bool(flag)),
            "walk": lambda *_: self._begin_walk(),
        }

    def _conditions(self) -> dict:
        core, op = self.core, self.command.op
        return {
            "more_bits": lambda _: self.bit < self._bits,
            "inverter_done": lambda cycle: cycle >= self.inverse_done,
            "inverter_error": lambda _: self.inverse_error,
            "setup_done": lambda cycle: cycle >= self.setup_done,
            "setup_error": lambda _: core.p % 2 == 0 or core.p < 3,
            "out_of_range": lambda _: self.out_of_range,
            "walk_too_long": lambda _: self.scalar >> self._bits != 0,
            "infinity1": lambda _: core.infinity[self.new.src1],
            "infinity2": lambda _: core.infinity[self.new.src2],
            "on_curve": lambda _: self.on_curve,
            "walking": lambda _: self.walking,
            "curve": lambda _: op == "load_curve",
            "domain": lambda _: op == "mont_invert",
            "difference": lambda _: op == "sub",
        }


def joye_walk(k: int, dst: int) -> Iterator[tuple[str, Command]]:
    """Labels and points of the operations that make [k]P in buffer `dst` from P, which programs have in registers:
    algorithm 1 of Tanaka 2020 for the least even n with k below 2^(n-1), n at least 4, which gives (k + 2^(n-1)) P,
    and the subtraction of 2^(n-1) P."""

    def add(src1: int, src2: int) -> tuple[str, Command]:
        return "walk_add", Command("affine_add", src1, src2, src1)

    yield "walk_set_minus", Command("", dst1=A0)
    yield "walk_set", Command("", dst1=A1)
    yield "walk_dq", Command("", A1, 0, R0, R1)
    rest = k >> 1
    while True:
        yield add(rest & 1, R0)
        yield add(rest >> 1 & 1, R1)
        yield "walk_dq", Command("", R1, 0, R0, R1)
        rest >>= 2
        if not rest:
            break
    yield "walk_negate", Command("", R0, 0, R0)
    yield add(A0, R0)
    yield add(A0, A1)
    yield add(A0, A1)
    yield "walk_set", Command("", dst1=R1)
    yield add(A0, R1)
    if k & 1:
        yield add(A0, R1)
    yield "walk_end", Command("", A0, 0, dst)
