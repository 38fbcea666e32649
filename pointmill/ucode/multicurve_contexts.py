# SPDX-License-Identifier: Apache-2.0
"""What stands around the contexts of `multicurve` (pm_multicurve_contexts), for their program on the simulator: the
numbers that the contexts share, the digit scan, results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pointmill.curves import Curve, by_name
from pointmill.ucode.build import Image, build, link
from pointmill.ucode.mont_scaled import Scaled
from pointmill.ucode.simulator import Environment, Run, Simulator
from pointmill.ucode.skew import SkewEngine


class Form(NamedTuple):
    """Of the numbers of an engine."""

    digit: int
    """Bits of a digit."""
    columns: int
    """Digits of a number; long ones have one more."""
    slots: dict[int, int]
    """Cycles of a slot by the digits of R."""
    named: str
    """The curve with the prime by which a product takes two digits of a factor at a time."""
    named_digits: int
    """Digits of R then."""
    named_slot: int
    """Cycles of a slot then."""

    @property
    def digits(self) -> int:
        """Of a number."""
        return self.columns + 1

    @property
    def parameters(self) -> dict[str, int]:
        """Of pm_multicurve_contexts."""
        return {"Digit": self.digit, "Columns": self.columns}


NARROW, WIDE = Form(45, 6, {7: 7}, "P-256", 6, 4), Form(42, 13, {13: 13, 14: 15}, "P-521", 14, 7)

Point = tuple[int, int]


def signed_digits(k: int) -> list[int]:
    """Digits -1, 0, 1 of k, highest first, the first one 1; none for 0. No form has fewer that are not 0: it is the
    width-2 form of the mutual opposite form (Okeya, Schmidt-Samoa, Spahn, Takagi 2004, CRYPTO), made of three bits at a
    time."""
    digits: list[int] = []
    at = k.bit_length()
    bits = k << 2
    while at >= 0:
        three = bits >> at & 7  # bits at, at - 1 and at - 2 of k
        pair = {2: [0, 1], 3: [1, 0], 4: [-1, 0], 5: [0, -1]}.get(three, [0])
        digits += pair[: at + 1]
        at -= len(pair)
    return digits[next((i for i, digit in enumerate(digits) if digit), len(digits)) :]


@dataclass(frozen=True)
class Shared:
    """The numbers that contexts share for a curve; ValueError for a field that is too long, or so short
    that p divides k."""

    curve: Curve
    form: Form = NARROW

    def __post_init__(self) -> None:
        if not self._allows(self.digits):
            raise ValueError("the field is too long")
        if self.k % self.curve.p == 0:
            raise ValueError("the field is too short")

    @property
    def scaled(self) -> Scaled:
        """The modulus."""
        return Scaled(self.curve.p, self.form.digit)

    @cached_property
    def digits(self) -> int:
        """Of R: as few as factors as large as they get allow; an even number for the named prime."""
        if self.named:
            return self.form.named_digits
        return next((digits for digits in self.form.slots if self._allows(digits)), self.form.digits)

    def _allows(self, digits: int) -> bool:
        """Whether R of so many digits takes factors as large as they get."""
        limit = link("multicurve", ("contexts",), "contexts").machine.limits["product"]
        return self.scaled.modulus * limit <= 1 << self.form.digit * digits

    @property
    def long(self) -> bool:
        """Whether slots are the longer ones."""
        return self.digits == self.form.digits and not self.named

    @property
    def named(self) -> bool:
        """Whether p is the special prime of the form, and slots are the shortest ones."""
        return self.curve.p == by_name(self.form.named).p

    @property
    def slot(self) -> int:
        """Cycles of a slot."""
        return self.form.named_slot if self.named else self.form.slots[self.digits]

    @property
    def k(self) -> int:
        """k of the scaled modulus k p."""
        return self.scaled.modulus // self.curve.p

    def _multiple(self, value: int) -> int:
        """The multiple of k below k p that is `value` modulo p."""
        return self.k * (value * pow(self.k, -1, self.curve.p) % self.curve.p)

    @property
    def kind(self) -> str:
        """Of a, as the program tells curves."""
        return {0: "0", self.curve.p - 3: "m3"}.get(self.curve.a, "any")

    def numbers(self) -> dict[str, int]:
        """By name."""
        curve, r = self.curve, 1 << self.form.digit * self.digits
        return {"plain_one": 1, "r2": self._multiple(r * r), "a": self._multiple(curve.a * r),
                "b": self._multiple(curve.b * r), "k": self.k, "exponent": (curve.p - 3) // 2}


@dataclass
class Answer:
    """Outcome of a job: reason, coordinates where there are some, the run."""

    reason: str
    numbers: list[int] = field(default_factory=list)
    run: Run = field(default_factory=lambda: Run(0, 0, 0, 0))


class Job:
    """One run of the program: a product of a point, or, without a point, the loading of a curve."""

    def __init__(self, shared: Shared, k: int = 0, point: Point | None = None) -> None:
        self.shared, self.k, self.point = shared, k, point
        self.exact = False
        """Whether the digits came again, for the exact way."""
        self.image: Image = link("multicurve", ("contexts",), "contexts")
        self.engine = SkewEngine(self.image.machine)
        self.answer = Answer("")
        self.zero = False
        self.operations: list[tuple[str, int]] = []
        self.sign = 1
        self.kinds: dict[str, bool] = {}

    def run(self) -> Answer:
        """The outcome."""
        machine = self.image.machine
        labels = {label.partition(".")[2]: at for label, at in self.image.rom.labels.items()}
        simulator = Simulator(machine, self.image.words, labels, self.engine)
        numbers = self.shared.numbers()
        if self.point is None:
            numbers = {name: numbers[name] for name in ("plain_one", "k", "exponent")}
        self.engine.use(self.shared.scaled, self.shared.digits, numbers)
        home = registers()
        environment = Environment(
            {},
            {"ready": lambda _: True, "zero": lambda _: self.zero, "exact": lambda _: self.exact,
             "loading": lambda _: self.point is None, "long": lambda _: self.shared.digits == self.shared.form.digits,
             "wide": lambda _: self.shared.form == WIDE},
            {"scalar": self._scalar, "exponent": self._exponent, "is_zero": self._is_zero,
             "again": lambda *_: self._again(), "kind_zero": self._kind("0"),
             "kind_minus_3": self._kind("m3"), **{f"put_{name}": lambda *_: None for name in ("r2", "a", "b")}},
            lambda: self.operations.pop(0),
            registers={("reg", home[name]): value for name, value in self.loaded().items()},
        )  # fmt: skip
        run = simulator.run(environment, labels["load_curve" if self.point is None else "ecmul"])
        names = {number: name for name, number in machine.reasons.items()}
        self.answer.run, self.answer.reason = run, names[run.reason]
        if self.point is not None and self.answer.reason == "ok":
            self.engine.cycle += 1  # an idle context is read a turn later at the earliest
            self.engine.land()
            self.answer.numbers = [self._coordinate(self.engine.banks["reg"][home[name]]) for name in ("X", "Z")]
        return self.answer

    def loaded(self) -> dict[str, int]:
        """The numbers that are loaded to registers, by the name of a global."""
        if self.point is None:
            k, curve = self.shared.k, self.shared.curve
            return {"power": k, "inverse": k, "X": curve.a, "Z": curve.b}
        return {"PX": self.point[0], "PY": self.point[1], "K": self.k}

    def _scalar(self, operand: int, _: int) -> None:
        self._scan(operand)

    def _again(self) -> None:
        self.exact, self.sign = True, 1
        self._scan(self.k)

    def _scan(self, scalar: int) -> None:
        digits = signed_digits(scalar)
        for i, digit in enumerate(digits[1:]):
            # At first Q is P itself.
            apart = self.exact or i == 0
            if apart or not digit:
                self.operations.append((f"walk_double_{self.shared.kind}", 0))
            if digit:
                add = f"walk_{'exact_' * self.exact}add" if apart else "walk_double_add"
                self.operations.append((add, int(digit != self.sign)))
                self.sign = digit
        self.operations.append(("walk_end" if digits else "walk_nothing", self._negative))

    @property
    def _negative(self) -> int:
        """The index from the last digit on: whether Q has the other sign."""
        return int(self.sign < 0)

    def _exponent(self, operand: int, _: int) -> None:
        bits = self.shared.curve.p.bit_length() - 1
        steps = ["walk_power_one" if operand >> i & 1 else "walk_power_zero" for i in range(bits)]
        self.operations = [(step, self._negative) for step in [*steps, "walk_power_end"]]

    def _is_zero(self, operand: int, _: int) -> None:
        self.zero = operand == self.shared.scaled.modulus + 1

    def _kind(self, name: str) -> Callable[[int, int], None]:
        def note(_operand: int, _cycle: int) -> None:
            self.kinds[name] = self.zero

        return note

    def _coordinate(self, result: int) -> int:
        if result % self.shared.k:
            raise ValueError("a result is no multiple of k")
        return result // self.shared.k % self.shared.curve.p


def registers() -> dict[str, int]:
    """The registers of the program's globals."""
    return {name: home.register for name, home in build("multicurve", "contexts", "contexts")[1].globals.items()}
