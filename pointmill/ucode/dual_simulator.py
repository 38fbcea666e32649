# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact simulator of the dual datapath (ucode/multicurve): two Montgomery multipliers whose products
take as many cycles as the modulus has digits, two modular adders, 16 registers.

It refuses, as an error, what words with too few waits would do: a register read or written while a product
on its way to it is in flight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pointmill.ucode.machine import Machine
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator

DIGIT = 32
ARRAY_BITS = 272
"""Bits of the multipliers' arrays: a longer modulus takes two cycles a digit (Liu et al. 2023, alg. 2)."""


def digits(bits: int) -> int:
    """32-bit digits of a modulus of `bits` bits."""
    return -(-bits // DIGIT)


def product_cycles(bits: int) -> int:
    """Cycles of a product for a modulus of `bits` bits."""
    return digits(bits) * (2 if bits > ARRAY_BITS else 1)


def packed_cycles(m: int, wide: bool) -> int:
    """Cycles of a product of m digits in pm_mont_mul_packed; wide: the modulus has more than ARRAY_BITS bits."""
    segments = max(4, -(-DIGIT * m // (ARRAY_BITS // 4))) if wide else 4
    return -(-segments * m // 4)


@dataclass
class Flight:
    """A product in flight: when it is there, where it goes, what it is."""

    ready: int
    register: int
    value: int


class DualSimulator(Simulator):
    """Runs encoded words modulo p, or what `select` chooses instead: values are a R mod p in [0, p), R = 2^(32 m)."""

    def __init__(self, machine: Machine, words: list[int], labels: dict[str, int], p: int):
        super().__init__(machine, words, labels)
        self.flying: dict[int, Flight] = {}
        self.late = {machine.externals[name] for name in machine.late_inputs}
        self.late_ready = 0
        """From when on words can read the late inputs."""
        self.held: Callable[[], bool] = lambda: False
        """Whether the machine's registers that can be held are."""
        self.select(p, digits(p.bit_length()), product_cycles(p.bit_length()))

    def select(self, p: int, m: int, length: int) -> None:
        """From the next word on the modulus is p, with R of m digits and products of `length` cycles. ExecutionError
        while a product is in flight."""
        if any(flight.ready > self.cycle for flight in self.flying.values()):
            raise ExecutionError(f"another modulus in cycle {self.cycle}: a product is in flight")
        self.p = p
        self.length = length
        self.r_inverse = pow(1 << DIGIT * m, -1, p)

    def run(self, env: Environment, entry: int = 0, secret: bool = False,
            limit: int = 2_000_000) -> Run:  # fmt: skip
        """As the base class; ExecutionError also for a use of a register that a product is on its way to."""
        self.flying.clear()
        self.zeros_met = False
        return super().run(env, entry, secret, limit)

    def _land(self) -> None:
        for unit, flight in list(self.flying.items()):
            if flight.ready <= self.cycle:
                self._keep(flight.register, flight.value)
                del self.flying[unit]

    def _keep(self, register: int, value: int) -> None:
        if register >= self.machine.held or not self.held():
            self.banks["reg"][register] = value

    def _stalled(self, word: dict[str, int]) -> bool:
        return (word["ext"] in self.late and self.cycle < self.late_ready) or any(
            unit in self.flying and (word[f"wait{unit}"] or word[f"m{unit}_en"]) for unit in (0, 1)
        )

    def _free(self, register: int) -> int:
        """The register's number; an error where a product is on its way to it."""
        if any(flight.register == register for flight in self.flying.values()):
            raise ExecutionError(f"register {register} in cycle {self.cycle}: its product is in flight")
        return register

    def _read(self, word: dict[str, int], port: str) -> int:
        bits = self.isa.register_bits
        bank = self.bank_names[(word[port] >> bits) & 3]
        if bank == "ext":
            return self.env.inputs[self.external_names[word["ext"]]](self.index)
        if bank == "chain":
            return self.first
        if bank == "zero":
            return 0
        register = word[port] & ((1 << bits) - 1)
        if word[port] >> (bits + 2):
            register ^= self.index
        return self.banks["reg"][self._free(register)]

    def _sum(self, word: dict[str, int], unit: str) -> int:
        """A sum; an operand may be the integer of an external value, from p on as well."""
        x, y = self._read(word, f"{unit}_x"), self._read(word, f"{unit}_y")
        return (x - y if word[f"{unit}_sub"] else x + y) % self.p

    def _product(self, x: int, y: int) -> int:
        return x * y * self.r_inverse % self.p

    def _execute(self, word: dict[str, int], run: Run) -> int:
        products = {
            unit: self._product(self._read(word, f"m{unit}_a"), self._read(word, f"m{unit}_b"))
            for unit in (0, 1)
            if word[f"m{unit}_en"]
        }
        starts = self.control_names[word["ctl_op"]] == "start"
        operand = self._operand(word) if starts else 0
        stored = []
        for unit in ("s0", "s1"):
            if not (word[f"{unit}_we"] or word[f"{unit}_flag"] or self._chains(word, unit)):
                continue
            value = self._sum(word, unit)
            if unit == "s0":
                self.first = value
            if word[f"{unit}_we"]:
                stored.append((self._free(word[f"{unit}_rd"]), value))
            if word[f"{unit}_flag"]:
                self.flags.appendleft((value == 0, value & 1))
                self.zeros_met |= value == 0
            run.butterflies += 1
        for register, value in stored:
            self._keep(register, value)
        for unit, value in products.items():
            register = self._free(word[f"m{unit}_rd"])
            self.flying[unit] = Flight(self.cycle + self.length, register, value)
            run.products += 1
        return operand

    def _operand(self, word: dict[str, int]) -> int:
        """What a side unit gets: its operand, or the latest zero flag if it looks at flags."""
        name = self.unit_names[word["ctl_arg"]]
        if name == "clear_zeros":
            self.zeros_met = False
        unit = self.machine.units[name]
        if unit.get("operand"):
            return self._read(word, "s0_x")
        return int(self.flags[0][0]) if unit.get("flags") else 0

    def _chains(self, word: dict[str, int], unit: str) -> bool:
        """Whether the second sum takes the first one, which need not be stored."""
        chain = self.isa.port("chain")
        return unit == "s0" and chain in (word["s1_x"], word["s1_y"])

    def _level(self, name: str) -> bool:
        own = {"zero0": self.flags[0][0], "zeros_met": self.zeros_met}
        return own[name] if name in own else self.env.conditions[name](self.cycle)
