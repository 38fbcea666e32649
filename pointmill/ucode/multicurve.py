# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `multicurve`, for its programs on the simulator: memory of the
parameters, inverter, walker of digits, results.

`Device` loads a curve, as the core does, and runs whole scalar multiplications.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from pointmill.curves import Curve, MontgomeryCurve
from pointmill.ucode.build import build
from pointmill.ucode.dual_simulator import DualSimulator, digits
from pointmill.ucode.simulator import Environment, Run


Point = tuple[int, int]

SETUP_CYCLES = 36
"""From the start of the set-up for a modulus to the first cycle in which its end can be seen."""


def naf_operations(k: int, kind: str) -> list[str]:
    """The walker's operations for k >= 0, whose NAF is taken from the lowest digit on; `kind` is that of the
    curve (`m3`, `0`, `any`). Before the first digit that is not 0 there is nothing to add to; the highest
    one, always 1, needs no doubling."""
    operations: list[str] = []
    begun = False
    while k:
        digit = 2 - (k & 3) if k & 1 else 0
        k = (k - digit) >> 1
        if digit and not begun:
            operations.append("walk_set" if digit > 0 else "walk_set_minus")
            begun = True
            operations += [f"walk_double_{kind}"] if k else []
        elif not k:
            operations.append("walk_last")
        else:
            name = {0: "double", 1: "add", -1: "sub"}[digit]
            operations.append(f"walk_{name}_{kind}")
    return [*operations, "walk_end"]


def ladder_indices(k: int, bits: int) -> list[int]:
    """The index of each of `bits` ladder steps for k below 2^bits, and the one behind the last: a bit XOR the
    one before it."""
    doubled = k ^ (k >> 1)
    return [doubled >> i & 1 for i in reversed(range(bits))] + [k & 1]


@dataclass
class Modulus:
    """One set of the core's parameters: modulus, digits of R, and what the loading program stores."""

    p: int
    digits: int
    memory: dict[str, int] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """Of an inversion: 2 bits, or 64 m where what is missing to that does not fit below R."""
        missing = 64 * self.digits - 2 * self.p.bit_length()
        return 64 * self.digits - (missing if self.digits > 1 and missing < 64 else 0)

    @property
    def fold(self) -> int:
        """What makes up for them."""
        return 1 << (64 * self.digits - self.steps)


@dataclass
class Answer:
    """Outcome of a job: reason by name, (x, y) or u (y None), whether it is infinity, the run."""

    reason: str
    x: int | None = None
    y: int | None = None
    infinity: bool = False
    run: Run = field(default_factory=lambda: Run(0, 0, 0, 0))

    @property
    def point(self) -> tuple[int, int] | None:
        """The affine point; None is infinity."""
        return None if self.infinity else (self.x, self.y)


class Device:
    """The core with one curve loaded, its base point too if it has one. `bits` is the number of ladder steps:
    one more than the modulus has bits, as many as the order may have. `run` is the run of the loading
    program, `reason` its outcome."""

    def __init__(self, curve: Curve | MontgomeryCurve, config: str = "paper"):
        self.curve, self.p = curve, curve.p
        self.config = config
        self.bits = self.p.bit_length() + 1
        self.field = Modulus(self.p, digits(self.p.bit_length()))
        n = (curve.n or 0) if isinstance(curve, Curve) else 0
        self.order = Modulus(n, max(digits(n.bit_length()), self.field.digits))
        self.kinds: dict[str, int] = {}
        base = (curve.g or (self.p, self.p)) if isinstance(curve, Curve) else (0, 0)
        a, b = (curve.a, curve.b) if isinstance(curve, Curve) else ((curve.A + 2) // 4, 0)
        answer = self._run("params", "", a, b, 0, False, base)
        self.reason, self.run = answer.reason, answer.run

    @property
    def kind(self) -> str:
        """Which programs of the walk suit the curve, as the loading program found out."""
        return "m3" if self.kinds["kind_minus_3"] else "0" if self.kinds["kind_zero"] else "any"

    def ecmul(self, k: int, x: int, y: int) -> Answer:
        """[k](x, y) by the NAF of k, public."""
        return self._run("ecmul", "ecmul", x, y, k, False)

    def ladder(self, k: int, x: int, y: int) -> Answer:
        """[k](x, y) by the ladder, k secret and below 2^bits."""
        return self._run("ecmul", "ladder", x, y, k, True)

    def xdh(self, k: int, u: int) -> Answer:
        """The u-coordinate of [k](u, v), k secret and clamped, so that it has as many bits as the modulus; u any
        integer of the modulus's digits."""
        return self._run("xdh", "start", u, 0, k, True)

    def check(self, x: int, y: int) -> Answer:
        """Whether (x, y) is a point of the curve."""
        return self._run("check", "", x, y, 0, False)

    def _run(self, program: str, entry: str, x: int, y: int, k: int, secret: bool,
             base: Point | None = None) -> Answer:  # fmt: skip
        machine, words, labels = _image(program, self.config)
        simulator = DualSimulator(machine, words, labels, self.p)
        answer = Answer("")
        inputs = {"plain_one": 1, "x": x, "y": y}
        selected = self.field
        inverter = {"done": 0}
        position = {"bit": 0, "on_curve": 0}
        bits = self.p.bit_length() if program == "xdh" else self.bits
        indices = ladder_indices(k, bits) if k < 1 << bits else []
        setup = {"done": 0}
        option = 0
        if program == "xdh":
            option = 1 if bits == 255 else 2
        elif isinstance(self.curve, Curve) and self.curve.g is None:
            option = 1
        operations = iter(())

        def invert(operand: int, cycle: int, steps: int) -> None:
            p = selected.p
            try:
                inputs["inv"] = pow(operand, -1, p) * pow(2, steps, p) % p
            except ValueError:
                inputs["inv"] = 0
            inverter["done"] = cycle + steps + 2

        def step(_operand: int, _cycle: int) -> int:
            position["bit"] += 1
            return indices[position["bit"]]

        def restart(_operand: int, _cycle: int) -> int:
            position["bit"] = 0
            return indices[0]

        def select(chosen: Modulus) -> None:
            nonlocal selected
            selected = chosen
            if chosen.p % 2:
                simulator.select(chosen.p, chosen.digits)

        def set_up(chosen: Modulus, cycle: int) -> None:
            select(chosen)
            setup["done"] = cycle + SETUP_CYCLES

        def external(name: str) -> int:
            if name == "fold":
                return selected.fold
            owner = selected if name in ("one", "r2") else self.field
            return owner.memory[name] if name in owner.memory else inputs[name]

        units = {
            "inverter": lambda operand, cycle: invert(operand, cycle, selected.steps),
            "power": lambda _, cycle: invert(1, cycle, 64 * selected.digits),
            "digit": step,
            "restart": restart,
            "pick": lambda flag, _: flag,
            "note_infinity": lambda flag, _: setattr(answer, "infinity", bool(flag)),
            "result_x": lambda value, _: setattr(answer, "x", value),
            "result_y": lambda value, _: setattr(answer, "y", value),
            "note_point": lambda flag, _: position.update(on_curve=flag),
            "clear_zeros": lambda *_: None,
            "infinity": lambda *_: setattr(answer, "infinity", True),
            "modulus": lambda _, cycle: set_up(self.field, cycle),
            "order": lambda _, cycle: set_up(self.order, cycle),
            "use_field": lambda *_: select(self.field),
            "use_order": lambda *_: select(self.order),
            "use_base": lambda *_: inputs.update(x=base[0], y=base[1]),
            "mark_valid": lambda *_: None,
            **{f"put_{name}": lambda value, _, name=name: selected.memory.update({name: value})
               for name in ("one", "r2", "a", "b")},
            **{name: lambda flag, _, name=name: self.kinds.update({name: flag})
               for name in ("kind_minus_3", "kind_zero")},
        }  # fmt: skip
        conditions = {
            "more_bits": lambda _: position["bit"] < bits,
            "setup_done": lambda cycle: cycle >= setup["done"],
            "setup_error": lambda _: selected.p % 2 == 0 or selected.p < 3,
            "no_order": lambda _: self.order.p == 0,
            "montgomery": lambda _: isinstance(self.curve, MontgomeryCurve),
            "walk_too_long": lambda _: k >> bits != 0,
            "opt0": lambda _: option & 1 != 0,
            "opt1": lambda _: option & 2 != 0,
            "opt2": lambda _: False,
            "inverter_done": lambda cycle: cycle >= inverter["done"],
            "on_curve": lambda _: bool(position["on_curve"]),
            "no_digits": lambda _: k == 0,
            "out_of_range": lambda _: max(inputs["x"], inputs["y"]) >= self.p,
        }
        if entry == "ecmul":
            operations = iter(naf_operations(k, self.kind))
        environment = Environment(
            {name: lambda _, name=name: external(name) for name in machine.inputs},
            conditions, units, lambda: (next(operations), 0),
        )  # fmt: skip
        answer.run = simulator.run(environment, labels.get(entry, 0), secret)
        names = {number: name for name, number in machine.reasons.items()}
        answer.reason = names[answer.run.reason]
        return answer


@lru_cache(maxsize=None)
def _image(program: str, config: str):
    """(machine, encoded words, labels) of a program."""
    machine, _, _, rom = build("multicurve", program, config)
    return machine, rom.encoded(machine), rom.labels
