# SPDX-License-Identifier: Apache-2.0
"""Clock cycles of pm_multicurve, exactly, beside table 1 of Liu et al. 2023 (Acta Electronica Sinica 51(6)).

The register LOOP counts from the first operation of a scalar to the last one's end; differences of two
scalars are point operations.
"""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import OPERATIONS, Answer, Core
from pointmill.curves import by_name
from pointmill.ucode.multicurve import Device
from pointmill.ucode.simulator import Run

# Product, doubling, doubling with addition, inversion, whole product of the published processor.
PUBLISHED = {
    "P-192": (6, 29, 72, 386, 8_345),
    "P-224": (7, 33, 84, 450, 11_229),
    "P-256": (8, 37, 96, 514, 14_539),
    "P-384": (24, 101, 288, 770, 62_817),
    "P-521": (34, 141, 408, 1044, 119_967),
}
WHOLE = {"P-192": 8_276, "P-224": 11_145, "P-256": 14_440, "P-384": 62_728, "P-521": 119_847}
"""Ours, as published: in the mean over scalars, without inversion."""
PUBLISHED_LADDER = {"X25519": (8, 41, 10_471), "X448": (28, 141, 63_224)}
OTHER = {"secp256k1": (34, 96), "brainpoolP256r1": (43, 104)}
"""Doubling, doubling with addition for a = 0 and any a; there is nothing published beside them."""


def naf(k: int) -> list[int]:
    """Digits of the non-adjacent form, the lowest first."""
    digits = []
    while k:
        digit = 2 - (k & 3) if k & 1 else 0
        digits.append(digit)
        k = (k - digit) >> 1
    return digits


class Measured:
    """Cycles of the point operations of one curve, by differences of whole products."""

    def __init__(self, core: Core, name: str) -> None:
        self.core, self.point = core, by_name(name).g
        assert core.load(by_name(name)).reason == "ok"
        self.double = self.loop(1 << 9) - self.loop(1 << 8)
        three = self.loop((1 << 8) + 1)  # Q = P, eight doublings, the last addition
        self.last = three - self.loop(1 << 8)
        self.add = self.loop((1 << 8) + (1 << 4) + 1) - three + self.double
        self.subtract = self.loop((1 << 8) - (1 << 4) + 1) - three + self.double
        self.base = self.loop(1)

    def loop(self, k: int) -> int:
        """Cycles of the loop for k."""
        assert self.core.ask("ecmul", k, *self.point).reason == "ok"
        return self.core.loop

    def predicted(self, k: int) -> int:
        """Cycles of the loop, from the digits of k."""
        digits = naf(k)
        used = [i for i, digit in enumerate(digits) if digit]
        plus = sum(digit == 1 for digit in digits[used[0] + 1 : -1])
        minus = sum(digit == -1 for digit in digits[used[0] + 1 : -1])
        zeros = len(digits) - 1 - plus - minus  # with the doubling of the first digit that is not 0
        return (self.base + zeros * self.double + plus * self.add + minus * self.subtract
                + (self.last if len(used) > 1 else 0))  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_table_1(name: str) -> None:
    product, double, add, inversion, published = PUBLISHED[name]
    curve, rng = by_name(name), random.Random(name)
    with Core() as core:
        ours = Measured(core, name)
        assert (ours.double, ours.add) == (4 * product + 4, 12 * product) == (double - 1, add)
        assert ours.subtract <= ours.add
        for _ in range(3):
            k = rng.randrange(curve.n)
            assert ours.loop(k) == ours.predicted(k)
        # A scalar of as many bits as the curve has a third of digits that are not 0, in the mean.
        mean = ours.base + curve.bits * (2 * ours.double + (ours.add + ours.subtract) / 2) / 3
        # With conversion of the point, its check, and conversion back, all but inversion and reception.
        answer = core.ask("ecmul", 1, *curve.g)
        assert core.loop == ours.base
        received = 1 + 9 * len(OPERATIONS["ecmul"]["operands"])
        whole = mean + answer.cycles - ours.base - received - inversion
        assert round(whole) == WHOLE[name] < published
        assert answer.cycles - ours.base - received - inversion < 12 * product + 12


@pytest.mark.parametrize("name", OTHER)
def test_other_coefficients(name: str) -> None:
    with Core() as core:
        ours = Measured(core, name)
        assert (ours.double, ours.add) == OTHER[name]
        k = by_name(name).n // 3
        assert ours.loop(k) == ours.predicted(k)


@pytest.mark.parametrize("name", PUBLISHED_LADDER)
def test_ladder(name: str) -> None:
    """LOOP counts from the first `digit` to the last."""
    product, step, whole = PUBLISHED_LADDER[name]
    curve = by_name(name)
    with Core() as core:
        core.load(curve)
        option = name.lower()
        answer = core.ask("ladder", 12345, curve.u, option=option, flags=("secret",))
        assert answer.reason == "ok"
        assert step == 5 * product + 1
        steps, rest = divmod(core.loop, step)
        assert steps == curve.bits - 2, (core.loop, rest)
        # All but reception and inversion, with conversion and the last product.
        received = 1 + 9 * len(OPERATIONS["ladder"]["operands"])
        inversion = 2 * curve.bits + 2
        assert answer.cycles - received - inversion == {"X25519": 10_465, "X448": 63_179}[name] < whole


CONTROL = 2
"""Cycles from the end of the packet to the first word, and from the last word to the answer."""


@pytest.mark.parametrize("name", ["P-192", "secp256k1", "brainpoolP320r1", "P-521"])
def test_the_simulator_says_the_same_cycles(name: str) -> None:
    """Job by job: programs on the simulator of the datapath (pointmill/ucode) and in RTL."""
    curve, rng = by_name(name), random.Random(name)
    device = Device(curve)
    with Core() as core:
        def same(answer: Answer, run: Run, operation: str) -> None:
            received = 1 + 9 * len(OPERATIONS[operation]["operands"])
            assert answer.cycles == run.cycles + received + CONTROL, (operation, answer.cycles, run.cycles)

        same(core.load(curve), device.run, "load_curve")
        for k in (0, 1, curve.n, rng.randrange(curve.n)):
            same(core.ask("ecmul", k, *curve.g), device.ecmul(k, *curve.g).run, "ecmul")
        k = rng.randrange(curve.n)
        same(core.ask("ecmul", k, *curve.g, option="ladder"), device.ladder(k, *curve.g).run, "ecmul")
        same(core.ask("check", *curve.g), device.check(*curve.g).run, "check")


@pytest.mark.parametrize("name", PUBLISHED_LADDER)
def test_the_simulator_says_the_same_cycles_of_a_ladder(name: str) -> None:
    curve = by_name(name)
    device = Device(curve)
    with Core() as core:
        assert core.load(curve).cycles == device.run.cycles + 55 + CONTROL
        k = 1 << (curve.bits - 1)
        answer = core.ask("ladder", k, curve.u, option=name.lower())
        run = device.xdh(k, curve.u)
        assert answer.payload == (run.x,)
        assert answer.cycles == run.run.cycles + 19 + CONTROL
