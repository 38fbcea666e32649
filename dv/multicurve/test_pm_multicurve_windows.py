# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve, configuration fast: two-scalar products on toy and named curves, cycles; all
configurations alike."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import OPERATIONS, Core, job
from dv.multicurve.toy_curves import KINDS, multiples, points, toy
from pointmill.curves import Curve, by_name
from pointmill.model.weierstrass import add, multiply
from pointmill.ucode.multicurve import Device
from pointmill.ucode.simulator import Run

CONTROL = 2
"""Cycles from the end of the packet to the first word, and from the last word to the answer."""
CONFIG = 0x08
"""Address of the register with the configuration."""
LOOPS = {
    "fast": {"P-192": 3_179, "P-224": 4_694, "P-256": 5_452, "sm2p256v1": 5_455, "P-384": 17_120, "P-521": 35_830},
}  # fmt: skip
"""Register LOOP, mean of three seeded scalars."""


def pairs(curve: Curve, point: tuple[int, int], other: tuple[int, int], some: list[tuple[int, int]]) -> int:
    """Compares [u]P + [v]P' for pairs of scalars; how many."""
    table, other_table = multiples(curve, point), multiples(curve, other)
    with Core("fast") as core:
        assert core.load(curve).reason == "ok"
        for tag, (u, v) in enumerate(some):
            core.push(job(tag, "ecmul2", u, *point, v, *other))
        for (u, v), answer in zip(some, core.answers(len(some)), strict=True):
            wanted = add(curve, table[u % len(table)], other_table[v % len(other_table)])
            assert answer.point == wanted, (curve, point, other, u, v)
    return len(some)


@pytest.mark.parametrize("kind", KINDS)
def test_two_products_of_order_19(kind: str) -> None:
    """Every pair of multiples, also equal, opposite and infinite ones, of points whose relation is every one."""
    curve = toy(19, kind)
    first, *_, last = points(curve)
    some = [(u, v) for u in range(20) for v in range(20)]
    assert pairs(curve, first, last, some) == pairs(curve, first, first, some) == 400


@pytest.mark.parametrize("kind", KINDS)
def test_two_products_of_order_199(kind: str) -> None:
    curve, rng = toy(199, kind), random.Random(kind)
    top = 2 << curve.p.bit_length()
    first, second = rng.sample(points(curve), 2)
    some = [(rng.randrange(top), rng.randrange(top)) for _ in range(300)]
    assert pairs(curve, first, second, some + [(0, 0), (0, 7), (7, 0), (199, 199), (top - 1, top - 1)]) == 305


@pytest.mark.parametrize(("config", "name"), [
    *(("fast", name) for name in ("P-192", "P-224", "P-256", "sm2p256v1", "P-384", "P-521"))])  # fmt: skip
def test_cycles(config: str, name: str) -> None:
    """Those of the simulator, job by job; two products in less than twice the cycles of one."""
    curve, rng = by_name(name), random.Random(name)
    device = Device(curve, config)
    with Core(config) as core:
        def cycles(run: Run, operation: str) -> int:
            return run.cycles + 1 + 9 * len(OPERATIONS[operation]["operands"]) + CONTROL

        assert core.load(curve).cycles == cycles(device.run, "load_curve")
        point, other = (multiply(curve, rng.randrange(1, curve.n), curve.g) for _ in range(2))
        u, v = (rng.randrange(1, curve.n) for _ in range(2))
        one = core.ask("ecmul", u, *point)
        assert one.cycles == cycles(device.ecmul(u, *point).run, "ecmul")
        two = core.ask("ecmul2", u, *point, v, *other)
        assert two.point == add(curve, multiply(curve, u, point), multiply(curve, v, other))
        assert two.cycles == cycles(device.ecmul2(u, point, v, other).run, "ecmul2") < 1.4 * one.cycles


@pytest.mark.parametrize(("config", "name"), [(c, name) for c, means in LOOPS.items() for name in means])
def test_loop_register(config: str, name: str) -> None:
    """From the first operation of the walk to the last one's end."""
    curve, rng = by_name(name), random.Random(name)
    loops = []
    with Core(config) as core:
        core.load(curve)
        for _ in range(3):
            assert core.ask("ecmul", rng.randrange(1, curve.n), *curve.g).reason == "ok"
            loops.append(core.loop)
    assert round(sum(loops) / 3) == LOOPS[config][name]


ALIKE = ("paper", "fast", "throughput")
SIGNATURE = {"fast": {"P-256": 7_562, "sm2p256v1": 7_121}}
"""Cycles of a verification, one seeded signature, from header to answer."""


@pytest.mark.parametrize("name", [
    "P-256", *(pytest.param(name, marks=pytest.mark.long) for name in ("P-192", "sm2p256v1"))])
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
def test_all_configurations_answer_alike(every: int, name: str) -> None:
    """Operations on points, with good and bad operands: all of an answer but its cycles; of sums one of `every`."""
    curve, rng = by_name(name), random.Random(name)
    point = multiply(curve, rng.randrange(1, curve.n), curve.g)
    off = (point[0], point[1] ^ 1)
    scalars = [0, 1, curve.n - 1, curve.n, 4 << curve.bits, rng.randrange(curve.n)]
    d, k, e = (rng.randrange(1, curve.n) for _ in range(3))
    key = multiply(curve, d, curve.g)
    jobs = [("ecmul", (k, *at)) for k in scalars for at in (point, off)]
    jobs += [("ecmul_base", (k,)) for k in scalars]
    jobs += [("ecmul2", (u, *point, v, *at))
             for u in scalars for v in scalars[2:] for at in (point, curve.g, off)][::every]
    jobs += [("check", point), ("check", off)]
    jobs += [("ecdsa_sign", (d, k, e, curve.bits)), ("sm2_sign", (d, k, e))]
    assert len(jobs) == 22 - (-72 // every)
    answers = []
    for config in ALIKE:
        with Core(config) as core:
            core.load(curve)
            assert (core.read(CONFIG) >> 12 & 15,
                    core.read(CONFIG) >> 26 & 1) == ((0, 0) if config == "paper" else (6, 1))
            for tag, (operation, numbers) in enumerate(jobs):
                core.push(job(tag, operation, *numbers))
            found = core.answers(len(jobs))
            (r, s), (r2, s2) = found[-2].payload, found[-1].payload
            for more in range(2):
                found.append(core.ask("ecdsa_verify", e, curve.bits, *key, r, s ^ more))
                found.append(core.ask("sm2_verify", e, *key, r2, s2 ^ more))
            answers.append([answer._replace(cycles=0, answered_at=0) for answer in found])
            if name in SIGNATURE.get(config, {}):
                assert found[-3 if name == "sm2p256v1" else -4].cycles == SIGNATURE[config][name]
    assert all(found == answers[0] for found in answers) and len(answers) == len(ALIKE)
    assert [answer.reason for answer in answers[0][-4:]] == ["ok", "ok", "bad_signature", "bad_signature"]
    assert {answer.reason for answer in answers[0][:-4]} == {"ok", "invalid_point", "scalar_out_of_range"}
