# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve, configurations contexts and contexts_wide: three jobs at a time on the engine of contexts. Curves,
points and scalars against the golden model; what it rejects; order of results, back-pressure, soft reset; cycles."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from dv.multicurve.multicurve_core import OKAY, OPERATIONS, Answer, Core, job, packet
from dv.multicurve.toy_curves import points, toy
from pointmill import register_map, simbuild
from pointmill.curve_device import CurveDevice, CurveJob, load_job
from pointmill.curves import Curve, by_name, is_prime
from pointmill.model.weierstrass import multiply
from pointmill.ucode import multicurve_contexts as model
from pointmill.ucode.multicurve_contexts import NARROW, WIDE, Form, Shared

P192, P256 = by_name("P-192"), by_name("P-256")
FORMS = {"contexts": NARROW, "contexts_wide": WIDE}
LONG = pytest.mark.long
CONFIG, CTRL, STATUS, IRQ_STATUS = 0x08, 0x0C, 0x10, 0x18
JOBS, ERRORS, MULS = 0x20, 0x28, 0x40


def loading(form: Form) -> int:
    """Cycles of what a field takes beside the contexts: its digits in the serial unit, k and whether p divides it, p
    itself."""
    return (2 * form.columns + 5) * (form.digit + 2) + form.digits


def divides_k(p: int, form: Form) -> bool:
    """Whether a prime is none of the form's moduli."""
    return -pow(p, -1, 1 << form.digit) % (1 << form.digit) % p == 0


def scalars(curve: Curve, rng: random.Random, count: int) -> list[int]:
    """Special and random ones, all that may be."""
    n = curve.n
    return [0, 1, 2, 3, n - 1, n, n + 1, 2 * n - 1, (2 << curve.p.bit_length()) - 1,
            *(rng.randrange(n) for _ in range(count))]  # fmt: skip


def sent(core: Core, jobs: list[tuple]) -> list[Answer]:
    """The answers to jobs that are sent at once, in their order."""
    for tag, (name, *numbers) in enumerate(jobs):
        core.push(job(tag, name, *numbers))
    answers = core.answers(len(jobs))
    assert [one.tag for one in answers] == list(range(len(jobs)))
    assert [one.opcode for one in answers] == [OPERATIONS[name]["opcode"] for name, *_ in jobs]
    return answers


@pytest.mark.parametrize(("name", "config"), [
    ("P-256", "contexts"), ("secp256k1", "contexts"), ("brainpoolP256r1", "contexts"),
    pytest.param("P-521", "contexts_wide", marks=LONG), pytest.param("brainpoolP512r1", "contexts_wide", marks=LONG),
])  # fmt: skip
def test_curve(name: str, config: str) -> None:
    """Special and random scalars, four of them for long fields, of the base point and of another, with pauses and
    back-pressure."""
    curve, rng = by_name(name), random.Random(name)
    other = multiply(curve, 12345, curve.g)
    jobs: list[tuple] = [("load_curve", curve.p, curve.a, curve.b, *curve.g, curve.n)]
    some, wide = scalars(curve, rng, 1), config == "contexts_wide"
    if wide:
        some = [some[i] for i in (0, 5, 8, 9)]  # 0, n, the largest, a random one
    for i, k in enumerate(some):
        jobs += [("ecmul_base", k) if i % 2 else ("ecmul", k, *other), *[("check", *other)] * (i % 3 == 0)]
    with Core(config) as core:
        core.pace(3, 30, 60)
        answers = sent(core, jobs)
    others = 0
    for (op, *numbers), one in zip(jobs, answers, strict=True):
        assert one.reason == "ok", (op, numbers)
        if op.startswith("ecmul"):
            assert one.point == multiply(curve, numbers[0], curve.g if op == "ecmul_base" else other)
        else:
            assert one.payload == () and not one.infinity
            others += 1
    assert others == (3 if wide else 5) and sum(one.infinity for one in answers) == 2


@pytest.mark.parametrize(("kind", "order"), [("m3", 8), ("0", 7), ("any", 12)])
def test_toy(kind: str, order: int) -> None:
    """Every point, and every scalar that may be, of small curves; most are run again."""
    curve = toy(order, kind)
    top = 2 << curve.p.bit_length()
    jobs = [("ecmul", k, *point) for point in points(curve) for k in range(top)]
    every = {(x, y) for x in range(curve.p) for y in range(curve.p)}
    checks = [("check", x, y) for x, y in sorted(every)]
    with Core("contexts") as core:
        assert core.load(curve).reason == "ok"
        for (_, k, *point), one in zip(jobs, sent(core, jobs), strict=True):
            assert one.point == multiply(curve, k, tuple(point)), (k, point)
        for (_, x, y), one in zip(checks, sent(core, checks), strict=True):
            assert one.reason == ("ok" if (x, y) in points(curve) else "invalid_point")
        assert core.read(JOBS) == 1 + len(jobs) + len(checks)
        assert core.ask("ecmul", top, *points(curve)[0]).reason == "scalar_out_of_range"


def longest(bits: int) -> int:
    """The largest prime of so many bits."""
    return next(p for p in range((1 << bits) - 1, 0, -2) if is_prime(p))


def too_long(bits: int) -> int:
    """The least prime of more bits."""
    return next(p for p in range((1 << bits) + 1, (1 << bits) + 8000, 2) if is_prime(p))


@pytest.mark.parametrize(("config", "bits"), [("contexts", 257), pytest.param("contexts_wide", 533, marks=LONG)])
def test_too_long(config: str, bits: int) -> None:
    """A field that is a bit longer than the longest, and numbers with one bit more, from where none are compared on."""
    curve = by_name("P-256")
    with Core(config) as core:
        places = (min(bits + 13, 543), 543)
        for p in (too_long(bits), 2**544 - 1, *(1 << place | 1 for place in places)):
            assert core.ask("load_curve", p, 1, 1, 0, 0, 0, option="no_base").reason == "parameter_out_of_range"
        assert core.load(curve).reason == "ok"
        for place in places:
            assert core.ask("ecmul", 1 << place, *curve.g).reason == "scalar_out_of_range"
            assert core.ask("ecmul", 1, curve.g[0] + (1 << place), curve.g[1]).reason == "invalid_point"


@pytest.mark.parametrize(("changes", "reason"), [
    ({"p": P256.p + 1}, "modulus_not_odd"), ({"p": 0}, "modulus_not_odd"), ({"p": 1}, "modulus_not_odd"),
    ({"p": 2}, "modulus_not_odd"), ({"p": 2**544 - 2}, "modulus_not_odd"),
    ({"p": P256.p - 2}, "parameter_out_of_range"),
    ({"a": P256.p}, "parameter_out_of_range"), ({"b": P256.p}, "parameter_out_of_range"),
    ({"b": 2**544 - 1}, "parameter_out_of_range"), ({"b": P256.b + 2**270}, "parameter_out_of_range"),
    ({"a": 0, "b": 0}, "singular_curve"), ({"a": P256.p - 3, "b": 2}, "singular_curve"),
    ({"gx": P256.p}, "parameter_out_of_range"), ({"gy": P256.p + 5}, "parameter_out_of_range"),
    ({"gx": P256.g[0] ^ 1}, "invalid_point"), ({"gx": 0, "gy": 0}, "invalid_point"),
])  # fmt: skip
def test_refused_parameters(changes: dict[str, int], reason: str) -> None:
    """And no curve is loaded afterwards, though one was before."""
    values = {"p": P256.p, "a": P256.a, "b": P256.b, "gx": P256.g[0], "gy": P256.g[1], "n": P256.n} | changes
    small = toy(7, "0")
    with Core("contexts") as core:
        assert core.load(small).reason == "ok"
        assert core.ask("load_curve", *values.values()).reason == reason
        assert core.ask("ecmul_base", 5).reason == "no_curve"
        assert core.load(small).reason == "ok"
        assert core.ask("ecmul_base", 5).point == multiply(small, 5, small.g)


@pytest.mark.parametrize(("config", "primes"), [
    pytest.param("contexts", [577], id="contexts"),
    pytest.param("contexts_wide", [3, 7], id="contexts_wide", marks=LONG),
])  # fmt: skip
def test_refused_divisor(config: str, primes: list[int]) -> None:
    """Primes that divide their k; there are no others below 2^16."""
    found = [p for p in range(3, 1 << 16, 2) if is_prime(p) and divides_k(p, FORMS[config])]
    with Core(config) as core:
        for p in found:
            some = sorted({*range(min(p, 7)), p - 1})
            answers = [core.ask("load_curve", p, a, b, 0, 0, 0, option="no_base") for a in some for b in some]
            assert {one.reason for one in answers} == {"parameter_out_of_range"}
        assert core.ask("check", 0, 0).reason == "no_curve"
    assert found == primes


@pytest.mark.parametrize(("config", "lengths"), [
    ("contexts", (3, 4, 8, 44, 45, 46, 47, 90, 221, 222, 234, 256, 257)),
    pytest.param("contexts_wide", (4, 8, 41, 42, 43, 84, 256, 384, 491, 492, 521, 532, 533), marks=LONG),
])  # fmt: skip
def test_fields(config: str, lengths: tuple[int, ...]) -> None:
    """Curves over fields of every length, with one coefficient or none 0; the last one is the longest there may be."""
    rng, done, form = random.Random(5), Counter(), FORMS[config]
    with Core(config) as core:
        for bits in lengths:
            p = longest(bits) if bits == lengths[-1] else next(
                p for p in iter(lambda: rng.getrandbits(bits) | 1 << bits - 1 | 1, 0)  # noqa: B023
                if is_prime(p) and not divides_k(p, form))
            x, y, a = rng.randrange(p), rng.randrange(p), rng.randrange(p)
            curve = Curve("some", p, a, (y * y - x**3 - a * x) % p, 0, (x, y))
            singular = (4 * a**3 + 27 * curve.b**2) % p == 0
            assert core.load(curve).reason == ("singular_curve" if singular else "ok"), p
            done[singular] += 1
            if not singular:
                done[Shared(curve, form).digits] += 1
                for k in (1, 3):
                    assert core.ask("ecmul_base", k).point == multiply(curve, k, curve.g), (p, k)
    assert all(done[digits] > 2 for digits in form.slots), done
    assert done[False] == sum(done[digits] for digits in form.slots) > 10, done


def low(curve: Curve) -> tuple[int, int]:
    """A point whose x has the lowest digit of p, and is not 0."""
    p = curve.p
    for i in range(1, 1000):
        x = p - (i << NARROW.digit)
        square = (x**3 + curve.a * x + curve.b) % p
        y = pow(square, (p + 1) // 4, p)
        if y * y % p == square:
            return x, y
    raise AssertionError("no point")


@pytest.mark.parametrize("name", ["P-256", "brainpoolP256r1"])
def test_coordinates_of_0(name: str) -> None:
    """k p, which stands for 0, is told from what has its lowest digit."""
    known = by_name(name)
    curve = Curve("some", known.p, known.a, 4, 0, (0, 2))
    at, half = low(curve), curve.p - 2
    with Core("contexts") as core:
        core.load(curve)
        jobs: list[tuple] = [("ecmul", 1, 0, half), ("ecmul", 1, *at), ("ecmul_base", 7), ("ecmul", 1, 0, half)]
        answers = sent(core, jobs)
        assert [one.point for one in answers] == [(0, half), at, multiply(curve, 7, curve.g), (0, half)]


def test_y_of_0() -> None:
    """A point of order 2."""
    curve = toy(8, "m3")
    x, _ = next(point for point in points(curve) if point[1] == 0)
    with Core("contexts") as core:
        core.load(curve)
        assert [core.ask("ecmul", k, x, 0).point for k in (1, 2, 3)] == [(x, 0), None, (x, 0)]


def test_refused_jobs() -> None:
    """In the middle of others, which are answered."""
    top = 2 << P256.bits
    x, y = P256.g
    # What a job is, with its reason; None: a product of 5.
    cases: list[tuple[list, str | None]] = [
        (job(0, "ecmul", 3, x, y + P256.p), "invalid_point"), (job(0, "ecmul", 3, x + P256.p, y), "invalid_point"),
        (job(0, "ecmul", 3, x, y ^ 1), "invalid_point"), (job(0, "ecmul", 3, x + 2**300, y), "invalid_point"),
        (job(0, "check", 0, 0), "invalid_point"), (job(0, "check", x, y + P256.p), "invalid_point"),
        (job(0, "check", x, y), "ok"), (job(0, "ecmul", top, x, y), "scalar_out_of_range"),
        (job(0, "ecmul", top, y, y), "scalar_out_of_range"), (job(0, "ecmul_base", 2**544 - 1), "scalar_out_of_range"),
        (job(0, "ecmul_base", 2**274), "scalar_out_of_range"),
        (job(0, "ecmul", 5, x, y, flags=("secret",)), "secret_refused"),
        (job(0, "ecmul_base", 5, option="ladder", flags=("secret",)), "secret_refused"),
        (job(0, "ecmul2", 5, x, y, 5, x, y), "malformed_job"), (job(0, "ladder", 1, 9), "malformed_job"),
        (job(0, "modarith", 7, 3, 5), "malformed_job"), (job(0, "ecdsa_verify", 1, 256, x, y, 1, 1), "malformed_job"),
        (job(0, "ecdsa_sign", 1, 1, 1, 256, flags=("secret",)), "malformed_job"),
        (job(0, "sm2_verify", 1, x, y, 1, 1), "malformed_job"),
        (job(0, "sm2_sign", 1, 1, 1, flags=("secret",)), "malformed_job"),
        (packet(0, 200, (1, 2)), "malformed_job"), (packet(0, OPERATIONS["ecmul"]["opcode"], (5, x)), "malformed_job"),
        (packet(0, OPERATIONS["ecmul"]["opcode"], (5, x, y, 1)), "malformed_job"),
        (job(0, "ecmul_base", 5), None), (job(0, "ecmul_base", 5, option="ladder"), None),
    ]  # fmt: skip
    with Core("contexts") as core:
        core.load(P256)
        for beats, _ in cases:
            core.push(job(1, "ecmul_base", 5))
            core.push(beats)
        answers = core.answers(2 * len(cases))
        want = multiply(P256, 5, P256.g)
        assert all(one.point == want for one in answers[::2])
        for (_, reason), one in zip(cases, answers[1::2], strict=True):
            assert one.reason == (reason or "ok") and (reason or one.point == want)
        bad = sum(reason == "malformed_job" for _, reason in cases)
        assert (len(cases), bad, core.read(ERRORS)) == (25, 10, 10)


def test_no_curve_and_no_base_point() -> None:
    with Core("contexts") as core:
        for name in ("ecmul", "ecmul_base", "check"):
            assert core.ask(name, *[1] * len(OPERATIONS[name]["operands"])).reason == "no_curve"
        parameters = [P256.p, P256.a, P256.b, 0, 0, 0]
        assert core.ask("load_curve", *parameters, option="no_base").reason == "ok"
        assert core.ask("ecmul_base", 5).reason == "invalid_point"
        assert core.ask("ecmul", 5, *P256.g).point == multiply(P256, 5, P256.g)
        assert core.ask("load_curve", P256.p, 5, 0, 0, 0, 0, flags=("montgomery",)).reason == "malformed_job"
        assert core.ask("check", *P256.g).reason == "no_curve"


def test_secrets_take_one_time() -> None:
    with Core("contexts") as core:
        core.load(P192)
        answers = [core.ask("ecmul", k, *P192.g, flags=("secret",)) for k in (0, 1, 2**300, P192.n)]
        assert {(one.reason, one.cycles) for one in answers} == {("secret_refused", answers[0].cycles)}


@pytest.mark.parametrize("turns", [7, pytest.param(16, marks=LONG)])
def test_soft_reset_at_any_time(turns: int) -> None:
    """Jobs of before it are aborted, in the order in which they came; those that wait are worked on."""
    rng, seen = random.Random(4), Counter()
    with Core("contexts") as core:
        core.load(P192)
        for turn in range(turns):
            curve_too = turn % 3 == 0
            for tag in range(3):
                core.push(job(tag, "ecmul_base", (1 << 40) - tag * turn))
            if curve_too:
                core.push(job(3, "load_curve", P192.p, P192.a, P192.b, *P192.g, P192.n))
            core.run(rng.choice((rng.randrange(300), rng.randrange(18_000, 34_000))))
            assert core.write(CTRL, 1) == OKAY
            answers = core.answers(3 + curve_too)
            assert [one.tag for one in answers] == list(range(3 + curve_too))
            for one in answers[:3]:
                assert one.reason in ("ok", "aborted")
                assert one.reason == "aborted" or one.point == multiply(P192, (1 << 40) - one.tag * turn, P192.g)
                seen[one.reason] += 1
            lost = curve_too and answers[3].reason == "aborted"
            seen["lost"] += lost
            while core.read(STATUS) & 1:
                core.run(1000)
            assert core.read(IRQ_STATUS) & 4, "the reset has finished"
            assert core.write(IRQ_STATUS, 7) == OKAY
            if lost:
                assert core.ask("ecmul_base", 1).reason == "no_curve"
                assert core.load(P192).reason == "ok"
    assert seen["ok"] > turns // 2 and seen["aborted"] > turns // 2 and seen["lost"] > 0, seen


def test_registers() -> None:
    """What was built, and products as the program has them."""
    with Core("contexts") as core:
        found = core.read(CONFIG)
        assert {name: register_map.field("multicurve", "CONFIG", name).of(found)
                for name in ("contexts", "multipliers", "engines", "window", "width", "named", "comb")
                } == {"contexts": 3, "multipliers": 1, "engines": 1, "window": 0, "width": 257, "named": 0, "comb": 0}
        core.ask("load_curve", P256.p, P256.a, P256.b, 0, 0, 0, option="no_base")
        before = core.read(MULS)
        assert before == model.Job(Shared(P256)).run().run.products
        assert core.ask("ecmul", 77, *P256.g).reason == "ok"
        assert core.read(MULS) - before == model.Job(Shared(P256), 77, P256.g).run().run.products


def test_cycles() -> None:
    """Of loading a curve, and of jobs that follow each other in all contexts."""
    rng = random.Random(3)
    turn = 3 * Shared(P256).slot
    with Core("contexts") as core:
        one = core.ask("load_curve", P256.p, P256.a, P256.b, 0, 0, 0, option="no_base")
        program = turn * model.Job(Shared(P256)).run().run.cycles
        assert 0 <= one.cycles - program - loading(NARROW) < 250
        one = core.ask("ecmul", 5, *P256.g)
        program = turn * model.Job(Shared(P256), 5, P256.g).run().run.cycles
        assert 0 <= one.cycles - program < 450
        jobs = [("ecmul", rng.randrange(1 << 255, 1 << 256), *P256.g) for _ in range(13)]
        answers = sent(core, jobs)
        assert all(one.reason == "ok" for one in answers)
        assert answers[12].answered_at - answers[0].answered_at == 169_824


def test_registers_of_numbers() -> None:
    """Numbers go to the registers that the program has them in."""
    text = (simbuild.ROOT / "hw/multicurve/rtl/pm_multicurve_contexts_pkg.sv").read_text()
    found = {name: int(number) for name, number in re.findall(r" Load(\w+) = (\d+);", text)}
    home = model.registers()
    assert found == {"Modulus": 7, "Scalar": home["K"], "PointX": home["PX"], "PointY": home["PY"], "A": home["X"],
                     "Power": home["power"], "Inverse": home["inverse"], "B": home["Z"]}  # fmt: skip


@pytest.mark.long
def test_driver() -> None:
    """Through the library: what the core has, and what it has not, in one batch."""
    jobs = [load_job(P256), *(CurveJob("ecmul_base", (k,)) for k in range(5)), CurveJob("modarith", (7, 3, 5), "mul"),
            CurveJob("ecmul", (9, *P256.g), flags=("secret",)), CurveJob("check", P256.g)]  # fmt: skip
    with CurveDevice("contexts") as device:
        results = device.batch(jobs)
        assert not device.has_comb
    assert [one.reason for one in results] == ["ok"] * 6 + ["malformed_job", "secret_refused", "ok"]
    assert results[1].infinity
    assert [one.payload for one in results[2:6]] == [multiply(P256, k, P256.g) for k in range(1, 5)]
