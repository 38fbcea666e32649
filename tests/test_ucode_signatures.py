# SPDX-License-Identifier: Apache-2.0
"""Two-scalar products and signatures of `multicurve` on the simulator, by the ROM's words."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from dv.multicurve import signature_model as model
from dv.multicurve.toy_curves import SHORT_ORDER, points, toy
from pointmill import curves
from pointmill.curves import Curve
from pointmill.model import weierstrass
from pointmill.ucode.build import build
from pointmill.ucode.dual import retime
from pointmill.ucode.machine import Machine
from pointmill.ucode.multicurve import Answer, Device, naf_operations
from vectors import ec_vectors

TOP = (1 << 544) - 1
TOYS = ((7, "m3"), (7, "0"), (7, "any"), (13, "0"), (13, "any"))


@cache
def device(curve: Curve) -> Device:
    loaded = Device(curve)
    assert loaded.reason == "ok"
    return loaded


def ask(curve: Curve, name: str, *numbers: int) -> Answer:
    """The answer to an operation of hw/multicurve/core.yaml."""
    if name == "ecmul2":
        u, px, py, v, qx, qy = numbers
        return device(curve).ecmul2(u, (px, py), v, (qx, qy))
    if name.endswith("verify"):
        *message, qx, qy, r, s = numbers
        return getattr(device(curve), name)(*message, (qx, qy), r, s)
    return getattr(device(curve), name)(*numbers)


def agrees(curve: Curve, name: str, *numbers: int) -> Answer:
    """The answer, which is what the model says."""
    answer = ask(curve, name, *numbers)
    reason, payload = model.answer(curve, name, *numbers)
    assert answer.reason == reason, (curve, name, numbers)
    if reason == "ok" and payload != ():
        assert answer.point == payload, (curve, name, numbers)
    return answer


# ---- u P + v Q ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "kind"), TOYS)
@pytest.mark.parametrize("every", [199, pytest.param(1, marks=pytest.mark.long)])
def test_all_pairs_of_scalars(order: int, kind: str, every: int) -> None:
    """All scalars with a sample of the pairs of points (all in the long run): sums that meet their own addend or
    infinity are made again."""
    curve = toy(order, kind)
    top = 2 << curve.bits
    pairs = [(p, q) for p in points(curve) for q in points(curve)]
    jobs = [(u, *p, v, *q) for p, q in pairs for u in range(top) for v in range(top)][::every]
    again = sum(agrees(curve, "ecmul2", *job).run.times["exact"] for job in jobs)
    assert len(jobs) == -(-len(pairs) * top * top // every)
    assert len(jobs) // 40 < again < len(jobs)


def test_points_of_order_2() -> None:
    """A group of 8 with them: equal, opposite, of order 2, all scalars of 3 bits."""
    curve = toy(8, "any")
    some = points(curve)
    assert any(y == 0 for _, y in some)
    count = 0
    for p in some:
        for q in some[::2]:
            for uv in range(3, 64, 7):
                agrees(curve, "ecmul2", uv >> 3, *p, uv & 7, *q)
                count += 1
    assert count == 7 * 4 * 9


def test_refused_points_and_scalars() -> None:
    curve = toy(13, "any")
    p, q = points(curve)[0], points(curve)[5]
    wrong = (p[0], p[1] + 1)
    for name, numbers in (("scalar_out_of_range", (2 << curve.bits, *p, 1, *q)),
                          ("scalar_out_of_range", (1, *p, TOP, *q)),
                          ("invalid_point", (1, *wrong, 1, *q)), ("invalid_point", (1, *p, 1, *wrong)),
                          ("invalid_point", (1, *p, 1, q[0], q[1] + curve.p))):  # fmt: skip
        assert agrees(curve, "ecmul2", *numbers).reason == name


@pytest.mark.parametrize("name", ["P-192", "secp256k1", "brainpoolP160r1"])
def test_rare_scalars(name: str) -> None:
    curve, rng = curves.by_name(name), random.Random(name)
    n, g = curve.n, curve.g
    other = weierstrass.multiply(curve, rng.randrange(n), g)
    minus = (g[0], curve.p - g[1])
    u = rng.randrange(n)
    for numbers, again in (
        ((u, *g, rng.randrange(n), *other), 0), ((0, *g, u, *other), 0), ((u, *g, 0, *other), 0),
        ((0, *g, 0, *g), 0), ((1, *g, 1, *g), 1), ((1, *g, 1, *minus), 1), ((n, *g, u, *other), 1),
        ((u, *g, n, *other), 0), ((u, *g, n - u, *g), 1), ((u, *g, u, *minus), 1),
    ):  # fmt: skip
        assert agrees(curve, "ecmul2", *numbers).run.times["exact"] == again, numbers


# ---- signatures on toy curves -------------------------------------------------------------------


@pytest.mark.parametrize(("order", "kind"), [(13, "any"), (7, "m3")])
@pytest.mark.parametrize("every", [61, pytest.param(1, marks=pytest.mark.long)])
def test_every_signature(order: int, kind: str, every: int) -> None:
    """All r and s to beyond n, all keys, all e that differ: which are valid, and why not."""
    curve = toy(order, kind)
    seen: dict[str, int] = {}
    jobs = [(e, q, r, s) for e in range(order + 1) for q in points(curve)
            for r in range(order + 2) for s in range(order + 2)][::every]  # fmt: skip
    for e, q, r, s in jobs:
        for name, message in (("ecdsa_verify", (e, 4)), ("sm2_verify", (e,))):
            reason = agrees(curve, name, *message, *q, r, s).reason
            seen[reason] = seen.get(reason, 0) + 1
    assert seen.keys() == {"ok", "bad_signature", "signature_out_of_range"}
    assert sum(seen.values()) == 2 * -(-(order + 1) * (order - 1) * (order + 2) ** 2 // every)
    assert min(seen.values()) > len(jobs) // order // 2


@pytest.mark.parametrize(("order", "kind"), [(13, "0"), (7, "m3")])
@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.long)])
def test_every_new_signature(order: int, kind: str, every: int) -> None:
    """All d, k and e, in one time for each outcome if they are legal."""
    curve = toy(order, kind)
    seen: dict[str, int] = {}
    cycles: dict[tuple[str, str], set[int]] = {}
    jobs = [(d, k, e) for d in range(order + 2) for k in range(order + 2) for e in range(order)][::every]
    for d, k, e in jobs:
        for name, message in (("ecdsa_sign", (e, 4)), ("sm2_sign", (e,))):
            answer = agrees(curve, name, d, k, *message)
            seen[answer.reason] = seen.get(answer.reason, 0) + 1
            if answer.reason != "scalar_out_of_range":
                cycles.setdefault((name, answer.reason), set()).add(answer.run.cycles)
    assert seen.keys() == {"ok", "unusable_nonce", "scalar_out_of_range"}
    assert sum(seen.values()) == 2 * len(jobs)
    assert [len(times) for times in cycles.values()] == [1] * 4


def test_order_199() -> None:
    """Digests and numbers of all lengths up to 544 bits, many times R."""
    rng = random.Random(199)
    good = 0
    for kind in ("m3", "0", "any"):
        curve = toy(199, kind)
        for length in (0, 1, 7, 8, 9, 33, 160, 256, 512, 544, 545, 2000, TOP):
            digest = rng.getrandbits(min(length, 544)) if length else 0
            d, k = rng.randrange(1, 198), rng.randrange(1, 199)
            q = model.multiply(curve, d, curve.g)
            for name, message in (("ecdsa", (digest, length)), ("sm2", (digest,))):
                made = agrees(curve, f"{name}_sign", d, k, *message)
                if made.reason == "ok":
                    assert agrees(curve, f"{name}_verify", *message, *q, made.x, made.y).reason == "ok"
                    good += 1
    assert good > 70


# ---- real curves --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["P-192", "secp224k1", "secp160r1", "sm2p256v1", "brainpoolP320r1", "short order"])
def test_random_signatures(name: str) -> None:
    """Orders longer and shorter than p; all of a signature altered."""
    curve = SHORT_ORDER if name == "short order" else curves.by_name(name)
    rng = random.Random(name)
    for scheme, message in (("ecdsa", (rng.getrandbits(512), 512)), ("sm2", (rng.getrandbits(544),))):
        d, k = rng.randrange(1, curve.n - 1), rng.randrange(1, curve.n)
        q = weierstrass.multiply(curve, d, curve.g)
        made = agrees(curve, f"{scheme}_sign", d, k, *message)
        assert agrees(curve, f"{scheme}_verify", *message, *q, made.x, made.y).reason == "ok"
        for changed in ((message[0] ^ 1 << 511, *message[1:], *q, made.x, made.y), (*message, *q, made.x ^ 1, made.y),
                        (*message, *q, made.x, made.y ^ 2), (*message, *curve.g, made.x, made.y)):  # fmt: skip
            assert agrees(curve, f"{scheme}_verify", *changed).reason == "bad_signature"


def test_no_order_and_no_base() -> None:
    curve = curves.by_name("P-192")
    for reason, other in (("no_order", replace(curve, n=None)), ("parameter_out_of_range", replace(curve, n=1)),
                          ("parameter_out_of_range", replace(curve, n=curve.n - 1)),
                          ("invalid_point", replace(curve, g=None))):
        for name, numbers in (("ecdsa_verify", (1, 8, *curve.g, 1, 1)), ("ecdsa_sign", (1, 1, 1, 8)),
                              ("sm2_verify", (1, *curve.g, 1, 1)), ("sm2_sign", (1, 1, 1))):  # fmt: skip
            assert ask(other, name, *numbers).reason == reason


@pytest.mark.parametrize(("every", "step", "count"), [
    (900, 4, 7), *(pytest.param(*one, marks=pytest.mark.long) for one in ((900, 1, 27), (10, 1, 772)))])
def test_wycheproof(every: int, step: int, count: int) -> None:
    """Some of each file, or of one of so many, on each curve."""
    found = [c for c in ec_vectors.wycheproof_cases().cases if c.operation == "ecdsa-verify"]
    cases = ec_vectors.sample(found, every)[::step]
    assert len(cases) == count and {case.curve for case in cases} == {case.curve for case in found}
    valid = 0
    for case in cases:
        v = case.values
        digest, length = int.from_bytes(v["digest"], "big"), 8 * len(v["digest"])
        if max(v["r"], v["s"]) > TOP or min(v["r"], v["s"]) < 0 or length > 544:
            continue
        answer = ask(case.curve, "ecdsa_verify", digest, length, v["qx"], v["qy"], v["r"], v["s"])
        assert (answer.reason == "ok") == v["valid"], case.id
        valid += v["valid"]
    assert valid > len(cases) // 4


# ---- secrets ------------------------------------------------------------------------------------


def test_what_secret_programs_may_ask() -> None:
    """Nothing about values but what a refusal tells anyway."""
    machine = Machine("multicurve", "paper")
    assert {"zero0", "zeros_met", "infinity", "inverter_error"} == machine.conditions.keys() - machine.public
    assert build("multicurve", "ecmul", "paper")[0].public == machine.public


@pytest.mark.parametrize("name", ["ecdsa_sign", "sm2_sign"])
def test_new_signatures_take_the_same_cycles(name: str) -> None:
    curve, rng = curves.by_name("P-192"), random.Random(name)
    message = (rng.getrandbits(256), 256) if name == "ecdsa_sign" else (rng.getrandbits(256),)
    some = [1, 2, curve.n - 2, *(rng.randrange(1, curve.n) for _ in range(2))]
    cycles = {agrees(curve, name, d, k, *message).run.cycles for d, k in zip(some, reversed(some))}
    assert len(cycles) == 1


# ---- cycles -------------------------------------------------------------------------------------


def test_cycles_of_both_walks() -> None:
    """P-256: the mean of random scalars, and those of RFC 6979's example, by the lengths of the blocks, as the core's
    register counts them: with the dispatch before the first one and the selection of the second point."""
    curve, rng = curves.by_name("P-256"), random.Random(1)
    schedules = build("multicurve", "ecmul", "paper")[2]
    cycles = {name: retime(schedule, 8)[1] for name, schedule in schedules.items()}

    def both(u: int, v: int) -> int:
        operations = [*naf_operations(u, "m3"), "enter_next", *naf_operations(v, "m3", True)]
        return 2 + sum(cycles[operation] for operation in operations)

    count = 4000
    total = sum(both(rng.randrange(curve.n), rng.randrange(curve.n)) for _ in range(count))
    assert round(total / count) == 28_596
    digest = int.from_bytes(ec_vectors.digest_of("sha256", b"sample"), "big")
    w = pow(0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8, -1, curve.n)
    r = 0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
    assert both(digest * w % curve.n, r * w % curve.n) == 28_308
