# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve, configuration throughput: two engines that take jobs in alternation. Order of results,
load_curve for both, errors and soft resets in between, secrets beside other jobs, cycles a job in steady state."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import OKAY, Core, job
from dv.multicurve.toy_curves import toy
from pointmill.curves import Curve, MontgomeryCurve, by_name
from pointmill.model import montgomery
from pointmill.model.weierstrass import multiply
from pointmill.ucode.multicurve import Device

P192, P256, X25519 = by_name("P-192"), by_name("P-256"), by_name("X25519")
CTRL, STATUS, IRQ_STATUS, CONFIG = 0x0C, 0x10, 0x18, 0x08
CONTROL = 2
"""Cycles from the end of the packet to the first word, and from the last word to the answer."""
RESET_DONE = 4

STREAM = 100
"""Jobs over which the cycles in steady state are counted, behind the first two."""
STEADY = {"toy": 19_479, "P-192": 318_043, "P-224": 484_714, "P-256": 547_774, "P-384": 1_761_840, "P-521": 3_648_312,
                   "X25519": 483_600, "X448": 2_257_000, "ecdsa": 649_403}
"""Clock cycles from the second answer of a seeded stream to the last one."""


def operands(curve: Curve | MontgomeryCurve) -> tuple[int, ...]:
    """Of load_curve."""
    if isinstance(curve, MontgomeryCurve):
        return curve.p, (curve.A + 2) // 4, 0, 0, 0, 0
    return curve.p, curve.a, curve.b, *curve.g, curve.n


def load(tag: int, curve: Curve | MontgomeryCurve) -> list:
    return job(tag, "load_curve", *operands(curve), flags=("montgomery",) * isinstance(curve, MontgomeryCurve))


def stream(core: Core, name: str) -> list[int]:
    """Cycles in which the answers to a seeded stream of products, of secret ladders, or of verifications on P-256
    left."""
    curve, rng = toy(199, "m3") if name == "toy" else P256 if name == "ecdsa" else by_name(name), random.Random(name)
    assert core.load(curve).reason == "ok"
    for tag in range(2 + STREAM):
        if name == "ecdsa":
            n, (d, k, e) = curve.n, (rng.randrange(1, curve.n) for _ in range(3))
            r = multiply(curve, k, curve.g)[0] % n
            core.push(job(tag, "ecdsa_verify", e, curve.bits, *multiply(curve, d, curve.g), r,
                          pow(k, -1, n) * (e + r * d) % n))
        elif isinstance(curve, MontgomeryCurve):
            core.push(job(tag, "ladder", rng.randrange(1 << curve.bits), curve.u, option=name.lower(),
                          flags=("secret",)))
        else:
            core.push(job(tag, "ecmul", rng.randrange(1, curve.n), *curve.g))
    answers = core.answers(2 + STREAM)
    assert [(answer.tag, answer.reason) for answer in answers] == [(tag, "ok") for tag in range(2 + STREAM)]
    return [answer.answered_at for answer in answers]


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name == "toy" else pytest.mark.long) for name in STEADY])  # fmt: skip
def test_steady_state(name: str) -> None:
    """Both engines have a job in nearly every cycle: half of the cycles of a job, reception and answer included."""
    with Core("throughput") as core:
        left = stream(core, name)
        assert left[-1] - left[1] == STEADY[name]


@pytest.mark.parametrize("name", ["P-192", "secp256k1", "X25519", pytest.param("P-521", marks=pytest.mark.long),
                                  pytest.param("X448", marks=pytest.mark.long)])  # fmt: skip
def test_cycles_as_simulated(name: str) -> None:
    """A job takes as many cycles as on the simulator of the datapath with one multiplier, in both engines."""
    curve, rng = by_name(name), random.Random(name)
    device = Device(curve, "throughput")
    with Core("throughput") as core:
        assert core.load(curve).cycles == device.run.cycles + 55 + CONTROL
        for _ in range(2):
            if isinstance(curve, MontgomeryCurve):
                k, u = rng.randbytes(curve.bytes), curve.u.to_bytes(curve.bytes, "little")
                answer = core.ask("ladder", int.from_bytes(k, "little"), curve.u, option=name.lower(),
                                  flags=("secret",))
                assert answer.payload[0] == int.from_bytes(montgomery.xdh(curve, k, u), "little")
                run = device.xdh(montgomery.decode_scalar(curve, k), curve.u).run
            else:
                k = rng.randrange(curve.n)
                answer = core.ask("ecmul", k, *curve.g)
                assert answer.point == multiply(curve, k, curve.g)
                run = device.ecmul(k, *curve.g).run
            assert answer.cycles == run.cycles + (19 if isinstance(curve, MontgomeryCurve) else 28) + CONTROL


def test_ladders_of_other_coefficients() -> None:
    """Curves of 255 and 448 bits whose a is another number, or that of the other curve, take the ladder for any a."""
    rng = random.Random(3)
    with Core("throughput") as core:
        for name, bits, a24 in (("x25519", 255, 39082), ("x25519", 255, 121667), ("x448", 448, 121666)):
            p = by_name(name.upper()).p
            curve = MontgomeryCurve(name, p, 4 * a24 - 2, by_name(name.upper()).n, 9, 1)
            assert core.ask("load_curve", p, a24, 0, 0, 0, 0, flags=("montgomery",)).reason == "ok"
            for _ in range(1 if bits == 448 else 2):
                k, u = rng.getrandbits(bits), rng.randrange(p)
                answer = core.ask("ladder", k, u, option=name, flags=("secret",))
                size = (bits + 7) // 8
                clamped = montgomery.decode_scalar(by_name(name.upper()),
                                                   (k % (1 << 8 * size)).to_bytes(size, "little"))
                assert answer.payload[0] == montgomery.multiply_u(curve, clamped, u), (name, a24, k, u)


def test_curves_in_a_stream() -> None:
    """A load_curve behind a long job or a short one waits for it, also if it is refused; each job sees the curve before
    it."""
    rng = random.Random(6)
    curves = [P192, P256, X25519, by_name("brainpoolP256r1")]
    wanted = []
    with Core("throughput") as core:
        loaded = None

        def push(beats: list, reason: str, payload: tuple[int, ...] | None = None) -> None:
            core.push(beats)
            wanted.append((reason, payload))

        for _ in range(60):
            tag = len(wanted)
            if loaded is None or rng.random() < 0.3:
                loaded = rng.choice(curves)
                push(load(tag, loaded), "ok", ())
            elif rng.random() < 0.05:
                push(job(tag, "load_curve", 15, 16, 1, 0, 0, 0), "parameter_out_of_range", ())
                push(job(tag + 1, "check", *P192.g), "no_curve", ())
                push(job(tag + 2, "check", *P192.g), "no_curve", ())
                loaded = None
            elif rng.random() < 0.3:
                a, b = rng.randrange(1 << 200), rng.randrange(1 << 200)
                push(job(tag, "modarith", P256.n, a, b, option="mul"), "ok", (a * b % P256.n,))
            elif isinstance(loaded, MontgomeryCurve):
                k = rng.randrange(1 << 255)
                push(job(tag, "ladder", k, 9, option="plain", flags=("secret",)), "ok",
                     (montgomery.multiply_u(loaded, k, 9),))  # fmt: skip
            else:
                k = rng.randrange(1, loaded.n)
                option = rng.choice(["naf", "ladder"])
                push(job(tag, "ecmul", k, *loaded.g, option=option), "ok", multiply(loaded, k, loaded.g))
        answers = core.answers(len(wanted))
    assert len(wanted) >= 60 and sum(reason == "no_curve" for reason, _ in wanted) >= 2
    for tag, (answer, (reason, payload)) in enumerate(zip(answers, wanted, strict=True)):
        assert (answer.tag, answer.reason, answer.payload) == (tag, reason, payload), answer


def test_a_curve_waits_for_both_engines() -> None:
    """From its own header on a load_curve takes as long as alone; its header waits for the jobs of both engines."""
    with Core("throughput") as core:
        alone = core.load(P192)
        for jobs in (1, 2):
            for tag in range(jobs):
                core.push(job(tag, "ecmul", P192.n - 2 - tag, *P192.g, option="ladder", flags=("secret",)))
            core.push(load(jobs, P256))
            core.push(job(jobs + 1, "ecmul_base", 5))
            *products, loading, product = core.answers(jobs + 2)
            assert [answer.point for answer in products] == [multiply(P192, P192.n - 2 - tag, P192.g)
                                                             for tag in range(jobs)]
            assert product.point == multiply(P256, 5, P256.g)
            assert loading.answered_at > products[-1].answered_at + loading.cycles
            assert core.load(P192).cycles == alone.cycles


def test_errors_in_between() -> None:
    """Every job is answered once, in the order of the jobs, whatever is wrong with those beside it."""
    rng = random.Random(8)
    wanted = []
    with Core("throughput") as core:
        core.load(P192)
        core.pace(seed=5, idle=20, stall=20)
        for tag in range(150):
            k = rng.randrange(1, P192.n)
            kind = rng.choice(["good", "good", "cut", "long", "point", "scalar", "secret", "flag"])
            beats = job(tag, "ecmul", k, *P192.g)
            if kind == "cut":
                beats = beats[: rng.randrange(1, len(beats))]
            elif kind == "long":
                beats += [beats[-1]] * rng.randrange(1, 40)
            elif kind == "point":
                beats = job(tag, "check", P192.g[0], P192.g[1] ^ 1)
            elif kind == "scalar":
                beats = job(tag, "ecmul", 4 << 192, *P192.g)
            elif kind == "secret":
                beats = job(tag, "ecmul", k, *P192.g, flags=("secret",))
            elif kind == "flag":
                beats = job(tag, "check", *P192.g, flags=("secret",))
            reason = {"good": "ok", "point": "invalid_point", "scalar": "scalar_out_of_range",
                      "secret": "secret_refused"}.get(kind, "malformed_job")  # fmt: skip
            core.push(beats)
            wanted.append((tag, reason, multiply(P192, k, P192.g) if kind == "good" else ()))
        found = [(answer.tag, answer.reason, answer.payload)
                 for answer in core.answers(len(wanted), 20_000 * len(wanted))]
        assert found == wanted
        assert len({reason for _, reason, _ in wanted}) == 5
        core.pace()
        assert core.read(STATUS) & 1 == 0


def test_soft_reset_with_both_engines_busy() -> None:
    """What both have, or receive, is answered once; then both work on with the curve, or without one if it was not
    complete."""
    rng, both, loads = random.Random(4), 0, 0
    with Core("throughput") as core:
        assert core.load(P192).reason == "ok"
        for _ in range(50):
            loading = rng.random() < 0.4
            scalars = [rng.randrange(1, P192.n) for _ in range(rng.randrange(1, 4))]
            for tag, k in enumerate(scalars):
                core.push(job(tag, "ecmul", k, *P192.g))
            core.run(rng.randrange(200 if loading else 7_000))
            if loading:
                core.push(load(3, P192))
                core.run(rng.randrange(2_000 + 6_000 * len(scalars)))
            core.write(IRQ_STATUS, RESET_DONE)
            assert core.write(CTRL, 1) == OKAY
            answers = core.answers(len(scalars) + loading)
            core.run(4)
            assert core.read(IRQ_STATUS) & RESET_DONE
            reasons = [answer.reason for answer in answers]
            assert [answer.tag for answer in answers] == [*range(len(scalars))] + [3] * loading
            assert set(reasons) <= {"ok", "aborted"}
            for k, answer in zip(scalars, answers):
                assert answer.reason == "aborted" or answer.point == multiply(P192, k, P192.g)
            both += reasons[:2] == ["aborted", "aborted"] and not loading
            if loading and reasons[-1] == "aborted":
                loads += 1
                assert [core.ask("ecmul_base", 77).reason for _ in range(2)] == ["no_curve"] * 2
                assert core.load(P192).reason == "ok"
            for _ in range(2):
                assert core.ask("ecmul_base", 77).point == multiply(P192, 77, P192.g)
            assert core.read(STATUS) == 0
    assert both > 10 and loads > 1


def test_secrets_beside_other_jobs() -> None:
    """Cycles of a secret job, from header to verdict, are the same whatever the scalar, and whatever runs beside it."""
    rng = random.Random(9)
    cycles: dict[str, set[int]] = {"ladder": set(), "sign": set()}
    with Core("throughput") as core:
        core.load(P192)
        kinds = []
        for tag in range(60):
            kind = rng.choice(["ladder", "sign", "public", "check", "refused"])
            k = rng.choice([1, 2, P192.n - 1, rng.randrange(1, P192.n), rng.randrange(1, 1 << 20)])
            kinds.append(kind)
            core.push({"ladder": job(tag, "ecmul", k, *P192.g, option="ladder", flags=("secret",)),
                       "sign": job(tag, "ecdsa_sign", k, rng.randrange(1, P192.n), rng.getrandbits(192), 192),
                       "public": job(tag, "ecmul", k, *P192.g), "check": job(tag, "check", *P192.g),
                       "refused": job(tag, "check", 1, 1)}[kind])  # fmt: skip
        for kind, answer in zip(kinds, core.answers(len(kinds)), strict=True):
            assert answer.reason == ("invalid_point" if kind == "refused" else "ok")
            if kind in cycles:
                cycles[kind].add(answer.cycles)
    assert [len(found) for found in cycles.values()] == [1, 1] and kinds.count("ladder") > 5


def test_config_register() -> None:
    with Core("throughput") as core:
        assert core.read(CONFIG) == 2 | 1 << 8 | 6 << 12 | 544 << 16 | 1 << 26 | 2 << 27
