# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `edverify` for the programs on cached keys, as functions for the
microcode simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from pointmill.model import edwards, naf
from pointmill.model.edwards import Point
from pointmill.model.scalar import L
from pointmill.rules import RULES, Reason
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Environment, Run, Simulator
from vectors.ed25519_vectors import Case

STEP, TABLES = 32, 8
"""Positions between the points of neighbouring tables, and tables of G and of a key."""
WINDOW_G, WINDOW_A = 8, 5
MASK = 2**255 - 1
PROGRAMS = {"bulk": ("key", "cached"), "tile": ("cached_tile", "cached_tile")}
"""The programs of a machine: load and verification. On a tile a load begins at load_key, and takes the key for R."""
COORDINATES = {"bulk": ("yp", "ym", "t2d"), "tile": ("yp", "ym", "t2d", "z2")}
"""What a load writes of each point."""
Coordinates = tuple[int, ...]
"""y + x, y - x, 2dxy mod p; of a tile Y + X, Y - X, 2dT, 2Z."""
Table = list[Coordinates]


@cache
def simulator(machine: str, verifies: bool = True) -> Simulator:
    """Simulator of the program that verifies, or that loads."""
    built, _, _, rom = build("edverify", PROGRAMS[machine][verifies], machine)
    return Simulator(built, rom.encoded(built), rom.labels)


def affine(point: Coordinates) -> Coordinates:
    """y + x, y - x, 2dxy mod p of a point in any form."""
    *three, z2 = point if len(point) == 4 else (*point, 2)
    scale = 2 * pow(z2, P - 2, P)
    return tuple(value * scale % P for value in three)


def tables(point: Point, window: int) -> list[Table]:
    """Odd multiples of 2^(32 i) times a point, from the golden model."""
    found = []
    for _ in range(TABLES):
        points = [edwards.to_affine(p) for p in naf.odd_multiples(point, window)]
        found.append([((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P) for x, y in points])
        point = edwards.multiply(2**STEP, point)
    return found


@cache
def base_tables() -> list[Table]:
    """Those of G."""
    return tables(edwards.BASE, WINDOW_G)


@dataclass(frozen=True)
class Load:
    """What comes of the making of a key's tables: all of them, or none where the key is not kept."""

    reason: Reason
    tables: list[Table]
    run: Run


def load(machine: str, key: bytes, runs_on: Simulator | None = None) -> Load:
    """Make the tables of a key on the simulator."""
    names = COORDINATES[machine]
    a = int.from_bytes(key, "little")
    points: list[dict[str, int]] = [{}]
    inverted = [0]

    def put(name: str) -> Callable[[int, int], None]:
        def unit(operand: int, cycle: int) -> None:
            assert name not in points[-1] and operand < (P if machine == "bulk" else 2**258)
            points[-1][name] = operand
            if len(points[-1]) == len(names):
                points.append({})

        return unit

    runs_on = runs_on or simulator(machine, verifies=False)
    run = runs_on.run(
        Environment(
            inputs={"ya": lambda index: a & MASK, "yr": lambda index: a & MASK, "inverse": lambda index: inverted[0]},
            conditions={**{f"{name}_out_of_range": lambda cycle: a & MASK >= P for name in "ar"},
                        **{name: lambda cycle: True for name in ("loads", "canonical_r", "decode_r", "small_order")},
                        "more_tables": lambda cycle: len(points) <= TABLES * 8},
            units={"invert": lambda operand, cycle: inverted.__setitem__(0, pow(operand, P - 2, P)),
                   "tables": lambda operand, cycle: points.__setitem__(slice(None), [{}]),
                   **{f"put_{name}": put(name) for name in names}},
            walk=lambda: ("", 0),
            sign_a=a >> 255,
            sign_r=a >> 255,
        ), runs_on.labels["load_key"] if machine == "tile" else 0)  # fmt: skip
    whole = [tuple(point[name] for name in names) for point in points[:-1]]
    assert points[-1] == {} and len(whole) in (0, 8 * TABLES)
    # `bulk` makes each table from its last point to its first.
    order = -1 if machine == "bulk" else 1
    return Load(Reason(run.reason), [whole[at : at + 8][::order] for at in range(0, len(whole), 8)], run)


class Units:
    """Operation list, external values and conditions for one signature under one rule."""

    def __init__(self, machine: str, rule: str, key: list[Table], case: Case,
                 runs_on: Simulator | None = None) -> None:  # fmt: skip
        self.machine, self.rule, self.key = machine, RULES[rule], key
        self.simulator = runs_on or simulator(machine)
        self.s, self.r = (int.from_bytes(case.sig[at : at + 32], "little") for at in (32, 0))
        digest = hashlib.sha512(case.sig[:32] + case.pk + case.msg).digest()
        self.k = int.from_bytes(digest, "little") % L
        self.point: Coordinates = (0, 0, 0, 0)
        self.negative, self.inverse = False, 0

    def additions(self) -> list[list[tuple[bool, int, int]]]:
        """By position in the walk, (of the key, table, digit as it is added)."""
        found: list[list[tuple[bool, int, int]]] = [[] for _ in range(STEP)]
        for of_key, scalar, window in ((False, self.s % 2**253, WINDOW_G), (True, self.k, WINDOW_A)):
            for position, digit in enumerate(naf.recode(scalar, window)):
                if digit:
                    found[position % STEP].append(
                        (of_key, position // STEP, -digit if of_key else digit))  # fmt: skip
        return found

    def steps(self) -> Iterator[tuple[str, int]]:
        """Labels of the walk."""
        operations: list[tuple[bool, int, int] | None] = []
        for here in reversed(self.additions()):
            operations += ([None] if operations else []) + here
        for now, then in zip(operations, [*operations[1:], None]):
            suffix = "_t" if then else ""
            if now is None:
                yield f"walk_cached_double{suffix}", 0
                continue
            of_key, table, digit = now
            plus, minus, *others = (self.key if of_key else base_tables())[table][abs(digit) // 2]
            self.negative = digit < 0
            self.point = (minus, plus, *others) if self.negative else (plus, minus, *others)
            fixed = "_fixed" if self.machine == "tile" and not of_key else ""
            yield f"walk_cached_add{fixed}{suffix}", 0
        while True:
            yield "walk_cached_done", 0

    def environment(self) -> Environment:
        """The units as the simulator wants them."""
        rule, steps, flags = self.rule, self.steps(), lambda: self.simulator.engine.flags
        canonical_r = rule.strict_r or not rule.decode_r
        out_of_range = canonical_r and self.r & MASK >= P
        levels = {
            "s_ge_l": self.s >= L,
            "r_out_of_range": out_of_range,
            "canonical_r": canonical_r,
            "decode_r": rule.decode_r,
            "small_order": rule.small_a,
            "cofactored": rule.cofactored,
            "loads": False,
        }
        points = {f"g_{name}": (lambda index, part=part: self.point[part])
                  for part, name in enumerate(COORDINATES[self.machine])}  # fmt: skip
        return Environment(
            inputs={"yr": lambda index: self.r & MASK, "inverse": lambda index: self.inverse, **points},
            conditions={
                **{name: (lambda cycle, v=bool(v): v) for name, v in levels.items()},
                "encodes_r": lambda cycle: not out_of_range and flags()[1][0]
                and flags()[0][1] == self.r >> 255,
            },
            units={"invert": lambda operand, cycle: setattr(self, "inverse", pow(operand, P - 2, P)),
                   "ask": lambda operand, cycle: self.simulator.engine.index},
            walk=lambda: next(steps),
            sign_r=self.r >> 255,
            negative=lambda: self.negative,
        )  # fmt: skip


def simulate(machine: str, rule: str, key: list[Table], case: Case) -> Run:
    """Verify one signature with the tables of its key on the microcode simulator."""
    return simulator(machine).run(Units(machine, rule, key, case).environment())
