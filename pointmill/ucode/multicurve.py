# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `multicurve`, for its programs on the simulator: memory of the
parameters, inverter, digit scan, results.

`Device` loads a curve, as the core does, and runs whole scalar multiplications.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from pointmill.cores import MULTICURVE
from pointmill.curves import Curve, MontgomeryCurve
from pointmill.gen.named_prime import named
from pointmill.ucode.build import build
from pointmill.ucode.dual import ARRAY_BITS, DIGIT, DualEngine, digits, packed_cycles
from pointmill.ucode.machine import Machine
from pointmill.ucode.multicurve_table import TEETH, Comb, CombTable, Entries, Table, window
from pointmill.ucode.simulator import Environment, Run, Simulator

Point = tuple[int, int]

MACHINES = {name: one.machine for name, one in MULTICURVE.configurations.items() if one.machine != "contexts"}
"""The machine description by configuration, but for `contexts` (multicurve_contexts.py): `throughput` has two engines
of one multiplier, of which each has jobs of its own."""

def _programs(entry: str) -> dict[str, str]:
    """The program that has an entry, by configuration."""
    return {config: MULTICURVE.roms[machine].entries[entry].partition(".")[0] for config, machine in MACHINES.items()}


PRODUCTS = _programs("ecmul")
"""The program of scalar multiplication by configuration."""

LOADERS = _programs("load_curve")
"""The program that loads a curve by configuration."""

LADDERS = _programs("xdh")
"""The program of RFC 7748 by configuration."""

NAMED = {prime.p: prime for prime in named()}
"""Primes known by name."""

DIGITS = 17
"""Digits of an operand."""

MAX_LENGTH = 2047
"""What longer digests count as: nothing is left of their number either."""

START = -2
"""Cycle in which the first scalar is selected at the start of a job, counted from its first word on."""

SETUP_CYCLES = 36
"""From the start of the set-up for a modulus to the first cycle in which its end can be seen."""


def naf_operations(k: int, kind: str, begun: bool = False) -> list[str]:
    """The walker's operations for the digits of k >= 0, whose NAF is taken from the lowest one on; `kind` is that of
    the curve (`m3`, `0`, `any`). Before the first digit that is not 0 there is nothing to add to, unless the sum has
    begun already; the highest one, always 1, needs no doubling."""
    operations: list[str] = []
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
    return operations


def ladder_indices(k: int, bits: int) -> list[int]:
    """The index of each of `bits` ladder steps for k below 2^bits, and the one behind the last: a bit XOR the
    one before it."""
    doubled = k ^ (k >> 1)
    return [doubled >> i & 1 for i in reversed(range(bits))] + [k & 1]


def unusable(modulus: int) -> bool:
    """Whether a number is no modulus of the core: even or below 3."""
    return modulus % 2 == 0 or modulus < 3


@dataclass
class Modulus:
    """One set of the core's parameters: modulus, digits of R, cycles of a product, and what the loading program
    stores."""

    p: int
    digits: int
    length: int
    memory: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, p: int, config: str, least: int | None = None) -> Modulus:
        """The field's modulus p, or an order with at least `least` digits, in a configuration."""
        wide = p.bit_length() > ARRAY_BITS
        prime = NAMED.get(p) if config != "paper" and least is None else None
        m = 2 * prime.digits if prime else max(digits(p.bit_length()), min(least or 0, DIGITS))
        if prime:
            return cls(p, m, prime.cycles)
        return cls(p, m, m * (1 + wide) if config == "paper" else packed_cycles(m, wide))

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
        return None if self.infinity or self.x is None or self.y is None else (self.x, self.y)


@dataclass(frozen=True)
class Request:
    """What a job gives its program: two points and scalars, of which the first are selected at its beginning (the
    base point has no coordinates), r and s or d and k, the number e, which of a product by the comb is its scalar, and
    the bits that it has too many, whether a comb is to be made."""

    program: str
    entry: str = ""
    points: tuple[Point | None, ...] = ((0, 0),)
    scalars: tuple[int, ...] = (0,)
    pair: Point = (0, 0)
    e: int = 0
    excess: int = 0
    secret: bool = False
    sm2: bool = False
    comb: bool = False

    @property
    def signing(self) -> bool:
        """Whether it makes a signature."""
        return self.entry == "sign"

    @property
    def loading(self) -> bool:
        """Whether it loads a curve."""
        return self.entry == "load_curve"

    @property
    def signature(self) -> bool:
        """Whether it makes or verifies one."""
        return self.entry in ("sign", "verify")


class Job:
    """One run of a program: the units and conditions around the datapath."""

    def __init__(self, device: Device, request: Request, machine: Machine, words: list[int],
                 labels: dict[str, int]) -> None:
        self.device, self.request = device, request
        self.answer = Answer("")
        self.engine = DualEngine(machine, device.p)
        self.simulator = Simulator(machine, words, labels, self.engine)
        self._use(device.field)
        self.ladder = request.program in LADDERS.values()
        self.bits = device.p.bit_length() + (not self.ladder)
        self.scalars = list(request.scalars)
        self.inverse = self.inverse_done = self.setup_done = 0
        self.on_curve = self.zero_noted = False
        self.two = len(self.scalars) == 2
        self.begun = False
        self.excess, self.left = request.excess, DIGITS
        self.digits_ready = self.excess // DIGIT + self.excess % DIGIT - 1
        self.e = request.e >> self.excess
        self.numbers: Point = (0, 0)
        self.table: Table | None = None
        if device.config != "paper":
            kept = (device.base_kept and request.points[0] in (None, device.base) and not request.secret
                    and request.entry != "ecmul")
            width = window(device.p.bit_length())
            if MACHINES[device.config] == "fast":
                secret = request.secret and request.points[0] is None
                self.table = CombTable(self.engine, width, device.base_entries, device.comb_kept if secret else kept,
                                       request.loading, device.comb, device.comb_entries)  # fmt: skip
            else:
                self.table = Table(self.engine, width, device.base_entries, kept, request.loading)
        self._select(0, START)

    def run(self) -> Answer:
        """The outcome."""
        request, simulator = self.request, self.simulator
        machine = simulator.machine
        sources = {name: self._source(name) for name in machine.inputs}
        units, conditions = self._units(), self._conditions()
        if self.table:
            sources |= self.table.inputs()
            units, conditions = units | self.table.units(), conditions | self.table.conditions()
        environment = Environment(sources, conditions, units, self._walk)
        run = simulator.run(environment, simulator.labels.get(request.entry, 0), request.secret)
        names = {number: name for name, number in machine.reasons.items()}
        self.answer.run, self.answer.reason = run, names[run.reason]
        if self.answer.reason == "result_off_curve":
            self.device.base_kept = self.device.comb_kept = False
        return self.answer

    # ---- points, scalars, digits ----

    def _select(self, which: int, cycle: int) -> None:
        """The point of that number, and its scalar for the walker."""
        self.second = which
        point = self.request.points[which]
        self.numbers = self.device.base if point is None else point
        k = self.scalars[which]
        begun = bool(which) and self.begun
        self.begun = begun or k != 0
        if self.table:
            self.table.part = which
            self.operations = self.table.walk(self.scalars if self.two else [k], self.device.kind, cycle + 1)
        else:
            self.operations = iter(naf_operations(k, self.device.kind, begun))
        self.bit = 0
        self.indices = ladder_indices(k, self.bits) if k < 1 << self.bits else []

    def _walk(self) -> tuple[str, int]:
        if self.table:
            return next(self.operations), 0
        end = "walk_next" if self.two and not self.second else "walk_end" if self.begun else "walk_nothing"
        return next(self.operations, end), 0

    def _restart(self, *_: int) -> int:
        self.bit = 0
        return self.indices[0]

    def _digit(self, *_: int) -> int:
        self.bit += 1
        return self.indices[self.bit]

    def _next_digits(self, _operand: int, cycle: int) -> int:
        m = self.modulus.digits
        self.e >>= DIGIT * m
        self.left = max(self.left - m, 0)
        self.digits_ready = cycle + 1 + m
        return 0

    # ---- parameters ----

    def _source(self, name: str) -> Callable[[int], int]:
        return lambda _: self._external(name)

    def _external(self, name: str) -> int:
        own = {"plain_one": 1, "x": self.numbers[0], "y": self.numbers[1], "inv": self.inverse,
               "fold": self.modulus.fold, "e": self.e & ((1 << DIGIT * self.modulus.digits) - 1)}  # fmt: skip
        owner = self.modulus if name in ("one", "r2") else self.device.field
        return own[name] if name in own else owner.memory[name]

    def _use(self, modulus: Modulus) -> None:
        self.modulus = modulus
        if modulus.p % 2:
            self.engine.select(modulus.p, modulus.digits, modulus.length)

    def _set_up(self, modulus: Modulus, cycle: int) -> None:
        self._use(modulus)
        self.setup_done = cycle + SETUP_CYCLES

    def _invert(self, operand: int, cycle: int, steps: int) -> None:
        p = self.modulus.p
        unit = math.gcd(operand, p) == 1
        self.inverse = pow(operand, -1, p) * pow(2, steps, p) % p if unit else 0
        self.inverse_done = cycle + steps + 2

    # ---- units, conditions ----

    def _units(self) -> dict[str, Callable[[int, int], int | None]]:
        device, answer = self.device, self.answer

        def put(name: str) -> Callable[[int, int], None]:
            return lambda value, _: self.modulus.memory.update({name: value})

        def keep(target: object, name: str) -> Callable[[int, int], None]:
            return lambda value, _: setattr(target, name, value)

        return {
            "inverter": lambda operand, cycle: self._invert(operand, cycle, self.modulus.steps),
            "power": lambda _, cycle: self._invert(1, cycle, 64 * self.modulus.digits),
            "digit": self._digit,
            "restart": self._restart,
            "next_digits": self._next_digits,
            "pick": lambda flag, _: flag,
            "note_infinity": keep(answer, "infinity"),
            "result_x": keep(answer, "x"),
            "result_y": keep(answer, "y"),
            "note_point": keep(self, "on_curve"),
            "note_zero": lambda flag, _: setattr(self, "zero_noted", self.zero_noted or bool(flag)),
            "clear_zeros": lambda *_: None,
            "infinity": lambda *_: setattr(answer, "infinity", True),
            "modulus": lambda _, cycle: self._set_up(device.field, cycle),
            "order": lambda _, cycle: self._set_up(device.order, cycle),
            "use_field": lambda *_: self._use(device.field),
            "use_order": lambda *_: self._use(device.order),
            "use_base": lambda *_: setattr(self, "numbers", device.base),
            "first": lambda _, cycle: self._select(0, cycle),
            "second": lambda _, cycle: self._select(1, cycle),
            "pair": lambda *_: setattr(self, "numbers", self.request.pair),
            "result": lambda *_: setattr(self, "numbers", (answer.x, answer.y)),
            "alone": lambda *_: setattr(self, "two", False),
            "put_u": lambda value, _: self.scalars.__setitem__(0, value),
            "put_v": lambda value, _: self.scalars.__setitem__(1, value),
            "mark_valid": lambda *_: None,
            "keep_base": lambda *_: setattr(device, "base_kept", True),
            "keep_comb": lambda *_: setattr(device, "comb_kept", True),
            **{f"put_{name}": put(name) for name in ("one", "r2", "a", "b")},
            "kind_minus_3": lambda value, _: device.kinds.update(kind_minus_3=value),
            "kind_zero": lambda value, _: device.kinds.update(kind_zero=value),
        }  # fmt: skip

    def _conditions(self) -> dict[str, Callable[[int], bool]]:
        device, request = self.device, self.request
        a24 = (device.curve.A + 2) // 4 if isinstance(device.curve, MontgomeryCurve) else None
        option = 0
        if self.ladder:
            option = 1 if self.bits == 255 else 2
        elif device.base[0] >= device.p:
            option = 1
        return {
            "more_bits": lambda _: self.bit < self.bits,
            "setup_done": lambda cycle: cycle >= self.setup_done,
            "setup_error": lambda _: unusable(self.modulus.p)
            and (self.modulus is not device.order or self.modulus.p != 0),
            "montgomery": lambda _: a24 is not None,
            "walk_too_long": lambda _: self.scalars[self.second] >> self.bits != 0,
            "opt0": lambda _: option & 1 != 0,
            "opt1": lambda _: option & 2 != 0 or request.comb,
            "opt2": lambda _: False,
            "inverter_done": lambda cycle: cycle >= self.inverse_done,
            "inverter_error": lambda _: self.inverse == 0,
            "on_curve": lambda _: bool(self.on_curve),
            "out_of_range": lambda _: max(self.numbers) >= self.modulus.p,
            "no_order": lambda _: unusable(device.order.p),
            "other": lambda _: self.two and not self.second,
            "summing": lambda _: self.two and bool(self.second),
            "infinity": lambda _: bool(self.answer.infinity),
            "zero_operand": lambda _: 0 in self.numbers,
            "zero_noted": lambda _: self.zero_noted,
            "digits_ready": lambda cycle: cycle >= self.digits_ready,
            "more_digits": lambda _: self.left != 0,
            "signature": lambda _: request.signature,
            "signing": lambda _: request.signing,
            "sm2": lambda _: request.sm2,
            "a_minus_3": lambda _: bool(device.kinds["kind_minus_3"]),
            "comb_fits": lambda _: device.comb.fits and not unusable(device.order.p),
            "a_121666": lambda _: a24 == 121666,
            "a_39082": lambda _: a24 == 39082,
        }


class Device:
    """The core with one curve loaded, its base point and order too if it has them. `bits` is the number of ladder
    steps: one more than the modulus has bits, as many as the order may have. `run` is the run of the loading
    program, `reason` its outcome; `base_kept`: it has kept multiples of the base point, `base_entries`; `comb_kept`:
    those of a comb too, `comb_entries`, if that was asked for (`comb`; a toy curve may have fewer `teeth`)."""

    def __init__(self, curve: Curve | MontgomeryCurve, config: str = "paper", comb: bool = False, teeth: int = TEETH):
        self.curve, self.p = curve, curve.p
        self.config = config
        self.bits = self.p.bit_length() + 1
        self.field = Modulus.of(self.p, config)
        n = (curve.n or 0) if isinstance(curve, Curve) else 0
        self.order = Modulus.of(n, config, self.field.digits)
        self.kinds = {"kind_minus_3": 0, "kind_zero": 0}
        self.base = (curve.g or (self.p, self.p)) if isinstance(curve, Curve) else (0, 0)
        self.base_kept = False
        self.base_entries: Entries = {}
        self.comb = Comb(n.bit_length(), teeth)
        self.comb_kept = False
        self.comb_entries: Entries = {}
        ab = (curve.a, curve.b) if isinstance(curve, Curve) else ((curve.A + 2) // 4, 0)
        answer = self._run(Request(LOADERS[config], "load_curve", (ab,), comb=comb))
        self.reason, self.run = answer.reason, answer.run

    @property
    def kind(self) -> str:
        """Which programs of the walk suit the curve, as the loading program found out."""
        return "m3" if self.kinds["kind_minus_3"] else "0" if self.kinds["kind_zero"] else "any"

    def ecmul(self, k: int, x: int, y: int) -> Answer:
        """[k](x, y) by the walk of the configuration, k public."""
        return self._run(Request(PRODUCTS[self.config], "ecmul", ((x, y),), (k,)))

    def ecmul_base(self, k: int) -> Answer:
        """[k] of the base point, k public."""
        return self._run(Request(PRODUCTS[self.config], "kept" if self.base_kept else "ecmul", (None,), (k,)))

    def ladder(self, k: int, x: int, y: int) -> Answer:
        """[k](x, y) by the ladder, k secret and below 2^bits."""
        return self._run(Request(PRODUCTS[self.config], "ladder", ((x, y),), (k,), secret=True))

    def secret_base(self, k: int) -> Answer:
        """[k] of the base point, k secret and below 2^bits: by the comb if it is kept, else by the ladder."""
        return self._run(Request(PRODUCTS[self.config], "comb" if self.comb_kept else "ladder", (None,), (k,), e=k,
                                 secret=True))

    def ecmul2(self, u: int, p: Point, v: int, q: Point) -> Answer:
        """[u]p + [v]q, all public."""
        return self._run(Request(PRODUCTS[self.config], "ecmul2", (p, q), (u, v)))

    def ecdsa_verify(self, digest: int, length: int, q: Point, r: int, s: int) -> Answer:
        """Whether (r, s) is a signature, made with the key of q, of a digest of `length` bits."""
        return self._run(Request(PRODUCTS[self.config], "verify", (None, q), (0, 0), (r, s), digest,
                                 self._excess(length)))

    def ecdsa_sign(self, d: int, k: int, digest: int, length: int) -> Answer:
        """(r, s) for key d and nonce k, both secret."""
        return self._run(Request(PRODUCTS[self.config], "sign", (None,), (k,), (d, k), digest, self._excess(length),
                                 True))

    def sm2_verify(self, e: int, q: Point, r: int, s: int) -> Answer:
        """Whether (r, s) is a signature of e made with the key of q."""
        return self._run(Request(PRODUCTS[self.config], "verify", (None, q), (s, 0), (r, s), e, sm2=True))

    def sm2_sign(self, d: int, k: int, e: int) -> Answer:
        """(r, s) for key d and nonce k, both secret."""
        return self._run(Request(PRODUCTS[self.config], "sign", (None,), (k,), (d, k), e, secret=True, sm2=True))

    def xdh(self, k: int, u: int) -> Answer:
        """The u-coordinate of [k](u, v), k secret and clamped, so that it has as many bits as the modulus; u any
        integer of the modulus's digits."""
        return self._run(Request(LADDERS[self.config], "start", ((u, 0),), (k,), secret=True))

    def check(self, x: int, y: int) -> Answer:
        """Whether (x, y) is a point of the curve."""
        return self._run(Request("check", points=((x, y),)))

    def _excess(self, length: int) -> int:
        """Bits that a digest of `length` bits has more than the order."""
        return max(0, min(length, MAX_LENGTH) - self.order.p.bit_length())

    def _run(self, request: Request) -> Answer:
        return Job(self, request, *_image(request.program, self.config)).run()


@cache
def _image(program: str, config: str) -> tuple[Machine, list[int], dict[str, int]]:
    """(machine, encoded words, labels) of a program."""
    machine, _, _, rom = build("multicurve", program, MACHINES[config])
    return machine, rom.encoded(machine), rom.labels
