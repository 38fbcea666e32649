# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `edverify` for programs on secret scalars: regular digits, table
points and results, as functions for the microcode simulator.

Digits are computed from their definition: the swaps of a ladder from the bits of the scalar, those of the
comb by dividing the odd one of s and s + L, half by half, into signed odd digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from dv.edverify.half_units import fixed_point
from pointmill.cores import EDVERIFY
from pointmill.model.scalar import L
from pointmill.ucode.build import Image, link
from pointmill.ucode.simulator import Environment, Run, Simulator

LADDER_STEPS = 255
HALF_BITS, WINDOW, WINDOWS = 127, 9, 15
"""Positions of each half of a fixed-base comb scalar, doublings between its pairs of digits, and pairs."""


@dataclass(frozen=True)
class Digit:
    """A digit of a walk: the swap of a ladder step, or +-(2 index + 1) times base `kind`."""

    swap: int = 0
    kind: int = 0
    negative: bool = False
    index: int = 0

    @property
    def value(self) -> int:
        """The odd number of a comb digit."""
        return (2 * self.index + 1) * (-1 if self.negative else 1)


def ladder_digits(k: int) -> list[Digit]:
    """Swaps k_t xor k_(t+1), from t = 254 down."""
    return [Digit(swap=(k >> t ^ k >> (t + 1)) & 1) for t in reversed(range(LADDER_STEPS))]


def comb_digits(s: int) -> list[Digit]:
    """The digits of s below L, highest pair first: G, then 2^127 G."""
    odd = s if s % 2 else s + L
    # odd = sum of +-2^i over 254 positions, of which the lower half has an odd sum of its own.
    bits = (odd >> 1) + 2**253
    found: list[list[Digit]] = []
    for half in (bits % 2**HALF_BITS, bits >> HALF_BITS):
        rest = 2 * half - (2**HALF_BITS - 1)
        digits = []
        for _ in range(WINDOWS - 1):
            digit = rest % 2 ** (WINDOW + 1) - 2**WINDOW
            digits.append(digit)
            rest = (rest - digit) >> WINDOW
        found.append([Digit(kind=len(found), negative=digit < 0, index=abs(digit) // 2)
                      for digit in [*digits, rest]])  # fmt: skip
    return [digit for pair in zip(*map(reversed, found), strict=True) for digit in pair]


@cache
def _linked(machine: str) -> tuple[Image, Simulator]:
    image = link("edverify", EDVERIFY.roms[machine].programs, machine)
    return image, Simulator(image.machine, image.rom.encoded(image.machine), image.rom.labels)


def image(machine: str = "throughput") -> Image:
    """The ROM of a machine."""
    return _linked(machine)[0]


def simulator(machine: str = "throughput") -> Simulator:
    """The one simulator of that ROM."""
    return _linked(machine)[1]


class Job:
    """One secret job on the simulator of a machine: `digits` of each of its scalars, and u."""

    def __init__(self, digits: list[list[Digit]], u: int = 0, machine: str = "throughput") -> None:
        self.u, self.results, self.machine = u, {}, machine
        self.steps = self.walk(digits)
        self.digit, self.more = next(self.steps)
        self.two = len(digits) == 2

    @staticmethod
    def walk(scalars: list[list[Digit]]) -> Iterator[tuple[Digit, bool]]:
        """(digit, another scalar follows); the last one stays."""
        for number, digits in enumerate(scalars):
            for digit in digits:
                yield digit, number + 1 < len(scalars)
        while True:
            yield digit, False

    def step(self, operand: int, cycle: int) -> int:
        """Unit `digit`."""
        self.digit, self.more = next(self.steps)
        return self.digit.swap

    def encoding(self, name: str, operand: int, cycle: int) -> None:
        """Units `result_a`, `result_r`."""
        self.results[name] = operand | simulator(self.machine).engine.flags[0][1] << 255

    def environment(self) -> Environment:
        """The units as the simulator wants them."""
        def point(part: int) -> Callable[[int], int]:
            return lambda index: fixed_point(self.digit.kind, self.digit.index,
                                             self.digit.negative)[part]  # fmt: skip

        points = {name: point(part) for part, name in enumerate(("g_yp", "g_ym", "g_t2d"))}
        return Environment(
            inputs={"u": lambda index: self.u % 2**255, **points},
            conditions={"more_scalars": lambda cycle: self.more,
                        "two_scalars": lambda cycle: self.two},
            units={
                "digit": self.step,
                "result_u": lambda operand, cycle: self.results.update(u=operand),
                "result_a": lambda operand, cycle: self.encoding("a", operand, cycle),
                "result_r": lambda operand, cycle: self.encoding("r", operand, cycle),
            },
            walk=lambda: ("", 0),
            index=self.digit.swap,
            negative=lambda: self.digit.negative,
        )  # fmt: skip

    def run(self, entry: str) -> Run:
        """Run it from that entry of the ROM, as a job on secrets."""
        address = image(self.machine).address(EDVERIFY.roms[self.machine].entries[entry])
        return simulator(self.machine).run(self.environment(), address, secret=True)


def x25519(k: int, u: int, machine: str = "throughput") -> tuple[int, Run]:
    """(u-coordinate of k times u, run) on the simulator; k is clamped."""
    job = Job([ladder_digits(k)], u, machine)
    run = job.run("x25519")
    return job.results["u"], run


def fixed_base(scalars: list[int], machine: str = "throughput") -> tuple[list[int], Run]:
    """(encodings of s*G for one or two s below L, run) on the simulator."""
    job = Job([comb_digits(s) for s in scalars], 0, machine)
    run = job.run("fixed_base")
    return [job.results[name] for name in "ar"[: len(scalars)]], run
