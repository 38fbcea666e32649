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
    """The core with one curve loaded. `bits` is the length of its scalars: that of the modulus, or of the
    order where this is longer. `run` is the run of the loading program, `reason` its outcome."""

    def __init__(self, curve: Curve | MontgomeryCurve, config: str = "paper"):
        self.curve, self.p = curve, curve.p
        self.config = config
        self.bits = max(self.p.bit_length(), curve.n.bit_length() if curve.n else 0)
        self.digits = digits(self.p.bit_length())
        self.steps = 2 * self.p.bit_length() if self.digits > 1 else 64
        self.memory = {"plain_one": 1, "fold": 1 << (64 * self.digits - self.steps)}
        self.kinds: dict[str, int] = {}
        if isinstance(curve, Curve):
            answer = self._run("params", "weierstrass", curve.a, curve.b, 0, False)
        else:
            answer = self._run("params", "montgomery", (curve.A + 2) // 4, 0, 0, False)
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

    def _run(self, program: str, entry: str, x: int, y: int, k: int, secret: bool) -> Answer:
        machine, words, labels = _image(program, self.config)
        simulator = DualSimulator(machine, words, labels, self.p)
        answer = Answer("")
        inputs = self.memory | {"x": x, "y": y}
        inverter = {"done": 0}
        position = {"bit": 0, "on_curve": 0}
        indices = ladder_indices(k, self.bits) if k < 1 << self.bits else []
        operations = iter(())

        def invert(operand: int, cycle: int, steps: int) -> None:
            try:
                inputs["inv"] = pow(operand, -1, self.p) * pow(2, steps, self.p) % self.p
            except ValueError:
                inputs["inv"] = 0
            inverter["done"] = cycle + steps + 2

        def step(_operand: int, _cycle: int) -> int:
            position["bit"] += 1
            return indices[position["bit"]]

        def restart(_operand: int, _cycle: int) -> int:
            position["bit"] = 0
            return indices[0]

        def put(name: str, value: int) -> None:
            inputs[name] = self.memory[name] = value

        units = {
            "inverter": lambda operand, cycle: invert(operand, cycle, self.steps),
            "power": lambda _, cycle: invert(1, cycle, 64 * self.digits),
            "digit": step,
            "restart": restart,
            "pick": lambda flag, _: flag,
            "note_infinity": lambda flag, _: setattr(answer, "infinity", bool(flag)),
            "result_x": lambda value, _: setattr(answer, "x", value),
            "result_y": lambda value, _: setattr(answer, "y", value),
            "note_point": lambda flag, _: position.update(on_curve=flag),
            "clear_zeros": lambda *_: None,
            **{f"put_{name}": lambda value, _, name=name: put(name, value) for name in ("one", "r2", "a", "b")},
            **{name: lambda flag, _, name=name: self.kinds.update({name: flag})
               for name in ("kind_minus_3", "kind_zero")},
        }  # fmt: skip
        conditions = {
            "more_bits": lambda _: position["bit"] < self.bits,
            "inverter_done": lambda cycle: cycle >= inverter["done"],
            "on_curve": lambda _: bool(position["on_curve"]),
            "no_digits": lambda _: k == 0,
            "out_of_range": lambda _: program != "xdh" and not (0 <= x < self.p and 0 <= y < self.p),
        }
        if entry == "ecmul":
            operations = iter(naf_operations(k, self.kind))
        environment = Environment(
            {name: lambda _, name=name: inputs[name] for name in machine.inputs},
            conditions, units, lambda: (next(operations), 0),
        )  # fmt: skip
        answer.run = simulator.run(environment, labels.get(entry, 0), secret)
        names = {number: name for name, number in machine.reasons.items()}
        answer.reason = names[answer.run.reason]
        if answer.reason == "infinity":
            answer.reason, answer.infinity = "ok", True
        return answer


@lru_cache(maxsize=None)
def _image(program: str, config: str):
    """(machine, encoded words, labels) of a program."""
    machine, _, _, rom = build("multicurve", program, config)
    return machine, rom.encoded(machine), rom.labels
