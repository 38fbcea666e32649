# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `edverify` for the two programs of a batch, as functions for the
microcode simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from dv.edverify.half_units import MASK, SPLIT, WINDOW_A, WINDOW_G, fixed_point
from pointmill.model import naf
from pointmill.model.scalar import L
from pointmill.rules import RULES
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Environment, Run, Simulator
from vectors.ed25519_vectors import Case

PARTS = ("yp", "ym", "t2d", "z2")


@cache
def simulator(name: str) -> Simulator:
    """Simulator of a program."""
    machine, _, _, rom = build("edverify", name, "bulk")
    return Simulator(machine, rom.encoded(machine), rom.labels)


@dataclass
class Prepared:
    """A signature of a batch: scalars, and the tables of A (entries 0 to 3) and R (4 to 7) by part."""

    s: int
    k: int
    run: Run
    tables: dict[str, dict[int, int]] = field(default_factory=lambda: {p: {} for p in PARTS})


def prepare(rule: str, case: Case) -> Prepared:
    """Run `batch_prepare` for one signature."""
    flags = RULES[rule]
    a, r = int.from_bytes(case.pk, "little"), int.from_bytes(case.sig[:32], "little")
    s = int.from_bytes(case.sig[32:], "little")
    digest = hashlib.sha512(case.sig[:32] + case.pk + case.msg).digest()
    prepared = Prepared(s, int.from_bytes(digest, "little") % L, Run(0, 0, 0, 0))
    levels = {
        "s_ge_l": s >= L,
        "a_out_of_range": flags.strict_a and a & MASK >= P,
        "r_out_of_range": flags.strict_r and r & MASK >= P,
        "strict_a": flags.strict_a,
        "canonical_r": flags.strict_r,
    }

    def put(part: str, entry: int, operand: int) -> None:
        assert entry not in prepared.tables[part]
        prepared.tables[part][entry] = operand

    prepared.run = simulator("batch_prepare").run(Environment(
        inputs={"ya": lambda index: a & MASK, "yr": lambda index: r & MASK},
        conditions={name: (lambda cycle, v=bool(v): v) for name, v in levels.items()},
        units={
            f"store_{part}[{entry}]": (lambda operand, cycle, p=part, e=entry: put(p, e, operand))
            for part in PARTS for entry in range(8)
        },
        walk=lambda: ("", 0),
        sign_a=a >> 255,
        sign_r=r >> 255,
    ))  # fmt: skip
    return prepared


class Batch:
    """Digits and table entries of the sum of prepared signatures under multipliers z."""

    def __init__(self, signatures: Sequence[Prepared], multipliers: Sequence[int]) -> None:
        total = sum(z * one.s for one, z in zip(signatures, multipliers, strict=True)) % L
        terms: list[tuple[int, int, Prepared | None]] = [
            (total % 2**SPLIT, 0, None), (total >> SPLIT, 1, None)]  # fmt: skip
        for one, z in zip(signatures, multipliers, strict=True):
            terms += [(-(z * one.k % L), 2, one), (-z, 3, one)]
        self.places: dict[int, list[tuple[int, int, Prepared | None]]] = {}
        for scalar, kind, one in terms:
            window = WINDOW_G if kind < 2 else WINDOW_A
            for position, digit in enumerate(naf.recode(abs(scalar), window)):
                if digit:
                    signed = -digit if scalar < 0 else digit
                    self.places.setdefault(position, []).append((kind, signed, one))
        self.negative = False
        self.point: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.additions = 0

    def operations(self) -> list[tuple[int, int, Prepared | None] | None]:
        """None for a doubling, otherwise an addition, from the highest position down."""
        found: list = []
        for position in reversed(range(max(self.places, default=-1) + 1)):
            found += [None] if found else []
            found += self.places.get(position, [])
        return found

    def steps(self) -> Iterator[tuple[str, int]]:
        """Labels of the walk; the program is made to ask in vain twice."""
        yield from (("sum_wait", 0),) * 2
        operations = self.operations()
        for now, then in zip(operations, [*operations[1:], None]):
            suffix = "_t" if then else ""
            if now is None:
                yield f"sum_double{suffix}", 0
                continue
            kind, digit, one = now
            index, self.negative = abs(digit) // 2, digit < 0
            self.additions += 1
            if one is None:
                self.point = (*fixed_point(kind, index, self.negative), 2)
            else:
                entry = 4 * (kind - 2) + index
                self.point = tuple(one.tables[part].get(entry, 2) for part in PARTS)
                if self.negative:
                    self.point = (self.point[1], self.point[0], *self.point[2:])
            yield ("sum_add" if one and index else "sum_add_affine") + suffix, 0
        while True:
            yield "sum_done", 0

    def run(self) -> Run:
        """Run `batch_sum`."""
        steps = self.steps()
        return simulator("batch_sum").run(Environment(
            inputs={f"g_{part}": (lambda index, i=i: self.point[i]) for i, part in enumerate(PARTS)},
            conditions={}, units={}, walk=lambda: next(steps), negative=lambda: self.negative,
        ))  # fmt: skip
