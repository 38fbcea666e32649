# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_compact_engine: RFC 7748, random jobs against OpenSSL and the golden model, exact cycles of every job,
several contexts, wiping, clear_i and reset."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pointmill import simbuild
from pointmill.model.x25519 import x25519 as model
from pointmill.secret_vectors import ITERATED, rfc7748_cases
from pointmill.ucode.build import build as build_program

SOURCES = "rtl/cores/x25519/x25519.f"
P = 2**255 - 19

CYCLES = {(27, 1): 10_237, (9, 1): 23_016, (27, 5): 35_058, (9, 2): 41_961, (9, 3): 62_670}
"""Cycles of a job, by leaves and contexts."""
FORMS = [pytest.param(form, marks=pytest.mark.long if form == (9, 3) else []) for form in CYCLES]


def engine(leaves: int, contexts: int) -> Path:
    return simbuild.build_cpp(
        "pm_x25519_compact_engine", SOURCES, "tb/cores/x25519/pm_x25519_compact_bench.cpp",
        params={"Leaves": leaves, "Contexts": contexts},
        out_dir=f"build/sim/pm_x25519_compact_{leaves}_{contexts}")  # fmt: skip


def openssl(k: bytes, u: bytes) -> bytes:
    """X25519 by OpenSSL, which refuses a result of zero."""
    try:
        return X25519PrivateKey.from_private_bytes(k).exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)


def multiply(form: tuple[int, int], jobs: list[tuple[bytes, bytes]], seed: int = 0,
             cycles: bool = True) -> tuple[list[bytes], int]:  # fmt: skip
    """Results of jobs by the engine, and the cycles from the first to the last. Each must take the cycles of its
    form (unless results wait for each other, `cycles` False), and say whether it is zero."""
    lines = "".join(f"{k[::-1].hex()} {u[::-1].hex()}\n" for k, u in jobs)
    done = subprocess.run([engine(*form), str(seed)], input=lines, text=True, capture_output=True, check=False)
    if done.returncode:
        pytest.fail("the engine stopped:\n" + done.stdout.replace("%", "")[-500:], pytrace=False)
    *rows, gap = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == len(jobs) and gap[0] == "gap"
    results = []
    for value, zero, taken in rows:
        result = bytes.fromhex(value)[::-1]
        assert int(value, 16) < P
        assert int(zero) == (not any(result))
        assert int(taken) == CYCLES[form] if cycles else int(taken) >= CYCLES[form]
        results.append(result)
    return results, int(gap[1])


@pytest.mark.parametrize("form", FORMS)
def test_rfc_7748(form: tuple[int, int]) -> None:
    cases = rfc7748_cases()
    assert len(cases) == 7
    assert multiply(form, [(case.k, case.u) for case in cases])[0] == [case.out for case in cases]


@pytest.mark.long
@pytest.mark.parametrize("form", CYCLES)
def test_rfc_7748_iterated(form: tuple[int, int]) -> None:
    """Each round begins with the result of the one before, so the model goes ahead; the engine repeats all."""
    k = u = (9).to_bytes(32, "little")
    jobs = []
    for number in range(1, 1001):
        jobs.append((k, u))
        k, u = openssl(k, u), k
        if number in ITERATED:
            assert k.hex() == ITERATED[number]
    results, _ = multiply(form, jobs)
    assert [job[0] for job in jobs[1:]] == results[:-1]
    assert results[0].hex() == ITERATED[1] and results[-1].hex() == ITERATED[1000]


# u of the points of order 1, 2, 4, 8 on the curve and its twist, some of them plus p.
LOW_ORDER = [0, 1, P - 1, P, P + 1,
             325606250916557431795983626356110631294008115727848805560023387167927233504,
             39382357235489614581723060781553021112529911719440698176882885853963445705823]  # fmt: skip
EDGES = [*LOW_ORDER, 2**255 - 1, 2**255 - 19 + 9, 9, 2, P - 2, 2**255 | 9, 2**256 - 1]
SCALARS = [0, 2**256 - 1, 7, 2**255, int("10" * 128, 2), int("01" * 128, 2)]


def check(form: tuple[int, int], count: int, seed: int, pauses: int = 0) -> None:
    """Edge values, then random ones: engine, OpenSSL and golden model say the same."""
    rng = random.Random(seed)
    numbers = [(rng.getrandbits(256), u) for u in EDGES] + [(k, 9) for k in SCALARS]
    numbers += [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(count - len(numbers))]
    jobs = [(k.to_bytes(32, "little"), u.to_bytes(32, "little")) for k, u in numbers]
    results, _ = multiply(form, jobs, pauses, not pauses or form[1] == 1)
    for (k, u), result in zip(jobs, results, strict=True):
        assert result == openssl(k, u) == model(k, u)
    assert len(jobs) == count
    assert sum(not any(result) for result in results) == len(LOW_ORDER)


COUNTS = {(27, 1): 300, (9, 1): 100, (27, 5): 100, (9, 2): 60, (9, 3): 60}


@pytest.mark.parametrize("form", FORMS)
def test_random(form: tuple[int, int]) -> None:
    """Any u, below p or not, with or without bit 255; every job takes the same cycles."""
    check(form, COUNTS[form], seed=1)


@pytest.mark.long
@pytest.mark.parametrize("form", CYCLES)
def test_random_long(form: tuple[int, int]) -> None:
    check(form, 10_000, seed=2)


@pytest.mark.parametrize("form", [(27, 1), (27, 5), (9, 2), pytest.param((9, 3), marks=pytest.mark.long)])
def test_pauses(form: tuple[int, int]) -> None:
    """Jobs that come late and results that wait: nothing is lost or changes places."""
    check(form, 40, seed=3, pauses=5)


def test_schedules() -> None:
    """Ladder steps as short as the multiplier allows: CP-SAT's proof."""
    lengths = {}
    for config in ("compact27", "compact9", "contexts"):
        _, _, schedules, _ = build_program("x25519", "compact", config)
        step = schedules["ladder_step"]
        assert sum(op.unit == "mul" for op in step.block.ops) == 9
        lengths[config] = (step.length, step.bound)
    assert lengths == {"compact27": (38, 38), "compact9": (88, 88), "contexts": (9, 9)}


@pytest.mark.parametrize(("form", "most"), [
    ((27, 1), 13_200), ((9, 1), 24_000), ((27, 5), 7_620), ((9, 2), 24_000),
    pytest.param((9, 3), 24_000, marks=pytest.mark.long)])  # fmt: skip
def test_rate(form: tuple[int, int], most: int) -> None:
    """Cycles of an operation in steady state, jobs waiting at all times: exact, and no more than the target."""
    operations = ROUNDS * form[1]
    jobs = [(bytes(range(i, i + 32)), (9).to_bytes(32, "little")) for i in range(operations + 1)]
    _, gap = multiply(form, jobs)
    assert gap == GAPS[form] <= most * operations


ROUNDS = 4
GAPS = {(27, 1): 41_388, (9, 1): 93_315, (27, 5): 142_320, (9, 2): 170_352, (9, 3): 254_448}
"""Cycles from the first to the last of ROUNDS operations of each context, where jobs wait."""


@pytest.mark.parametrize(("params", "sentence"), [
    ({"Leaves": 81}, "Leaves must be 27 or 9"),
    ({"Contexts": 3}, "Contexts must be 1, or 4 to 10"),
    ({"Contexts": 11}, "Contexts must be 1, or 4 to 10"),
    ({"Leaves": 9, "Contexts": 4}, "Contexts must be 1, or 4 to 10"),
])  # fmt: skip
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_x25519_compact_engine", SOURCES, params)


# ---------------------------------------------------------------------------- wiping, clear_i, reset

CONTEXTS = int(os.environ.get("PM_CONTEXTS", "1"))
LEAVES = int(os.environ.get("PM_LEAVES", "27"))


async def begin(dut) -> None:
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    for name in ("clear_i", "job_valid_i", "result_ready_i"):
        getattr(dut, name).value = 0
    dut.rst_ni.value = 0
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1


async def give(dut, k: int, u: int) -> None:
    """Offer a job until it is taken."""
    dut.job_k_i.value, dut.job_u_i.value, dut.job_valid_i.value = k, u, 1
    for _ in range(2000):
        taken = bool(dut.job_ready_o.value)
        await FallingEdge(dut.clk_i)
        if taken:
            break
    else:
        raise AssertionError("never ready")
    dut.job_valid_i.value = 0
    dut.job_k_i.value = dut.job_u_i.value = 0


def left(dut) -> list[str]:
    """Registers and memory words of the engine that are not what they are when nothing was computed."""
    data = dut.u_datapath
    found = ["job_q"] if int(dut.job_q.value) else []
    for bank, idle in (("u_mul_bank", 0), ("u_sum_bank", 0), ("u_diff_bank", 4 * P)):
        copies = getattr(data.u_banks.g_banks, bank).g_copy
        for copy in range(4):
            memory = copies[copy].memory
            for number in range(32 * CONTEXTS):
                if int(memory[number].value) != idle:
                    found.append(f"{bank}[{copy}][{number}]")
    multiplier = data.g_plain_multiplier.u_mul.gen_plain
    turns = multiplier.gen_turns.u_turns
    names = [(turns, name) for name in ("h_o", "l_o")]
    names += [(multiplier.u_fold, name) for name in ("t_q", "r_q")]
    names += [(data, name) for name in ("port_a", "port_b", "sum")]
    found += [name for scope, name in names if int(getattr(scope, name).value)]
    inverter = dut.u_inverter
    found += [f"inverter {name}" for name in ("u_q", "x2_q") if int(getattr(inverter, name).value)]
    return found


async def ready(dut) -> None:
    for _ in range(2000):
        await FallingEdge(dut.clk_i)
        if dut.job_ready_o.value:
            return
    raise AssertionError("never ready")


@cocotb.test()
async def nothing_is_left(dut) -> None:
    """After a result is taken, after clear_i and after reset at any time, all is as before the first job."""
    await begin(dut)
    rng = random.Random(1)
    await ready(dut)
    assert left(dut) == []
    length = CYCLES[LEAVES, CONTEXTS]
    times = [0, 1, 2, 3, 9, *(rng.randrange(length) for _ in range(6)), length - 300, length - 15, length]
    for number, cycles in enumerate(times):
        k, u = rng.getrandbits(256), rng.getrandbits(256)
        await give(dut, k, u)
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        if cycles > 9:
            assert len(left(dut)) > 4, "the bench looks at nothing"
        if number % 3 == 2:
            dut.rst_ni.value = 0
        else:
            dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value, dut.clear_i.value = 1, 0
        assert not dut.busy_o.value and not dut.result_valid_o.value
        assert not dut.job_ready_o.value
        await ready(dut)
        assert left(dut) == [], f"after {cycles} cycles"


@cocotb.test()
async def a_job_after_clear(dut) -> None:
    """A job that is dropped does not disturb the next; its result is held until taken, then nothing is left."""
    await begin(dut)
    rng = random.Random(2)
    for cycles in (5, 100, CYCLES[LEAVES, CONTEXTS] + 20):
        await give(dut, rng.getrandbits(256), rng.getrandbits(256))
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
    k, u = rng.getrandbits(256), rng.getrandbits(256)
    await give(dut, k, u)
    for _ in range(CYCLES[LEAVES, CONTEXTS] - 1):
        assert not dut.result_valid_o.value and dut.busy_o.value
        await FallingEdge(dut.clk_i)
    expected = int.from_bytes(model(k.to_bytes(32, "little"), u.to_bytes(32, "little")), "little")
    for _ in range(600):
        assert dut.result_valid_o.value and int(dut.result_o.value) == expected
        await FallingEdge(dut.clk_i)
    dut.result_ready_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.result_ready_i.value = 0
    assert not dut.busy_o.value and not dut.result_valid_o.value
    assert left(dut) == []
    await ready(dut)


@pytest.mark.parametrize(("leaves", "contexts"), [
    (27, 1), pytest.param(27, 5, marks=pytest.mark.long), pytest.param(9, 1, marks=pytest.mark.long),
    pytest.param(9, 2, marks=pytest.mark.long)])  # fmt: skip
def test_wiping(leaves: int, contexts: int) -> None:
    simbuild.run_cocotb(
        "pm_x25519_compact_engine", SOURCES, __name__, {"Leaves": leaves, "Contexts": contexts}, expect=2,
        extra_env={"PM_LEAVES": str(leaves), "PM_CONTEXTS": str(contexts)},
        build_dir=f"build/cocotb/pm_x25519_compact_{leaves}_{contexts}")  # fmt: skip
