# SPDX-License-Identifier: Apache-2.0
"""The verification microcode on the cycle-exact simulator, against the golden model."""

import hashlib

import pytest

from pointmill.hostile import hostile_cases
from pointmill.model import edwards, naf
from pointmill.model.ed25519 import verify
from pointmill.model.scalar import L
from pointmill.rules import RULES, Reason
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Environment, Simulator

INVERSION_CYCLES = 380


class Job:
    """Side units of `edverify` around the simulator, for one signature."""

    def __init__(self, rule, pk: bytes, msg: bytes, sig: bytes):
        self.rule = RULES[rule]
        self.s = int.from_bytes(sig[32:], "little")
        self.k = int.from_bytes(hashlib.sha512(sig[:32] + pk + msg).digest(), "little") % L
        self.y = {"a": int.from_bytes(pk, "little"), "r": int.from_bytes(sig[:32], "little")}
        self.inverse, self.inverse_at = 0, 0

    def invert(self, operand: int, cycle: int) -> None:
        self.inverse, self.inverse_at = pow(operand % P, -1, P) if operand % P else 0, cycle + INVERSION_CYCLES

    def steps(self):
        """Algorithm 5: what the walker asks for, from the highest digit down."""
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

    def environment(self, table) -> Environment:
        steps = self.steps()
        mask = 2**255 - 1
        sign = {c: y >> 255 for c, y in self.y.items()}
        levels = {
            "s_ge_l": self.s >= L,
            "ya_ge_p": self.y["a"] & mask >= P,
            "yr_ge_p": self.y["r"] & mask >= P,
            "sign_a": sign["a"],
            "sign_r": sign["r"],
            "hash_done": True,
            "modl_done": True,
            "naf_done": True,
        }
        levels |= {flag: getattr(self.rule, flag) for flag in (
            "strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")}
        conditions = {name: (lambda cycle, v=value: bool(v)) for name, value in levels.items()}
        conditions["inverter_done"] = lambda cycle: cycle >= self.inverse_at
        nothing = lambda operand, cycle: None
        return Environment(
            inputs={
                "ya": lambda i: self.y["a"] & mask,
                "yr": lambda i: self.y["r"] & mask,
                "inv": lambda i: self.inverse,
                "g_yp": lambda i: table[i][0],
                "g_ym": lambda i: table[i][1],
                "g_t2d": lambda i: table[i][2],
            },
            conditions=conditions,
            units={"inverter": self.invert, "naf_g": nothing, "naf_a": nothing, "modl": nothing, "walk": nothing},
            walk=lambda: next(steps),
            sign_a=sign["a"],
            sign_r=sign["r"],
        )


@pytest.fixture(scope="module")
def simulator():
    machine, _, _, rom = build()
    return Simulator(machine, rom.encoded(machine), rom.labels)


@pytest.fixture(scope="module")
def g_table():
    entries = []
    for point in naf.odd_multiples(edwards.BASE, 10):
        x, y = edwards.to_affine(point)
        entries.append(((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P))
    assert len(entries) == 256
    return entries


def test_hostile_signatures_under_every_rule(simulator, g_table):
    """Same verdict and reason as the golden model."""
    count = 0
    reasons = set()
    for case in hostile_cases(60, seed=1):
        for rule in RULES:
            run = simulator.run(Job(rule, case.pk, case.msg, case.sig).environment(g_table))
            expected = verify(rule, case.pk, case.msg, case.sig)
            assert Reason(run.reason) == expected.reason, (case.id, rule)
            reasons.add(run.reason)
            count += 1
    assert count == 360
