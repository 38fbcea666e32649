# SPDX-License-Identifier: Apache-2.0
"""pm_limb_unit: bit by bit against the golden model; its limb ranges proved for all operands by exact bounds."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from field_common import counters

from pointmill import simbuild
from pointmill.model import limb
from pointmill.model.limb import LIMBS, P, Range, RangeError

RTL = ["hw/lib/field/pm_limb_pkg.sv", "hw/lib/field/pm_limb_mac.sv", "hw/lib/field/pm_limb_unit.sv"]
OPS = ("mul", "small", "add", "sub")
EDGES = [0, 1, 18, 19, 0x7FEC, 0x7FED, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFEC, 0xFFED, 0xFFFE, 0xFFFF]
FULL = [Range(0, 0xFFFF)] * LIMBS
SMALL = FULL[: limb.SMALL_DIGITS] + [Range(0, 0)] * (LIMBS - limb.SMALL_DIGITS)
EXPECTED = {"mul": lambda x, y: x * y, "small": lambda x, y: x * y,
            "add": lambda x, y: x + y, "sub": lambda x, y: x - y}  # fmt: skip


# ---- ranges, for all operands -------------------------------------------------------------------


def result_ranges(op: str) -> list[Range]:
    """Exact bounds of the limbs of a result, operands being any limbs."""
    return limb.operate(op, FULL, SMALL if op == "small" else FULL)


@pytest.mark.parametrize("op, lowest, others", [
    ("mul", 35427, 34059), ("small", 32919, 32919), ("add", 32824, 32770), ("sub", 32843, 32771)])  # fmt: skip
def test_limbs_stay_within_16_bits(op: str, lowest: int, others: int) -> None:
    """`operate` on ranges raises where an intermediate value may be negative or too wide for its register."""
    ranges = result_ranges(op)
    assert all(r.lo >= 0 and r.hi < 1 << 16 for r in ranges)
    assert ranges[0].hi == lowest
    assert max(r.hi for r in ranges[1:]) == others


def test_product_is_below_2p() -> None:
    """So that pm_limb_canon needs one subtraction."""
    assert limb.value_of([r.hi for r in result_ranges("mul")]) < 2 * P


@pytest.mark.parametrize("name, wrong, ops", [
    ("MULTIPLE", 2, ["sub"]),
    ("PRODUCT_PASSES", 1, ["mul", "small"]),
    ("SUM_PASSES", 0, ["add", "sub"]),
    ("PRODUCT_BITS", 40, ["mul"]),
    ("WRAPPED_BITS", 20, ["mul"]),
    ("CARRIED_BITS", 25, ["mul"]),
    ("LIMB_BITS", 15, ["mul", "small", "add", "sub"]),
])  # fmt: skip
def test_proof_fails_for_a_wrong_bound(monkeypatch, name: str, wrong: int, ops: list[str]) -> None:
    monkeypatch.setattr(limb, name, wrong)
    for op in ops:
        with pytest.raises(RangeError):
            result_ranges(op)


def test_bounds_are_those_of_the_hardware() -> None:
    """The widths of the package are the widths of the proof."""
    text = (simbuild.ROOT / RTL[0]).read_text()
    found = {name: int(value) for name, value in re.findall(r"localparam int unsigned (\w+) = (\d+);", text)}
    assert found == {
        "Limbs": LIMBS, "LimbBits": limb.LIMB_BITS, "DigitBits": limb.DIGIT_BITS, "Wrap": limb.WRAP,
        "SmallDigits": limb.SMALL_DIGITS, "ProductBits": limb.PRODUCT_BITS, "WrappedBits": limb.WRAPPED_BITS,
        "CarriedBits": limb.CARRIED_BITS,
    }  # fmt: skip


# ---- golden model -------------------------------------------------------------------------------


def operands(rng: np.random.Generator, count: int) -> np.ndarray:
    """`count` numbers, limb by limb: of uniform limbs, of edges, mostly zeros, mostly ones, digits without carry,
    one edge in all limbs, as results are."""
    kinds = rng.integers(0, 8, count)
    limbs = rng.integers(0, 1 << 16, (LIMBS, count))
    edges = rng.choice(EDGES, (LIMBS, count))
    sparse = rng.random((LIMBS, count)) < 0.15
    repeated = np.broadcast_to(rng.choice(EDGES, count), (LIMBS, count))
    choices = {
        1: edges,
        2: np.where(sparse, edges, 0),
        3: np.where(sparse, edges, 0xFFFF),
        4: limbs & 0x7FFF,
        5: repeated,
        6: limbs % 33988,
    }
    for kind, values in choices.items():
        limbs = np.where(kinds == kind, values, limbs)
    return limbs


def records(op: str, seed: int, count: int) -> np.ndarray:
    """(count, 52) words for the bench, results by the golden model."""
    rng = np.random.default_rng(seed)
    x, y = operands(rng, count), operands(rng, count)
    if op == "small":
        y[limb.SMALL_DIGITS :] = 0
        y[:2, ::3] = np.array(limb.limbs_of(121666)[:2])[:, None]
    result = np.array(limb.operate(op, list(x), list(y)))
    head = np.full((1, count), OPS.index(op))
    return np.concatenate([head, x, y, result]).T.astype("<u2")


@pytest.mark.parametrize("op", OPS)
def test_golden_model_is_right(op: str) -> None:
    """On integers, modulo p, and the same as on arrays."""
    rows = records(op, 7, 3000)
    for row in rows:
        x, y, r = (list(map(int, row[1 + i * LIMBS : 1 + (i + 1) * LIMBS])) for i in range(3))
        assert limb.operate(op, x, y) == r
        assert (limb.value_of(r) - EXPECTED[op](limb.value_of(x), limb.value_of(y))) % P == 0
    assert len(rows) == 3000


def test_model_refuses_what_does_not_fit() -> None:
    with pytest.raises(RangeError, match="column"):
        limb.operate("sub", [0] * LIMBS, [0x1FFFF] * LIMBS)
    with pytest.raises(RangeError, match="2p"):
        limb.canonical([0x7FFF] * 16 + [0xFFFF])
    assert [limb.canonical(limb.limbs_of(v)) for v in (0, P - 1, P, P + 18)] == [0, P - 1, 0, 18]
    assert limb.canonical([0x7FFF + (i == 0) for i in range(LIMBS)]) == 19


# ---- the unit -----------------------------------------------------------------------------------


@cache
def bench() -> Path:
    return simbuild.build_cpp("pm_limb_unit", RTL, "dv/lib/field/pm_limb_unit_bench.cpp",
                              cflags=("-Idv/common",), verilator_args=("--public-flat-rw",),
                              out_dir="build/sim/pm_limb_unit")


def play(mode: str, rows: np.ndarray) -> dict[str, int]:
    return counters(bench(), mode, rows.tobytes())


def test_operations() -> None:
    """5,000 of each kind, mixed, one right after the other."""
    rows = np.concatenate([records(op, 11 + i, 5000) for i, op in enumerate(OPS)])
    random.Random(3).shuffle(order := list(range(len(rows))))
    got = play("play", rows[order])
    assert got == {"mul": 5000, "small": 5000, "add": 5000, "sub": 5000, "cleared": 0}


def test_clear() -> None:
    """In every cycle of every operation; nothing stays, and the next operation is right."""
    rows = np.concatenate([records(op, 31 + i, 200) for i, op in enumerate(OPS)])
    got = play("clear", rows)
    assert got == {"mul": 200, "small": 200, "add": 200, "sub": 200, "cleared": 800}


def test_assertion_of_ranges() -> None:
    """It stops the run at a result whose limb has 17 bits or more."""
    with pytest.raises(simbuild.BuildError, match="Assertion failed"):
        play("wide", records("add", 5, 1))


@pytest.mark.long
@pytest.mark.parametrize("op", OPS)
def test_million_operations(op: str) -> None:
    done = 0
    for part in range(20):
        done += play("play", records(op, 1000 + part, 50_000))[op]
    assert done == 1_000_000
