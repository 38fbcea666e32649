# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_engine: what is left of secrets in its registers when a job is over, or was abandoned; faults in a
result."""

from __future__ import annotations

import os
import random
from collections import Counter

import cocotb
import pytest
import yaml
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout

from dv.common import handshake
from dv.multicurve.signature_model import answer, multiply
from dv.multicurve.toy_curves import toy
from pointmill import simbuild
from pointmill.cores import MULTICURVE
from pointmill.curves import by_name
from pointmill.ucode.machine import Machine

DATA = yaml.safe_load((simbuild.ROOT / "hw" / "multicurve" / "core.yaml").read_text())
OPERATIONS, OK = DATA["operations"], DATA["reasons"]["ok"]
OFF_CURVE = DATA["reasons"]["result_off_curve"]
INVERTER = Machine("multicurve", "paper").units["inverter"]["id"]
CURVE, P192 = toy(199, "any"), by_name("P-192")
CONFIG = os.environ.get("PM_CONFIG", "paper")
WHOLE = os.environ.get("PM_PART") == "whole"
"""Whether every register is changed, and a job abandoned at all times, not a sample."""
SETTLED = 12
"""Cycles after which the multipliers have made their last product: two of one cycle, and some."""


async def start(dut) -> None:
    await handshake.begin(dut, ("start_i", "clear_i"), FallingEdge, count=3, after=0)


async def clear(dut) -> None:
    """Ends the job; the receiver wipes the operands in the same cycle."""
    await handshake.pulse(dut, "clear_i", edge=FallingEdge)
    dut.operands_i.value = 0
    await handshake.elapse(dut, SETTLED, FallingEdge)


async def begin(dut, name: str, *numbers: int, option: int = 0, secret: bool = False) -> None:
    dut.op_i.value, dut.option_i.value = OPERATIONS[name]["opcode"], option
    dut.flags_i.value = int(secret)
    dut.operands_i.value = sum(number << 544 * i for i, number in enumerate(numbers))
    await handshake.pulse(dut, "start_i", edge=FallingEdge)


async def finish(dut) -> int:
    if not dut.finish_o.value:
        await with_timeout(RisingEdge(dut.finish_o), 200, "us")
        await FallingEdge(dut.clk_i)
    assert dut.finish_o.value
    reason = int(dut.reason_o.value)
    await FallingEdge(dut.clk_i)
    return reason


def kept(dut) -> dict[str, int]:
    """The registers through which secrets pass, by name."""
    walk, inverter, numbers = dut.u_scan.u_walk, dut.u_inverter.u_inverter, dut.u_numbers
    found = {handle._path: handle for handle in (
        dut.u_datapath.reg_q, dut.results_o, dut.u_inverter.inverse_q, numbers.v_q, numbers.u_number.number_q,
        walk.some_q, walk.minus_q, inverter.u_q, inverter.v_q, inverter.r_q, inverter.s_q)}  # fmt: skip
    if CONFIG == "fast":
        table, digits = dut.u_scan.g_windows.u_windows.u_table, dut.u_scan.g_windows.u_windows.g_comb.u_digits
        found |= {handle._path: handle for handle in (
            table.x_o, table.y_o, table.from_q, table.negative_q, digits.bits_q, digits.turned_q,
            digits.first_q)}  # fmt: skip
    for unit in (0, 1):
        place = dut.u_datapath.g_mul[unit]
        multiplier = place.g_packed.u_mul if CONFIG == "fast" else place.g_plain.u_mul
        inside = [handle for handle in multiplier if handle._name.endswith("_q")]
        assert len(inside) >= 5
        found |= {handle._path: handle for handle in inside}
    return {path: int(handle.value) for path, handle in found.items()}


def secrets(rng: random.Random, name: str) -> tuple[tuple[int, ...], int]:
    """Operands, of which only the secret ones differ, and option."""
    d, k = rng.randrange(1, 198), rng.randrange(1, 199)
    return {"ecmul": ((k, *CURVE.g), 1), "ecdsa_sign": ((d, k, 0x5A, 8), 0), "sm2_sign": ((d, k, 0x5A), 0)}[name]


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """Registers are the same whatever the secret was, those of the multipliers and the inverter too. Signatures need no
    flag for that."""
    rng = random.Random(3)
    await start(dut)
    await begin(dut, "load_curve", CURVE.p, CURVE.a, CURVE.b, *CURVE.g, CURVE.n)
    assert await finish(dut) == OK
    await clear(dut)
    for name in ("ecmul", "ecdsa_sign", "sm2_sign"):
        during, after = set(), set()
        for _ in range(4):
            numbers, option = secrets(rng, name)
            await begin(dut, name, *numbers, option=option, secret=name == "ecmul")
            assert await finish(dut) == OK
            if name != "ecmul":
                payload = int(dut.results_o.value)
                wanted = answer(CURVE, name, *numbers)[1]
                assert (payload & (1 << 544) - 1, payload >> 544) == wanted
            during.add(tuple(kept(dut).values()))
            await clear(dut)
            after.add(tuple(kept(dut).items()))
        assert len(during) == 4
        assert len(after) == 1, [(a, b) for a, b in zip(*list(after)[:2]) if a != b]


@cocotb.test()
async def nothing_is_left_of_an_abandoned_job(dut) -> None:
    rng = random.Random(4)
    await start(dut)
    await begin(dut, "load_curve", CURVE.p, CURVE.a, CURVE.b, *CURVE.g, CURVE.n)
    assert await finish(dut) == OK
    await clear(dut)
    for at in rng.sample(range(1, 420), 24 if WHOLE else 8):
        after = set()
        for _ in range(2):
            numbers, _ = secrets(rng, "ecdsa_sign")
            await begin(dut, "ecdsa_sign", *numbers)
            await handshake.elapse(dut, at, FallingEdge)
            await clear(dut)
            after.add(tuple(kept(dut).items()))
        assert len(after) == 1, (at, [(a, b) for a, b in zip(*after) if a != b])


@cocotb.test()
async def nothing_is_left_of_a_comb(dut) -> None:
    """Of secret products of the base point by the comb (fast), ended and abandoned in a column."""
    if CONFIG != "fast":
        return
    rng = random.Random(5)
    await start(dut)
    await begin(dut, "load_curve", P192.p, P192.a, P192.b, *P192.g, P192.n, option=2)
    assert await finish(dut) == OK
    await clear(dut)
    during, after = set(), set()
    for at in (None, None, 300, 301, 302, 303):
        k = rng.randrange(1, P192.n)
        await begin(dut, "ecmul_base", k, option=1, secret=True)
        if at is None:
            assert await finish(dut) == OK
            payload = int(dut.results_o.value)
            assert (payload & (1 << 544) - 1, payload >> 544) == multiply(P192, k, P192.g)
        else:
            await handshake.elapse(dut, at, FallingEdge)
            assert int(dut.u_scan.g_windows.u_windows.g_comb.u_digits.bits_q.value) != 0
        during.add(tuple(kept(dut).values()))
        await clear(dut)
        after.add(tuple(kept(dut).items()))
    assert len(during) == 6
    assert len(after) == 1, [(a, b) for a, b in zip(*list(after)[:2]) if a != b]


def products(rng: random.Random) -> list[tuple[str, tuple[int, ...], int]]:
    """Jobs whose result comes of a point, with their option."""
    d, k = rng.randrange(1, 198), rng.randrange(1, 199)
    key = multiply(CURVE, d, CURVE.g)
    return [("ecmul", (k, *key), 0), ("ecmul", (k, *key), 1), ("ecmul_base", (d,), 0),
            ("ecmul2", (d, *CURVE.g, k, *key), 0),
            ("ecdsa_sign", (d, k, 0x5A, 8), 0), ("sm2_sign", (d, k, 0x5A), 0)]  # fmt: skip


async def until_inversion(dut) -> None:
    """Until the first inversion of the job is under way."""
    for _ in range(20_000):
        if dut.unit_start.value and int(dut.arg.value) == INVERTER:
            await handshake.elapse(dut, 30, FallingEdge)
            return
        await FallingEdge(dut.clk_i)
    raise AssertionError("no inversion")


@cocotb.test()
async def no_wrong_point_is_answered(dut) -> None:
    """While the inversion is under way one register is changed: the answer is as it was, or the reason. Behind that no
    multiples of the base point are kept; here they are right for all that."""
    rng, found = random.Random(6), Counter()
    await start(dut)
    await begin(dut, "load_curve", CURVE.p, CURVE.a, CURVE.b, *CURVE.g, CURVE.n)
    assert await finish(dut) == OK
    registers, changed = dut.u_datapath.reg_q, range(0, 16, 1 if WHOLE else 3)
    for name, numbers, option in products(rng):
        right = None
        for number in (None, *changed):
            await clear(dut)
            if CONFIG == "fast":
                dut.u_scan.g_windows.u_windows.kept_q.value = 1
            await begin(dut, name, *numbers, option=option)
            await until_inversion(dut)
            if number is not None:
                registers.value = int(registers.value) ^ 1 << 544 * number
            reason, payload = await finish(dut), int(dut.results_o.value)
            right = right or (reason, payload)
            assert (reason, payload) == right or reason == OFF_CURVE, (number, name, numbers, reason)
            found[name, option, reason] += 1
            if CONFIG == "fast":
                there = bool(dut.u_scan.g_windows.u_windows.kept_q.value)
                assert there == (reason != OFF_CURVE), f"multiples are {'still' * there} kept: {name}, {number}"
        assert found[name, option, OFF_CURVE] >= (2 if WHOLE else 1), found
    assert found.total() == 6 * (1 + len(changed))


@pytest.mark.parametrize(("config", "part"), [
    *(pytest.param(config, "whole", id=config, marks=pytest.mark.long) for config in ("paper", "fast")),
    ("fast", "sample")])
def test_pm_multicurve_engine(config: str, part: str) -> None:
    machine = list(MULTICURVE.roms).index(config)
    simbuild.run_cocotb("pm_multicurve_engine", "hw/multicurve/multicurve.f", __name__, {"MachineName": machine},
                        extra_env={"PM_CONFIG": config, "PM_PART": part}, depth=4, expect=4)
