# SPDX-License-Identifier: Apache-2.0
"""Symbolic execution of a ROM: what each microinstruction does to registers that hold polynomials.

Written from the ISA files and the machine descriptions, apart from the simulator of `pointmill.ucode`: it reads encoded
microinstructions, counts cycles and waits, and lets a register have its new value only when the hardware has it. Before
a register's ready time, or while its product is in flight, it reads as `stale`, which no formula contains.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pointmill.ucode.build import Built

from .ring import Ring

Place = tuple[str, int]
"""A register: bank and number."""


class Execution:
    """Words of a program from the first word of one block to the last word of another, loops carried out.

    `entry` has the registers at the beginning, `late` the cycles from which on some of them are there. `external` gives
    what a port reads as an external value, by its name and the steps of the digit scan so far. `indices` are those of
    the digit at first and behind each step, `negative` its sign. `seen` replaces a new value where the caller wants."""

    def __init__(self, built: Built, ring: Ring, entry: dict[Place, Any], late: dict[Place, int],
                 external: Callable[[str, int], Any], indices: tuple[int, ...], negative: tuple[bool, ...],
                 seen: Callable[[Any], Any]) -> None:
        self.machine, _, _, self.rom = built
        self.isa = self.machine.isa
        self.ring, self.external, self.indices, self.negative, self.seen = ring, external, indices, negative, seen
        self.stale = ring.symbols["stale"]
        self.registers = dict(entry)
        self.flying: list[tuple[int, Place, Any, bool, int]] = []
        for place, ready in late.items():
            if ready > 0:
                self.flying.append((ready, place, self.registers[place], False, 0))
                self.registers[place] = self.stale
        self.cycle = self.steps = 0
        self.flags: list[Any] = []
        self.starts: list[tuple[str, Any]] = []
        self.seen_flags: list[tuple[str, Any]] = []
        self.words = [self.isa.decode(word) for word in self.rom.encoded(self.machine)]
        self.banks = {number: bank for bank, number in self.isa.banks.items()}
        self.control = {number: name for name, number in self.isa.control.items()}
        self.names = {number: name for name, number in self.machine.externals.items()}
        self.units = {unit["id"] + i: (name, f"{name}[{i}]" if "size" in unit else name)
                      for name, unit in self.machine.units.items() for i in range(unit.get("size", 1))}

    def run(self, first: str, until: str = "") -> None:
        """Run the words of a block, or those from block `first` to `until`; whatever is under way then arrives."""
        last = until or first
        address = self.rom.owner.index(first)
        if until and self.control[self.words[address - 1]["ctl_op"]] == "loop_set":
            address -= 1
        end = len(self.rom.owner) - 1 - self.rom.owner[::-1].index(last)
        counter: int | None = None
        while address <= end:
            word = self.words[address]
            self.land(self.cycle)
            operand = self.execute(word)
            control, following = self.control[word["ctl_op"]], address + 1
            if control == "start":
                self.start(word["ctl_arg"], operand)
            elif control == "loop_set":
                counter = word["ctl_arg"]
            elif control == "loop_end" and counter is not None:
                counter -= 1
                following = word["ctl_arg"] if counter else following
            elif control not in ("loop_end", "next") and address != end and not self.passes(control, word):
                raise AssertionError(f"{control} between {first} and {last}")
            self.cycle += word.get("delay", 0) + 1
            address = following
        self.land(None)

    def passes(self, control: str, word: dict[str, int]) -> bool:
        """Whether a control operation within a path may be passed: what ends a job, or waits."""
        return control in ("finish", "wait")

    def start(self, number: int, operand: Any) -> None:
        """Start a side unit."""
        name, member = self.units[number]
        unit = self.machine.units[name]
        if unit.get("operand"):
            self.starts.append((member, operand()))
            if unit.get("flags"):
                self.seen_flags.append((member, self.flags[-1] if self.flags else None))
        else:
            self.starts.append((member, self.flags[-1] if unit.get("flags") and self.flags else None))
        self.steps += bool(unit.get("steps"))

    def land(self, cycle: int | None) -> None:
        """What can be read from this cycle on; all that is under way if it is None."""
        due = [one for one in self.flying if cycle is None or one[0] <= cycle]
        self.flying = [one for one in self.flying if one not in due]
        for _, place, value, flagged, _ in sorted(due, key=lambda one: one[0]):
            self.registers[place] = value
            if flagged:
                self.flags.append(value)

    def read(self, word: dict[str, int], port: str) -> Any:
        """What a port reads."""
        bits = self.isa.register_bits
        bank, number = self.banks[word[port] >> bits & 3], word[port] & (1 << bits) - 1
        if bank == "ext":
            return self.external(self.names[word.get("ext", number)], self.steps)
        if word[port] >> bits + 2:
            number ^= self.indices[self.steps]
        return self.registers[bank, number]

    def made(self, value: Any) -> Any:
        """A new value as it is kept."""
        return self.seen(value)

    def execute(self, word: dict[str, int]) -> Callable[[], Any]:
        """Carry out the operations of a word; a function that gives the operand of a side unit."""
        raise NotImplementedError


class ButterflyExecution(Execution):
    """hw/lib/seq/isa.yaml: a product, and a sum and a difference of the same operands."""

    def execute(self, word: dict[str, int]) -> Callable[[], Any]:
        def port(name: str) -> Callable[[], Any]:
            return lambda: self.read(word, name)

        def x() -> Any:
            return self.read(word, "rx") * (2 if word["x2"] else 1)

        def y() -> Any:
            return self.read(word, "ry") * (2 if word["y2"] else 1)

        def total() -> Any:
            return x() + y()

        def difference() -> Any:
            return x() - y()

        a = (port("ra"), total, difference)[word["mul_a"]]
        signed = difference if self.negative[self.steps] else total
        b = (port("rb"), total, difference, signed)[word["mul_b"]]
        latency = self.machine.latency
        new = []
        if word["sum_we"]:
            value = difference() * self.machine.scale if word["scaled"] else total()
            new.append(("sum", word["sum_rd"], value, False))
        if word["diff_we"]:
            new.append(("diff", word["diff_rd"], difference(), False))
        if word["mul_en"]:
            new.append(("mul", word["mul_rd"], a() * b(), bool(word["mul_canon"])))
        for bank, register, value, flagged in new:
            ready = self.cycle + latency.get(bank, latency.get("store", 1))
            self.flying.append((ready, (bank, register), self.made(value), flagged, 0))
        return a


class LimbExecution(Execution):
    """hw/x25519/ucode/paper_isa.yaml: four units; what they make of limbs is a sum, difference or product modulo p."""

    def execute(self, word: dict[str, int]) -> Callable[[], Any]:
        for unit in range(4):
            if word[f"u{unit}_en"]:
                x, y = self.read(word, f"u{unit}_x"), self.read(word, f"u{unit}_y")
                kind = ("mul", "small", "add", "sub")[word[f"u{unit}_op"]]
                value = x + y if kind == "add" else x - y if kind == "sub" else x * y
                place = ("reg", unit + 4 * word[f"u{unit}_rd"])
                self.flying.append((self.cycle + self.machine.latency[kind], place, self.made(value), False, unit))
        return lambda: self.read(word, "u0_x")


class DualExecution(Execution):
    """hw/lib/seq/isa_dual.yaml: Montgomery products x y / R, there when a word waits for their multiplier, and
    two sums, of which the second may take the first. `S` is 1 / R."""

    def execute(self, word: dict[str, int]) -> Callable[[], Any]:
        for unit in (0, 1):
            if word[f"wait{unit}"] or word[f"m{unit}_en"]:
                arrived = [one for one in self.flying if one[4] == unit]
                self.flying = [one for one in self.flying if one[4] != unit]
                for _, place, value, _, _ in arrived:
                    self.registers[place] = value
        products = []
        for unit in (0, 1):
            if word[f"m{unit}_en"]:
                value = self.read(word, f"m{unit}_a") * self.read(word, f"m{unit}_b") * self.ring.symbols["S"]
                products.append((unit, ("reg", word[f"m{unit}_rd"]), self.made(self.ring.reduce(value))))
        seen = self.operand(word)
        stored, flags = [], []
        self.chained = None
        chained = "chain" in (self.banks[word[port] >> self.isa.register_bits & 3] for port in ("s1_x", "s1_y"))
        for adder in ("s0", "s1"):
            takes = chained and adder == "s0"
            if word[f"{adder}_we"] or word[f"{adder}_flag"] or takes:
                x, y = self.read(word, f"{adder}_x"), self.read(word, f"{adder}_y")
                value = self.made(x - y if word[f"{adder}_sub"] else x + y)
                if adder == "s0":
                    self.chained = value
                if word[f"{adder}_we"]:
                    stored.append((("reg", word[f"{adder}_rd"]), value))
                if word[f"{adder}_flag"]:
                    flags.append(value)
        for place, value in stored:
            self.registers[place] = value
        for unit, place, value in products:
            self.registers[place] = self.stale
            self.flying.append((1 << 60, place, value, False, unit))
        self.after = flags
        return lambda: seen

    def operand(self, word: dict[str, int]) -> Any:
        """What a side unit gets, read with the word's other operands."""
        if self.control[word["ctl_op"]] != "start":
            return None
        name, _ = self.units[word["ctl_arg"]]
        return self.read(word, "s0_x") if self.machine.units[name].get("operand") else None

    def read(self, word: dict[str, int], port: str) -> Any:
        bank = self.banks[word[port] >> self.isa.register_bits & 3]
        if bank == "zero":
            return self.ring.constant(0)
        return self.chained if bank == "chain" else super().read(word, port)

    def run(self, first: str, until: str = "") -> None:
        self.after: list[Any] = []
        super().run(first, until)
        self.flags += self.after

    def land(self, cycle: int | None) -> None:
        """Flags of the word before; products land when they are waited for, all of them at the end."""
        self.flags += self.after
        self.after = []
        if cycle is None:
            super().land(None)


class SkewExecution(Execution):
    """hw/lib/seq/isa_skew.yaml: the first sum of a slot is written before its product is read, the second one before
    or behind that, so that its register is stale to the product; a product is written before the word two turns later
    begins. Multiples of the modulus count for nothing. `S` is 1 / R."""

    def execute(self, word: dict[str, int]) -> Callable[[], Any]:
        operand = self.read(word, "u")
        first, second = ({("reg", word[f"{unit}_rd"]): self._sum(word, unit)} if word[f"{unit}_en"] else {}
                         for unit in ("s0", "s1"))  # fmt: skip
        self.registers |= first | dict.fromkeys(second, self.stale)
        if word["m_en"]:
            value = self.read(word, "m_a") * self.read(word, "m_b") * self.ring.symbols["S"]
            value = self.made(self.ring.reduce(value))
            if self.control[word["ctl_op"]] == "start" and self.units[word["ctl_arg"]][0].startswith("put_"):
                operand = value
            else:
                self.flying.append((self.cycle + 2, ("reg", word["m_rd"]), value, False, 0))
        self.registers |= second
        return lambda: operand

    def _sum(self, word: dict[str, int], unit: str) -> Any:
        x, y = self.read(word, f"{unit}_x"), self.read(word, f"{unit}_y") * (2 if word[f"{unit}_double"] else 1)
        return self.made(x - y if word[f"{unit}_sub"] else x + y)


EXECUTIONS = {"butterfly": ButterflyExecution, "limb": LimbExecution, "dual": DualExecution, "skew": SkewExecution}
