# SPDX-License-Identifier: Apache-2.0
"""pm_mpu: points and scalar multiplication against the golden model, with the cycles of the simulated programs."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dv.mpu.mpu_core import ENTRY_K, Command, Core, domain
from pointmill.curves import Curve, by_name, is_prime, known
from pointmill.model import weierstrass as golden
from pointmill.ucode.mpu import Mpu

TOY = Curve("toy", 17, 2, 2, 19, (5, 1))
HALF = Curve("half", 31, 1, 0, None, (11, 3))  # has points of order 2


def random_curve(bits: int) -> Curve:
    """A curve over a prime field of so many bits through a random point; its order is not known."""
    rng = random.Random(bits)
    p = rng.getrandbits(bits) | 1 | 1 << bits - 1
    while not is_prime(p):
        p = rng.getrandbits(bits) | 1 | 1 << bits - 1
    a, x, y = (rng.randrange(p) for _ in range(3))
    return Curve(f"random{bits}", p, a, (y * y - x**3 - a * x) % p, None, (x, y))


CURVES = [curve for curve in map(by_name, known()) if isinstance(curve, Curve)]
CURVES += [random_curve(bits) for bits in (544, 576, 608, 640, 672, 703, 704)]


def load(core: Core, model: Mpu, curve: Curve) -> None:
    """Load a curve into both."""
    model.memory[10:13] = [curve.p, curve.a, curve.b]
    assert core.curve(curve.p, curve.a, curve.b) == model.run(Command("load_curve"))


def put(core: Core, model: Mpu, buffer: int, point: golden.Point, r: int = 1) -> None:
    """Write a point, coordinates times r, into both."""
    core.put_point(buffer, point, r, model.p)
    model.infinity[buffer] = point is None
    if point is not None:
        model.memory[2 * buffer : 2 * buffer + 2] = [c * r % model.p for c in point]


@pytest.mark.parametrize("curve", [TOY, HALF], ids=lambda curve: curve.name)
def test_all_points_of_a_toy_curve(curve: Curve) -> None:
    """Every pair added, every point doubled, from and to every buffer."""
    rng = random.Random(1)
    every: list[golden.Point] = [None,
                                 *((x, y) for x in range(curve.p) for y in range(curve.p) if curve.contains(x, y))]
    r, done = domain(curve.p), 0
    with Core() as core:
        model = Mpu()
        load(core, model, curve)
        for one in every:
            for two in every:
                src1, src2 = rng.sample(range(5), 2)
                put(core, model, src1, one, r)
                put(core, model, src2, two, r)
                command = Command("affine_add", src1, src2, rng.randrange(5))
                assert core.start(command) == 0
                assert core.wait() == model.run(command)
                assert core.get_point(command.dst1, r, curve.p) == golden.add(curve, one, two)
                done += 1
            dst1, dst2 = rng.sample(range(5), 2)
            src = rng.randrange(5)
            put(core, model, src, one, r)
            command = Command("affine_dq", src, 0, dst1, dst2)
            assert core.start(command) == 0
            assert core.wait() == model.run(command)
            twice = golden.add(curve, one, one)
            assert core.get_point(dst1, r, curve.p) == twice
            assert core.get_point(dst2, r, curve.p) == golden.add(curve, twice, twice)
    assert done == len(every) ** 2 > 300


def test_points_of_704_bits() -> None:
    """Always the same cycles; published are 1,108 and 7,138 without inversion."""
    curve = CURVES[-1]
    assert curve.bits == 704
    rng, r = random.Random(2), domain(curve.p)
    cycles: dict[str, list[int]] = {"affine_add": [], "affine_dq": []}
    with Core() as core:
        model = Mpu()
        load(core, model, curve)
        for _ in range(4):
            one, two = (golden.multiply(curve, rng.randrange(1 << 64), curve.g) for _ in range(2))
            put(core, model, 0, one, r)
            put(core, model, 1, two, r)
            for command in (Command("affine_add", 0, 1, 2), Command("affine_dq", 0, 0, 3, 4)):
                assert core.start(command) == 0
                outcome = core.wait()
                assert outcome == model.run(command)
                cycles[command.op].append(outcome.cycles)
            twice = golden.add(curve, one, one)
            got = [core.get_point(buffer, r, curve.p) for buffer in (2, 3, 4)]
            assert got == [golden.add(curve, one, two), twice, golden.add(curve, twice, twice)]
    assert cycles == {"affine_add": [1523] * 4, "affine_dq": [2135] * 4}


def test_refused_points() -> None:
    with Core() as core:
        model = Mpu()
        load(core, model, TOY)
        for op in ("ecmul", "ecmul_joye"):
            for point, k, reason in (((5, 2), 1, "invalid_point"), ((17, 1), 1, "operand_out_of_range"),
                                     ((5, 1), 64, "scalar_out_of_range"), (None, 5, "ok")):  # fmt: skip
                core.put(ENTRY_K, k)
                core.put_point(1, point)
                assert core.do(op, 1, 0, 2).reason == reason
        put(core, model, 0, (5, 1))
        put(core, model, 1, (5, 2))
        assert core.do("affine_add", 0, 1, 2).reason == "invalid_point"
        for op in ("affine_add", "affine_dq"):
            core.put_point(0, (5, 17))
            assert core.do(op, 0, 1, 2, 3).reason == "operand_out_of_range"


@pytest.mark.parametrize("point", [(5, 1), (0, 6)], ids=str)
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_toy_products(step: int, point: tuple[int, int]) -> None:
    """Every scalar, among which are all exceptional ones of the Joye ladder, or one of three, by both algorithms."""
    with Core() as core:
        model = Mpu()
        load(core, model, TOY)
        cycles: dict[bool, set[int]] = {False: set(), True: set()}
        for k in range(0, 64, step):
            leading = [k >> i for i in range(1, k.bit_length() - 1)]
            again = any(j % 19 in (0, 18) for j in leading)  # 19: the order of every point
            for op in ("ecmul", "ecmul_joye"):
                outcome, got = core.product(op, k, point, op == "ecmul")
                assert (outcome.reason, got) == ("ok", golden.multiply(TOY, k, point)), (op, k)
                if op == "ecmul":
                    cycles[again].add(outcome.cycles)
        assert cycles == {False: {1247}, True: {2419}}


@pytest.mark.parametrize("step", [7, *(pytest.param(step, marks=pytest.mark.long) for step in (3, 1))])
def test_products_of_every_order(step: int) -> None:
    """Points of order 2, 3, 4 and more; 3 x^2 + a = 0, x = a = 0; cycles as simulated, secret or not."""
    done = 0
    with Core() as core:
        model = Mpu()
        for curve in (HALF, Curve("three", 5, 0, 1), Curve("thirteen", 13, 10, 5)):
            load(core, model, curve)
            for x in range(curve.p):
                for y in range(curve.p):
                    if not curve.contains(x, y):
                        continue
                    for k in range(0, 16, step):
                        put(core, model, 2, (x, y))
                        model.memory[ENTRY_K] = k
                        outcome, got = core.product("ecmul", k, (x, y), bool(k & 1))
                        assert outcome == model.run(Command("ecmul", 2, 0, 3, 0, bool(k & 1)))
                        assert got == golden.multiply(curve, k, (x, y)), (curve, k, x, y)
                        done += 1
    assert done == len(range(0, 16, step)) * (31 + 5 + 9)


@pytest.mark.parametrize(("every", "count", "least"), [(6, 8, 2), pytest.param(1, 52, 5, marks=pytest.mark.long)])
def test_results_are_on_the_curve(every: int, count: int, least: int) -> None:
    """Modulo a number that is no prime, where the ways to multiply are not exact, a result that is no point is refused,
    not written."""
    curve = Curve("composite", 77, 1, 1)
    points = [(x, y) for x in range(77) for y in range(77) if curve.contains(x, y)][4 % every::every]
    reasons: Counter[str] = Counter()
    with Core() as core:
        model = Mpu()
        load(core, model, curve)
        for point in points:
            for op in ("ecmul", "ecmul_joye"):
                put(core, model, 2, point)
                for entry, value in ((ENTRY_K, 5), (ENTRY_K + 1, 79)):
                    core.put(entry, value)
                    model.memory[entry] = value
                command = Command(op, 2, 0, 4, 0, op == "ecmul")
                assert core.start(command) == 0
                outcome = core.wait()
                assert outcome == model.run(command)
                reasons[outcome.reason] += 1
                got = [core.get(ENTRY_K), core.get(ENTRY_K + 1)]
                assert got == ([5, 79] if outcome.reason != "ok" else model.memory[ENTRY_K : ENTRY_K + 2])
                if outcome.reason == "ok":
                    assert core.get_point(4) is None or curve.contains(*got)
    assert sum(reasons.values()) == 2 * len(points) == 2 * count
    assert reasons["result_off_curve"] > least and reasons["ok"] > least, reasons


def scalars(curve: Curve, rng: random.Random) -> list[int]:
    """0, 1, 2, around the order if it is known, even and odd ones of full length."""
    most = (1 << curve.bits) - 1
    return [0, 1, 2, *([curve.n - 1, curve.n, curve.n + 1] if curve.n else []), rng.randrange(most) & ~1,
            rng.randrange(most) | 1, most]  # fmt: skip


@pytest.mark.parametrize(("curves", "most"), [
    ([*CURVES[5::12], CURVES[-1]], 6), pytest.param(CURVES[::3], 6, marks=pytest.mark.long),
    pytest.param(CURVES, 0, marks=pytest.mark.long)], ids=["few", "short", "whole"])
def test_products(curves: list[Curve], most: int) -> None:
    """Both algorithms on every named curve and random ones to 704 bits; normally four, two scalars of 6 bits."""
    assert len(curves) >= 4 and {160, 448, 704} <= {curve.bits for curve in curves}
    done = 0
    for curve in curves:
        rng = random.Random(curve.name)
        with Core() as core:
            model = Mpu()
            load(core, model, curve)
            core.write("SCALAR", most)
            model.scalar_bits = most
            cycles = set()
            for k in scalars(curve, rng) if not most else [rng.getrandbits(most) | 1, 0]:
                for op in ("ecmul", "ecmul_joye"):
                    model.memory[ENTRY_K] = k
                    put(core, model, 2, curve.g)
                    outcome, got = core.product(op, k, curve.g, op == "ecmul")
                    assert (outcome.reason, got) == ("ok", golden.multiply(curve, k, curve.g)), (curve.name, op, k)
                    if op == "ecmul":
                        cycles.add(outcome.cycles)
                    if most:
                        assert outcome == model.run(Command(op, 2, 0, 3, 0, op == "ecmul"))
                    done += 1
            assert len(cycles) == 1
    assert done == sum(2 * (2 if most else 6 + 3 * (curve.n is not None)) for curve in curves)


POINT_OPERATIONS = ("affine_add", "affine_dq", "ecmul", "ecmul_joye")


@pytest.mark.parametrize("count", [
    20, pytest.param(50, marks=pytest.mark.long), pytest.param(100_000, marks=pytest.mark.soak)])
def test_random_operations(count: int) -> None:
    """Each operation on points so many times, in fields of 5 to 64 bits: multiples of a point, their opposites,
    infinity, from any buffers to any, scalars of every length and around the order."""
    rng = random.Random(count)
    curves = [TOY, HALF, *map(random_curve, (8, 16, 31, 32, 33, 64))]
    done: Counter[str] = Counter()
    infinities, rounds = 0, 25 if count >= 50 else 5
    with Core() as core:
        while done["ecmul"] < count:
            curve = rng.choice(curves)
            assert core.curve(curve.p, curve.a, curve.b).reason == "ok"
            r = domain(curve.p)
            some = [golden.multiply(curve, rng.randrange(1, 2 * curve.p), curve.g) for _ in range(4)]
            pool = [None, *some, *(point and (point[0], -point[1] % curve.p) for point in some)]
            for _ in range(min(rounds, count - done["ecmul"])):
                for op in POINT_OPERATIONS:
                    one, two = rng.choice(pool), rng.choice(pool)
                    affine, product = op.startswith("affine"), op.startswith("ecmul")
                    src1, src2 = rng.sample(range(4), 2)
                    dst1, dst2 = rng.sample(range(5), 2)
                    k = rng.choice([0, 1, 2, *([curve.n - 1, curve.n, curve.n + 1] if curve.n else []),
                                    rng.getrandbits(rng.randrange(1, curve.bits + 2))])  # fmt: skip
                    for buffer, point in ((src1, one), (src2, two)):
                        core.put_point(buffer, point, r if affine else 1, curve.p)
                    if product:
                        core.put(ENTRY_K, k)
                    outcome = core.do(op, src1, src2, dst1, dst2, secret=op == "ecmul" and rng.random() < 0.5)
                    twice = golden.add(curve, one, one)
                    want = {"affine_add": [golden.add(curve, one, two)],
                            "affine_dq": [twice, golden.add(curve, twice, twice)]}.get(
                                op) or [golden.multiply(curve, k, one)]  # fmt: skip
                    got = [core.get_point(buffer, r if affine else 1, curve.p) for buffer in (dst1, dst2)[: len(want)]]
                    assert (outcome.reason, got) == ("ok", want), (op, curve, one, two, k)
                    infinities += want[0] is None
                    done[op] += 1
    assert done == dict.fromkeys(POINT_OPERATIONS, count)
    assert infinities > count / 8


def test_secrets_are_wiped() -> None:
    """Behind a secret operation no register holds a piece of scalar, operand or result; behind another one some do."""
    curve, rng = CURVES[-1], random.Random(11)
    r = domain(curve.p)
    left: dict[bool, list[int]] = {False: [], True: []}
    with Core() as core:
        core.curve(curve.p, curve.a, curve.b)
        core.write("SCALAR", 96)
        for op in ("ecmul", "invert", "mont_mul", "add"):
            for secret in left:
                if op == "ecmul":
                    k = rng.getrandbits(96) | 1 << 95
                    outcome, point = core.product(op, k, curve.g, secret)
                    assert point is not None
                    numbers = [k, *point, *(c * r % curve.p for c in point)]
                else:
                    for entry in range(2):
                        core.put(entry, rng.randrange(curve.p))
                    outcome = core.do(op, 0, 1, 6, secret=secret)
                    numbers = [core.get(entry) for entry in ((0, 6) if op == "invert" else (0, 1, 6))]
                assert outcome.reason == "ok"
                for entry in range(10):  # the idle inverter follows an operand, which may be one of the memory
                    core.put(entry, 0)
                found = 0
                for number in numbers:
                    found |= core.holds(number)
                left[secret].append(found)
    assert all(left[False])
    assert left[True] == [0] * 4
