# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_contexts: scalar multiplications on named and small curves against the golden model, several at a time;
the cycles of each against those of its program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby

import pytest

from dv.multicurve import contexts_bench
from dv.multicurve.contexts_bench import Job
from dv.multicurve.toy_curves import multiples, points, toy
from pointmill.curves import Curve, by_name
from pointmill.model import weierstrass
from pointmill.ucode import multicurve_contexts as model
from pointmill.ucode.multicurve_contexts import NARROW, WIDE, Form, Shared

pytestmark = pytest.mark.long
"""In the normal run test_pm_multicurve_contexts_jobs.py has the engine in its core."""

NAMES = ("P-256", "secp256k1", "brainpoolP256r1")
"""By what a is, and 7 digits of R and 8."""

WIDE_NAMES = ("P-521", "brainpoolP512r1", "P-256", "secp384r1")
"""Curves for the form for longer fields: 13 digits of R, and 14; shorter fields."""

TOYS = {"m3": 8, "0": 7, "any": 12}
"""Order of a small curve by what a is; with points of order 2 on two of them."""

REPEATED = {"m3": 59, "0": 30, "any": 135}
"""Jobs of theirs whose digits come again."""


def named(name: str) -> Curve:
    """A named curve of this form."""
    curve = by_name(name)
    assert isinstance(curve, Curve)
    return curve


def check(jobs: Sequence[Job], form: Form = NARROW) -> tuple[list[contexts_bench.Result], list[Job], int, int]:
    """Runs jobs; every result is compared with the golden model, and with that of the program on the simulator. The
    results, those whose digits came again, and the cycles and products of all of them."""
    results, cycles, products = contexts_bench.run(jobs, form)
    expected, again = 0, []
    for job, one in zip(jobs, results):
        shared = Shared(job.curve, form)
        turn = 3 * shared.slot
        want = weierstrass.multiply(job.curve, job.k, job.point)
        program = model.Job(shared, job.k, job.point)
        run = program.run()
        assert run.reason == one.reason == ("infinity" if want is None else "ok")
        assert want is None or one.point == want
        again += [job] * program.exact
        expected += run.run.products
        # From a start to the context's slot, and until the scan has its first digit, each time: a cycle a bit.
        waiting = turn + (1 + program.exact) * form.digit * form.digits
        assert 0 <= one.cycles - turn * run.run.cycles < waiting
    loads = [curve for curve, _ in groupby(job.curve for job in jobs)]
    expected += sum(model.Job(Shared(curve, form)).run().run.products for curve in loads)
    assert products == expected
    return results, again, cycles, products


def check_curve(name: str, form: Form) -> None:
    """Special and random scalars, every exceptional case of the base point's multiples: n and 2n - 1, whose digits come
    again."""
    curve, rng = named(name), random.Random(name)
    n = curve.n
    most = (1 << curve.p.bit_length()) - 1
    scalars = [0, 1, 2, 3, 5, n - 1, n, n + 1, 2 * n - 1, most, *(rng.randrange(n) for _ in range(8))]
    _, again, _, _ = check([Job(curve, k, curve.g) for k in scalars], form)
    assert [job.k for job in again] == [n, 2 * n - 1]


@pytest.mark.parametrize("name", NAMES)
def test_curve(name: str) -> None:
    """Three jobs at a time."""
    check_curve(name, NARROW)


@pytest.mark.parametrize("name", WIDE_NAMES)
def test_wide_curve(name: str) -> None:
    """The same of the form for longer fields."""
    check_curve(name, WIDE)


def test_curves_by_turns() -> None:
    """Curves of other digits, and other kinds, behind each other in the same contexts."""
    rng, jobs = random.Random(2), []
    for _ in range(2):
        for name in ("P-192", *NAMES, "P-224"):
            curve = named(name)
            jobs += [Job(curve, rng.randrange(curve.n), curve.g) for _ in range(3)]
    results, *_ = check(jobs)
    assert len(results) == 30 and {one.context for one in results} == {0, 1, 2}


@pytest.mark.parametrize("kind", TOYS)
def test_toy(kind: str) -> None:
    """Every point and scalar, beyond the order, of a curve so small that exceptional cases are common."""
    curve = toy(TOYS[kind], kind)
    jobs = [Job(curve, k, point) for point in points(curve) for k in range(2 * TOYS[kind] + 3)]
    results, again, _, _ = check(jobs)
    for job, one in zip(jobs, results):
        around = multiples(curve, job.point)
        assert one.reason == "infinity" or one.point == around[job.k % len(around)]
    assert len(again) == REPEATED[kind]


def test_load() -> None:
    """Cycles of loading a curve, by its program; what is no curve is refused."""
    curves = [*map(named, NAMES), Curve("singular", (1 << 127) - 1, 0, 0), Curve("no prime", (1 << 127) - 3, 1, 1)]
    results, _, _ = contexts_bench.run([Job(curve) for curve in curves])
    assert [one.reason for one in results] == ["ok", "ok", "ok", "singular_curve", "no_field"]
    for curve, one in zip(curves, results):
        run, turn = model.Job(Shared(curve)).run(), 3 * Shared(curve).slot
        assert run.reason == one.reason and 0 <= one.cycles - turn * run.run.cycles < turn


def test_off_curve() -> None:
    """A point that is not on the curve is refused."""
    curve = named("P-256")
    x, y = curve.g
    results, _, _ = contexts_bench.run([Job(curve, 5, (x, y + 1)), Job(curve, 5, (x, y)), Job(curve, 5, (y, x))])
    assert [one.reason for one in results] == ["invalid_point", "ok", "invalid_point"]


def test_wrong_inverse() -> None:
    """Another exponent gives another number than 1/Z, and the point is not on the curve."""
    curve = named("P-256")
    results, _, _ = contexts_bench.run([Job(curve, 5, curve.g), Job(curve, 5, curve.g, exponent=curve.p // 2 - 2)])
    assert [one.reason for one in results] == ["ok", "result_off_curve"]


def test_rate() -> None:
    """Cycles of jobs that follow each other in all contexts, and the share of them in which a product begins that
    could: one in 4 cycles."""
    curve, rng = named("P-256"), random.Random(3)
    results, _, cycles, products = check([Job(curve, rng.randrange(1 << 255, 1 << 256), curve.g) for _ in range(12)])
    assert all(one.reason == "ok" for one in results)
    assert (cycles, products) == (173990, 40152)
