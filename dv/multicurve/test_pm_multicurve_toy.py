# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve on toy curves: every scalar, and every point, through the real microcode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dv.multicurve.multicurve_core import CONFIGS, Core, job
from dv.multicurve.toy_curves import KINDS, multiples, points, toy

pytestmark = pytest.mark.parametrize("config", (*CONFIGS, "throughput"))


def products(core: Core, curve, some_points, option: str) -> int:
    """Compares k P for every legal k; how many."""
    scalars = range(2 << curve.p.bit_length())
    for point in some_points:
        table = multiples(curve, point)
        for k in scalars:
            core.push(job(k, "ecmul", k, *point, option=option))
        for k, answer in zip(scalars, core.answers(len(scalars)), strict=True):
            assert answer.tag == k
            assert answer.point == table[k % len(table)], (curve, point, k, option, answer)
            if answer.infinity:
                assert answer.payload == (0, 0)
    return len(some_points) * len(scalars)


@pytest.mark.parametrize(("order", "kind", "wanted"), [
    (7, "m3", 96), (7, "0", 96), (7, "any", 96), (13, "0", 192), (13, "any", 384),
    pytest.param(19, "m3", 576, marks=pytest.mark.long),
])  # fmt: skip
@pytest.mark.parametrize("option", ["naf", "ladder"])
def test_all_scalars_and_points(order: int, kind: str, wanted: int, option: str, config: str) -> None:
    curve = toy(order, kind)
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        assert products(core, curve, points(curve), option) == wanted


@pytest.mark.parametrize("order", [8, *(pytest.param(order, marks=pytest.mark.long) for order in (12, 16)), 15])
@pytest.mark.parametrize("option", ["naf", "ladder"])
def test_orders_that_are_not_prime(order: int, option: str, config: str) -> None:
    """Even ones too, and none: multiplication asks for no order, signatures do."""
    for n, reason in ((order, "parameter_out_of_range" if order % 2 == 0 else "ok"), (None, "no_order")):
        curve = replace(toy(order, "any"), n=n)
        with Core(config) as core:
            assert core.load(curve).reason == "ok"
            assert products(core, curve, points(curve), option) >= 100
            if order % 2 == 0 or n is None:
                assert core.ask("ecdsa_sign", 1, 1, 5, 8, flags=("secret",)).reason == reason
                assert core.ask("ecdsa_verify", 5, 8, *curve.g, 1, 1).reason == reason


@pytest.mark.parametrize("kind", [*(pytest.param(kind, marks=pytest.mark.long) for kind in KINDS[:-1]), KINDS[-1]])
@pytest.mark.parametrize("option", ["naf", "ladder"])
def test_order_199(kind: str, option: str, request: pytest.FixtureRequest, config: str) -> None:
    curve = toy(199, kind)
    some = points(curve)[:20] if request.config.getoption("--long") else points(curve)[:2]
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        assert products(core, curve, some, option) == len(some) * (2 << curve.p.bit_length())


def test_every_pair_of_coordinates(config: str) -> None:
    """`check` and `ecmul` take exactly the points of the curve."""
    curve = toy(13, "any")
    there = set(points(curve))
    top = curve.p + 3
    with Core(config) as core:
        core.load(curve)
        pairs = [(x, y) for x in range(top) for y in range(top)]
        for tag, pair in enumerate(pairs):
            core.push(job(tag, "check", *pair))
            core.push(job(tag, "ecmul", 5, *pair))
            core.push(job(tag, "ecmul", 5, *pair, option="ladder"))
        answers = core.answers(3 * len(pairs))
        for pair, *three in zip(pairs, answers[::3], answers[1::3], answers[2::3]):
            reason = "ok" if pair in there else "invalid_point"
            assert [answer.reason for answer in three] == [reason] * 3, pair
    assert len(pairs) == top * top
