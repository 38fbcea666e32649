# SPDX-License-Identifier: Apache-2.0
"""What pm_multicurve rejects, with which reason; malformed packets, soft reset, registers, secrets."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import CONFIGS, FLAGS, LIMIT, OKAY, OPERATIONS, SLVERR, Core, job, packet
from pointmill.curves import by_name
from pointmill.model.weierstrass import multiply

P192, P256, X25519 = by_name("P-192"), by_name("P-256"), by_name("X25519")
CTRL, STATUS, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = 0x0C, 0x10, 0x14, 0x18, 0x1C
JOBS, VALID, ERRORS, MULS = 0x20, 0x24, 0x28, 0x40


def parameters(**changes: int) -> list[int]:
    """Operands of load_curve for P-256, some of them changed."""
    values = {"p": P256.p, "a": P256.a, "b": P256.b, "gx": P256.g[0], "gy": P256.g[1],
              "n": P256.n} | changes
    return list(values.values())


@pytest.mark.parametrize(("changes", "reason"), [
    ({"p": P256.p + 1}, "modulus_not_odd"), ({"p": 0}, "modulus_not_odd"), ({"p": 1}, "modulus_not_odd"),
    ({"p": 2}, "modulus_not_odd"), ({"p": 2**544 - 2}, "modulus_not_odd"),
    ({"a": P256.p}, "parameter_out_of_range"), ({"b": P256.p}, "parameter_out_of_range"),
    ({"b": 2**544 - 1}, "parameter_out_of_range"),
    ({"a": 0, "b": 0}, "singular_curve"), ({"a": P256.p - 3, "b": 2}, "singular_curve"),
    ({"a": P256.p - 3, "b": P256.p - 2}, "singular_curve"),
    ({"gx": P256.p}, "parameter_out_of_range"), ({"gy": P256.p + 5}, "parameter_out_of_range"),
    ({"gx": P256.g[0] ^ 1}, "invalid_point"), ({"gx": 0, "gy": 0}, "invalid_point"),
])  # fmt: skip
def test_refused_parameters(changes: dict[str, int], reason: str) -> None:
    """And no curve is loaded afterwards, though one was before."""
    with Core() as core:
        assert core.load(P192).reason == "ok"
        assert core.ask("load_curve", *parameters(**changes)).reason == reason
        assert core.ask("ecmul_base", 5).reason == "no_curve"
        assert core.load(P256).reason == "ok"
        assert core.ask("ecmul_base", 5).point == multiply(P256, 5, P256.g)


def test_montgomery_parameters() -> None:
    with Core() as core:
        for a24 in (0, 1, X25519.p):
            answer = core.ask("load_curve", X25519.p, a24, 0, 0, 0, 0, flags=("montgomery",))
            assert answer.reason == ("parameter_out_of_range" if a24 > 1 else "singular_curve")
            assert core.ask("ladder", 1, 9).reason == "no_curve"


def test_curve_without_base_point() -> None:
    with Core() as core:
        assert core.ask("load_curve", *parameters(gx=0, gy=0), option="no_base").reason == "ok"
        assert core.ask("ecmul_base", 5).reason == "invalid_point"
        assert core.ask("ecmul", 5, *P256.g).point == multiply(P256, 5, P256.g)


def test_no_curve_and_the_other_form() -> None:
    with Core() as core:
        for name in ("ecmul", "ecmul_base", "check", "ladder"):
            numbers = [1] * len(OPERATIONS[name]["operands"])
            assert core.ask(name, *numbers).reason == "no_curve"
        core.load(P192)
        assert core.ask("ladder", 1, 9).reason == "no_curve"
        core.load(X25519)
        assert core.ask("ecmul_base", 1).reason == "no_curve"
        assert core.ask("modarith", 7, 3, 5, option="mul").payload == (1,)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("option", ["naf", "ladder"])
def test_refused_points_and_scalars(option: str, config: str) -> None:
    top = 2 << P256.bits
    with Core(config) as core:
        core.load(P256)
        for x, y in ((P256.g[0], P256.g[1] + P256.p), (P256.g[0] + P256.p, P256.g[1]), (0, 0), (1, 1)):
            assert core.ask("ecmul", 3, x, y, option=option).reason == "invalid_point"
        assert core.ask("ecmul", top, *P256.g, option=option).reason == "scalar_out_of_range"
        answer = core.ask("ecmul", top - 1, *P256.g, option=option)
        assert answer.point == multiply(P256, top - 1, P256.g)


@pytest.mark.parametrize("config", CONFIGS)
def test_public_program_refuses_a_secret(config: str) -> None:
    """No word of the NAF walk is issued for a scalar marked secret, and its job takes one time."""
    cycles = set()
    with Core(config) as core:
        core.load(P192)
        for k in (0, 1, 5, P192.n - 1):
            answer = core.ask("ecmul", k, *P192.g, flags=("secret",))
            assert answer.reason == "secret_refused"
            cycles.add(answer.cycles)
        assert len(cycles) == 1
        assert core.ask("ecmul", 5, *P192.g).point == multiply(P192, 5, P192.g)


def damaged() -> list[list]:
    """Packets that break the format, each in one way."""
    good = job(1, "check", *P192.g)
    bad = [good[:length] for length in range(1, len(good))]
    bad += [[*good, good[-1]], [*good, *good]]
    for where in range(len(good)):
        bad += [[*good[:where], (good[where][0], keep), *good[where + 1 :]] for keep in (0x00, 0x0F, 0xFE)]
    for operand in range(2):
        where = 9 * (operand + 1)
        bad += [[*good[:where], (bytes(4) + bytes([1 << bit, 0, 0, 0]), 0xFF), *good[where + 1 :]] for bit in range(8)]
    bad += [packet(1, opcode, P192.g) for opcode in (0, 12, 128, 255)]
    bad += [packet(1, OPERATIONS["check"]["opcode"], P192.g, option) for option in (1, 2, 255)]
    bad += [packet(1, OPERATIONS["check"]["opcode"], P192.g, 0, 1 << bit) for bit in range(16)]
    return bad


def test_malformed_packets() -> None:
    bad = damaged()
    assert len(bad) == 18 + 2 + 19 * 3 + 16 + 4 + 3 + 16
    with Core() as core:
        core.load(P192)
        for beats in bad:
            core.push(beats)
            core.push(job(2, "check", *P192.g))
        answers = core.answers(2 * len(bad))
        assert [answer.reason for answer in answers] == ["malformed_job", "ok"] * len(bad)
        assert all(answer.payload == () for answer in answers)
        assert core.read(ERRORS) == len(bad)
        assert core.read(JOBS) == 2 * len(bad) + 1


@pytest.mark.parametrize("config", CONFIGS)
def test_soft_reset_at_any_time(config: str) -> None:
    rng = random.Random(4)
    aborted = 0
    with Core(config) as core:
        core.load(P192)
        for _ in range(60):
            core.push(job(9, "ecmul", rng.randrange(P192.n), *P192.g))
            core.run(rng.randrange({"paper": 9_000, "fast": 4_000}[config]))
            assert core.write(CTRL, 1) == OKAY
            reasons = [answer.reason for answer in core.answers(1)]
            assert reasons in (["aborted"], ["ok"])
            aborted += reasons == ["aborted"]
            assert core.ask("check", *P192.g).reason == "ok"
            assert core.ask("ecmul_base", 77).point == multiply(P192, 77, P192.g)
        assert aborted > 40
        # A load_curve that is abandoned leaves no curve.
        core.push(job(9, "load_curve", *parameters()))
        core.run(200)
        core.write(CTRL, 1)
        assert core.answers(1)[0].reason == "aborted"
        assert core.ask("ecmul_base", 1).reason == "no_curve"


def left_behind(core: Core, beats: list, run: int | None) -> list[str]:
    """Reasons of a job, and of one of the curve behind it, where P-192 is loaded; run: cycles to a soft reset."""
    assert core.load(P192).reason == "ok"
    core.push(beats)
    if run is not None:
        core.run(run)
        assert core.write(CTRL, 1) == OKAY
    core.push(job(8, "check", *P192.g))
    return [answer.reason for answer in core.answers(2)]


@pytest.mark.parametrize("config", [*CONFIGS, "throughput", "contexts"])
def test_no_other_curve_behind_a_load_that_failed(config: str) -> None:
    """Also where the engine never had it, and where it had all of it before the result was taken."""
    good = job(9, "load_curve", *parameters())
    with Core(config) as core:
        for run in (2, 10, 30, 48, 60):
            assert left_behind(core, good, run) == ["aborted", "no_curve"], run
        for bad in (good[:1], good[:-1], [*good, good[-1]], [(good[0][0], 0x7F), *good[1:]],
                    packet(9, OPERATIONS["load_curve"]["opcode"], parameters(), 3)):
            assert left_behind(core, bad, None) == ["malformed_job", "no_curve"]
        core.pace(1, 0, 100)  # no result is taken
        core.push(good)
        core.run(200)
        assert core.write(CTRL, 1) == OKAY
        core.run(60_000)
        core.pace()
        core.push(job(8, "check", *P256.g))
        assert [answer.reason for answer in core.answers(2)] == ["aborted", "no_curve"]
        assert core.load(P256).reason == "ok"
        assert core.ask("ecmul_base", 5).point == multiply(P256, 5, P256.g)


def test_registers() -> None:
    with Core() as core:
        assert core.read(0x00).to_bytes(4, "little") == b"PMMC"
        assert core.read(0x08) == 1 | 2 << 8 | 544 << 16 | 1 << 27
        assert core.write(0x08, 1) == SLVERR
        assert core.write(IRQ_ENABLE, 1) == OKAY
        core.load(P192)
        assert core.irq and core.read(IRQ_STATUS) & 1
        core.write(IRQ_STATUS, 1)
        assert not core.irq
        assert core.write(COUNT_CLEAR, 1) == OKAY
        core.ask("check", *P192.g)
        assert (core.read(JOBS), core.read(VALID), core.read(MULS)) == (1, 1, 5)
        core.push(job(1, "ecmul", P192.n - 1, *P192.g))
        core.run(300)
        assert core.read(STATUS) & 1
        assert core.write(COUNT_CLEAR, 1) == SLVERR
        core.answers(1, LIMIT)
        assert core.read(STATUS) & 1 == 0
    assert FLAGS == {"secret": 1, "montgomery": 2}
