# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact simulator of the limb datapath (ucode/x25519/paper.yaml), bit by bit: registers hold 17 limbs.

The arithmetic is written here from the columns of the paper (Hu et al. 2024, section 2.3), apart from the golden model, with
which the tests compare it: every column is a sum over pairs of limbs, and a carry pass moves what is above 15 bits one column up.

It refuses, as an error, what the hardware would do wrongly: a unit started while it works, a port that does not reach
its register, a result that goes to a register that is not there.
"""

from __future__ import annotations

from functools import lru_cache

from pointmill.ucode.build import build
from pointmill.ucode.limb import DIGIT_BITS, LIMBS, SIDES, SMALL_DIGITS, UNITS, reaches
from pointmill.ucode.limb_emitter import CODES
from pointmill.ucode.machine import Machine, P
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator


_WRAP = (1 << LIMBS * DIGIT_BITS) - P
"""What the column above the highest one is worth in the lowest."""
_PASSES = {"mul": 2, "small": 2, "add": 1, "sub": 1}
_MULTIPLE = 3
"""Of p, which keeps differences positive."""


def limbs_of(number: int) -> list[int]:
    """The digits of a number below 2^255."""
    digits = []
    for _ in range(LIMBS):
        number, digit = divmod(number, 1 << DIGIT_BITS)
        digits.append(digit)
    return digits


def _column(kind: str, x: list[int], y: list[int], place: int) -> int:
    """A column before its carries."""
    if kind == "add":
        return x[place] + y[place]
    if kind == "sub":
        return x[place] + _MULTIPLE * limbs_of(P)[place] - y[place]
    digits = LIMBS if kind == "mul" else SMALL_DIGITS
    return sum(x[(place - j) % LIMBS] * y[j] * (_WRAP if j > place else 1) for j in range(digits))


def operate(kind: str, x: list[int], y: list[int]) -> list[int]:
    """The limbs of `mul`, `small`, `add` or `sub`; ExecutionError where a limb of the result has more than 16 bits."""
    columns = [_column(kind, x, y, place) for place in range(LIMBS)]
    for _ in range(_PASSES[kind]):
        carries = [column // (1 << DIGIT_BITS) for column in columns]
        columns = [column % (1 << DIGIT_BITS) + (_WRAP * carries[-1] if place == 0 else carries[place - 1])
                   for place, column in enumerate(columns)]
    if not all(0 <= column <= 0xFFFF for column in columns):
        raise ExecutionError(f"{kind}: a limb of the result does not fit 16 bits")
    return columns


def canonical(limbs: list[int]) -> int:
    """The number in [0, p) of limbs whose value is below 2p; ExecutionError for others."""
    value = 0
    for digit in reversed(limbs):
        value = (value << DIGIT_BITS) + digit
    if value >= 2 * P:
        raise ExecutionError("the result is not below 2p")
    return value % P


class LimbSimulator(Simulator):
    """Runs encoded words. Units get their operand as limbs."""

    def __init__(self, machine: Machine, words: list[int], labels: dict[str, int]):
        super().__init__(machine, words, labels)
        self.kinds = {code: kind for kind, code in CODES.items()}

    def run(self, env: Environment, entry: int = 0, secret: bool = False,
            limit: int = 100_000) -> Run:  # fmt: skip
        """As the base class."""
        self.free = [0] * UNITS
        return super().run(env, entry, secret, limit)

    def _limbs(self, word: dict[str, int], unit: int, side: int) -> list[int]:
        bits = self.isa.register_bits
        port = word[f"u{unit}_{SIDES[side]}"]
        number = port & ((1 << bits) - 1)
        if self.bank_names[(port >> bits) & 3] == "ext":
            source: int | str = self.external_names[number]
            constant = self.machine.constants.get(source)
            limbs = limbs_of(self.env.inputs[source](self.index) if constant is None else constant)
        else:
            number ^= self.index * (port >> (bits + 2))
            source = number % UNITS
            limbs = self.banks["reg"][number] or [0] * LIMBS
        if not reaches(self.machine, unit, side, source):
            raise ExecutionError(f"port {SIDES[side]} of unit {unit} does not reach {source}, cycle {self.cycle}")
        return limbs

    def _execute(self, word: dict[str, int], run: Run) -> list[int] | None:
        for unit in range(UNITS):
            if not word[f"u{unit}_en"]:
                continue
            if self.cycle < self.free[unit]:
                raise ExecutionError(f"unit {unit} is at work in cycle {self.cycle}")
            kind, slot = self.kinds[word[f"u{unit}_op"]], word[f"u{unit}_rd"]
            if slot >= self.machine.slots[unit]:
                raise ExecutionError(f"unit {unit} has no register {slot}, cycle {self.cycle}")
            value = operate(kind, self._limbs(word, unit, 0), self._limbs(word, unit, 1))
            self.free[unit] = self.cycle + self.machine.latency[kind]
            self.pending.append((self.free[unit], "reg", unit + UNITS * slot, value, False))
            run.products += kind in ("mul", "small")
            run.butterflies += kind in ("add", "sub")
        name = self.unit_names.get(word["ctl_arg"]) if self.control_names[word["ctl_op"]] == "start" else None
        return self._limbs(word, 0, 0) if name and self.machine.units[name].get("operand") else None


@lru_cache(maxsize=None)
def _simulator() -> LimbSimulator:
    machine, _, _, rom = build("x25519", "paper", "paper")
    return LimbSimulator(machine, rom.encoded(machine), rom.labels)


def scalar_product(k: int, u: int) -> tuple[int, Run]:
    """(u of k times the point with coordinate u < 2^255, run) by the program; k is clamped, as it is secret."""
    left = [k >> i & 1 for i in range(255)]
    before, results = 0, []

    def digit() -> int:
        """The next bit XOR the one before; behind the lowest bit a 0."""
        nonlocal before
        bit = left.pop() if left else 0
        index, before = bit ^ before, bit
        return index

    units = {"digit": lambda *_: digit(), "result": lambda limbs, _: results.append(canonical(limbs))}
    first = digit()
    environment = Environment({"u": lambda _: u}, {}, units, lambda: ("", 0), index=first)
    run = _simulator().run(environment, secret=True)
    return results[0], run
