# SPDX-License-Identifier: Apache-2.0
"""What stands around the datapath of `edverify`, as functions for the microcode simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

from pointmill.model import edwards, naf
from pointmill.model.scalar import L
from pointmill.rules import RULES
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Environment, Run, Simulator

MASK = 2**255 - 1


@cache
def simulator() -> Simulator:
    """Simulator of the verification program."""
    machine, _, _, rom = build()
    return Simulator(machine, rom.encoded(machine), rom.labels)


@cache
def g_table() -> list[tuple[int, int, int]]:
    """y + x, y - x, 2dxy of the odd multiples of the base point, from the golden model."""
    table = []
    for point in naf.odd_multiples(edwards.BASE, 10):
        x, y = edwards.to_affine(point)
        table.append(((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P))
    return table


class Units:
    """Side units, external values and conditions for one signature under one rule.

    The digest is there, and both scalars are recoded, before the program asks.
    """

    def __init__(self, rule: str, pk: bytes, msg: bytes, sig: bytes):
        self.rule = RULES[rule]
        self.s = int.from_bytes(sig[32:], "little")
        self.k = int.from_bytes(hashlib.sha512(sig[:32] + pk + msg).digest(), "little") % L
        self.a, self.r = int.from_bytes(pk, "little"), int.from_bytes(sig[:32], "little")

    def steps(self) -> Iterator[tuple[str, int]]:
        """What the walker asks for, from the highest digit down (Xue et al. 2022, algorithm 5)."""
        g, a = naf.recode(self.s, 10), naf.recode(self.k, 5)
        length = max(len(g), len(a))
        g += [0] * (length - len(g))
        a += [0] * (length - len(a))
        for position in reversed(range(length)):
            if position < length - 1:
                yield "walk_double", 0
            if g[position]:
                yield "walk_add_g" if g[position] > 0 else "walk_sub_g", abs(g[position]) // 2
            if a[position]:
                yield "walk_sub_a" if a[position] > 0 else "walk_add_a", abs(a[position]) // 2
        while True:
            yield "walk_done", 0

    def environment(self) -> Environment:
        """The units as the simulator wants them."""
        steps = self.steps()
        levels = {
            "s_ge_l": self.s >= L,
            "ya_ge_p": self.a & MASK >= P,
            "yr_ge_p": self.r & MASK >= P,
            "hash_done": True,
            "naf_done": True,
        }
        for flag in ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored"):
            levels[flag] = getattr(self.rule, flag)
        conditions = {name: (lambda cycle, v=level: v) for name, level in levels.items()}
        table = g_table()
        return Environment(
            inputs={
                "ya": lambda index: self.a & MASK,
                "yr": lambda index: self.r & MASK,
                "g_yp": lambda index: table[index][0],
                "g_ym": lambda index: table[index][1],
                "g_t2d": lambda index: table[index][2],
            },
            conditions=conditions,
            units=dict.fromkeys(("naf_g", "walk"), lambda operand, cycle: None),
            walk=lambda: next(steps),
            sign_a=self.a >> 255,
            sign_r=self.r >> 255,
        )


def simulate(rule: str, pk: bytes, msg: bytes, sig: bytes) -> Run:
    """Verify one signature on the microcode simulator."""
    return simulator().run(Units(rule, pk, msg, sig).environment())
