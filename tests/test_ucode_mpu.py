# SPDX-License-Identifier: Apache-2.0
"""Programs of `mpu` by the ROM's words: arithmetic, points, both products, on toy curves in full; cycles;
rejections."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pointmill.curves import Curve, is_prime
from pointmill.model import weierstrass as golden
from pointmill.ucode.build import build
from pointmill.ucode.dual import DIGIT, bound, digits, retime
from pointmill.ucode.mpu import ENTRY, ENTRY_K, PROGRAMS, WIDTH, Command, Mpu, Outcome

# Curves with all their points: 11 and 19 points, some with points of order 2, a = 0 with a point of order 3 at x = 0,
# and without one, 3 x^2 + a = 0 at some points, p = 3.
TOYS = [(7, 2, 6), (17, 2, 2), (13, 10, 5), (19, 0, 2), (23, 20, 7), (5, 0, 1), (31, 1, 0), (3, 2, 1)]
LARGE = 2**704 - 2**352 - 2**7 + 9


def points(p: int, a: int, b: int) -> list[tuple[int, int]]:
    """The affine points."""
    return [(x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0]


def loaded(p: int, a: int = 0, b: int = 0) -> Mpu:
    """A core with that curve, or with the modulus alone if a = b = 0."""
    core = Mpu()
    core.memory[ENTRY["p"] : ENTRY["b"] + 1] = [p, a, b]
    assert core.run(Command("load_curve" if a or b else "load_modulus")).reason == "ok"
    return core


def put(core: Mpu, buffer: int, point: tuple[int, int] | None, r: int = 1) -> None:
    """A point, coordinates times r."""
    core.infinity[buffer] = point is None
    core.memory[2 * buffer : 2 * buffer + 2] = [c * r % core.p for c in point or (0, 0)]


def got(core: Mpu, buffer: int, r: int = 1) -> tuple[int, int] | None:
    """A point, coordinates divided by r."""
    x, y = core.memory[2 * buffer : 2 * buffer + 2]
    inverse = pow(r, -1, core.p)
    return None if core.infinity[buffer] else (x * inverse % core.p, y * inverse % core.p)


@pytest.mark.parametrize("p", [3, 101, 2**32 - 5, 2**33 - 9, 2**255 - 19, 2**521 - 1, 3**200, LARGE, 2**704 - 1])
def test_arithmetic(p: int) -> None:
    rng = random.Random(p)
    core = loaded(p)
    r = 1 << DIGIT * digits(p.bit_length())
    assert core.memory[ENTRY["one"] : ENTRY["unit"] + 1] == [r % p, r * r % p, 1]
    inverse = pow(r, -1, p)
    for x in [0, 1, p - 1, *(rng.randrange(p) for _ in range(8))]:
        y, low = rng.choice([0, 1, p - 1, rng.randrange(p)]), rng.choice([r - 1, rng.randrange(r)])
        for op, operands, wanted in (
            ("add", (x, y), (x + y) % p), ("sub", (x, y), (x - y) % p), ("mont_mul", (x, y), x * y * inverse % p),
            ("reduction", (low, y), (low + r * y) * inverse % p)):  # fmt: skip
            core.memory[:2] = operands
            assert core.run(Command(op, 0, 1, 2, secret=bool(x & 1))).reason == "ok"
            assert core.memory[2] == wanted
        core.memory[:2] = u, v = rng.getrandbits(WIDTH), (1 << WIDTH) - 1 - rng.getrandbits(8)
        assert core.run(Command("mul", 0, 1, 2, 3)).reason == "ok"
        assert core.memory[2] + (core.memory[3] << WIDTH) == u * v
        for op, factor in (("invert", 1), ("mont_invert", r * r)):
            core.memory[0] = x
            outcomes = [core.run(Command(op, 0, 0, 2, secret=secret)).reason for secret in (False, True)]
            try:
                wanted = pow(x, -1, p) * factor % p
            except ValueError:
                assert outcomes == ["not_invertible"] * 2
            else:
                assert (outcomes, core.memory[2]) == (["ok"] * 2, wanted)


def test_operands_out_of_range() -> None:
    """Nothing is written; reduction takes any lower half below R."""
    p = 2**89 - 1
    core = loaded(p)
    for bad in (p, p + 1, (1 << WIDTH) - 1):
        for op in ("add", "sub", "mont_mul"):
            for pair in ((bad, 1), (1, bad)):
                core.memory[:3] = [*pair, 5]
                assert core.run(Command(op, 0, 1, 2)).reason == "operand_out_of_range"
                assert core.memory[2] == 5
        core.memory[:3] = [1, bad, 5]
        assert core.run(Command("reduction", 0, 1, 2)).reason == "operand_out_of_range"
        for op in ("invert", "mont_invert"):
            assert core.run(Command(op, 1, 0, 2)).reason == "operand_out_of_range"
        assert core.memory[2] == 5
    for low, reason in (((1 << 96) - 1, "ok"), (1 << 96, "operand_out_of_range"), (1 << 703, "operand_out_of_range")):
        core.memory[:2] = [low, 1]
        assert core.run(Command("reduction", 0, 1, 2)).reason == reason


def test_loading_refuses() -> None:
    core = Mpu()
    for values, op, reason in (
        ((10, 0, 0), "load_modulus", "modulus_not_odd"), ((1, 0, 0), "load_modulus", "modulus_not_odd"),
        ((0, 0, 0), "load_modulus", "modulus_not_odd"), ((7, 7, 1), "load_curve", "parameter_out_of_range"),
        ((7, 1, 8), "load_curve", "parameter_out_of_range"), ((7, 0, 0), "load_curve", "singular_curve"),
        ((7, 4, 2), "load_curve", "singular_curve")):  # fmt: skip
        core.memory[ENTRY["p"] : ENTRY["b"] + 1] = values
        assert core.run(Command(op)).reason == reason
        assert not core.curve
    assert core.modulus  # of the singular curve
    assert core.run(Command("ecmul")).reason == "no_curve"


def test_commands_refused() -> None:
    core = Mpu()
    for command, reason in (
        (Command("nothing"), "illegal_command"), (Command("add", 0, 1, 2), "no_modulus"),
        (Command("mul", 0, 1, 2, 2), "illegal_command"), (Command("affine_dq", 5, 0, 0, 1), "illegal_command"),
        (Command("affine_dq", 0, 0, 1, 1), "illegal_command"),
        (Command("load_modulus", secret=True), "secret_refused")):  # fmt: skip
        assert core.run(command) == Outcome(reason, 1)
    core = loaded(17, 2, 2)
    for op in ("affine_add", "affine_dq", "ecmul_joye", "load_curve"):
        assert core.run(Command(op, 0, 1, 2, 3, True)) == Outcome("secret_refused", 1)


@pytest.mark.parametrize("toy", TOYS, ids=str)
def test_points_of_toy_curves(toy: tuple[int, int, int]) -> None:
    """Every pair added, every point doubled and quadrupled."""
    p, a, b = toy
    curve, core = Curve("toy", p, a, b), loaded(p, a, b)
    r = 1 << DIGIT
    every = [None, *points(p, a, b)]
    for i, one in enumerate(every):
        for two in every:
            put(core, 0, one, r)
            put(core, 1, two, r)
            assert core.run(Command("affine_add", 0, 1, 2)).reason == "ok"
            assert got(core, 2, r) == golden.add(curve, one, two)
        put(core, 4, one, r)
        assert core.run(Command("affine_dq", 4, 0, i % 2, 3)).reason == "ok"
        twice = golden.add(curve, one, one)
        assert (got(core, i % 2, r), got(core, 3, r)) == (twice, golden.add(curve, twice, twice))
    assert len(every) > 5


def made_again(curve: Curve, k: int, point: tuple[int, int]) -> bool:
    """Whether the ladder needs the complete one: for points of order 2, for x = 3 x^2 + a = 0, and where leading bits
    of k, more than one and not all, are 0 or -1 modulo the order."""
    leading = [k >> i for i in range(1, k.bit_length() - 1)]
    return (point[1] == 0 or point[0] == curve.a == 0
            or any(golden.multiply(curve, j + i, point) is None for j in leading for i in (0, 1)))  # fmt: skip


@pytest.mark.parametrize("step", [6, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("toy", TOYS, ids=str)
def test_products_of_toy_curves(toy: tuple[int, int, int], step: int) -> None:
    """Every scalar that fits, for every point or some; the ladder takes one number of cycles, or another one
    where `made_again`."""
    p, a, b = toy
    curve, core = Curve("toy", p, a, b), loaded(p, a, b)
    cycles: dict[bool, set[int]] = {False: set(), True: set()}
    for point in points(p, a, b)[:: 1 if p < 17 else step]:
        for k in range(2 << p.bit_length()):
            wanted = golden.multiply(curve, k, point)
            for op in ("ecmul", "ecmul_joye"):
                put(core, 2, point)
                core.memory[ENTRY_K] = k
                outcome = core.run(Command(op, 2, 0, 3, secret=op == "ecmul"))
                assert (outcome.reason, got(core, 3)) == ("ok", wanted), (op, k, point)
                if op == "ecmul":
                    cycles[made_again(curve, k, point)].add(outcome.cycles)
    assert [len(some) for some in cycles.values()] == [1, toy not in ((7, 2, 6), (3, 2, 1))]
    assert max(cycles[False]) < max(cycles[True], default=1 << 20)
    core.memory[ENTRY_K] = 2 << p.bit_length()
    for op in ("ecmul", "ecmul_joye"):
        put(core, 2, points(p, a, b)[0])
        assert core.run(Command(op, 2, 0, 3)).reason == "scalar_out_of_range"
        put(core, 2, (0, next(y for y in range(p) if (y * y - b) % p)))
        assert core.run(Command(op, 2, 0, 3)).reason == "invalid_point"
        put(core, 2, None)
        assert core.run(Command(op, 2, 0, 3)).reason == "ok"
        assert got(core, 3) is None


def test_not_on_one_curve() -> None:
    """Equal x, but y neither equal nor opposite."""
    core = loaded(17, 2, 2)
    core.memory[:4] = [5, 1, 5, 2]
    assert core.run(Command("affine_add", 0, 1, 2)).reason == "invalid_point"


def test_schedules_are_the_shortest() -> None:
    """Each block has the fewest cycles possible for each length of a product."""
    blocks = 0
    for program in PROGRAMS:
        machine, _, schedules, _ = build("mpu", program, "full")
        for schedule in schedules.values():
            for length in machine.lengths:
                blocks += 1
                assert retime(schedule, length)[1] == bound(
                    schedule, length, machine.multipliers, machine.lone_products)
    assert blocks == 7 * 58


def test_cycles() -> None:
    """The table of docs/mpu.md."""
    core = Mpu()
    rng = random.Random(5)
    table = {LARGE: (2137, 29, 87, 86, 78, 1226), 2**521 - 1: (1807, 29, 87, 76, 68, 926),
             2**256 - 189: (1319, 29, 87, 58, 50, 492), 2**160 - 47: (1143, 29, 87, 52, 44, 334)}  # fmt: skip
    for p, cycles in table.items():
        core.memory[ENTRY["p"]] = p
        assert core.run(Command("load_modulus")) == Outcome("ok", cycles[0])
        core.memory[:4] = [rng.randrange(1, p) for _ in range(4)]
        for op, count in zip(("add", "mul", "reduction", "mont_mul", "invert"), cycles[1:]):
            for secret in (False, True):
                assert core.run(Command(op, 0, 1, 4, 5, secret)) == Outcome("ok", count + 19 * secret)
        assert core.run(Command("sub", 0, 1, 4)) == Outcome("ok", cycles[1])


def test_cycles_of_products() -> None:
    """11 products a step, two at a time; in words of one cycle little else. 704 bits: the table of docs/mpu.md."""
    step = build("mpu", "ecmul", "full")[2]["step"]
    assert [retime(step, length)[1] for length in (5, 8, 22)] == [31, 49, 133]
    rng = random.Random(7)
    p = next(p for p in range(2**704 - 1, 0, -2) if is_prime(p))
    a, x, y = (rng.randrange(p) for _ in range(3))
    curve = Curve("", p, a, (y * y - x**3 - a * x) % p)
    core = loaded(p, a, curve.b)
    for bits, cycles in ((256, 136_370), (0, 371_197)):
        core.scalar_bits = bits
        for k in (rng.getrandbits(bits or 705), 1):
            core.memory[ENTRY_K] = k
            put(core, 0, (x, y))
            assert core.run(Command("ecmul", 0, 0, 1, secret=True)) == Outcome("ok", cycles)
            assert got(core, 1) == golden.multiply(curve, k, (x, y))


def test_results_are_on_the_curve() -> None:
    """Modulo a number that is no prime the ways to multiply are not exact: what is not on the curve is refused, and not
    written."""
    curve = Curve("composite", 77, 1, 1)
    core = loaded(77, 1, 1)
    found = {op: Counter() for op in ("ecmul", "ecmul_joye")}
    for op, reasons in found.items():
        for point in points(77, 1, 1):
            for k in (3, 5, 13):
                put(core, 2, point)
                core.memory[ENTRY_K : ENTRY_K + 2] = [k, 79]
                reason = core.run(Command(op, 2, 0, 4)).reason
                reasons[reason] += 1
                if reason != "ok":
                    assert core.memory[ENTRY_K : ENTRY_K + 2] == [k, 79]
                elif (result := got(core, 4)) is not None:
                    assert curve.contains(*result)
    assert [sum(reasons.values()) for reasons in found.values()] == [52 * 3] * 2
    assert all(0 < reasons["result_off_curve"] < 52 * 3 for reasons in found.values()), found
    assert set(found["ecmul"]) == {"ok", "result_off_curve"}


def test_scalar_length() -> None:
    """With a length of its own the ladder takes that number of steps, and refuses longer scalars."""
    core = loaded(17, 2, 2)
    cycles = []
    for bits in (1, 4, 9):
        core.scalar_bits = bits
        for k in (0, (1 << bits) - 1):
            put(core, 0, (5, 1))
            core.memory[ENTRY_K] = k
            outcome = core.run(Command("ecmul", 0, 0, 1, secret=True))
            assert (outcome.reason, got(core, 1)) == ("ok", golden.multiply(Curve("toy", 17, 2, 2), k, (5, 1)))
            cycles.append(outcome.cycles)
        core.memory[ENTRY_K] = 1 << bits
        assert core.run(Command("ecmul", 0, 0, 1)).reason == "scalar_out_of_range"
    assert cycles == sorted(cycles)
    assert len(set(cycles)) == 3
