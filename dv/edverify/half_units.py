# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `edverify` for the program with half-size scalars, as functions
for the microcode simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import product

from pointmill.model import edwards, naf
from pointmill.model.scalar import L
from pointmill.rules import RULES
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Environment, Run, Simulator
from vectors.ed25519_vectors import Case

WINDOW_G, WINDOW_A = 10, 4
SPLIT = 127  # the second fixed base is 2^127 G
MASK = 2**255 - 1
MODULUS = 8 * L


def half_size(k: int) -> tuple[int, int]:
    """(c, d) with c = d k mod 8L, d odd, positive and no multiple of L, as short as two neighbouring
    rows of Euclid's algorithm give; other pairs than the hardware's."""
    rows = [(MODULUS, 0), (k, 1)]
    while rows[1][0] >= 2**128:
        (r0, t0), (r1, t1) = rows
        rows = [rows[1], (r0 - r0 // r1 * r1, t0 - r0 // r1 * t1)]
    (r0, t0), (r1, t1) = rows
    pairs = [(a * r0 + b * r1, a * t0 + b * t1) for a, b in product(range(-2, 3), repeat=2)]
    pairs = [(c, d) for c, d in pairs if d > 0 and d % 2 and d % L]
    return min(pairs, key=lambda pair: max(map(abs, pair)))


@cache
def simulator(config: str = "throughput") -> Simulator:
    """Simulator of the program."""
    machine, _, _, rom = build("edverify", "halfsize", config)
    return Simulator(machine, rom.encoded(machine), rom.labels)


@cache
def tables() -> list[list[tuple[int, int, int]]]:
    """y + x, y - x, 2dxy of the odd multiples of G and of 2^127 G, from the golden model."""
    bases = (edwards.BASE, edwards.multiply(2**SPLIT, edwards.BASE))
    affine = [[edwards.to_affine(p) for p in naf.odd_multiples(b, WINDOW_G)] for b in bases]
    return [[((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P) for x, y in t] for t in affine]


def fixed_point(kind: int, index: int, negative: bool) -> tuple[int, int, int]:
    """What the program reads: of a negative digit y + x and y - x change places."""
    plus, minus, product = tables()[kind][index]
    return (minus, plus, product) if negative else (plus, minus, product)


class Units:
    """Operation list, external values and conditions for one signature under one rule."""

    def __init__(self, rule: str, pk: bytes, msg: bytes, sig: bytes) -> None:
        self.rule = RULES[rule]
        self.s = int.from_bytes(sig[32:], "little")
        self.a, self.r = int.from_bytes(pk, "little"), int.from_bytes(sig[:32], "little")
        k = int.from_bytes(hashlib.sha512(sig[:32] + pk + msg).digest(), "little") % L
        c, d = half_size(k)
        assert (c - d * k) % MODULUS == 0
        s = d * self.s % L
        scalars = (s % 2**SPLIT, s >> SPLIT, -c, -d)
        self.digits = [
            [(-1 if scalar < 0 else 1) * digit for digit in naf.recode(abs(scalar), window)]
            for scalar, window in zip(scalars, (WINDOW_G, WINDOW_G, WINDOW_A, WINDOW_A))
        ]
        self.kind, self.negative = 0, False

    def operations(self) -> list[tuple[int, int] | None]:
        """None for a doubling, (kind, digit) for an addition, from the highest digit down."""
        found: list[tuple[int, int] | None] = []
        for position in reversed(range(max(map(len, self.digits)))):
            if found:
                found.append(None)
            for kind, digits in enumerate(self.digits):
                if position < len(digits) and digits[position]:
                    found.append((kind, digits[position]))
        return found

    def steps(self) -> Iterator[tuple[str, int]]:
        """Labels and table indices; the program is made to ask in vain twice."""
        yield from (("walk_wait", 0),) * 2
        operations = self.operations()
        for now, then in zip(operations, [*operations[1:], None]):
            suffix = "_t" if then else ""
            if now is None:
                yield f"walk_double{suffix}", 0
                continue
            self.kind, digit = now
            index, self.negative = abs(digit) // 2, digit < 0
            if self.kind < 2:
                yield f"walk_add_fixed{suffix}", index
            else:
                first = "" if index else "_first"
                name = "sub" if self.negative else "add"
                yield f"walk_{name}{first}{suffix}", 4 * (self.kind - 2) + index
        suffix = "_small_order" if self.rule.small_a else ""
        while True:
            yield "walk_done" + ("_cofactored" if self.rule.cofactored else suffix), 0

    def environment(self) -> Environment:
        """The units as the simulator wants them."""
        rule, steps = self.rule, self.steps()
        canonical_r = rule.strict_r or not rule.decode_r
        levels = {
            "s_ge_l": self.s >= L,
            "a_out_of_range": rule.strict_a and self.a & MASK >= P,
            "r_out_of_range": canonical_r and self.r & MASK >= P,
            "strict_a": rule.strict_a,
            "canonical_r": canonical_r,
            "decode_r": rule.decode_r,
            "small_order": rule.small_a,
        }
        inputs = {"ya": lambda index: self.a & MASK, "yr": lambda index: self.r & MASK}
        for part, name in enumerate(("g_yp", "g_ym", "g_t2d")):
            inputs[name] = lambda index, part=part: fixed_point(self.kind, index, self.negative)[part]
        return Environment(
            inputs=inputs,
            conditions={name: (lambda cycle, v=bool(v): v) for name, v in levels.items()},
            units={},
            walk=lambda: next(steps),
            sign_a=self.a >> 255,
            sign_r=self.r >> 255,
            negative=lambda: self.negative,
        )


def simulate(rule: str, case: Case, config: str = "throughput") -> Run:
    """Verify one signature on the microcode simulator, by the schedule of a configuration."""
    return simulator(config).run(Units(rule, case.pk, case.msg, case.sig).environment())


def list_entries(units: Units) -> list[int]:
    """The operation list of a verification, packed, lowest position first."""
    found = sorted((position, -kind, digit)
                   for kind, digits in enumerate(units.digits)
                   for position, digit in enumerate(digits) if digit)  # fmt: skip
    entries, last = [], -1
    for position, minus_kind, digit in found:
        entries.append(position << 12 | -minus_kind << 10 | (digit < 0) << 9
                       | (position == last) << 8 | abs(digit) // 2)  # fmt: skip
        last = position
    return entries
